"""The card of a run, to read, copy and export."""

import json
from pathlib import Path
from typing import Any

from PySide6.QtCore import Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QHBoxLayout,
    QPushButton,
    QTextBrowser,
    QVBoxLayout,
    QWidget,
)

from termexplorer.errors import UserError
from termexplorer.files import atomic_write
from termexplorer.services.train.run_cards import card_text
from termexplorer.texts import mark, tr, translated
from termexplorer.views.train.run_card_html import card_html
from termexplorer.views.widgets.file_dialogs import ask_save_path
from termexplorer.views.widgets.notices import Notices
from termexplorer.views.widgets.theme import Theme

_HINT = mark("Select a run below to read its card.")


class RunCard(QWidget):
    """Shows a card."""

    def __init__(self, notices: Notices, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._notices = notices
        self._theme = theme
        self._card: dict[str, Any] | None = None
        self.text = QTextBrowser()
        self.text.setAccessibleName(tr("Run card"))
        self.copy_json = QPushButton(tr("Copy as JSON"))
        self.copy_text = QPushButton(tr("Copy as text"))
        self.export = QPushButton(tr("Export…"))
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addStretch(1)
        for button in (self.copy_text, self.copy_json, self.export):
            row.addWidget(button)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 8, 16, 8)
        column.setSpacing(8)
        column.addWidget(self.text, 1)
        column.addLayout(row)
        self.copy_json.clicked.connect(self._on_json)
        self.copy_text.clicked.connect(self._on_text)
        self.export.clicked.connect(self._on_export)
        theme.changed.connect(self._paint)
        self.show_card(None)

    def show_card(self, card: dict[str, Any] | None) -> None:
        """Shows a card, or how to get one."""
        if card == self._card and card is not None:
            return
        self._card = card
        for button in (self.copy_json, self.copy_text, self.export):
            button.setEnabled(card is not None)
            button.setToolTip("" if card else translated(_HINT))
        self._paint()

    @property
    def json(self) -> str:
        """The card as JSON."""
        return json.dumps(self._card, indent=2, ensure_ascii=False)

    @Slot()
    def _paint(self) -> None:
        quiet = self._theme.colours.quiet
        hint = f"<p style='color:{quiet}'>{translated(_HINT)}</p>"
        self.text.setHtml(card_html(self._card, quiet) if self._card else hint)

    @Slot()
    def _on_json(self) -> None:
        self._copy(self.json, mark("The card of run {run} is on the clipboard, as JSON"))

    @Slot()
    def _on_text(self) -> None:
        template = mark("The card of run {run} is on the clipboard, as text")
        self._copy(card_text(self._card or {}), template)

    def _copy(self, text: str, template: str) -> None:
        QGuiApplication.clipboard().setText(text)
        number = self._card["run"] if self._card else 0
        self._notices.tell(translated(template, run=number))

    @Slot()
    def _on_export(self) -> None:
        number = self._card["run"] if self._card else 0
        title, types = tr("Export run card"), tr("JSON (*.json);;Text (*.txt)")
        if path := ask_save_path(self, "cards", title, f"run-{number}.json", types):
            self.write(path)

    def write(self, path: Path) -> None:
        """Writes the card: JSON, or text where the file ends in `.txt`."""
        text = card_text(self._card or {}) if path.suffix.lower() == ".txt" else self.json
        try:
            with atomic_write(path) as fresh:
                fresh.write_text(text + "\n", "utf-8")
        except UserError as error:
            self._notices.error(str(error))
        else:
            self._notices.tell(tr("Exported the card to {path}", path=path))
