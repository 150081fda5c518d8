"""Pairs to be judged that come from elsewhere: a list, a comparison of encoders, suggestions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from math import isqrt
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from termexplorer.errors import UserError
from termexplorer.exporters.kept_notes import Noted
from termexplorer.files import beside
from termexplorer.services.compare import Compared, order_mentions
from termexplorer.services.concept_lists import class_of_list
from termexplorer.services.ontologies import Ontology
from termexplorer.services.pair_filter import KEEP_ALL, PairFilter, filter_pairs, told_counts
from termexplorer.services.side_by_side import side_by_side
from termexplorer.services.suggestion_lists import find_list, read_list
from termexplorer.store.lists import CONCEPTS
from termexplorer.store.term_content import term_content
from termexplorer.texts import tr
from termexplorer.workers.pair_terms import concept_terms
from termexplorer.workspace import Workspace

if TYPE_CHECKING:
    from trainer.term_pairs.concepts import ConceptTerms
    from trainer.term_pairs.drawn import DrawnPair

__all__ = [
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


@dataclass(frozen=True, slots=True)
class WrittenPairs:
    """What is in a file.

    Attributes:
        out: the file.
        pairs: how many pairs it has.
        labelled: of how many something says whether they are similar.
        parts: how many are from each part, if it has any.
        left_out: how many pairs are not in it, by reason.
    """

    out: str
    pairs: int
    labelled: int
    parts: dict[str, int]
    left_out: dict[str, int] = field(default_factory=dict)


def write_pairs(
    path: Path, pairs: Sequence[DrawnPair], leave_out: PairFilter = KEEP_ALL
) -> WrittenPairs:
    """Writes pairs as a file of a pair set, with the notes on licences beside it.

    Raises:
        UserError: there are none, all are left out, another ending, or the place cannot be written
            to.
    """
    from trainer.term_pairs.drawn import write_drawn

    path = path.expanduser().resolve()
    if path.suffix != _ENDING:
        raise UserError(
            tr("{path}: a pair set is a {ending} file; name one", path=path, ending=_ENDING)
        )
    if not pairs:
        raise UserError(
            tr("there is no pair of two different terms to be judged; nothing was written")
        )
    pairs, left_out = filter_pairs(pairs, leave_out)
    if not pairs:
        raise UserError(
            tr("{path}: nothing was written; {why}", path=path, why=told_counts(left_out))
        )
    parts: dict[str, int] = {}
    for each in pairs:
        if each.drawn:
            parts[each.drawn] = parts.get(each.drawn, 0) + 1
    noted = Noted()
    for each in pairs:
        noted.see((each.left_concept, each.right_concept))
    with beside(path) as fresh:
        write_drawn(fresh, pairs, parts=bool(parts))
    noted.keep(path)
    labelled = sum(each.label is not None for each in pairs)
    return WrittenPairs(str(path), len(pairs), labelled, parts, left_out)


def pairs_of_list(
    workspace: Workspace, ontology: Ontology, title: str, number: int, seed: int
) -> list[DrawnPair]:
    """Pairs within a kept list, at random: of the terms of its concepts, or of its names.

    Raises:
        UserError: there is no such list, or nothing of it is in the ontology.
    """
    kept = class_of_list(workspace, title, ontology.id)
    concepts = _live_concepts(workspace, ontology.id)
    if kept.kind == CONCEPTS:
        wanted = set(kept.subjects)
        terms = [(each.main, each.id) for each in concepts if each.id in wanted]
    else:
        homes = {term.lower(): each.id for each in concepts for term in (each.main, *each.synonyms)}
        terms = [(name, homes.get(name.lower(), "")) for name in kept.subjects]
    if not terms:
        raise UserError(
            tr(
                "nothing of the list {title} is in {label}; name another one",
                title=title,
                label=ontology.label,
            )
        )
    return pairs_within(terms, number, seed)


def pairs_of_ontology(
    workspace: Workspace, ontology: Ontology, number: int, seed: int
) -> list[DrawnPair]:
    """Pairs of the terms of any two concepts of an ontology, at random."""
    concepts = _live_concepts(workspace, ontology.id)
    return pairs_within(((each.main, each.id) for each in concepts), number, seed)


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
    return [_pair(unique[second], unique[first]) for first, second in map(_place, drawn)]


def _place(number: int) -> tuple[int, int]:
    """The pair of a number, of (1, 0), (2, 0), (2, 1), (3, 0) and so on."""
    first = (1 + isqrt(1 + 8 * number)) // 2
    return first, number - first * (first - 1) // 2


def pairs_of_comparison(
    workspace: Workspace, compared: Compared, mentions: int, sort: str
) -> list[DrawnPair]:
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
    for place in order_mentions(compared, sort).tolist():
        shown = side_by_side(workspace, compared, place, top=1)
        firsts = [column.rows[0] for column in shown.columns if column.rows]
        answers = {each.text.casefold(): (each.text, each.concept.curie) for each in firsts}
        answers.pop(shown.text.casefold(), None)
        if len(answers) > 1:
            own = shown.text, shown.concept.curie
            pairs += [_pair(own, answer) for answer in answers.values()]
            mentions -= 1
        if not mentions:
            break
    return _each_once(pairs)


def pairs_of_suggestions(
    workspace: Workspace, list_id: int, number: int | None
) -> tuple[list[DrawnPair], int]:
    """Names or labels of what was found, each with the nearest name of what is suggested for it.

    Args:
        workspace: where the list is kept.
        list_id: of a list of suggestions.
        number: how many of its suggestions, from the first; None for all.

    Returns:
        the pairs, and how many suggestions are left out, as a concept has no name any more.

    Raises:
        UserError: there is no such list.
    """
    kept = find_list(workspace, list_id)
    releases = dict.fromkeys((kept.head.release_id, kept.head.object_release_id))
    known = {
        each.id: each
        for release_id in releases
        if release_id is not None
        for each in _live_concepts(workspace, release_id)
    }
    pairs, without = [], 0
    for each in read_list(workspace, list_id)[:number]:
        about = each.about
        own = about.term or _label(known, about.subject) or each.slots.get("subject_label", "")
        other = _nearest(known, about.object, own) or each.slots.get("object_label", "")
        if own and other:
            pairs.append(_pair((own, about.subject), (other, about.object), asserts=False))
        else:
            without += 1
    return _each_once(pairs), without


def _live_concepts(workspace: Workspace, release_id: int) -> Iterator[ConceptTerms]:
    with workspace.store.reading() as connection:
        concepts, _ = concept_terms(term_content(connection, release_id))
    return (each for each in concepts if each.live)


def _label(known: dict[str, ConceptTerms], curie: str) -> str:
    return known[curie].main if curie in known else ""


def _nearest(known: dict[str, ConceptTerms], curie: str, term: str) -> str:
    """The name of a concept that is nearest to a term by edit distance, but not the same."""
    from rapidfuzz.distance import Levenshtein

    if curie not in known:
        return ""
    names = (known[curie].main, *known[curie].synonyms)
    others = [name for name in names if name.casefold() != term.casefold()]
    return min(
        others, key=lambda name: Levenshtein.distance(name.lower(), term.lower()), default=""
    )


def _pair(one: tuple[str, str], other: tuple[str, str], *, asserts: bool = True) -> DrawnPair:
    """Two terms with their concepts; names of one concept are similar, of others who knows."""
    from trainer.term_pairs.drawn import DrawnPair

    same = asserts and bool(one[1]) and one[1] == other[1]
    return DrawnPair(one[0], other[0], _SIMILAR if same else None, one[1], other[1])


def _each_once(pairs: Iterable[DrawnPair]) -> list[DrawnPair]:
    """Pairs without those that are there already, in whatever order and case."""
    found: dict[frozenset[str], DrawnPair] = {}
    for each in pairs:
        key = frozenset((each.left.casefold(), each.right.casefold()))
        if len(key) == 2:
            found.setdefault(key, each)
    return list(found.values())
