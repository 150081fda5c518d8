"""Tables with a group of columns for each encoder: the keys go from name to name."""

from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtWidgets import QAbstractItemView, QWidget

from termexplorer.models.rankings import ColumnPart, GroupedModel
from termexplorer.views.widgets.tables.group_header import GroupHeader
from termexplorer.views.widgets.tables.table import Table
from termexplorer.views.widgets.ui_state import UiState

READABLE_LETTERS = 24  # of a name; where there is less room it takes two lines
_ACTIONS = QAbstractItemView.CursorAction


class GroupTable(Table):
    """Shows a `GroupedModel` under the titles of its groups."""

    def __init__(
        self, name: str, groups: GroupedModel, session: UiState, parent: QWidget | None = None
    ) -> None:
        self._groups = groups
        super().__init__(name, groups, session, parent, header=GroupHeader(groups))

    def parts(self) -> list[ColumnPart]:
        """What each column shows."""
        return [self._groups.part(column)[1] for column in range(self._groups.columnCount())]

    def first_column(self) -> int:
        """The name of the first encoder."""
        return self._names()[0]

    def moveCursor(  # noqa: N802
        self, action: QAbstractItemView.CursorAction, modifiers: Qt.KeyboardModifier
    ) -> QModelIndex:
        """Left and right lead from encoder to encoder, from name to name."""
        now, steps = self.currentIndex(), {_ACTIONS.MoveLeft: -1, _ACTIONS.MoveRight: 1}
        if now.isValid() and action in steps:
            number = self._groups.part(now.column())[0] + steps[action]
            names = self._names()
            return now.siblingAtColumn(names[min(max(number, 0), len(names) - 1)])
        moved = super().moveCursor(action, modifiers)
        return (
            moved
            if now.isValid() or not moved.isValid()
            else moved.siblingAtColumn(self.first_column())
        )

    def _names(self) -> list[int]:
        return [column for column, part in enumerate(self.parts()) if part is ColumnPart.NAME]
