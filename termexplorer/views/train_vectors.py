"""Getting vectors to build on: training fastText, or opening a file."""

from functools import partial
from pathlib import Path

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import (
    QFileDialog,
    QLabel,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from termexplorer.errors import UserError
from termexplorer.services.encoders import EncoderInfo
from termexplorer.services.ontologies import find_ontology
from termexplorer.services.vectors import FastTextRequest, add_vectors, train_vectors
from termexplorer.views.forms import beside, fields
from termexplorer.views.number_box import number_box
from termexplorer.views.page import Shared

LANE = "vectors"
_FILES = "fastText and word2vec (*.bin *.vec *.vec.gz *.txt *.txt.gz);;All files (*)"
_TEXTS = "Text (*.txt *.gz);;All files (*)"


class VectorsForm(QWidget):
    """Starts jobs that make vectors.

    Signals:
        made: the new encoder.
    """

    made = Signal(object)

    def __init__(self, shared: Shared, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shared = shared
        self._texts: list[Path] = []
        usual = FastTextRequest(shared.workspace.folder, 0)
        self.dimension = number_box(2, 2000, usual.dimension, "Width of the vectors")
        self.epochs = number_box(1, 1000, usual.epochs, "Times that the text is read")
        self.min_count = number_box(
            1, 1000, usual.min_count, "Rarer words have no vector of their own"
        )
        self.add_text = QPushButton("Add text files…")
        self.add_text.setToolTip("Read besides the ontology's names and definitions; plain or .gz")
        self.texts = QLabel("Names and definitions of the ontology", wordWrap=True)
        self.train = QPushButton("Train fastText")
        self.train.setProperty("primary", True)
        self.open = QPushButton("Open a vector file…")
        self.open.setToolTip(".bin, .vec, .vec.gz or word2vec text")
        self._lay_out()
        self.add_text.clicked.connect(self._on_add_text)
        self.train.clicked.connect(self.start_training)
        self.open.clicked.connect(self._on_open)
        shared.selection.ontology_changed.connect(self._on_ontology)
        self._on_ontology(shared.selection.ontology_id)

    def use_texts(self, texts: list[Path]) -> None:
        """Reads these files besides the ontology."""
        self._texts = texts
        names = "".join(f"\n{path.name}" for path in texts)
        self.texts.setText(f"Names and definitions of the ontology{names}")

    @Slot()
    def start_training(self) -> None:
        """Adds a job that trains fastText on the current ontology."""
        workspace = self._shared.workspace
        try:
            ontology = find_ontology(workspace, str(self._shared.selection.ontology_id))
        except UserError as error:
            self._shared.notices.error(str(error))
            return
        request = FastTextRequest(
            workspace.folder,
            ontology.id,
            texts=tuple(self._texts),
            dimension=self.dimension.value(),
            epochs=self.epochs.value(),
            min_count=self.min_count.value(),
        )
        work = partial(train_vectors, workspace, ontology, request)
        job = self._shared.jobs.add(f"fastText on {ontology.label}", work, LANE)
        job.succeeded.connect(self._on_made)

    def open_file(self, path: Path) -> None:
        """Adds a job that opens a vector file."""
        work = partial(add_vectors, self._shared.workspace, path)
        job = self._shared.jobs.add(f"Opening {path.name}", work, LANE)
        job.succeeded.connect(self._on_made)

    def _lay_out(self) -> None:
        numbers = (
            ("Dimension", self.dimension),
            ("Epochs", self.epochs),
            ("Minimum count", self.min_count),
        )
        for title, spin in numbers:
            spin.setAccessibleName(title)
        self.texts.setProperty("quiet", True)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addLayout(fields(*numbers))
        column.addWidget(self.texts)
        column.addLayout(beside(self.train, self.add_text))
        column.addWidget(self.open)

    @Slot(object)
    def _on_ontology(self, ontology_id: int | None) -> None:
        self.train.setEnabled(ontology_id is not None)
        why = "Import an ontology first: menu File, Import"
        self.train.setToolTip("In the background, with progress below" if ontology_id else why)

    @Slot()
    def _on_add_text(self) -> None:
        names, _ = QFileDialog.getOpenFileNames(self, "Add text files", "", _TEXTS)
        if names:
            self.use_texts([*self._texts, *map(Path, names)])

    @Slot()
    def _on_open(self) -> None:
        name, _ = QFileDialog.getOpenFileName(self, "Open vectors", "", _FILES)
        if name:
            self.open_file(Path(name))

    @Slot(object)
    def _on_made(self, encoder: EncoderInfo) -> None:
        self._shared.notices.tell(f"{encoder.label} is ready, {encoder.dimension:,} dimensions")
        self.made.emit(encoder)
