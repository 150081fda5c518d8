"""The review of suggestions: what is read for it, and what a verdict writes."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from termexplorer.errors import UserError
from termexplorer.mapping_terms import NO_TERM
from termexplorer.services.curate.answers.list_parts import collect_parts, whole_of
from termexplorer.services.curate.mapping_candidates import (
    CandidateContext,
    ConceptContext,
    is_mapping,
    names_of_source,
    read_candidates,
    read_context,
)
from termexplorer.services.curate.suggestion_lists import (
    KeptList,
    Suggestion,
    choose_counting,
    find_blind_person,
    find_list,
    read_list,
    read_verdicts,
)
from termexplorer.services.explore.browsing import ConceptPage, concept_page
from termexplorer.services.explore.ontologies import list_ontologies
from termexplorer.services.verdicts.log import (
    Answer,
    Judge,
    LoggedVerdict,
    VerdictSubject,
    give_verdict,
    give_verdicts,
)
from termexplorer.services.verdicts.mapping_answers import find_chosen
from termexplorer.services.verdicts.past_rejections import find_rejections
from termexplorer.store.indexes.folding import fold_text
from termexplorer.store.judging.verdicts import judged_in_list, judged_on
from termexplorer.store.releases import concepts
from termexplorer.texts import tr
from termexplorer.workspace import Workspace

_SURE = 0.9  # probability from which mappings are accepted together
Verdicts = Mapping[VerdictSubject, Sequence[LoggedVerdict]]


@dataclass(frozen=True, slots=True)
class ListReview:
    """A list of suggestions and all verdicts that count.

    Attributes:
        suggestion_list: the list.
        suggestions: in its order.
        verdicts: of all judges, by what was judged.
        sources: what releases are called, by the hash that their verdicts carry.
        rejections: of pairs that somebody rejected before the list was made, by what is suggested.
        assigned: whom suggestions were given to, of a list in parts.
        blind: people who have not answered all of their blind part of the list, or of the whole
            that it is a part of.
    """

    suggestion_list: KeptList
    suggestions: tuple[Suggestion, ...]
    verdicts: Verdicts
    sources: Mapping[str, str]
    rejections: Mapping[VerdictSubject, LoggedVerdict] = field(default_factory=dict)
    assigned: Mapping[VerdictSubject, Sequence[Judge]] = field(default_factory=dict)
    blind: frozenset[Judge] = frozenset()

    def hides_others(self, judge: Judge | None) -> bool:
        """Whether others' verdicts are hidden from a judge.

        They are from those who still answer blind and, until all have, from nobody in particular
        and from whoever looks at another's part.
        """
        is_anothers = find_blind_person(self.suggestion_list) not in (None, judge)
        return judge in self.blind or (bool(self.blind) and (judge is None or is_anothers))

    def add_verdicts(self, changed: Verdicts) -> "ListReview":
        """Return it with what counts now of some suggestions."""
        counting = choose_counting(self.suggestion_list, self.suggestions, changed)
        return replace(self, verdicts={**self.verdicts, **counting})


@dataclass(frozen=True, slots=True)
class ReviewPair:
    """The concepts of a suggestion, as far as they are in the workspace.

    Attributes:
        suggestion: what is asked.
        subject: its page in the release that was looked through.
        object: the other's.
        release_hash: of the subject's release; empty if it is not there.
        source: the subject with what stands around it; None likewise.
        candidates: what a mapping may go to, the suggested one first.
        chosen: CURIE of the candidate that is chosen at first; "" of none.
        maps: whether it is a mapping, of which another concept may be chosen.
    """

    suggestion: Suggestion
    subject: ConceptPage | None
    object: ConceptPage | None
    release_hash: str
    source: ConceptContext | None = None
    candidates: tuple[CandidateContext, ...] = ()
    chosen: str = ""
    maps: bool = False

    @property
    def source_names(self) -> list[str]:
        """The names of the subject, the preferred one first."""
        return names_of_source(self.source, self.suggestion)


def read_review(workspace: Workspace, list_id: int) -> ListReview:
    """Reads a list with what was said of it.

    Raises:
        UserError: there is no such list.
    """
    suggestion_list, suggestions = find_list(workspace, list_id), read_list(workspace, list_id)
    with workspace.store.reading() as connection:
        verdicts_by_subject = read_verdicts(connection, suggestion_list, suggestions)
        on_pairs = list(judged_in_list(connection, list_id, any_predicate=True))
    whole_id = whole_of(suggestion_list)
    parts, assigned = collect_parts(workspace, whole_id)
    if person := find_blind_person(suggestion_list):
        on_pairs = [verdict for verdict in on_pairs if verdict.judge == person]
    return ListReview(
        suggestion_list,
        tuple(suggestions),
        verdicts_by_subject,
        {ontology.content_hash: ontology.label for ontology in list_ontologies(workspace)},
        find_rejections(
            (suggestion.about for suggestion in suggestions), on_pairs, suggestion_list.head.made_at
        ),
        assigned if whole_id == list_id else {},
        frozenset(part.person for part in parts if part.hides_others),
    )


def tell_who_may(review: ListReview | None, judge: Judge | None) -> str:
    """Return why a judge cannot judge a list: nobody, or not who answers it blind; else ""."""
    if judge is None:
        return tr("First enter the annotator at the top right")
    person = find_blind_person(review.suggestion_list) if review else None
    text = tr("{name} answers this part, blind to others", name=person.name if person else "")
    return "" if person in (None, judge) else text


def read_pair(
    workspace: Workspace,
    suggestion_list: KeptList,
    suggestion: Suggestion,
    mine: LoggedVerdict | None = None,
) -> ReviewPair:
    """Reads the two concepts: in the list's releases, or else in the newest that has them.

    Args:
        workspace: where they are.
        suggestion_list: that has the suggestion.
        suggestion: what is asked.
        mine: what the curator said of it, whose concept is chosen then.
    """
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
    pair = ReviewPair(suggestion, subject, other, release_hash)
    if not is_mapping(suggestion_list, suggestion):
        return pair
    my_choice = find_chosen(suggestion.about, mine.answer) if mine else None
    chosen = my_choice.object if my_choice else ""
    releases = _list_target_releases(workspace, suggestion_list)
    with workspace.store.looking() as connection:
        source = subject and read_context(
            connection, str(suggestion.about.subject), [subject.concept.release_id]
        )
        names = names_of_source(source or None, suggestion)
        candidates = tuple(read_candidates(connection, suggestion, names, releases, chosen))
    suggested = "" if suggestion.about.object == NO_TERM else str(suggestion.about.object)
    return replace(
        pair, source=source or None, candidates=candidates, chosen=chosen or suggested, maps=True
    )


def read_target(
    workspace: Workspace, suggestion_list: KeptList, pair: ReviewPair, curie: str
) -> CandidateContext:
    """Return a concept that a curator searched for as a further candidate."""
    context_releases = _list_target_releases(workspace, suggestion_list)
    with workspace.store.looking() as connection:
        context = read_context(connection, curie, context_releases)
    return CandidateContext.of_curator(curie, context, pair.source_names)


def find_target_label(
    workspace: Workspace, suggestion_list: KeptList, curie: str, origin: str
) -> str:
    """Return the name of a concept that a mapping is to go to.

    Args:
        workspace: that has it.
        suggestion_list: that has the mapping.
        curie: of the concept.
        origin: where it is asked for, for messages.

    Raises:
        UserError: it is not in the release that the list maps to, or in none where it says none.
    """
    releases = _list_target_releases(workspace, suggestion_list)
    with workspace.store.looking() as connection:
        context = read_context(connection, curie, releases)
    if context is None:
        raise UserError(
            tr("{origin}: {concept} is not in what is mapped to", origin=origin, concept=curie)
        )
    return context.concept.label


def _list_target_releases(workspace: Workspace, suggestion_list: KeptList) -> list[int]:
    """Return where targets are: the list's release, or else all, the newest first."""
    release_id = suggestion_list.head.object_release_id
    if release_id is not None:
        return [release_id]
    return [ontology.id for ontology in reversed(list_ontologies(workspace))]


