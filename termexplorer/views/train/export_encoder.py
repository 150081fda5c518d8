"""The chooser that writes an encoder into a folder, to be used elsewhere."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QPushButton, QWidget

from termexplorer.services.encoders.encoders import EncoderInfo
from termexplorer.services.encoders.export import export_encoder, opens
from termexplorer.texts import mark, tr, translated
from termexplorer.views.train.open_vectors import LANE
from termexplorer.views.widgets.encoder_box import EncoderBox
from termexplorer.views.widgets.file_dialogs import ask_save_path
from termexplorer.views.widgets.forms import beside, fields, plain_column, quiet
from termexplorer.views.window.page import Shared

_WHAT = mark(
    "A folder with an encoder and all that it stands on, for a notebook, or for programs that "
    "use the library sentence-transformers."
)


class ExportEncoder(QWidget):
    """Asks which encoder, for what, and where to; a job writes it.

    Signals:
        begun: the job is under way.
    """

    begun = Signal()

    def __init__(self, shared: Shared, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shared = shared
        self.encoder = EncoderBox(tr("Encoder to export"))
        self.for_python = QPushButton(tr("For Python…"))
        self.for_python.setToolTip(
            tr("Opened by trainer.load, with the very vectors of this program")
        )
        self.foreign = QPushButton(tr("For sentence-transformers…"))
        self.foreign.setToolTip(
            tr("Of word vectors, transformers, and what was trained on one of these; not of others")
        )
        column = plain_column(self)
        column.addWidget(quiet(translated(_WHAT)))
        column.addLayout(fields((tr("Encoder"), self.encoder)))
        column.addLayout(beside(self.for_python, self.foreign))
        self.for_python.clicked.connect(partial(self._ask, foreign=False))
        self.foreign.clicked.connect(partial(self._ask, foreign=True))

    def show_encoders(self, encoders: Sequence[EncoderInfo]) -> None:
        """Offers encoders that have vectors; at first the newest is chosen."""
        self.encoder.show_encoders(encoders)

    def _ask(self, *, foreign: bool) -> None:
        encoder_id = self.encoder.currentData()
        title = tr("Name a new folder")
        folder = ask_save_path(self, "encoders", title, f"encoder-{encoder_id}", "")
        if folder is None:
            return
        work = partial(export_encoder, self._shared.workspace, encoder_id, folder, foreign)
        title = tr("Exporting {encoder}", encoder=self.encoder.currentText())
        job = self._shared.jobs.add(title, work, LANE, lost=True)
        job.succeeded.connect(partial(self._on_exported, foreign))
        self.begun.emit()

    @Slot()
    def _on_exported(self, foreign: bool, folder: Path) -> None:
        self._shared.notices.tell(
            tr("Exported; in Python it opens with {code}", code=opens(folder, foreign))
        )
