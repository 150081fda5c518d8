"""The candidates of a suggested mapping, with what stands around them and what differs."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any

from termexplorer.mapping_terms import CANDIDATES, NO_TERM
from termexplorer.services.curate.decisions import PREDICATES
from termexplorer.services.curate.suggestion_lists import CARRIED
from termexplorer.services.curate.suggestion_words import is_unreplaced
from termexplorer.services.explore.browsing import Concept, ConceptRef, TreeItem
from termexplorer.services.verdicts.log import VerdictSubject
from termexplorer.services.verdicts.mapping_answers import (
    answer_mapping,
    choose_mapping,
    turn_denied,
)
from termexplorer.store.database.raw_sql import SqlReader
from termexplorer.store.judging.suggestions import KeptList, Suggestion
from termexplorer.store.releases import concepts
from termexplorer.texts import mark

__all__ = [
    "MAPPING_KINDS",
    "QUALIFIER_WORDS",
    "CandidateContext",
    "ConceptContext",
    "Given",
    "NameDifferences",
    "answer_all",
    "answer_suggested",
    "choose_all",
    "choose_suggested",
    "compare_names",
    "is_mapping",
    "list_candidates",
    "names_of_source",
    "read_candidates",
    "read_context",
    "split_marked",
]  # fmt: skip

QUALIFIER_WORDS = {
    "numbers": mark("number or type"),
    "sides": mark("side or position"),
    "presence": mark("with or without"),
    "unspecified": mark("unspecified"),
    "other": mark("other or elsewhere"),
    "course": mark("course, stage or severity"),
    "persons": mark("age or sex"),
}
"""Kinds of words that make a concept another one though its name is nearly the same."""
Given = tuple[str, Mapping[str, Any]]
"""An answer, and its details."""
MAPPING_KINDS = ("mappings", "imported", CARRIED)
"""Kinds of lists that map concepts."""
_MOST_CHILDREN = 12
_MOST_NAMES = 40  # of a concept, that are compared
_WORD = re.compile(r"\w+")
_UNSPECIFIED = re.compile(
    r"\b(?:not|non)[\s-]+(?:otherwise\s+)?(?:specified|(?P<elsewhere>elsewhere\s+classified))\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class ConceptContext:
    """A concept with what stands around it.

    Attributes:
        concept: with its names and definition.
        parents: all of them.
        children: the first ones.
        child_count: how many there are.
    """

    concept: Concept
    parents: tuple[ConceptRef, ...]
    children: tuple[TreeItem, ...]
    child_count: int


@dataclass(frozen=True, slots=True)
class NameDifferences:
    """What differs between the two names of two concepts that are nearest to each other.

    Attributes:
        name: of the source.
        other_name: of the candidate.
        missing: words of the source's name alone, as `list_words` has them.
        extra: words of the candidate's name alone.
        kinds: of words among them that are qualifiers: word -> key of `QUALIFIER_WORDS`.
    """

    name: str = ""
    other_name: str = ""
    missing: tuple[str, ...] = ()
    extra: tuple[str, ...] = ()
    kinds: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class CandidateContext:
    """A candidate with all that is shown of it.

    Attributes:
        object: CURIE.
        label: its name; the CURIE where nobody knows one.
        predicate: what was decided of it, a CURIE; "" of one that nobody weighed.
        probability: of that; None likewise.
        context: None where no ontology of the workspace has it.
        differences: between its names and those of the source.
        by_curator: whether a curator searched for it.
    """

    object: str
    label: str
    predicate: str
    probability: float | None
    context: ConceptContext | None
    differences: NameDifferences
    by_curator: bool = False

    @classmethod
    def of_curator(
        cls, curie: str, context: ConceptContext | None, names: Sequence[str]
    ) -> "CandidateContext":
        """Return a concept that nobody weighed before a curator chose it.

        Args:
            curie: of it.
            context: what stands around it.
            names: of the source, the preferred one first.
        """
        other_names = _names_of(context) if context else [curie]
        differences = compare_names(names, other_names)
        return cls(curie, other_names[0], "", None, context, differences, by_curator=True)


def answer_suggested(suggestion: Suggestion, answer: str) -> Given | None:
    """Return the answer to what a suggestion says, as the log keeps it.

    None where it says nothing that is correct or wrong: nothing replaces a withdrawn term.
    """
    if is_unreplaced(suggestion) and answer in ("correct", "wrong"):
        return None
    return turn_denied(suggestion.slots, answer), {}


def answer_all(suggestions: Iterable[Suggestion], answer: str) -> dict[VerdictSubject, Given]:
    """Return one answer to several suggestions, without those that it cannot be given to."""
    answers = {row.about: answer_suggested(row, answer) for row in suggestions}
    return {about: given for about, given in answers.items() if given}


def choose_all(suggestions: Iterable[Suggestion], predicate: str) -> dict[VerdictSubject, Given]:
    """Return for each suggestion the answer that its concept is something else to the source.

    Those that suggest nothing are left out, unless nothing matches.
    """
    answers = {
        suggestion.about: choose_suggested(suggestion, predicate) for suggestion in suggestions
    }
    return {about: answer for about, answer in answers.items() if answer}


def choose_suggested(suggestion: Suggestion, predicate: str) -> Given | None:
    """Return the answer that the suggested concept is something else to the source, or nothing is.

    None where nothing is suggested, of which nothing can be said.
    """
    if is_unreplaced(suggestion) and predicate != NO_TERM:
        return None
    about, label = suggestion.about, suggestion.slots.get("object_label", "")
    chosen = choose_mapping(predicate, str(about.object), label)
    return answer_mapping(about, chosen) if chosen else None


def is_mapping(suggestion_list: KeptList, suggestion: Suggestion) -> bool:
    """Return whether a suggestion maps a concept, so that another concept may be chosen."""
    return suggestion_list.head.kind in MAPPING_KINDS and not suggestion.about.term


def list_candidates(suggestion: Suggestion) -> list[tuple[str, str, float | None]]:
    """Return CURIE, predicate and probability of each candidate, the suggested one first.

    A suggestion that came without candidates has the suggested concept alone.
    """
    rows = list(_read_slot(suggestion.slots.get(CANDIDATES, "")))
    about = suggestion.about
    if about.object != NO_TERM and all(curie != about.object for curie, _, _ in rows):
        try:
            probability = float(suggestion.slots.get("confidence", ""))
        except ValueError:
            probability = None
        rows.insert(0, (str(about.object), about.question, probability))
    return rows


def _read_slot(text: str) -> Iterator[tuple[str, str, float | None]]:
    """Yield what `list_slots` wrote; what a file has otherwise is left out."""
    try:
        rows = json.loads(text or "[]")
    except (ValueError, RecursionError):
        return
    for row in rows if isinstance(rows, list) else ():
        match row:
            case [str() as curie, str() as predicate, int() | float() | None as probability]:
                figure = None if probability is None else float(probability)
                yield curie, PREDICATES.get(predicate, ""), figure


def read_candidates(
    connection: SqlReader,
    suggestion: Suggestion,
    names: Sequence[str],
    releases: Sequence[int],
    chosen: str = "",
) -> Iterator[CandidateContext]:
    """Yield the candidates of a mapping with what is shown of them.

    Args:
        connection: the store.
        suggestion: the mapping.
        names: of its source, the preferred one first.
        releases: where candidates are looked up, in this order.
        chosen: CURIE of what a curator chose, which comes last where it is no candidate.
    """
    rows = list_candidates(suggestion)
    if chosen and chosen != NO_TERM and all(curie != chosen for curie, _, _ in rows):
        rows.append((chosen, "", None))
    for curie, predicate, probability in rows:
        context = read_context(connection, curie, releases)
        label = context.concept.label if context else ""
        if not label and curie == suggestion.about.object:
            label = suggestion.slots.get("object_label", "")
        other_names = _names_of(context) if context else [label]
        yield CandidateContext(
            curie, label or curie, predicate, probability, context,
            compare_names(names, list(filter(None, other_names))), by_curator=not predicate,
        )  # fmt: skip


def read_context(
    connection: SqlReader, curie: str, releases: Sequence[int]
) -> ConceptContext | None:
    """Return a concept of the first release that has it; None where none does."""
    refs = (concepts.find(connection, release_id, curie) for release_id in releases)
    ref = next(filter(None, refs), None)
    concept = concepts.concept(connection, ref.id) if ref else None
    if ref is None or concept is None:
        return None
    return ConceptContext(
        concept,
        tuple(concepts.parents(connection, ref.id)),
        tuple(concepts.children(connection, ref.id, _MOST_CHILDREN, 0)),
        concepts.count_children(connection, ref.id),
    )


def names_of_source(context: ConceptContext | None, suggestion: Suggestion) -> list[str]:
    """Return the names of the source of a mapping, the preferred one first."""
    names = _names_of(context) if context else []
    return names or [suggestion.slots.get("subject_label", "") or str(suggestion.about.subject)]


def _names_of(context: ConceptContext) -> list[str]:
    concept = context.concept
    return list(dict.fromkeys([concept.label, *(name.text for name in concept.names)]))


def compare_names(names: Sequence[str], other_names: Sequence[str]) -> NameDifferences:
    """Return what differs between the nearest two names of two concepts, the preferred ones first.

    "Not specified" is one qualifier, and no "not".

    >>> compare_names(["left lung cancer"], ["right lung cancer", "cancer of lung"]).missing
    ('left',)
    """
    from termexplorer.trainer.mapping.name_forms import list_words
    from termexplorer.trainer.mapping.qualifiers import QUALIFIERS

    words = {name: frozenset(list_words(name)) for name in (*names, *other_names)}
    pairs = product(names[:_MOST_NAMES], other_names[:_MOST_NAMES])
    nearest = min(pairs, key=lambda pair: len(words[pair[0]] ^ words[pair[1]]), default=None)
    if nearest is None:
        return NameDifferences()
    missing, extra = words[nearest[0]] - words[nearest[1]], words[nearest[1]] - words[nearest[0]]
    kinds = {
        word: kind for kind in QUALIFIER_WORDS for word in missing | extra
        if word in QUALIFIERS[kind]
    }  # fmt: skip
    for phrase in _UNSPECIFIED.finditer(" / ".join(nearest)):
        kind = "other" if phrase["elsewhere"] else "unspecified"
        kinds |= {word: kind for word in list_words(phrase[0]) if word in missing | extra}
    return NameDifferences(*nearest, tuple(sorted(missing)), tuple(sorted(extra)), kinds)


def split_marked(name: str, words: Iterable[str]) -> list[tuple[str, str]]:
    """Return the parts of a name in order, each with the one of some words that it is, or "".

    >>> split_marked("Cancer, left", ["left"])
    [('Cancer', ''), (', ', ''), ('left', 'left')]
    """
    from termexplorer.trainer.mapping.name_forms import list_words

    wanted, parts, end = set(words), [], 0
    for match in _WORD.finditer(name):
        if match.start() > end:
            parts.append((name[end : match.start()], ""))
        marked = next((word for word in list_words(match[0]) if word in wanted), "")
        parts.append((match[0], marked))
        end = match.end()
    return [*parts, (name[end:], "")] if end < len(name) else parts
