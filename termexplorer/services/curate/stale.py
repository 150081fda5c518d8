"""What the changes from one release to another make stale: runs, and verdicts."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, partial

from termexplorer.services.curate.release_change import Change
from termexplorer.services.explore.ontologies import Ontology
from termexplorer.services.recipes.run_requests import RunRequest
from termexplorer.services.train.runs import RunInfo
from termexplorer.store.database.sqlalchemy_engine import Connection
from termexplorer.store.judging.verdicts import LoggedVerdict
from termexplorer.store.releases import concepts


@dataclass(frozen=True, slots=True)
class StaleRun:
    """A run on the older release, with the changed concepts among what it was trained on."""

    run: int
    title: str
    changed: int


@dataclass(frozen=True, slots=True)
class StaleVerdict:
    """A verdict on the older release, on concepts of which one at least changed.

    Attributes:
        judge: who gave it.
        subject: CURIE.
        question: the predicate.
        object: CURIE.
        answer: what was said.
        changes: the changed concepts and how each changed: `DOID:4 moved`.
    """

    judge: str
    subject: str
    question: str
    object: str
    answer: str
    changes: tuple[str, ...]


def stale_runs(
    connection: Connection,
    runs: Iterable[RunInfo],
    old: Ontology,
    new: Ontology,
    changes: tuple[Change, ...],
) -> Iterator[StaleRun]:
    """The runs on the older release whose concepts changed."""
    below = cache(partial(_changed_below, connection, old, new, changes))  # runs share their roots
    for run in runs:
        request = RunRequest.read(run.request)
        if old.id == request.ontology_id:
            root = request.choice.root if request.choice else request.synonyms.root
        elif old.id in request.also:
            root = ""
        else:
            continue
        changed = below(root)
        if changed:
            yield StaleRun(run.id, run.title, len(changed))


def stale_verdicts(
    judged: Iterable[LoggedVerdict], old: Ontology, changes: Iterable[Change]
) -> Iterator[StaleVerdict]:
    """The verdicts that were given on the older release, on concepts that changed."""
    how: dict[str, list[str]] = {}
    for change in changes:
        how.setdefault(change.concept, []).append(f"{change.concept} {change.kind}")
    for verdict in judged:
        about = verdict.subject
        reasons = [*how.get(about.subject, ()), *how.get(about.object, ())]
        if reasons and verdict.answer.release_hash == old.content_hash:
            yield StaleVerdict(
                verdict.judge.name,
                about.subject,
                about.question,
                about.object,
                verdict.answer.answer,
                tuple(dict.fromkeys(reasons)),
            )


def _changed_below(
    connection: Connection, old: Ontology, new: Ontology, changes: tuple[Change, ...], root: str
) -> set[str]:
    """CURIEs of the changed concepts that are below a root in one of the releases."""
    if not root:
        return {change.concept for change in changes}
    descendant_ids: set[int | None] = set()
    for release in (old, new):
        root_ref = concepts.find(connection, release.id, root)
        if root_ref is not None:
            descendant_ids |= concepts.descendants(connection, root_ref.id)
    return {c.concept for c in changes if c.old_id in descendant_ids or c.new_id in descendant_ids}
