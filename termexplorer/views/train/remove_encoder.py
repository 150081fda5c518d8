"""The chooser that removes vectors, or an encoder that was made of others."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QPushButton, QWidget

from termexplorer.services.encoders.encoders import EncoderInfo, can_be_removed
from termexplorer.services.workspace.safe_removal import back_up_and_remove_encoder
from termexplorer.texts import mark, tr, translated
from termexplorer.views.train.open_vectors import LANE
from termexplorer.views.widgets.encoder_box import EncoderBox
from termexplorer.views.widgets.forms import fields, plain_column, quiet
from termexplorer.views.window.page import Shared

_WHAT = mark("Its vectors, maps and figures are removed too. This cannot be undone.")


class RemoveEncoder(QWidget):
    """Asks which encoder; a job removes it.

    Signals:
        begun: the job is under way.
    """

    begun = Signal()

    def __init__(self, shared: Shared, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shared = shared
        self.encoder = EncoderBox(tr("Encoder to remove"))
        self.remove = QPushButton(tr("Remove for good"))
        column = plain_column(self)
        column.addLayout(fields((tr("Encoder"), self.encoder)))
        column.addWidget(quiet(translated(_WHAT)))
        column.addWidget(self.remove)
        self.remove.clicked.connect(self._on_remove)

    def show_encoders(self, encoders: Sequence[EncoderInfo]) -> None:
        """Offers those that somebody opened, trained as vectors, or made of others."""
        self.encoder.show_encoders([encoder for encoder in encoders if can_be_removed(encoder)])

    @Slot()
    def _on_remove(self) -> None:
        workspace, encoder_id = self._shared.workspace, self.encoder.currentData()

        def work(_control: object, on_message: Callable[[object], None]) -> None:
            back_up_and_remove_encoder(workspace, encoder_id, on_message)

        title = tr("Removing {encoder}", encoder=self.encoder.currentText())
        self._shared.jobs.add(title, work, LANE)
        self.begun.emit()
