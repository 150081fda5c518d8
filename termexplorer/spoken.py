"""The translations that a window and its children load: one file, asked in the same way."""

from termexplorer import texts
from termexplorer.resources import FOLDER

_CONTEXT = "termexplorer"


def speak(name: str) -> None:
    """Has this process say everything in a language from now on; English loads nothing.

    Args:
        name: of the language, as "de"; one that there is no file of is said in English.
    """
    texts.speak(name, _asker(_file(name)) if name != texts.ENGLISH else None)


def _file(name: str) -> str:
    return str(FOLDER / "translations" / f"termexplorer_{name}.qm")


def _asker(file: str) -> texts.Asker:
    from PySide6.QtCore import QTranslator  # not for those who speak English

    translator = QTranslator()
    translator.load(file)

    def ask(text: str, sense: str, number: int) -> str:
        # any thread may ask: nothing of a translator changes after it was loaded
        return translator.translate(_CONTEXT, text, sense or None, number) or text

    return ask
