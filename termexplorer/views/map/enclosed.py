"""The points that were enclosed on a map, as a table to go through and to take along."""

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from termexplorer.models.plain_table import PlainTableModel
from termexplorer.services.files.exports import Cell
from termexplorer.services.map.points import MapPoints
from termexplorer.texts import tr, trn
from termexplorer.views.explore.ranking_export import ask_and_write
from termexplorer.views.map.keep import MapKeep
from termexplorer.views.widgets.export_button import export_title
from termexplorer.views.widgets.forms import heading, quiet
from termexplorer.views.widgets.tables.table import Column, Table
from termexplorer.views.window.page import Shared

HEADER = ["concept", "name", "class"]
_MOST = 2_000
_COLUMNS = (Column("name", share=3, least=100), Column("class", share=2, least=70))


class MapEnclosed(QWidget):
    """Lists points.

    Signals:
        picked: the number of a point whose row was chosen.
        opened: a row was entered.
        left: the points are to be let go.
    """

    picked = Signal(int)
    opened = Signal()
    left = Signal()

    def __init__(self, shared: Shared, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shared = shared
        self._points: MapPoints | None = None
        self.rows: list[int] = []
        self.title = heading("")
        self.more = quiet()
        self.model = PlainTableModel(self)
        self.table = _EnclosedNames(self.model, shared)
        self.keep = MapKeep(shared)
        self.export = QPushButton(tr("Export…"))
        self.leave = QPushButton(tr("Clear selection"))
        self.export.setToolTip(tr("All enclosed names, as CSV or XLSX"))
        self.leave.setToolTip(tr("Deselect all points (Esc on the map)"))
        self._lay_out()
        self.table.selectionModel().currentRowChanged.connect(self._on_row)
        self.table.activated.connect(self._on_entered)
        self.export.clicked.connect(self._on_export)
        self.leave.clicked.connect(self.left)

    def show_rows(self, release_id: int, points: MapPoints, rows: list[int]) -> None:
        """Lists the points of some numbers."""
        self.keep.offer(release_id, [points.concepts[row] for row in rows])
        self._points, self.rows = points, rows
        self.title.setText(trn("{n:,} name enclosed", "{n:,} names enclosed", len(rows)))
        self.export.setText(export_title(len(rows)))
        self.more.setVisible(len(rows) > _MOST)
        self.more.setText(tr("The first {most:,} are listed; an export has them all.", most=_MOST))
        cells = [cell[1:] for cell in enclosed_rows(points, rows[:_MOST])]
        self.model.show_rows((tr("Name"), tr("Class")), cells)

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 8, 8, 8)
        column.setSpacing(8)
        for widget in (self.title, self.table, self.more, self.keep):
            column.addWidget(widget)
        row = QHBoxLayout()
        row.addWidget(self.export)
        row.addWidget(self.leave)
        column.addLayout(row)

    @Slot(QModelIndex, QModelIndex)
    def _on_row(self, current: QModelIndex, _before: QModelIndex) -> None:
        if current.isValid():
            self.picked.emit(self.rows[current.row()])

    @Slot(QModelIndex)
    def _on_entered(self, _index: QModelIndex) -> None:
        self.opened.emit()

    @Slot()
    def _on_export(self) -> None:
        if self._points is not None:
            rows = enclosed_rows(self._points, self.rows)
            ask_and_write(self, self._shared.notices, tr("Names on the map"), HEADER, rows)


class _EnclosedNames(Table):
    """The names and their classes."""

    def __init__(self, model: PlainTableModel, shared: Shared) -> None:
        super().__init__(tr("Enclosed names"), model, shared.session)
        self.setToolTip(tr("Enter shows the concept in Explore"))

    def columns(self) -> Sequence[Column]:
        """Names have more room."""
        return _COLUMNS


def enclosed_rows(points: MapPoints, rows: Sequence[int]) -> list[list[Cell]]:
    """Points as rows of a file, under `HEADER`."""
    return [[points.concepts[row], points.names[row], class_text(points, row)] for row in rows]


def class_text(points: MapPoints, row: int) -> str:
    """The classes of a point, in words; empty where they are not asked for."""
    return (
        "; ".join(label or curie for curie, label in points.classes[row]) if points.classes else ""
    )
