"""Getting vectors to build on: training them on text, or opening one's own."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QPushButton, QWidget

from termexplorer.errors import UserError
from termexplorer.services.encoders.encoders import EncoderInfo
from termexplorer.services.encoders.vectors import (
    METHODS,
    TrainVectorsRequest,
    repeats_text,
    train_vectors,
)
from termexplorer.services.explore.ontologies import find_ontology
from termexplorer.texts import mark, tr, translated, trn
from termexplorer.views.train.export_encoder import ExportEncoder
from termexplorer.views.train.make_encoders import MakeEncoders
from termexplorer.views.train.open_vectors import LANE, OpenVectors
from termexplorer.views.train.remove_encoder import RemoveEncoder
from termexplorer.views.widgets.file_dialogs import ask_open_paths
from termexplorer.views.widgets.forms import (
    beside,
    choice,
    fields,
    heading,
    plain_column,
    quiet,
)
from termexplorer.views.widgets.keys import submit_by_keys
from termexplorer.views.widgets.number_box import number_box
from termexplorer.views.widgets.toggle_button import ToggleButton
from termexplorer.views.window.page import Shared

_EXPORT = mark("A folder for a notebook, or for the library sentence-transformers")
_EXPORT_NEEDS = mark("There is no encoder with vectors: first train or open one")
_REMOVE = mark("Vectors that are not needed any more, or an encoder made of others")
_REMOVE_NEEDS = mark("There is none to remove; what was trained goes with its run")
_TEXTS = mark("Text (*.txt *.gz);;All files (*)")


class VectorsForm(QWidget):
    """Starts jobs that make vectors.

    Signals:
        encoder_made: the `EncoderInfo` of vectors that are ready.
    """

    encoder_made = Signal(object)

    def __init__(self, shared: Shared, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shared = shared
        self._texts: list[Path] = []
        self._pubtator: list[Path] = []
        self.method = choice(tr("Method"))
        for name, listed in METHODS.items():
            self.method.addItem(translated(listed.title), name)
            last = self.method.count() - 1
            self.method.setItemData(last, translated(listed.when), Qt.ItemDataRole.ToolTipRole)
        self.when = quiet()
        self.dimension = number_box(2, 2000, 2, tr("Dimension of the vectors"))
        self.epochs = number_box(0, 1000, 0, tr("Passes over the text, or over its counts"))
        self.min_count = number_box(0, 1000, 0, tr("Rarer words have no vector of their own"))
        for box in (self.epochs, self.min_count):
            box.setSpecialValueText(tr("usual"))
        self.add_text = QPushButton(tr("Add text files…"))
        self.add_text.setToolTip(
            tr("Read besides the ontology's names and definitions; plain or .gz")
        )
        self.add_pubtator = QPushButton(tr("Add PubTator files…"))
        self.add_pubtator.setToolTip(
            tr("Abstracts in which names are annotated; a skip-gram of names learns from these")
        )
        self.texts = quiet()
        self.leave_out = QPushButton(tr("Remove the files from the list"))
        self.train = QPushButton(tr("Train vectors"))
        submit_by_keys(self, self.train.click)
        self.opening = OpenVectors(shared)
        self.making = MakeEncoders(shared)
        self.exporting = ExportEncoder(shared)
        self.export = ToggleButton(tr("Export an encoder…"), self.exporting, self.exporting.encoder)
        self.removing = RemoveEncoder(shared)
        self.remove = ToggleButton(tr("Remove an encoder…"), self.removing, self.removing.encoder)
        self._lay_out()
        self.method.currentIndexChanged.connect(self._on_method)
        self.add_text.clicked.connect(self._on_add_text)
        self.add_pubtator.clicked.connect(self._on_add_pubtator)
        self.leave_out.clicked.connect(self._on_leave_out)
        self.exporting.begun.connect(self.export.close_chooser)
        self.removing.begun.connect(self.remove.close_chooser)
        self.train.clicked.connect(self.start_training)
        for other_way in (self.opening, self.making):
            other_way.encoder_made.connect(self._on_made)
        shared.selection.ontology_changed.connect(self._on_ontology)
        self._on_method()
        self._show_texts()
        self._on_ontology(shared.selection.ontology_id)

    def show_encoders(self, encoders: Sequence[EncoderInfo]) -> None:
        """Offers those that have vectors to make others of and to export, and some to remove."""
        usable = [encoder for encoder in encoders if encoder.has_vectors]
        self.making.show_encoders(usable)
        self.exporting.show_encoders(usable)
        self.removing.show_encoders(encoders)
        self.export.allow(bool(usable), translated(_EXPORT), translated(_EXPORT_NEEDS))
        can_remove = self.removing.encoder.count() > 0
        self.remove.allow(can_remove, translated(_REMOVE), translated(_REMOVE_NEEDS))

    def use_texts(self, texts: list[Path], pubtator: list[Path] | None = None) -> None:
        """Reads these files besides the ontology."""
        self._texts, self._pubtator = texts, pubtator or []
        self._show_texts()

    @Slot()
    def start_training(self) -> None:
        """Adds a job that trains vectors on the current ontology."""
        workspace = self._shared.workspace
        try:
            ontology = find_ontology(workspace, str(self._shared.selection.ontology_id))
        except UserError as error:
            self._shared.notices.error(str(error))
            return
        request = TrainVectorsRequest(
            workspace.folder,
            ontology.id,
            texts=tuple(self._texts),
            method=self.method.currentData(),
            pubtator=tuple(self._pubtator),
            dimension=self.dimension.value(),
            epochs=self.epochs.value() or None,
            min_count=self.min_count.value() or None,
        )
        work = partial(train_vectors, workspace, ontology, request)
        method = translated(METHODS[request.method].title)
        title = tr("{method} on {ontology}", method=method, ontology=ontology.label)
        job = self._shared.jobs.add(title, work, LANE, lost=True)
        job.succeeded.connect(self._on_made)

    def _lay_out(self) -> None:
        numbers = (
            (tr("Dimension"), self.dimension),
            (tr("Epochs"), self.epochs),
            (tr("Minimum count"), self.min_count),
        )
        for title, spin in numbers:
            spin.setAccessibleName(title)
        column = plain_column(self)
        column.addWidget(self.method)
        column.addWidget(self.when)
        column.addLayout(fields(*numbers))
        column.addWidget(self.texts)
        column.addWidget(self.leave_out)
        column.addLayout(beside(self.add_text, self.add_pubtator))
        column.addWidget(self.train)
        column.addSpacing(8)
        column.addWidget(self.opening)
        column.addSpacing(8)
        column.addWidget(self.making)
        column.addSpacing(8)
        column.addWidget(heading(tr("Export or remove an encoder")))
        for widget in (self.export, self.exporting, self.remove, self.removing):
            column.addWidget(widget)

    def _show_texts(self) -> None:
        files = [path.name for path in (*self._texts, *self._pubtator)]
        self.texts.setText("\n".join([tr("Names and definitions of the ontology"), *files]))
        self.leave_out.setVisible(bool(files))

    @Slot()
    def _on_method(self) -> None:
        listed = METHODS[self.method.currentData()]
        self.when.setText(translated(listed.when))
        self.method.setToolTip(translated(listed.title))
        self.dimension.setValue(listed.usual.dimension)
        self.epochs.setValue(0)
        self.min_count.setValue(0)

    @Slot(object)
    def _on_ontology(self, ontology_id: int | None) -> None:
        self.train.setEnabled(ontology_id is not None)
        why = tr("Import an ontology first: menu File, Import")
        self.train.setToolTip(tr("In the background, with progress below") if ontology_id else why)

    @Slot()
    def _on_add_text(self) -> None:
        paths = ask_open_paths(self, "texts", tr("Add text files"), translated(_TEXTS))
        self.use_texts([*self._texts, *paths], self._pubtator)

    @Slot()
    def _on_add_pubtator(self) -> None:
        paths = ask_open_paths(self, "texts", tr("Add PubTator files"), translated(_TEXTS))
        self.use_texts(self._texts, [*self._pubtator, *paths])

    @Slot()
    def _on_leave_out(self) -> None:
        self.use_texts([])
        self.add_text.setFocus(Qt.FocusReason.OtherFocusReason)  # what had it is gone

    @Slot(object)
    def _on_made(self, encoder: EncoderInfo) -> None:
        ready = trn(
            "{encoder} is ready, {n:,} dimension",
            "{encoder} is ready, {n:,} dimensions",
            encoder.dimension,
            encoder=encoder.label,
        )
        self._shared.notices.tell("; ".join(filter(None, (ready, repeats_text(encoder)))))
        self.encoder_made.emit(encoder)
