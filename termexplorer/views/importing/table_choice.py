"""How a names table is read: its sheet, whether it has titles, and which column holds what."""

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QVBoxLayout, QWidget

from termexplorer.texts import tr, translated
from termexplorer.views.importing.column_choice import FIELD_TITLES, ColumnChoice
from termexplorer.views.widgets.inputs import ChoiceBox
from termexplorer.views.widgets.plain_label import PlainLabel

if TYPE_CHECKING:
    from termexplorer.services.importing.releases import TableGuess


class TableChoice(QWidget):
    """A choice of sheet, titles and columns, with what was found out about the whole table.

    Signals:
        layout_changed: the first rows are to be looked at again.
        changed: another column is chosen.
    """

    layout_changed = Signal()
    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.sheet = ChoiceBox()
        self.sheet.setAccessibleName(tr("Sheet"))
        self.sheet.activated.connect(self.layout_changed)
        self._sheet_label = PlainLabel(tr("Sheet"))
        self._sheet_label.setBuddy(self.sheet)
        self.titles = QCheckBox(tr("The first row has titles"))
        self.titles.clicked.connect(self.layout_changed)
        self.columns = ColumnChoice()
        self.columns.changed.connect(self._on_column)
        self.remarks = PlainLabel()
        self.remarks.setWordWrap(True)
        self._question = ""
        above = QHBoxLayout()
        above.setSpacing(8)
        for widget in (self._sheet_label, self.sheet, self.titles):
            above.addWidget(widget)
        above.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(12)
        column.addLayout(above)
        column.addWidget(self.columns)
        column.addWidget(self.remarks)
        self.show_remarks(())

    def show_guess(self, guess: "TableGuess") -> list[str]:
        """Offer what a table has, with what it seems to be chosen; return its columns' titles."""
        self.sheet.clear()
        self.sheet.addItems(guess.sheets)
        self.sheet.setCurrentText(guess.sheet)
        for widget in (self._sheet_label, self.sheet):
            widget.setVisible(len(guess.sheets) > 1)
        self.titles.setChecked(bool(guess.header))
        unnamed = range(len(guess.header) + 1, guess.width + 1)
        titles = [*guess.header, *(tr("column {number}", number=n) for n in unnamed)]
        self.columns.show_columns(titles, guess.columns)
        self._question = (
            tr(
                "Choose the column of: {field}",
                field=translated(FIELD_TITLES[guess.unsure]),
            )
            if guess.unsure
            else ""
        )
        self.show_remarks(())
        return titles

    def show_remarks(self, remarks: tuple[str, ...]) -> None:
        """Show what is to be known before the table is imported."""
        texts = [text for text in (self._question, *remarks) if text]
        self.remarks.setText("\n".join(texts))
        self.remarks.setVisible(bool(texts))

    def asked(self) -> tuple[str, bool]:
        """Return the chosen sheet, "" for text, and whether the first row has titles."""
        return self.sheet.currentText(), self.titles.isChecked()

    @Slot()
    def _on_column(self) -> None:
        self._question = ""
        self.changed.emit()
