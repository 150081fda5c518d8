"""Removing an ontology: what goes with it, what stays, and that nothing is using it."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from termexplorer.errors import UserError
from termexplorer.services.explore.ontologies import Ontology, find_ontology
from termexplorer.services.files.making_room import (
    locate_files,
    remove_begun_vectors,
    remove_files,
    write_making_room,
)
from termexplorer.services.importing.releases import sweep
from termexplorer.services.train.runs import claimed_run
from termexplorer.services.workspace.safe_removal import back_up_before_removal
from termexplorer.store import removing
from termexplorer.store.database.sqlalchemy_engine import Connection
from termexplorer.store.encoders import infos
from termexplorer.store.judging.verdicts import count_judged_of
from termexplorer.store.removing import Made
from termexplorer.texts import tr, trn
from termexplorer.workers.process.supervision import JobControl
from termexplorer.workspace import Workspace

__all__ = ["Made", "Removal", "look_at_removal", "remove_ontology"]


@dataclass(frozen=True, slots=True)
class Removal:
    """What it would mean to remove an ontology.

    Attributes:
        ontology: the release.
        derived: what goes with it.
        verdicts: how many count that were given on it; they stay.
        holding: runs and encoders that build on what would go, in words; they are to go first.
    """

    ontology: Ontology
    derived: Made
    verdicts: int
    holding: tuple[str, ...]

    @property
    def goes(self) -> tuple[str, ...]:
        """What is lost, item by item."""
        concepts, names = self.ontology.concepts, self.ontology.names
        ontology_line = tr(
            "{concepts} with {names}",
            concepts=trn("{n:,} concept", "{n:,} concepts", concepts),
            names=trn("{n:,} name", "{n:,} names", names),
        )
        return ontology_line, *self._parts()

    @property
    def stays(self) -> str:
        """A sentence on what is kept."""
        if not self.verdicts:
            return tr(
                "The lists of concepts stay: they name concepts by their ids, and find them again "
                "in another release."
            )
        return trn(
            "{n:,} verdict on it and the lists of concepts stay: they name concepts by their ids, "
            "and find them again in another release.",
            "{n:,} verdicts on it and the lists of concepts stay: they name concepts by their ids, "
            "and find them again in another release.",
            self.verdicts,
        )

    @property
    def why_not(self) -> str:
        """Why it cannot go, in words; empty if it can."""
        if not self.holding:
            return ""
        return trn(
            "{others} builds on what was trained on {ontology}; remove that first",
            "{others} build on what was trained on {ontology}; remove these first",
            len(self.holding),
            others=", ".join(self.holding),
            ontology=self.ontology.label,
        )

    def _parts(self) -> Iterator[str]:
        derived, runs = self.derived, len(self.derived.runs)
        if runs:
            yield _describe_trained(runs, derived.encoders)
        if derived.vectors:
            yield trn(
                "the vectors of its names by {n:,} encoder",
                "the vectors of its names by {n:,} encoders",
                derived.vectors,
            )
        if derived.maps:
            yield trn("{n:,} map", "{n:,} maps", derived.maps)
        if derived.rankings:
            yield trn(
                "{n:,} ranking that Compare keeps",
                "{n:,} rankings that Compare keeps",
                derived.rankings,
            )
        if derived.lists:
            yield trn("{n:,} list of suggestions", "{n:,} lists of suggestions", derived.lists)


def look_at_removal(workspace: Workspace, ontology_id: int) -> Removal:
    """Counts what stands on an ontology.

    Raises:
        UserError: there is none of that id.
    """
    ontology = find_ontology(workspace, str(ontology_id))
    with workspace.store.reading() as connection:
        derived = removing.made_with(connection, ontology.id)
        judged_count = count_judged_of(connection, ontology.content_hash)
        holding = tuple(_describe_holders(connection, derived))
    return Removal(ontology, derived, judged_count, holding)


def remove_ontology(
    workspace: Workspace,
    ontology_id: int,
    control: JobControl,
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
    if removal.why_not:
        raise UserError(removal.why_not)
    back_up_before_removal(workspace, on_message)
    with workspace.store.reading() as connection:
        going = removing.files_of_release(connection, ontology_id)
    begin = partial(_begin_removal, workspace, removal.ontology)
    remove_files(write_making_room(workspace, begin, going))
    remove_begun_vectors(workspace)
    sweep(workspace, control, on_message)
    return removal


def _begin_removal(workspace: Workspace, ontology: Ontology) -> list[Path]:
    with workspace.loading(), ExitStack() as held, workspace.store.writing() as connection:
        for run_id in removing.made_with(connection, ontology.id).runs:
            held.enter_context(_claim_resting_run(workspace, run_id, ontology))
        return locate_files(workspace, removing.begin_removal(connection, ontology.id))


def _claim_resting_run(
    workspace: Workspace, run_id: int, on: Ontology
) -> AbstractContextManager[None]:
    """Sees to it that nobody trains a run until its rows are gone."""
    refusal = tr(
        "run {run} is being trained on {ontology}; cancel it first", run=run_id, ontology=on.label
    )
    return claimed_run(workspace, run_id, refusal)


def _describe_holders(connection: Connection, derived: Made) -> Iterator[str]:
    for run_id in derived.holding_runs:
        yield tr("run {run}", run=run_id)
    for encoder in infos.encoders(connection):
        if encoder.id in derived.holding_encoders:
            yield tr("encoder {encoder}", encoder=encoder.label)


def _describe_trained(runs: int, encoders: int) -> str:
    trained = trn("{n:,} encoder that it trained", "{n:,} encoders that they trained", encoders)
    return trn(
        "{n:,} run on it, with {trained}, and their figures",
        "{n:,} runs on it, with {trained}, and their figures",
        runs,
        trained=trained,
    )
