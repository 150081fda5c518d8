"""Which vectors a run builds on, and the way to more of them."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QPushButton, QWidget

from termexplorer.services.encoders.built_in import is_built_in
from termexplorer.services.encoders.encoders import EncoderInfo
from termexplorer.services.encoders.vector_spread import warn_of_spread
from termexplorer.texts import number, tr
from termexplorer.views.train.vectors import VectorsForm
from termexplorer.views.widgets.forms import choice, plain_column, quiet, reveal
from termexplorer.views.window.page import Shared


class VectorsBeneath(QWidget):
    """Offers vectors; where there are none, only the form that gets some.

    Signals:
        changed: others are chosen, or none.
    """

    changed = Signal()

    def __init__(
        self, shared: Shared, stored_id: int | None, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._preferred = stored_id  # what the user chose, as long as it is there
        self._warnings: dict[int, str] = {}
        self._labels: dict[int, str] = {}
        self.box = choice(tr("Base vectors"))
        self.more = QPushButton(tr("Add, combine or export vectors…"))
        self.more.setCheckable(True)
        self.form = VectorsForm(shared)
        self.form.making.movers.use_choice(self.box.currentData)
        self.warning = quiet()
        self.warning.hide()
        column = plain_column(self)
        for widget in (self.box, self.warning, self.more, self.form):
            column.addWidget(widget)
        self.more.toggled.connect(self._show_form)
        self.box.currentIndexChanged.connect(self._on_change)
        self.box.activated.connect(self._on_activated)

    @property
    def chosen(self) -> int | None:
        """The vectors that are chosen, None if there are none."""
        encoder_id: int | None = self.box.currentData()
        return encoder_id

    @property
    def chosen_label(self) -> str:
        """What these are called, empty if there are none."""
        return self._labels.get(self.chosen or 0, "")

    @property
    def to_keep(self) -> int | None:
        """Those that the user chose, now or at an earlier start; None: whatever is usual."""
        return self._preferred

    def show_encoders(self, usable: Sequence[EncoderInfo]) -> None:
        """Offers untrained vectors, and trained ones to learn on from; usually the built-in."""
        usual = next((row for row, e in enumerate(usable) if is_built_in(e)), 0)
        self._labels = {encoder.id: encoder.label for encoder in usable}
        self._warnings = {encoder.id: warn_of_spread(encoder.parameters) for encoder in usable}
        self.box.clear()
        for encoder in usable:
            self.box.addItem(f"{encoder.label} · {number(encoder.dimension)}", encoder.id)
            tip = (
                tr("{encoder}, trained: learns on from there", encoder=encoder.label)
                if encoder.kind == "trained"
                else f"{encoder.label}, {encoder.method}"
            )
            self.box.setItemData(self.box.count() - 1, tip, Qt.ItemDataRole.ToolTipRole)
        index = self.box.findData(self._preferred)
        self.box.setCurrentIndex(index if index >= 0 else min(usual, self.box.count() - 1))
        self.box.setVisible(bool(usable))
        self.more.setVisible(bool(usable))
        self._show_form()

    def choose(self, encoder_id: int) -> None:
        """Chooses vectors."""
        self._preferred = encoder_id
        self.box.setCurrentIndex(self.box.findData(encoder_id))

    def entrance(self) -> QWidget:
        """Its first field."""
        return self.box if self.box.isVisibleTo(self) else self.form.method

    @Slot()
    def _show_form(self) -> None:
        shown = not self.box.count() or self.more.isChecked()
        way_back = self.form.isAncestorOf(self.focusWidget() or self)
        self.form.setVisible(shown)
        if way_back and not shown:
            self.box.setFocus(Qt.FocusReason.OtherFocusReason)
            reveal(self.box)

    @Slot()
    def _on_activated(self) -> None:
        self._preferred = self.chosen

    @Slot()
    def _on_change(self) -> None:
        self.box.setToolTip(self.box.currentText())
        warning = self._warnings.get(self.chosen or 0, "")
        self.warning.setText(warning)
        self.warning.setVisible(bool(warning))
        self.changed.emit()
