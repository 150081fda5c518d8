"""Opening vectors that were made elsewhere: word vectors, a transformer, a matrix with names."""

from functools import partial
from pathlib import Path

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QPushButton, QWidget

from termexplorer.services.encoders.vectors import add_vectors
from termexplorer.texts import mark, tr, translated
from termexplorer.views.widgets.file_dialogs import ask_folder, ask_open_path
from termexplorer.views.widgets.forms import beside, choice, heading, plain_column
from termexplorer.views.window.page import Shared

LANE = "vectors"
_FILES = mark("fastText and word2vec (*.bin *.vec *.vec.gz *.txt *.txt.gz);;All files (*)")
_POOLING = (("mean", mark("Mean")), ("first", mark("First")))


class OpenVectors(QWidget):
    """Starts jobs that open vectors.

    Signals:
        encoder_made: the `EncoderInfo` of vectors that are ready.
    """

    encoder_made = Signal(object)

    def __init__(self, shared: Shared, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shared = shared
        self.file = QPushButton(tr("Open a vector file…"))
        self.file.setToolTip(tr(".bin, .vec, .vec.gz, or text of word2vec or GloVe"))
        self.matrix = QPushButton(tr("Open a matrix…"))
        self.matrix.setToolTip(tr("A .npy matrix, then a text file with the name of each row"))
        self.transformer = QPushButton(tr("Add transformer folder…"))
        self.transformer.setToolTip(
            tr("BioBERT, SapBERT or another Hugging Face encoder on disk; nothing is fetched")
        )
        self.pooling = choice(tr("Vector of a name by a transformer"), 8)
        self.pooling.setToolTip(tr("The mean of the name's tokens, or the first token alone"))
        for value, title in _POOLING:
            self.pooling.addItem(translated(title), value)
        column = plain_column(self)
        column.addWidget(heading(tr("Or open your own")))
        column.addLayout(beside(self.file, self.matrix))
        column.addLayout(beside(self.transformer, self.pooling))
        self.file.clicked.connect(self._on_file)
        self.matrix.clicked.connect(self._on_matrix)
        self.transformer.clicked.connect(self._on_transformer)

    def open(self, source: Path, names: Path | None = None) -> None:
        """Adds a job that opens vectors; a matrix has the names of its rows beside it."""
        pooling = self.pooling.currentData()
        workspace = self._shared.workspace
        work = partial(add_vectors, workspace, source, names=names, pooling=pooling)
        job = self._shared.jobs.add(tr("Opening {file}", file=source.name), work, LANE, lost=True)
        job.succeeded.connect(self.encoder_made)

    @Slot()
    def _on_file(self) -> None:
        if path := ask_open_path(self, "vectors", tr("Open vectors"), translated(_FILES)):
            self.open(path)

    @Slot()
    def _on_matrix(self) -> None:
        matrix = ask_open_path(self, "vectors", tr("Open a matrix"), tr("Matrix (*.npy)"))
        if matrix is None:
            return
        title = tr("Open the names of the rows of {file}", file=matrix.name)
        if names := ask_open_path(self, "vectors", title, tr("Text (*.txt);;All files (*)")):
            self.open(matrix, names)

    @Slot()
    def _on_transformer(self) -> None:
        if folder := ask_folder(self, "vectors", tr("Add the folder of a transformer")):
            self.open(folder)
