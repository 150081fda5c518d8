"""Removing an ontology: what goes with it, what stays, and that nothing is using it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from termexplorer.errors import UserError
from termexplorer.services.encoders import remove_files
from termexplorer.services.importing import sweep
from termexplorer.services.ontologies import Ontology, find_ontology
from termexplorer.services.runs import is_trained_now
from termexplorer.store import removing
from termexplorer.store.removing import Made
from termexplorer.store.verdicts import judged
from termexplorer.workers.supervision import Control
from termexplorer.workspace import Workspace

__all__ = ["Made", "Removal", "look_at_removal", "remove_ontology"]


@dataclass(frozen=True, slots=True)
class Removal:
    """What it would mean to remove an ontology.

    Attributes:
        ontology: the release.
        made: what goes with it.
        verdicts: how many count that were given on it; they stay.
    """

    ontology: Ontology
    made: Made
    verdicts: int

    @property
    def goes(self) -> tuple[str, ...]:
        """What is lost, item by item."""
        own = f"{self.ontology.concepts:,} concepts with {self.ontology.names:,} names"
        return own, *self._parts()

    @property
    def stays(self) -> str:
        """A sentence on what is kept."""
        verdicts = _count(self.verdicts, "verdict on it and the", "verdicts on it and the")
        return (
            f"{verdicts if self.verdicts else 'The'} lists of concepts stay: they name concepts by "
            "their ids, and find them again in another release."
        )

    def _parts(self) -> Iterator[str]:
        made, runs = self.made, len(self.made.runs)
        if runs:
            trained = _count(made.encoders, "encoder that it", "encoders that they")
            yield f"{_count(runs, 'run', 'runs')} on it, with {trained} trained, and their figures"
        if made.vectors:
            yield f"the vectors of its names by {_count(made.vectors, 'encoder', 'encoders')}"
        for count, one, many in (
            (made.maps, "map", "maps"),
            (made.rankings, "ranking that Compare keeps", "rankings that Compare keeps"),
            (made.lists, "list of suggestions", "lists of suggestions"),
        ):
            if count:
                yield _count(count, one, many)


def look_at_removal(workspace: Workspace, ontology_id: int) -> Removal:
    """Counts what stands on an ontology.

    Raises:
        UserError: there is none of that id.
    """
    ontology = find_ontology(workspace, str(ontology_id))
    with workspace.store.reading() as connection:
        made = removing.made_with(connection, ontology.id)
        said = judged(connection)
    hashes = [each.answer.release_hash for each in said]
    return Removal(ontology, made, hashes.count(ontology.content_hash))


def remove_ontology(
    workspace: Workspace,
    ontology_id: int,
    control: Control,
    on_message: Callable[[object], None],
) -> Removal:
    """Removes an ontology and what was made with it; nobody sees it from the start.

    Its rows go in short transactions, so that others can write meanwhile. What a stop or a crash
    leaves of it goes at the next start or import.

    Raises:
        UserError: there is none of that id, a run is being trained on it, others build on what was
            trained on it, or an ontology is being imported or removed.
        Cancelled: it was cancelled.
    """
    removal = look_at_removal(workspace, ontology_id)
    busy = [run_id for run_id in removal.made.runs if is_trained_now(workspace, run_id)]
    if busy:
        raise UserError(
            f"run {busy[-1]} is being trained on {removal.ontology.label}; cancel it first"
        )
    with workspace.loading(), workspace.store.writing() as connection:
        files = removing.begin_removal(connection, ontology_id)
    remove_files(workspace, files)
    sweep(workspace, control, on_message)
    return removal


def _count(number: int, one: str, many: str) -> str:
    return f"{number:,} {one if number == 1 else many}"
