"""The language of the window: chosen once, before anything is shown."""

import os
from enum import Enum
from pathlib import Path

from PySide6.QtCore import QLibraryInfo, QLocale, Qt, QTranslator
from PySide6.QtWidgets import QApplication
from shiboken6 import delete

from termexplorer import spoken, texts
from termexplorer.views.widgets.ui_state import UiState

VARIABLE = "TERMEXPLORER_LANGUAGE"
"""Of the environment: goes before what was chosen, as `de`."""

_KEY = "language"
_USUAL = QLocale()  # before a language is spoken
_GERMAN, _GERMANY = QLocale.Language.German, QLocale.Country.Germany
_OWN = Qt.FindChildOption.FindDirectChildrenOnly


class Language(Enum):
    """What the user chose."""

    SYSTEM = "system"
    ENGLISH = texts.ENGLISH
    GERMAN = "de"


def chosen_language(session: UiState) -> Language:
    """What was chosen last."""
    return _known_language(session.look(_KEY))


def keep_language(session: UiState, language: Language) -> None:
    """Keeps a choice; it takes effect with the next start."""
    session.keep_look(_KEY, language.value)
    session.sync()


def speak_as_chosen(application: QApplication, session: UiState) -> None:
    """Has every text shown in the chosen language from now on."""
    wanted = _known_language(os.environ.get(VARIABLE, session.look(_KEY)))
    if wanted is Language.SYSTEM:
        wanted = _of_the_system()
    set_language(application, wanted)


def set_language(application: QApplication, language: Language) -> None:
    """Has every text shown in a language from now on; English needs nothing."""
    for old in application.findChildren(QTranslator, options=_OWN):
        application.removeTranslator(old)
        delete(old)
    german = language is Language.GERMAN
    if german:
        of_qt = QTranslator(application)
        if of_qt.load(str(_file_of_qt(Language.GERMAN))):
            application.installTranslator(of_qt)
    QLocale.setDefault(QLocale(_GERMAN, _GERMANY) if german else _USUAL)
    spoken.speak((Language.GERMAN if german else Language.ENGLISH).value)


def _file_of_qt(language: Language) -> Path:
    folder = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
    return Path(folder) / f"qtbase_{language.value}.qm"


def _of_the_system() -> Language:
    german = QLocale.system().language() == _GERMAN
    return Language.GERMAN if german else Language.ENGLISH


def _known_language(value: str) -> Language:
    return {language.value: language for language in Language}.get(value, Language.SYSTEM)
