"""Concepts as pairs of terms are made of them, and which terms mean the same or nearly so."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from termexplorer.trainer.text.name_filters import METATAGS

Int64s = NDArray[np.int64]

_MARK = re.compile(r"^\s*\[D\]\s*|\s*\[D\]\s*$")
_TAG = re.compile(r"\s*\(([^()]*)\)\s*$")


def plain_term(text: str, tag: str = "") -> str:
    """Return a term without what is no part of it ([MTS] 3.1).

    That is "[D]" at either end, by which SNOMED CT marks what is deprecated, and at the end, in
    parentheses, the category of a fully specified name, or a metatag of [CG] appendix A.

    Args:
        text: the term.
        tag: the category of its concept, where it may stand at the end.
    """
    plain = _MARK.sub("", text)
    match = _TAG.search(plain)
    if match and match[1].casefold() in {tag.casefold(), *METATAGS}:
        plain = plain[: match.start()]
    return plain.strip() or text


@dataclass(frozen=True, slots=True)
class ConceptTerms:
    """A concept.

    Attributes:
        id: its own.
        main: the term that stands for it: its fully specified or preferred name.
        synonyms: further terms that mean the same.
        near: terms that it has, but that do not mean the same, such as broader ones.
        live: whether it is in use; of others only the main term is paired, with what they became.
    """

    id: str
    main: str
    synonyms: tuple[str, ...] = ()
    near: tuple[str, ...] = ()
    live: bool = True


@dataclass(frozen=True, eq=False)
class ConceptLinks:
    """Which concepts are near, by their ids.

    Attributes:
        associated: kind -> pairs of a concept that is not in use and of what it became.
        is_a: pairs of a concept and one of its parents.
    """

    associated: Mapping[str, Sequence[tuple[str, str]]]
    is_a: Sequence[tuple[str, str]] = ()


@dataclass(frozen=True, slots=True)
class NegativeExclusions:
    """What no negative pair is made of, besides terms of one concept or of associated ones.

    Attributes:
        ancestors: terms of concepts of which one is below the other.
        siblings: terms of concepts that have a parent in common.
    """

    ancestors: bool = False
    siblings: bool = False


class Vocabulary:
    """The n distinct terms of concepts; terms that are equal but for case are one.

    Attributes:
        terms: as they were written first.
        concepts: the c concepts.
    """

    def __init__(self, concepts: Sequence[ConceptTerms], links: ConceptLinks) -> None:
        self.concepts = tuple(concepts)
        self.terms: list[str] = []
        self._places: dict[str, int] = {}
        of_concept = [
            np.unique(
                [self._add(term) for term in (concept.main, *concept.synonyms, *concept.near)]
            )
            for concept in self.concepts
        ]
        self._by_id = {concept.id: index for index, concept in enumerate(self.concepts)}
        self._terms_of = Lists.of(of_concept)
        self._concepts_of = self._terms_of.turned(len(self.terms))
        count = len(self.concepts)
        associated = list(self.linked(chain.from_iterable(links.associated.values())))
        self._associated = Lists.of_pairs(
            [*associated, *((second, first) for first, second in associated)], count
        )
        is_a = list(self.linked(links.is_a))
        self._parents = Lists.of_pairs(is_a, count)
        self._children = self._parents.turned(count)

    def place(self, term: str) -> int:
        """Return which term one is.

        Raises:
            KeyError: it is none of a concept.
        """
        return self._places[term.lower()]

    def linked(self, pairs: Iterable[tuple[str, str]]) -> Iterable[tuple[int, int]]:
        """Yield the places of the concepts of each pair; pairs with unknown ones are left out."""
        by_id = self._by_id
        for first, second in pairs:
            if first in by_id and second in by_id and first != second:
                yield by_id[first], by_id[second]

    def a_concept_of(self, term: int) -> str:
        """Return the id of a concept that has a term: the first that does."""
        return self.concepts[int(self._concepts_of[term][0])].id

    def similar(self, term: int) -> Int64s:
        """Return the terms of the concepts of a term, and of those associated with them."""
        return self._terms_near(self._concepts_of[term])

    def similar_indirectly(self, term: int) -> Int64s:
        """Return what is similar to a term, or to what is similar to it."""
        return self._terms_near(self._concepts_of.all_of(self.similar(term)))

    def kept(self, term: int, exclusions: NegativeExclusions) -> Int64s:
        """Return the terms of concepts that are near by is-a links, as far as that is asked."""
        term_concepts = self._concepts_of[term]
        near = [term_concepts[:0]]
        if exclusions.ancestors:
            near += [
                _close_upwards(term_concepts, self._parents),
                _close_upwards(term_concepts, self._children),
            ]
        if exclusions.siblings:
            near.append(self._children.all_of(self._parents.all_of(term_concepts)))
        return self._terms_of.all_of(np.unique(np.concatenate(near)))

    def _terms_near(self, concepts: Int64s) -> Int64s:
        """Return the terms of concepts, and of those associated with them."""
        return self._terms_of.all_of(np.union1d(concepts, self._associated.all_of(concepts)))

    def _add(self, term: str) -> int:
        index = self._places.setdefault(term.lower(), len(self.terms))
        if index == len(self.terms):
            self.terms.append(term)
        return index


def _close_upwards(first: Int64s, above: Lists) -> Int64s:
    """Return all that some places lead to, and these."""
    known = first
    new = first
    while len(new):
        new = np.setdiff1d(above.all_of(new), known)
        known = np.union1d(known, new)
    return known


@dataclass(frozen=True, eq=False)
class Lists:
    """For each of n places a list of other places.

    Attributes:
        starts: (n + 1,) int64, where each list begins in the next.
        members: (m,) int64, the lists one after another.
    """

    starts: Int64s
    members: Int64s

    @classmethod
    def of(cls, lists: Sequence[Int64s]) -> Lists:
        """Make them of lists."""
        lengths = [len(row) for row in lists]
        members = np.concatenate([np.empty(0, dtype=np.int64), *lists])
        return cls(np.concatenate(([0], np.cumsum(lengths, dtype=np.int64))), members)

    @classmethod
    def of_pairs(cls, pairs: Sequence[tuple[int, int]], count: int) -> Lists:
        """Make them of pairs of a place and of one in its list; none is there twice."""
        table = np.unique(np.array(pairs, dtype=np.int64).reshape(-1, 2), axis=0)
        return cls(np.searchsorted(table[:, 0], np.arange(count + 1)), table[:, 1])

    def turned(self, count: int) -> Lists:
        """Return for each of so many places the lists that it is in."""
        owners = np.repeat(np.arange(len(self.starts) - 1), np.diff(self.starts))
        order = np.argsort(self.members, kind="stable")
        return Lists(np.searchsorted(self.members[order], np.arange(count + 1)), owners[order])

    def __getitem__(self, index: int) -> Int64s:
        return self.members[self.starts[index] : self.starts[index + 1]]

    def all_of(self, places: Int64s) -> Int64s:
        """Return all members of some lists, in rising order, each once."""
        return np.unique(np.concatenate([self.members[:0], *(self[x] for x in places.tolist())]))
