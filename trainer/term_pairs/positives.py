"""Pairs of terms that mean the same, by where a terminology says so ([MTS] 3.1)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cpdist

from termexplorer.trainer.errors import TrainerError
from termexplorer.trainer.term_pairs.concepts import ConceptLinks, ConceptTerms, Vocabulary
from termexplorer.trainer.term_pairs.kinds import ASSOCIATIONS, PREFERRED, SOURCES, SYNONYMS

Int64s = NDArray[np.int64]
Row = tuple[int, str, int, str]  # concept, its term, concept, its term


@dataclass(frozen=True, eq=False)
class Positives:
    """The p similar pairs of a source, none of them twice, not the other way round either.

    Attributes:
        left: (p,) int64 places of terms; the main term, or that of the older concept.
        right: (p,) int64.
        left_concepts: (p,) int64 places of the concepts that the terms are of.
        right_concepts: (p,) int64.
        distances: (p,) int64, Levenshtein's, of the terms in lower case.
    """

    left: Int64s
    right: Int64s
    left_concepts: Int64s
    right_concepts: Int64s
    distances: Int64s

    def only(self, which: NDArray[np.bool_]) -> Positives:
        """Return some of them."""
        return Positives(
            self.left[which],
            self.right[which],
            self.left_concepts[which],
            self.right_concepts[which],
            self.distances[which],
        )


def positives(
    vocabulary: Vocabulary, links: ConceptLinks, sources: Iterable[str]
) -> dict[str, Positives]:
    """Return the similar pairs of each source.

    - ``preferred_synonym``: the main term of each live concept with each of its synonyms.
    - ``synonym_synonym``: all terms of each live concept with each other, so those pairs too.
    - ``consider``, ``replaced_by``, ``same_as``: the main term of a concept that is not in use any
      more with that of what it became. Pairs of ``synonym_synonym``, and terms that speak of a
      namespace, are left out.

    Raises:
        ValueError: for another source.
    """
    synonyms = _make_positives(vocabulary, _with_each_other(vocabulary.concepts))
    known = set(map(_pair_key, synonyms.left.tolist(), synonyms.right.tolist()))
    positives_by_source = {}
    for source in sources:
        if source == PREFERRED:
            positives_by_source[source] = _make_positives(
                vocabulary, _with_main(vocabulary.concepts)
            )
        elif source == SYNONYMS:
            positives_by_source[source] = synonyms
        elif source in ASSOCIATIONS:
            positives_by_source[source] = _make_positives(
                vocabulary, _associated_rows(vocabulary, links, source), known
            )
        else:
            raise TrainerError(
                "there is no source {source!r}; choose from {sources}",
                source=source,
                sources=", ".join(SOURCES),
            )
    return positives_by_source


def _with_main(concepts: tuple[ConceptTerms, ...]) -> Iterator[Row]:
    for index, concept in enumerate(concepts):
        if concept.live:
            for synonym in concept.synonyms:
                yield index, concept.main, index, synonym


def _with_each_other(concepts: tuple[ConceptTerms, ...]) -> Iterator[Row]:
    for index, concept in enumerate(concepts):
        if concept.live:
            for term, other_term in combinations((concept.main, *concept.synonyms), 2):
                yield index, term, index, other_term


def _associated_rows(vocabulary: Vocabulary, links: ConceptLinks, source: str) -> Iterator[Row]:
    concepts = vocabulary.concepts
    for old, new in vocabulary.linked(links.associated.get(source, ())):
        if "namespace" not in concepts[new].main.casefold():
            yield old, concepts[old].main, new, concepts[new].main


def _make_positives(
    vocabulary: Vocabulary, rows: Iterable[Row], known: Collection[tuple[int, int]] = ()
) -> Positives:
    """Return pairs of different terms, each once, without those that are known."""
    seen = set(known)
    table: list[tuple[int, int, int, int]] = []
    for concept, term, other_concept, other_term in rows:
        first, second = vocabulary.place(term), vocabulary.place(other_term)
        key = _pair_key(first, second)
        if first != second and key not in seen:
            seen.add(key)
            table.append((first, second, concept, other_concept))
    left, right, of_left, of_right = np.array(table, dtype=np.int64).reshape(-1, 4).T
    distances = edit_distances(vocabulary, left, right)
    return Positives(left, right, of_left, of_right, distances)


def edit_distances(vocabulary: Vocabulary, left: Int64s, right: Int64s) -> Int64s:
    """Return (p,): how far the terms of pairs are, in lower case."""
    left_terms, right_terms = (
        [vocabulary.terms[index].lower() for index in side.tolist()] for side in (left, right)
    )
    return cpdist(left_terms, right_terms, scorer=Levenshtein.distance, dtype=np.int32).astype(
        np.int64
    )


def _pair_key(left: int, right: int) -> tuple[int, int]:
    return (left, right) if left < right else (right, left)
