"""Pairs to be judged that come from elsewhere: a list, a comparison of encoders, suggestions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import isqrt
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from termexplorer.errors import UserError
from termexplorer.exporters.kept_notes import Noted
from termexplorer.files import atomic_write
from termexplorer.services.compare.comparison import Compared, order_mentions
from termexplorer.services.compare.side_by_side import side_by_side
from termexplorer.services.curate.suggestion_lists import find_list, read_list
from termexplorer.services.explore.ontologies import Ontology
from termexplorer.services.levels.concept_lists import class_of_list
from termexplorer.services.pairs.filter import (
    KEEP_ALL,
    PairFilter,
    add_counts,
    filter_pairs,
    told_counts,
)
from termexplorer.services.pairs.repeats import ALONE, REPEATED, fold_pair
from termexplorer.store.judging.lists import CONCEPTS
from termexplorer.store.releases.term_content import term_content
from termexplorer.texts import mark, number, tr, translated
from termexplorer.workers.data.pair_terms import concept_terms
from termexplorer.workspace import Workspace

if TYPE_CHECKING:
    from termexplorer.trainer.term_pairs.concepts import ConceptTerms
    from termexplorer.trainer.term_pairs.drawn import DrawnPair

__all__ = [
    "FoundPairs",
    "WrittenPairs",
    "pairs_of_comparison",
    "pairs_of_list",
    "pairs_of_ontology",
    "pairs_of_suggestions",
    "pairs_within",
    "write_pairs",
]

_ENDING = ".tsv"
_SIMILAR = 1.0
NOT_THERE = mark("entries of the list that are not in use in the release")
SAME_NAME = mark("entries of the list with the name of another one")
ALIKE = mark("names that all encoders answer alike")
NAMELESS = mark("suggestions of a concept that has no name here")


@dataclass(frozen=True, slots=True)
class FoundPairs:
    """Pairs to be judged, and what is not among them.

    Attributes:
        pairs: in the order in which they are written.
        left_out: how many pairs are not, by reason.
        passed_over: how many there are of what no pair was made of, by what it is.
    """

    pairs: Sequence[DrawnPair]
    left_out: Mapping[str, int] = field(default_factory=dict)
    passed_over: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class WrittenPairs:
    """What is in a file.

    Attributes:
        out: the file.
        pairs: how many pairs it has.
        labelled: of how many something says whether they are similar.
        parts: how many are from each part, if it has any.
        left_out: how many pairs are not in it, by reason.
        passed_over: how many there are of what no pair was made of, by what it is.
    """

    out: str
    pairs: int
    labelled: int
    parts: dict[str, int]
    left_out: dict[str, int] = field(default_factory=dict)
    passed_over: dict[str, int] = field(default_factory=dict)

    def missing(self) -> Iterator[str]:
        """Yield sentences on what is not in the file."""
        if self.left_out:
            yield told_counts(self.left_out)
        if self.passed_over:
            counts = self.passed_over.items()
            missing_text = ", ".join(
                f"{number(count)} {translated(reason)}" for reason, count in counts
            )
            yield tr("Without: {what}", what=missing_text)


def write_pairs(
    path: Path, found_pairs: FoundPairs, leave_out: PairFilter = KEEP_ALL
) -> WrittenPairs:
    """Writes pairs as a file of a pair set, with the notes on licences beside it.

    Raises:
        UserError: there are none, all are left out, another ending, or the place cannot be written
            to.
    """
    from termexplorer.trainer.term_pairs.drawn import write_drawn

    path = path.expanduser().resolve()
    if path.suffix != _ENDING:
        raise UserError(
            tr("{path}: a pair set is a {ending} file; name one", path=path, ending=_ENDING)
        )
    if not found_pairs.pairs:
        raise UserError(
            tr("there is no pair of two different terms to be judged; nothing was written")
        )
    pairs, filtered = filter_pairs(found_pairs.pairs, leave_out)
    left_out = add_counts({"found": found_pairs.left_out, "written": filtered})
    if not pairs:
        raise UserError(
            tr("{path}: nothing was written; {why}", path=path, why=told_counts(left_out))
        )
    parts: dict[str, int] = {}
    for pair in pairs:
        if pair.drawn:
            parts[pair.drawn] = parts.get(pair.drawn, 0) + 1
    noted = Noted()
    for pair in pairs:
        noted.see((pair.left_concept, pair.right_concept))
    with atomic_write(path) as fresh:
        write_drawn(fresh, pairs, parts=bool(parts))
    noted.keep(path)
    labelled = sum(drawn_pair.label is not None for drawn_pair in pairs)
    return WrittenPairs(
        str(path), len(pairs), labelled, parts, left_out, dict(found_pairs.passed_over)
    )


def pairs_of_list(
    workspace: Workspace, ontology: Ontology, title: str, number: int, seed: int
) -> FoundPairs:
    """Pairs within a kept list, at random: of the terms of its concepts, or of its names.

    Raises:
        UserError: there is no such list, or nothing of it is in the ontology.
    """
    class_list = class_of_list(workspace, title, ontology.id)
    concepts = _live_concepts(workspace, ontology.id)
    entries = set(class_list.subjects)
    if class_list.kind == CONCEPTS:
        terms = [(concept.main, concept.id) for concept in concepts if concept.id in entries]
    else:
        homes = {
            term.lower(): concept.id
            for concept in concepts
            for term in (concept.main, *concept.synonyms)
        }
        terms = [(name, homes.get(name.lower(), "")) for name in class_list.subjects]
    if not terms:
        raise UserError(
            tr(
                "nothing of the list {title} is in {label}; name another one",
                title=title,
                label=ontology.label,
            )
        )
    same_name = len(terms) - len({term.casefold() for term, _ in terms})
    not_there = len(class_list.subjects) - len(terms) + class_list.elsewhere
    passed_over = {NOT_THERE: not_there, SAME_NAME: same_name}
    return FoundPairs(pairs_within(terms, number, seed), passed_over=_above_zero(passed_over))


def pairs_of_ontology(
    workspace: Workspace, ontology: Ontology, number: int, seed: int
) -> list[DrawnPair]:
    """Pairs of the terms of any two concepts of an ontology, at random."""
    concepts = _live_concepts(workspace, ontology.id)
    return pairs_within(((concept.main, concept.id) for concept in concepts), number, seed)


def pairs_within(terms: Iterable[tuple[str, str]], number: int, seed: int) -> list[DrawnPair]:
    """Pairs of different terms, none twice, drawn at random; all of them if there are no more.

    Args:
        terms: each with the id of its concept, or an empty one.
        number: how many pairs.
        seed: of the draw.
    """
    unique = list({term.casefold(): (term, concept) for term, concept in terms}.values())
    count = len(unique) * (len(unique) - 1) // 2
    drawn = Random(seed).sample(range(count), min(number, count))  # noqa: S311
    return [
        _draw_pair(unique[second], unique[first]) for first, second in map(_pair_of_number, drawn)
    ]


def _pair_of_number(number: int) -> tuple[int, int]:
    """The pair of a number, of (1, 0), (2, 0), (2, 1), (3, 0) and so on."""
    first = (1 + isqrt(1 + 8 * number)) // 2
    return first, number - first * (first - 1) // 2


def pairs_of_comparison(
    workspace: Workspace, compared: Compared, mentions: int, sort: str
) -> FoundPairs:
    """Mentions with the best answer of each encoder, where encoders give different ones.

    Args:
        workspace: where they were compared.
        compared: what came of it.
        mentions: how many are taken, those with most disagreement first.
        sort: what disagreement is; `rbo` or `difference`.

    Raises:
        UserError: the rankings were removed meanwhile.
    """
    pairs: list[DrawnPair] = []
    alike = 0
    for position in order_mentions(compared, sort).tolist():
        shown = side_by_side(workspace, compared, position, top=1)
        firsts = [column.rows[0] for column in shown.columns if column.rows]
        answers = {
            candidate.text.casefold(): (candidate.text, candidate.concept.curie)
            for candidate in firsts
        }
        answers.pop(shown.text.casefold(), None)
        if len(answers) > 1:
            mention = shown.text, shown.concept.curie
            pairs += [_draw_pair(mention, answer) for answer in answers.values()]
            mentions -= 1
        else:
            alike += 1
        if not mentions:
            break
    once, left_out = _each_once(pairs)
    return FoundPairs(once, left_out, _above_zero({ALIKE: alike}))


def pairs_of_suggestions(workspace: Workspace, list_id: int, number: int | None) -> FoundPairs:
    """Names or labels of what was found, each with the nearest name of what is suggested for it.

    Args:
        workspace: where the list is kept.
        list_id: of a list of suggestions.
        number: how many of its suggestions, from the first; None for all.

    Raises:
        UserError: there is no such list.
    """
    suggestion_list = find_list(workspace, list_id)
    releases = dict.fromkeys(
        (suggestion_list.head.release_id, suggestion_list.head.object_release_id)
    )
    known = {
        concept.id: concept
        for release_id in releases
        if release_id is not None
        for concept in _live_concepts(workspace, release_id)
    }
    pairs, without = [], 0
    for suggestion in read_list(workspace, list_id)[:number]:
        about = suggestion.about
        subject_name = (
            about.term
            or _main_label(known, about.subject)
            or suggestion.slots.get("subject_label", "")
        )
        other = _nearest_name(known, about.object, subject_name) or suggestion.slots.get(
            "object_label", ""
        )
        if subject_name and other:
            pairs.append(
                _draw_pair((subject_name, about.subject), (other, about.object), asserts=False)
            )
        else:
            without += 1
    once, left_out = _each_once(pairs)
    return FoundPairs(once, left_out, _above_zero({NAMELESS: without}))


def _live_concepts(workspace: Workspace, release_id: int) -> Iterator[ConceptTerms]:
    with workspace.store.reading() as connection:
        concepts, _ = concept_terms(term_content(connection, release_id))
    return (concept for concept in concepts if concept.live)


def _main_label(known: dict[str, ConceptTerms], curie: str) -> str:
    return known[curie].main if curie in known else ""


def _nearest_name(known: dict[str, ConceptTerms], curie: str, term: str) -> str:
    """The name of a concept that is nearest to a term by edit distance, but not the same."""
    from rapidfuzz.distance import Levenshtein

    if curie not in known:
        return ""
    names = (known[curie].main, *known[curie].synonyms)
    other_names = [name for name in names if name.casefold() != term.casefold()]
    return min(
        other_names, key=lambda name: Levenshtein.distance(name.lower(), term.lower()), default=""
    )


def _draw_pair(
    first: tuple[str, str], second: tuple[str, str], *, asserts: bool = True
) -> DrawnPair:
    """Two terms with their concepts; names of one concept are similar, of others who knows."""
    from termexplorer.trainer.term_pairs.drawn import DrawnPair

    same = asserts and bool(first[1]) and first[1] == second[1]
    return DrawnPair(first[0], second[0], _SIMILAR if same else None, first[1], second[1])


def _each_once(pairs: Iterable[DrawnPair]) -> tuple[list[DrawnPair], dict[str, int]]:
    """Pairs as they come first, in whatever order and case, and how many others by reason."""
    pair_by_terms: dict[frozenset[str], DrawnPair] = {}
    alone = repeated = 0
    for pair in pairs:
        key = fold_pair(pair.left, pair.right)
        alone += len(key) == 1
        repeated += key in pair_by_terms
        if len(key) == 2:
            pair_by_terms.setdefault(key, pair)
    return list(pair_by_terms.values()), _above_zero({ALONE: alone, REPEATED: repeated})


def _above_zero(counts: Mapping[str, int]) -> dict[str, int]:
    return {reason: count for reason, count in counts.items() if count}
