"""Tells when an encoder was trained, here or by another process, and leads to its rankings."""

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

from termexplorer.questions import LatestQueryWorker
from termexplorer.services.encoders.encoders import list_encoders
from termexplorer.services.explore.ontologies import find_concept, find_ontology
from termexplorer.texts import tr
from termexplorer.views.window.page import RankingsToShow, Shared
from termexplorer.workspace import Workspace

if TYPE_CHECKING:
    from termexplorer.services.train.runs import RunInfo


@dataclass(frozen=True, slots=True)
class _SeenEncoder:
    """The newest encoder, and what there is to tell of the newest that was trained."""

    newest: int
    trained: int = 0
    text: str = ""
    look: RankingsToShow | None = None


class TrainedNotice(QObject):
    """Looks for new encoders whenever the store was written to."""

    def __init__(self, shared: Shared, parent: QObject) -> None:
        super().__init__(parent)
        self._shared = shared
        self._announced: set[int] = set()
        self._newest = max((e.id for e in list_encoders(shared.workspace)), default=0)
        self._questions = LatestQueryWorker(self)
        self._questions.answered.connect(self._on_seen)
        shared.watch.changed.connect(self._ask)
        shared.errands.told_of.connect(self._on_told)

    def close(self) -> None:
        """Looks no more."""
        self._questions.close()

    @Slot()
    def _ask(self) -> None:
        self._questions.ask(partial(_look_for, self._shared.workspace, self._newest))

    @Slot(object)
    def _on_seen(self, seen: _SeenEncoder) -> None:
        self._newest = seen.newest
        if seen.look and seen.trained not in self._announced:
            tell_with_look(self._shared, seen.text, seen.look)

    @Slot(object)
    def _on_told(self, encoder_id: int) -> None:
        self._announced.add(encoder_id)


def tell_with_look(shared: Shared, text: str, look: RankingsToShow) -> None:
    """Tells of an encoder, and leads to its rankings on the page Explore."""
    shared.notices.tell(text, tr("Look at its rankings"), partial(_look_at, shared, look))


def run_look(workspace: Workspace, run: "RunInfo") -> RankingsToShow:
    """The rankings of a run's encoder, beside those of the vectors beneath."""
    from termexplorer.services.recipes.run_requests import RunRequest  # brings in NumPy

    choice = RunRequest.read(run.request).choice
    ontology = find_ontology(workspace, str(run.release_id))
    root = find_concept(workspace, ontology, choice.root) if choice and choice.root else None
    encoders = (run.input_id, run.encoder_id or run.input_id)
    return RankingsToShow(ontology.id, encoders, choice.level if choice else None, root)


def _look_at(shared: Shared, look: RankingsToShow) -> None:
    shared.errands.show_page.emit("explore")
    shared.errands.look_at.emit(look)


def _look_for(workspace: Workspace, newest: int) -> _SeenEncoder:
    encoders = list_encoders(workspace)
    last = max((encoder.id for encoder in encoders), default=0)
    fresh = [encoder for encoder in encoders if encoder.id > newest and encoder.kind == "trained"]
    return _describe_trained(workspace, fresh[-1].id, last) if fresh else _SeenEncoder(last)


def _describe_trained(workspace: Workspace, encoder_id: int, last: int) -> _SeenEncoder:
    from termexplorer.services.train.run_conclusions import trained_text  # brings in SQLAlchemy
    from termexplorer.services.train.runs import list_runs, run_details

    run = next(
        candidate for candidate in list_runs(workspace) if candidate.encoder_id == encoder_id
    )
    labels = {encoder.id: encoder.label for encoder in list_encoders(workspace)}
    text = trained_text(run_details(workspace, run.id), labels)
    return _SeenEncoder(last, encoder_id, text, run_look(workspace, run))
