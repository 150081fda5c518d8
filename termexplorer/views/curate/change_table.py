"""The table of changes from one release to another."""

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, Signal, Slot
from PySide6.QtWidgets import QWidget

from termexplorer.models.change_table import ChangeTableModel
from termexplorer.services.curate.release_diff import KIND_WORDS
from termexplorer.texts import tr, translated
from termexplorer.views.widgets.tables.table import Column, Table
from termexplorer.views.widgets.ui_state import UiState

_COLUMNS = (
    Column("concept", "DOID:0000000 ___"),
    Column("name", share=4, least=140),
    Column("before", share=4, least=140),
    Column("after", share=4, least=140),
)


class ChangeTable(Table):
    """Shows a `ChangeTableModel`.

    Signals:
        chosen: the `Change` of the row that was entered, by Enter or a double click.
    """

    chosen = Signal(object)

    def __init__(
        self, changes: ChangeTableModel, session: UiState, parent: QWidget | None = None
    ) -> None:
        super().__init__(tr("Changes"), changes, session, parent)
        self._changes = changes
        self.setToolTip(tr("Enter shows the concept"))
        self.activated.connect(self._on_entered)

    def columns(self) -> Sequence[Column]:
        """Names and parents share the room."""
        kind = max((f"{translated(word)} _" for word in KIND_WORDS.values()), key=len)
        return (Column("change", kind), *_COLUMNS)

    @Slot(QModelIndex)
    def _on_entered(self, index: QModelIndex) -> None:
        if index.isValid():
            self.chosen.emit(self._changes.rows[index.row()])