def say(workspace: Workspace, judge: Judge, subject: VerdictSubject, answer: Answer) -> Verdicts:
    """Writes a verdict to the disk; returns all that count of its subject then."""
    give_verdict(workspace, judge, subject, answer)
    return _read_verdicts_on(workspace, [subject])


def say_all(
    workspace: Workspace,
    judge: Judge,
    suggestion_list: KeptList,
    answers: Mapping[VerdictSubject, Answer],
) -> Verdicts:
    """Answer several suggestions in one step; return all verdicts that count of them then.

    Args:
        workspace: to write to.
        judge: who says it.
        suggestion_list: that they are on.
        answers: to each suggestion; the hash of the release is that of the list.
    """
    release_id = suggestion_list.head.release_id
    hashes = {ontology.id: ontology.content_hash for ontology in list_ontologies(workspace)}
    release_hash = "" if release_id is None else hashes.get(release_id, "")
    given = {about: replace(a, release_hash=release_hash) for about, a in answers.items()}
    give_verdicts(workspace, judge, given)
    return _read_verdicts_on(workspace, list(given))


def find_equal_labels(
    review: ListReview, judge: Judge, among: Sequence[Suggestion]
) -> list[Suggestion]:
    """Return exact mappings between concepts of one preferred name that a judge has not judged.

    Those of a low probability are left out, as two different things may be called the same.

    Args:
        review: the list and its verdicts.
        judge: whose verdicts count.
        among: the suggestions of it that are on show.
    """
    if review.suggestion_list.head.kind != "mappings":
        return []
    return [
        suggestion
        for suggestion in among
        if suggestion.about.question == "skos:exactMatch"
        and has_equal_labels(suggestion)
        and _is_sure(suggestion)
        and all(verdict.judge != judge for verdict in review.verdicts.get(suggestion.about, ()))
    ]


