"""What rankings by the chosen encoders need, found out in a thread."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QObject, Signal, Slot

from termexplorer.questions import LatestQueryWorker
from termexplorer.services.compare.rankings import trained_on
from termexplorer.services.encoders.built_in import is_built_in
from termexplorer.services.encoders.encoders import EncoderInfo
from termexplorer.services.encoders.names_language import language_notice
from termexplorer.services.explore.ontologies import Ontology
from termexplorer.views.explore.encoding_question import lacks_to_confirm
from termexplorer.views.explore.preparation import Lack, lacking
from termexplorer.views.window.page import Shared
from termexplorer.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Needs:
    """What was found.

    Attributes:
        level: the one of these ontologies that the first trained encoder was trained on, or None.
        lacks: what is made by itself before they can rank.
        to_confirm: what is made for that once the user has said so.
        language: why TF-IDF suits these names better than the built-in encoder that is chosen;
            empty where it does not.
    """

    level: int | None
    lacks: tuple[Lack, ...]
    to_confirm: tuple[Lack, ...] = ()
    language: str = ""


class RankingNeeds(QObject):
    """Finds out in a thread, which imports NumPy and SQLAlchemy while the window is at work.

    Signals:
        needs_read: `Needs`.
    """

    needs_read = Signal(object)

    def __init__(self, shared: Shared, parent: QObject) -> None:
        super().__init__(parent)
        self._workspace = shared.workspace
        self._questions = LatestQueryWorker(self)
        self._questions.answered.connect(self._on_answered)
        self._questions.failed.connect(shared.notices.error)

    def close(self) -> None:
        """Ends the thread."""
        self._questions.close()

    def ask(self, encoders: Sequence[EncoderInfo], ontologies: Sequence[Ontology]) -> None:
        """Asks for some encoders that are to rank the names of some ontologies."""
        self._questions.ask(partial(_find_needs, self._workspace, encoders, ontologies))

    @Slot(object)
    def _on_answered(self, needs: Needs) -> None:
        self.needs_read.emit(needs)


def _find_needs(
    workspace: Workspace, encoders: Sequence[EncoderInfo], ontologies: Sequence[Ontology]
) -> Needs:
    trained = [encoder.id for encoder in encoders if encoder.kind == "trained" or encoder.part_ids]
    run = trained_on(workspace, trained) if trained else None
    here = run is not None and run.ontology_id in [ontology.id for ontology in ontologies]
    level = run.choice.level if run and run.choice and here else None
    has_built_in = any(is_built_in(encoder) for encoder in encoders)
    language = language_notice(workspace, ontologies[0].id) if has_built_in and ontologies else ""
    lacks = lacking(workspace, encoders, ontologies)
    to_confirm = lacks_to_confirm(workspace, lacks)
    ready = tuple(lack for lack in lacks if lack not in to_confirm)
    return Needs(level, ready, to_confirm, language)
