"""Looking a term up: on the web, or in the glossary of the study; only if somebody asks for it."""

from functools import partial
from urllib.parse import quote_plus

from PySide6.QtCore import QUrl, Signal, Slot
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QTextBrowser, QVBoxLayout, QWidget

from termexplorer.services.studies.glossary import look_up
from termexplorer.services.verdicts.judging_keys import GLOSSARY, WEB, WEB_SECOND
from termexplorer.store.judging.studies import LookUp
from termexplorer.texts import mark, tr, translated
from termexplorer.views.judging.attention_clock import LONGEST_THOUGHT
from termexplorer.views.widgets.keys import text_with_key

_TERMS = {WEB: mark("Search the web: first term"), WEB_SECOND: mark("Search the web: second term")}
_WEB_TIP = mark(
    "That you looked something up is kept with your answer. The next window in front is taken for "
    "the browser: your time there counts, up to {minutes} minutes, until you are back."
)
_SEARCH = "https://duckduckgo.com/?q="
_LINES = 4


class LookUpBar(QWidget):
    """A button for each term and one for the glossary, as far as the study allows it.

    Signals:
        used: something was looked up.
        left: a browser was opened, which people will look at now.
        message_shown: what came of a search of the web, in words.

    Attributes:
        keys: of the buttons.
        text: what the glossary says.
    """

    used = Signal()
    left = Signal()
    message_shown = Signal(str)

    def __init__(self, allowed: LookUp, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._glossary = allowed.glossary
        self._terms: tuple[str, ...] = ()
        self.keys: dict[str, QPushButton] = {}
        self.text = QTextBrowser()
        self.text.setAccessibleName(tr("Glossary"))
        self.text.setTabChangesFocus(True)
        self.text.setFixedHeight(self.fontMetrics().lineSpacing() * _LINES)
        if allowed.web:
            for number, (key, text) in enumerate(_TERMS.items()):
                button = QPushButton(text_with_key(translated(text), key))
                button.clicked.connect(partial(self._search, number))
                self.keys[key] = button
        if allowed.glossary:
            self.keys[GLOSSARY] = QPushButton(text_with_key(tr("Glossary"), GLOSSARY))
            self.keys[GLOSSARY].clicked.connect(self._on_glossary)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addStretch(1)
        for button in self.keys.values():
            button.setProperty("quiet", True)
            button.setToolTip(tr("That you looked something up is kept with your answer"))
            if button is not self.keys.get(GLOSSARY):
                button.setToolTip(translated(_WEB_TIP, minutes=round(LONGEST_THOUGHT / 60)))
            row.addWidget(button)
        row.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addWidget(self.text)
        column.addLayout(row)
        self.setVisible(bool(self.keys))
        self.text.hide()

    def show_terms(self, *terms: str) -> None:
        """What can be looked up now."""
        self._terms = terms
        self.text.hide()

    def _search(self, number: int) -> None:
        term = self._terms[number]
        if QDesktopServices.openUrl(QUrl(_SEARCH + quote_plus(term))):
            self.used.emit()
            self.left.emit()
            self.message_shown.emit(tr("Searching the web in your browser for: {term}", term=term))
        else:
            self.message_shown.emit(
                tr("No web browser could be opened, so nothing was looked up: install one")
            )

    @Slot()
    def _on_glossary(self) -> None:
        if self.text.isVisible():
            self.text.hide()
            return
        self.used.emit()
        entries = look_up(self._glossary, *self._terms)
        entries_text = "\n".join(f"{entry.term}: {entry.text}" for entry in entries)
        self.text.setPlainText(entries_text or tr("No matching entry."))
        self.text.show()
