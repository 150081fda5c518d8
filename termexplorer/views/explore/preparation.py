"""Has the vectors made that rankings need, in the background, once each."""

from collections.abc import Iterable
from functools import partial
from itertools import product
from typing import TypeAlias

from PySide6.QtCore import QObject, Signal, Slot

from termexplorer.jobs import Jobs
from termexplorer.services.encoders.encoders import EncoderInfo
from termexplorer.services.explore.ontologies import Ontology
from termexplorer.texts import tr
from termexplorer.workspace import Workspace

Lack: TypeAlias = tuple[EncoderInfo, Ontology]

_LANE = "preparation"  # one after the other, and nothing that the user asks for waits for it


def lacking(
    workspace: Workspace, encoders: Iterable[EncoderInfo], ontologies: Iterable[Ontology]
) -> list[Lack]:
    """The encoders and ontologies that lack vectors or an index; may be asked in any thread."""
    # NumPy comes with it, which a window does not need to show itself
    from termexplorer.services.encoders.vectors import release_vectors_missing

    return [
        (encoder, ontology)
        for ontology, encoder in product(ontologies, encoders)
        if release_vectors_missing(workspace, encoder.id, ontology.id)
    ]


class VectorPreparation(QObject):
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
        """Has made what is not there and was not started yet in this session."""
        self.make(lacking(self._workspace, encoders, ontologies))

    def make(self, lacks: Iterable[Lack]) -> None:
        """Starts what was not started yet in this session."""
        from termexplorer.services.encoders.vectors import prepare  # brings in NumPy

        for encoder, ontology in lacks:
            pair = (encoder.id, ontology.id)
            if pair not in self._asked:
                self._asked.add(pair)
                title = tr(
                    "{encoder}: vectors of {ontology}",
                    encoder=encoder.label,
                    ontology=ontology.label,
                )
                job = self._jobs.add(title, partial(prepare, self._workspace, *pair), _LANE)
                job.succeeded.connect(self._on_done)

    @Slot()
    def _on_done(self) -> None:
        self.done.emit()
