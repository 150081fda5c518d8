"""The review of suggestions: what is read for it, and what a verdict writes."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from termexplorer.services.curate.suggestion_lists import (
    KeptList,
    Suggestion,
    by_subject,
    find_list,
    read_list,
)
from termexplorer.services.explore.browsing import ConceptPage, concept_page
from termexplorer.services.explore.ontologies import list_ontologies
from termexplorer.services.verdicts.log import (
    Answer,
    Judge,
    LoggedVerdict,
    VerdictSubject,
    give_verdict,
)
from termexplorer.store.judging.verdicts import judged_in_list, judged_on
from termexplorer.store.releases import concepts
from termexplorer.workspace import Workspace

Verdicts = Mapping[VerdictSubject, Sequence[LoggedVerdict]]


@dataclass(frozen=True, slots=True)
class ListReview:
    """A list of suggestions and all verdicts that count.

    Attributes:
        suggestion_list: the list.
        suggestions: in its order.
        verdicts: of all judges, by what was judged.
        sources: what releases are called, by the hash that their verdicts carry.
    """

    suggestion_list: KeptList
    suggestions: tuple[Suggestion, ...]
    verdicts: Verdicts
    sources: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class ReviewPair:
    """The concepts of a suggestion, as far as they are in the workspace.

    Attributes:
        suggestion: what is asked.
        subject: its page in the release that was looked through.
        object: the other's.
        release_hash: of the subject's release; empty if it is not there.
    """

    suggestion: Suggestion
    subject: ConceptPage | None
    object: ConceptPage | None
    release_hash: str


def read_review(workspace: Workspace, list_id: int) -> ListReview:
    """Reads a list with what was said of it.

    Raises:
        UserError: there is no such list.
    """
    with workspace.store.reading() as connection:
        verdicts_by_subject = by_subject(judged_in_list(connection, list_id))
    return ListReview(
        find_list(workspace, list_id),
        tuple(read_list(workspace, list_id)),
        verdicts_by_subject,
        {ontology.content_hash: ontology.label for ontology in list_ontologies(workspace)},
    )


def read_pair(
    workspace: Workspace, suggestion_list: KeptList, suggestion: Suggestion
) -> ReviewPair:
    """Reads the two concepts: in the list's releases, or else in the newest that has them."""
    hashes = {ontology.id: ontology.content_hash for ontology in list_ontologies(workspace)}
    newest_first = list(reversed(hashes))
    subject, other = (
        _find_page(workspace, curie, newest_first if release_id is None else [release_id])
        for curie, release_id in (
            (suggestion.about.subject, suggestion_list.head.release_id),
            (suggestion.about.object, suggestion_list.head.object_release_id),
        )
    )
    release_hash = hashes[subject.concept.release_id] if subject else ""
    return ReviewPair(suggestion, subject, other, release_hash)


def say(workspace: Workspace, judge: Judge, subject: VerdictSubject, answer: Answer) -> Verdicts:
    """Writes a verdict to the disk; returns all that count of its subject then."""
    give_verdict(workspace, judge, subject, answer)
    return _read_verdicts_on(workspace, subject)


def move(
    workspace: Workspace, judge: Judge, step: Callable[[Workspace, Judge], LoggedVerdict | None]
) -> tuple[LoggedVerdict | None, Verdicts]:
    """Takes a verdict back or brings one back; returns it, and all that count of its subject."""
    moved = step(workspace, judge)
    return moved, _read_verdicts_on(workspace, moved.subject) if moved else {}


def _read_verdicts_on(workspace: Workspace, subject: VerdictSubject) -> Verdicts:
    """Read what counts of one subject: the whole log may be long."""
    with workspace.store.reading() as connection:
        return {subject: judged_on(connection, subject)}


def _find_page(workspace: Workspace, curie: str, releases: Sequence[int]) -> ConceptPage | None:
    """The page of a concept in the first of some releases that has it."""
    with workspace.store.reading() as connection:
        refs = (concepts.find(connection, release_id, curie) for release_id in releases)
        ref = next(filter(None, refs), None)
    return concept_page(workspace, ref.id) if ref else None
