"""Which column of a names table holds what."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QGridLayout, QVBoxLayout, QWidget

from termexplorer.texts import mark, tr, translated
from termexplorer.views.widgets.inputs import ChoiceBox
from termexplorer.views.widgets.plain_label import PlainLabel

FIELD_TITLES = {
    "id": mark("Id"),
    "name": mark("Name"),
    "kind": mark("Kind"),
    "parents": mark("Parent ids"),
    "definition": mark("Definition"),
    "synonyms": mark("Synonyms"),
    "obsolete": mark("Obsolete"),
}
_NEEDED = ("id", "name")
_IN_A_ROW = 4
_SHOWN_LETTERS = 12  # of a title, at the least


class ColumnChoice(QWidget):
    """A choice of a column for each field; id and name must have one.

    Signals:
        changed: another column is chosen.
    """

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(16)
        grid.setVerticalSpacing(8)
        self._boxes: dict[str, QComboBox] = {}
        for index, (field, text) in enumerate(FIELD_TITLES.items()):
            box = ChoiceBox()
            box.setSizeAdjustPolicy(box.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            box.setMinimumContentsLength(_SHOWN_LETTERS)
            box.setAccessibleName(tr("Column of: {field}", field=translated(text)))
            box.activated.connect(self.changed)
            label = PlainLabel(translated(text))
            label.setBuddy(box)
            column = QVBoxLayout()
            column.setSpacing(4)
            column.addWidget(label)
            column.addWidget(box)
            grid.addLayout(column, *divmod(index, _IN_A_ROW))
            self._boxes[field] = box

    def show_columns(self, titles: Sequence[str], guessed: Mapping[str, int]) -> None:
        """Offers columns; `guessed` maps a field to a column, counted from 1."""
        for field, box in self._boxes.items():
            box.clear()
            if field not in _NEEDED:
                box.addItem(tr("none", sense="column"), 0)
            for number, title in enumerate(titles, 1):
                box.addItem(f"{number}  {title}", number)
            box.setCurrentIndex(max(box.findData(guessed.get(field, 0)), 0))

    def chosen(self) -> dict[str, str]:
        """Field -> column, counted from 1, as an import request wants it."""
        columns = {field: box.currentData() for field, box in self._boxes.items()}
        return {field: str(column) for field, column in columns.items() if column}
