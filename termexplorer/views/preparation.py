"""Has the vectors made that rankings need, in the background, once each."""

from collections.abc import Iterable
from functools import partial

from PySide6.QtCore import QObject, Signal, Slot

from termexplorer.jobs import Jobs
from termexplorer.services.encoders import EncoderInfo
from termexplorer.services.ontologies import Ontology
from termexplorer.workspace import Workspace

_LANE = "preparation"  # one after the other, and nothing that the user asks for waits for it


class Preparation(QObject):
    """Starts a job for each encoder and ontology that lack vectors or an index.

    Signals:
        done: one of them is ready.
    """

    done = Signal()

    def __init__(self, workspace: Workspace, jobs: Jobs, parent: QObject) -> None:
        super().__init__(parent)
        self._workspace = workspace
        self._jobs = jobs
        self._asked: set[tuple[int, int]] = set()

    def ensure(self, encoders: Iterable[EncoderInfo], ontologies: Iterable[Ontology]) -> None:
        """Starts what was not started yet in this session."""
        # NumPy comes with it, which a window does not need to show itself
        from termexplorer.services.vectors import prepare, release_vectors_missing

        pairs = [(encoder, ontology) for ontology in ontologies for encoder in encoders]
        for encoder, ontology in pairs:
            pair = (encoder.id, ontology.id)
            if pair in self._asked:
                continue
            self._asked.add(pair)
            if release_vectors_missing(self._workspace, *pair):
                title = f"{encoder.label}: vectors of {ontology.label}"
                job = self._jobs.add(title, partial(prepare, self._workspace, *pair), _LANE)
                job.succeeded.connect(self._on_done)

    @Slot()
    def _on_done(self) -> None:
        self.done.emit()
