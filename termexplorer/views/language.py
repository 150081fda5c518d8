"""The language of the window: chosen once, before anything is shown."""

import os
from enum import Enum
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, Qt, QTranslator
from PySide6.QtWidgets import QApplication
from shiboken6 import delete

from termexplorer import texts
from termexplorer.resources import FOLDER
from termexplorer.views.session import Session

VARIABLE = "TERMEXPLORER_LANGUAGE"
"""Of the environment: goes before what was chosen, as `de`."""

_KEY = "language"
_CONTEXT = "termexplorer"
_USUAL = QLocale()  # before a language is spoken
_GERMAN, _GERMANY = QLocale.Language.German, QLocale.Country.Germany
_OWN = Qt.FindChildOption.FindDirectChildrenOnly


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
    for old in application.findChildren(QTranslator, options=_OWN):
        application.removeTranslator(old)
        delete(old)
    german = language is Language.GERMAN
    name = Language.GERMAN.value if german else Language.ENGLISH.value
    for file in _files(name):
        translator = QTranslator(application)
        if translator.load(str(file)):
            application.installTranslator(translator)
    QLocale.setDefault(QLocale(_GERMAN, _GERMANY) if german else _USUAL)
    texts.speak(name, _ask if german else None)


def _files(name: str) -> tuple[Path, ...]:
    if name == Language.ENGLISH.value:
        return ()
    qt = Path(QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath))
    return qt / f"qtbase_{name}.qm", FOLDER / "translations" / f"termexplorer_{name}.qm"


def _ask(text: str, sense: str, number: int) -> str:
    return QCoreApplication.translate(_CONTEXT, text, sense or None, number)


def _of_the_system() -> Language:
    german = QLocale.system().language() == _GERMAN
    return Language.GERMAN if german else Language.ENGLISH


def _known(value: str) -> Language:
    return {each.value: each for each in Language}.get(value, Language.SYSTEM)
