"""Chooses the language of the program, from its next start on."""

from PySide6.QtCore import Slot
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu, QWidget

from termexplorer.texts import tr
from termexplorer.views.widgets.language import Language, chosen_language, keep_language
from termexplorer.views.widgets.notices import Notices
from termexplorer.views.widgets.ui_state import UiState

_OWN_NAMES = {Language.ENGLISH: "&English", Language.GERMAN: "&Deutsch"}


class LanguageMenu(QMenu):
    """The system's language, or one of those that the program speaks, each by its own name."""

    def __init__(self, session: UiState, notices: Notices, parent: QWidget) -> None:
        super().__init__(tr("&Language"), parent)
        self._session, self._notices = session, notices
        group = QActionGroup(self)
        for language in Language:
            text = _OWN_NAMES.get(language) or tr("As the &system")
            action = QAction(text, self, checkable=True)
            action.setData(language.value)
            action.setChecked(language is chosen_language(session))
            group.addAction(action)
            self.addAction(action)
        group.triggered.connect(self._on_chosen)

    @Slot(QAction)
    def _on_chosen(self, action: QAction) -> None:
        keep_language(self._session, Language(action.data()))
        self._notices.tell(tr("termexplorer speaks this language from its next start on."))
