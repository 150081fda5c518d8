"""Which encoders stand side by side."""

from collections.abc import Sequence
from itertools import pairwise

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QPushButton,
    QToolButton,
    QWidget,
)

from termexplorer.services.encoders.encoders import EncoderInfo
from termexplorer.texts import tr
from termexplorer.views.widgets.elided_box import ElidedBox
from termexplorer.views.widgets.icons import icon
from termexplorer.views.widgets.theme import Theme

MOST = 6


class EncoderChoice(QWidget):
    """A box for each column, and a button for one more.

    Signals:
        changed: other encoders are chosen.

    Attributes:
        by_user: whether the user chose them.
    """

    changed = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None, *, most: int = MOST) -> None:
        super().__init__(parent)
        self._theme = theme
        self._most = most
        self._encoders: list[EncoderInfo] = []
        self._chosen: list[int] = []
        self.by_user = False
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(8)
        self.add = QPushButton(tr("Add encoder"))
        self.add.clicked.connect(self._on_add)
        self._boxes: list[_EncoderBox] = []
        theme.changed.connect(self._on_theme)
        self._rebuild()

    @property
    def ids(self) -> tuple[int, ...]:
        """The chosen encoders, from left to right."""
        return tuple(self._chosen)

    def show_encoders(self, encoders: Sequence[EncoderInfo], wanted: Sequence[int] = ()) -> None:
        """Offers encoders; those that are gone are chosen no more."""
        if list(encoders) == self._encoders and not wanted:
            return
        before = self.ids
        self._encoders = list(encoders)
        encoder_ids = [encoder.id for encoder in encoders]
        known_ids = [id_ for id_ in (wanted or self._chosen) if id_ in encoder_ids]
        self.by_user = self.by_user and bool(known_ids)
        self._chosen = list(dict.fromkeys(known_ids)) or encoder_ids[:1]
        self._rebuild()
        if self.ids != before:
            self.changed.emit()

    def choose(self, ids: Sequence[int]) -> None:
        """Shows these encoders, as far as they are there."""
        if tuple(ids) != self.ids:
            self.show_encoders(self._encoders, ids)

    def add_column(self, encoder_id: int) -> None:
        """Shows one more encoder, at the right."""
        self.choose((*self.ids, encoder_id))

    def _rebuild(self) -> None:
        while self._row.count():
            self._row.takeAt(0)
        for box in self._boxes:
            box.hide()
            box.deleteLater()
        self._boxes = [_EncoderBox(self, column) for column in range(len(self._chosen))]
        for box in self._boxes:
            self._row.addWidget(box, 1)
        self._row.addWidget(self.add)
        if not self._boxes:
            self._row.addStretch(1)
        self._order_tabs()
        self._allow_add()
        self._on_theme()

    def _order_tabs(self) -> None:
        """Boxes come where the button is, which then moves behind them."""
        parts = (part for box in self._boxes for part in box.parts)
        for before, after in pairwise((self.add, *parts, self.add)):
            QWidget.setTabOrder(before, after)

    def _allow_add(self) -> None:
        why = ""
        if len(self._chosen) >= self._most:
            why = tr("At most {most} columns", most=self._most)
        elif len(self._chosen) >= len(self._encoders):
            why = tr("There is no other encoder yet: train one on the page Train")
        self.add.setEnabled(not why)
        self.add.setToolTip(why or tr("Add column"))

    def offered(self, column: int) -> list[EncoderInfo]:
        """What a column may show: what no other column shows."""
        other_ids = [id_ for index, id_ in enumerate(self._chosen) if index != column]
        return [encoder for encoder in self._encoders if encoder.id not in other_ids]

    def chosen(self, column: int) -> int:
        """The encoder of a column."""
        return self._chosen[column]

    def replace(self, column: int, encoder_id: int) -> None:
        """Shows another encoder in a column."""
        self._chosen[column] = encoder_id
        self._on_chosen()
        self._boxes[column].box.setFocus()  # it was made anew

    def remove(self, column: int) -> None:
        """Takes a column away."""
        del self._chosen[column]
        self._on_chosen()
        self._boxes[max(column - 1, 0)].box.setFocus()

    @property
    def removable(self) -> bool:
        """Whether a column may go: one stays."""
        return len(self._chosen) > 1

    @property
    def theme(self) -> Theme:
        """For the icons."""
        return self._theme

    @Slot()
    def _on_add(self) -> None:
        free = [encoder.id for encoder in self._encoders if encoder.id not in self._chosen]
        if free:
            self._chosen.append(free[-1])
            self._on_chosen()

    def _on_chosen(self) -> None:
        self.by_user = True
        self._rebuild()
        self.changed.emit()

    @Slot()
    def _on_theme(self) -> None:
        self.add.setIcon(icon("plus", self._theme.colours.text))


class _EncoderBox(QWidget):
    """The choice of one column."""

    def __init__(self, choice: EncoderChoice, column: int) -> None:
        super().__init__()
        self._choice = choice
        self._column = column
        self.box = ElidedBox()
        self.box.setAccessibleName(tr("Encoder of column {number}", number=column + 1))
        self.box.setMinimumContentsLength(4)
        self.box.setSizeAdjustPolicy(
            QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        )
        for encoder in choice.offered(column):
            self.box.addItem(encoder.label, encoder.id)
        self.box.setCurrentIndex(self.box.findData(choice.chosen(column)))
        self.box.setToolTip(self.box.currentText())
        self.box.activated.connect(self._on_activated)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self.box, 1)
        self.parts: list[QWidget] = [self.box]
        if choice.removable:
            self.parts.append(self._remove_button())
            row.addWidget(self.parts[-1])

    def _remove_button(self) -> QToolButton:
        button = QToolButton()
        button.setIcon(icon("x", self._choice.theme.colours.quiet))
        button.setToolTip(tr("Remove this column"))
        button.setAccessibleName(tr("Remove {encoder}", encoder=self.box.currentText()))
        button.clicked.connect(self._on_remove)
        return button

    @Slot(int)
    def _on_activated(self, row: int) -> None:
        encoder_id = self.box.itemData(row)
        if encoder_id != self._choice.chosen(self._column):
            self._choice.replace(self._column, encoder_id)

    @Slot()
    def _on_remove(self) -> None:
        self._choice.remove(self._column)
