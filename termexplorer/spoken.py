"""The translations that a window and its children load: one file, asked in the same way."""

from pathlib import Path

from termexplorer import texts
from termexplorer.resources import FOLDER

_CONTEXT = "termexplorer"


def speak(name: str) -> None:
    """Has this process say everything in a language from now on; English loads nothing.

    Args:
        name: of the language, as "de"; one that there is no file of is said in English.
    """
    texts.speak(name, _load_asker(_translation_file(name)) if name != texts.ENGLISH else None)


def _translation_file(name: str) -> Path:
    return Path(FOLDER, "translations", f"termexplorer_{name}.qm")


def _load_asker(file: Path) -> texts.Asker:
    from PySide6.QtCore import QTranslator  # not for those who speak English

    # Qt maps a file that it loads itself, and would say what an update has made of it
    content = file.read_bytes() if file.exists() else b""
    translator = QTranslator()
    translator.load(content)

    def ask(text: str, sense: str, number: int, _kept: bytes = content) -> str:
        # any thread may ask: nothing of a translator changes after it was loaded; it looks into
        # the content every time and does not keep it
        return translator.translate(_CONTEXT, text, sense or None, number) or text

    return ask
