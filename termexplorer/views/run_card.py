"""The card of a run, to read, copy and export."""

import json
from html import escape
from pathlib import Path
from typing import Any

from PySide6.QtCore import Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QFileDialog,
    QHBoxLayout,
    QPushButton,
    QTextBrowser,
    QVBoxLayout,
    QWidget,
)

from termexplorer.services.run_cards import card_text, figure_text
from termexplorer.views.notices import Notices
from termexplorer.views.theme import Theme

_MOST_CLASSES = 60
_HINT = "Select a run below to read its card."


class RunCard(QWidget):
    """Shows a card."""

    def __init__(self, notices: Notices, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._notices = notices
        self._theme = theme
        self._card: dict[str, Any] | None = None
        self.text = QTextBrowser()
        self.text.setAccessibleName("Run card")
        self.copy_json = QPushButton("Copy as JSON")
        self.copy_text = QPushButton("Copy as text")
        self.export = QPushButton("Export…")
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
            button.setToolTip("" if card else _HINT)
        self._paint()

    @property
    def json(self) -> str:
        """The card as JSON."""
        return json.dumps(self._card, indent=2, ensure_ascii=False)

    @Slot()
    def _paint(self) -> None:
        quiet = self._theme.colours.quiet
        html = _html(self._card, quiet) if self._card else f"<p style='color:{quiet}'>{_HINT}</p>"
        self.text.setHtml(html)

    @Slot()
    def _on_json(self) -> None:
        self._copy(self.json, "JSON")

    @Slot()
    def _on_text(self) -> None:
        self._copy(card_text(self._card or {}), "text")

    def _copy(self, text: str, form: str) -> None:
        QGuiApplication.clipboard().setText(text)
        number = self._card["run"] if self._card else 0
        self._notices.tell(f"The card of run {number} is on the clipboard, as {form}")

    @Slot()
    def _on_export(self) -> None:
        number = self._card["run"] if self._card else 0
        name, _ = QFileDialog.getSaveFileName(
            self, "Export run card", f"run-{number}.json", "JSON (*.json);;Text (*.txt)"
        )
        if name:
            self.write(Path(name))

    def write(self, path: Path) -> None:
        """Writes the card: JSON, or text where the file ends in `.txt`."""
        text = card_text(self._card or {}) if path.suffix == ".txt" else self.json
        try:
            path.write_text(text + "\n", "utf-8")
        except OSError as error:
            self._notices.error(f"{path}: cannot be written ({error.strerror})")
        else:
            self._notices.tell(f"Exported the card to {path}")


def _html(card: dict[str, Any], quiet: str) -> str:
    rows = [_row(key, value, quiet) for key, value in card.items() if value not in ("", None, {})]
    return f"<table cellspacing='0' cellpadding='3'>{''.join(rows)}</table>"


def _row(key: str, value: object, quiet: str) -> str:
    title = f"<td style='color:{quiet}; padding-right:16px'>{escape(key.replace('_', ' '))}</td>"
    return f"<tr>{title}<td>{_told(key, value)}</td></tr>"


def _told(key: str, value: object) -> str:
    if key == "figures" and isinstance(value, list):
        return "<br>".join(escape(figure_text(each)) for each in value) or "none yet"
    if isinstance(value, dict):
        pairs = [f"{name.replace('_', ' ')} {_short(each)}" for name, each in value.items()]
        more = f" · and {len(pairs) - _MOST_CLASSES:,} more" if len(pairs) > _MOST_CLASSES else ""
        return escape(" · ".join(pairs[:_MOST_CLASSES]) + more)
    return escape(_short(value))


def _short(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value)) or "none"
    return str(value) or "none"
