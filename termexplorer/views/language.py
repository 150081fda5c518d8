"""The language of the window: chosen once, before anything is shown."""

import os
from enum import Enum

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QTranslator
from PySide6.QtWidgets import QApplication

from termexplorer import texts
from termexplorer.resources import FOLDER
from termexplorer.views.session import Session

VARIABLE = "TERMEXPLORER_LANGUAGE"
"""Of the environment: goes before what was chosen, as `de`."""

_KEY = "language"
_CONTEXT = "termexplorer"


class Language(Enum):
    """What the user chose."""

    SYSTEM = "system"
    ENGLISH = "en"
    GERMAN = "de"


def chosen_language(session: Session) -> Language:
    """What was chosen last."""
    return _known(session.look(_KEY))


def keep_language(session: Session, language: Language) -> None:
    """Keeps a choice; it takes effect with the next start."""
    session.keep_look(_KEY, language.value)
    session.sync()


def speak_as_chosen(application: QApplication, session: Session) -> None:
    """Has every text shown in the chosen language from now on."""
    wanted = _known(os.environ.get(VARIABLE, session.look(_KEY)))
    if wanted is Language.SYSTEM:
        wanted = _of_the_system()
    speak(application, wanted)


def speak(application: QApplication, language: Language) -> None:
    """Has every text shown in a language from now on; English needs nothing."""
    if language is not Language.GERMAN:
        texts.speak(Language.ENGLISH.value, None)
        return
    name = language.value
    qt = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
    for file in (
        f"{qt}/qtbase_{name}.qm",
        str(FOLDER / "translations" / f"termexplorer_{name}.qm"),
    ):
        translator = QTranslator(application)
        if translator.load(file):
            application.installTranslator(translator)
    texts.speak(name, _ask)


def _ask(text: str, sense: str, number: int) -> str:
    return QCoreApplication.translate(_CONTEXT, text, sense or None, number)


def _of_the_system() -> Language:
    german = QLocale.system().language() == QLocale.Language.German
    return Language.GERMAN if german else Language.ENGLISH


def _known(value: str) -> Language:
    return {each.value: each for each in Language}.get(value, Language.SYSTEM)
