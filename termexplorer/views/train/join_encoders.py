"""The chooser that joins encoders, each at unit length."""

from collections.abc import Sequence

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QPushButton, QWidget

from termexplorer.errors import UserError
from termexplorer.services.encoders.encoders import EncoderInfo
from termexplorer.services.encoders.made_encoders import join_encoders
from termexplorer.texts import mark, tr, translated
from termexplorer.views.widgets.forms import plain_column, quiet
from termexplorer.views.widgets.tick_list import TickList
from termexplorer.views.window.page import Shared

_MOST = 6  # encoders in sight
_WHAT = mark(
    "Concatenates their unit vectors, which is often better than each alone; recipes "
    "can train on the result."
)


class JoinEncoders(QWidget):
    """Asks which encoders are joined; that is done at once.

    Signals:
        encoder_made: the `EncoderInfo` that came of it.
    """

    encoder_made = Signal(object)

    def __init__(self, shared: Shared, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shared = shared
        self.encoders = TickList(tr("Encoders to join"), _MOST)
        self.join = QPushButton()
        column = plain_column(self)
        for widget in (quiet(translated(_WHAT)), self.encoders, self.join):
            column.addWidget(widget)
        self.encoders.changed.connect(self._allow)
        self.join.clicked.connect(self._on_join)
        self._allow()

    def show_encoders(self, encoders: Sequence[EncoderInfo]) -> None:
        """Offers encoders that have vectors."""
        rows = [(e.id, e.label, _dimension_tip(e)) for e in encoders]
        self.encoders.show_rows(rows, self.encoders.ticked())

    @Slot()
    def _allow(self) -> None:
        count = len(self.encoders.ticked())
        enough = count > 1
        self.join.setEnabled(enough)
        self.join.setText(tr("Join {count} encoders", count=count) if enough else tr("Join"))
        self.join.setToolTip(
            tr("Available at once; computed when used") if enough else tr("Tick two or more")
        )

    @Slot()
    def _on_join(self) -> None:
        try:
            encoders = join_encoders(self._shared.workspace, self.encoders.ticked())
        except UserError as error:
            self._shared.notices.error(str(error))
        else:
            self.encoders.tick(())
            self.encoder_made.emit(encoders)


def _dimension_tip(encoder: EncoderInfo) -> str:
    return tr(
        "{encoder}: {dimensions:,} dimensions",
        encoder=encoder.label,
        dimensions=encoder.dimension,
    )
