"""What can be chosen of a file before it is imported, side by side: vocabularies, languages."""

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QVBoxLayout, QWidget

from termexplorer.services.importing.releases import ImportChoice, Option
from termexplorer.texts import number
from termexplorer.views.widgets.elided_box import ElidedBox
from termexplorer.views.widgets.plain_label import PlainLabel
from termexplorer.views.widgets.tick_list import TickList

_ROWS = 8
_NARROWEST, _WIDEST = 160, 360


class ImportChoices(QWidget):
    """A list with ticks for each choice of several values, a box for each choice of one.

    Signals:
        changed: something else is chosen.
    """

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._choices: tuple[ImportChoice, ...] = ()
        self.inputs: dict[str, TickList | QComboBox] = {}
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(16)

    def show_choices(self, choices: Sequence[ImportChoice]) -> None:
        """Offers what a file has, with what is usual chosen; the same choices stay as they are."""
        if tuple(choices) == self._choices:
            return
        self._choices = tuple(choices)
        self._clear()
        for choice in choices:
            self._row.addLayout(self._column(choice), 1)
        self._row.addStretch(1)

    def chosen(self) -> dict[str, tuple[str, ...]]:
        """Key -> values, of the choices that are not as usual; none where nothing is ticked."""
        chosen = {key: _ticked_values(box) for key, box in self.inputs.items()}
        usual = {choice.key: choice.usual for choice in self._choices}
        return {key: values for key, values in chosen.items() if set(values) != set(usual[key])}

    def lacking(self) -> str:
        """The title of a choice of which nothing is chosen, or ""."""
        empty = (c.title for c in self._choices if not _ticked_values(self.inputs[c.key]))
        return next(empty, "")

    def _clear(self) -> None:
        self.inputs.clear()
        while item := self._row.takeAt(0):
            column = item.layout()
            while column is not None and (part := column.takeAt(0)):
                if widget := part.widget():
                    widget.hide()
                    widget.deleteLater()

    def _column(self, choice: ImportChoice) -> QVBoxLayout:
        box = self._ticks(choice) if choice.several else self._box(choice)
        box.setMinimumWidth(_NARROWEST)
        box.setMaximumWidth(_WIDEST)
        box.setToolTip(choice.hint)
        box.setAccessibleName(choice.title)
        self.inputs[choice.key] = box
        label = PlainLabel(choice.title)
        label.setBuddy(box)
        column = QVBoxLayout()
        column.setSpacing(4)
        column.addWidget(label)
        column.addWidget(box)
        column.addStretch(1)
        return column

    def _ticks(self, choice: ImportChoice) -> TickList:
        ticks = TickList(choice.title, _ROWS)
        rows = [(o.value, _option_text(o), _option_tip(o, choice)) for o in choice.options]
        ticks.show_rows(rows, choice.usual)
        ticks.changed.connect(self.changed)
        return ticks

    def _box(self, choice: ImportChoice) -> QComboBox:
        box = ElidedBox()
        for option in choice.options:
            box.addItem(_option_text(option), option.value)
        box.setCurrentIndex(box.findData(choice.usual[0]) if choice.usual else -1)
        box.activated.connect(self.changed)
        return box


def _ticked_values(box: TickList | QComboBox) -> tuple[str, ...]:
    if isinstance(box, TickList):
        return box.ticked()
    return () if box.currentData() is None else (box.currentData(),)


def _option_text(option: Option) -> str:
    """Short, as several lists stand side by side: what is counted is told by the tool tip."""
    return f"{option.label}  ({number(option.count)})" if option.count >= 0 else option.label


def _option_tip(option: Option, choice: ImportChoice) -> str:
    counted = f"{number(option.count)} {choice.counted}".rstrip() if option.count >= 0 else ""
    return f"{option.label}: {counted}" if counted else option.label