def _is_sure(suggestion: Suggestion) -> bool:
    """Whether a suggestion is likely, as far as a probability was given."""
    try:
        return float(suggestion.slots.get("confidence") or 1) >= _SURE
    except ValueError:
        return True


def has_equal_labels(suggestion: Suggestion) -> bool:
    """Whether both preferred names are there and equal, but for case and the like."""
    label, other = (suggestion.slots.get(f"{side}_label", "") for side in ("subject", "object"))
    return bool(label) and fold_text(label) == fold_text(other)


def move(
    workspace: Workspace, judge: Judge, step: Callable[[Workspace, Judge], list[LoggedVerdict]]
) -> tuple[LoggedVerdict | None, Verdicts]:
    """Take a step back or bring one back; return its first verdict, and all that count then."""
    moved = step(workspace, judge)
    verdicts = _read_verdicts_on(workspace, [verdict.subject for verdict in moved])
    return moved[-1] if moved else None, verdicts


def _read_verdicts_on(workspace: Workspace, subjects: Iterable[VerdictSubject]) -> Verdicts:
    """Read what counts of some subjects: the whole log may be long."""
    with workspace.store.reading() as connection:
        return {subject: judged_on(connection, subject) for subject in subjects}


def _find_page(workspace: Workspace, curie: str, releases: Sequence[int]) -> ConceptPage | None:
    """The page of a concept in the first of some releases that has it."""
    with workspace.store.reading() as connection:
        refs = (concepts.find(connection, release_id, curie) for release_id in releases)
        ref = next(filter(None, refs), None)
    return concept_page(workspace, ref.id) if ref else None
