"""Dissimilar pairs of the nearest terms by edit distance that do not mean the same ([MTS] 3.2)."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from termexplorer.trainer.search.edit_neighbours import EditNeighbours
from termexplorer.trainer.tensors.cores import count_cores
from termexplorer.trainer.term_pairs.concepts import Int64s, Lists, NegativeExclusions, Vocabulary
from termexplorer.trainer.term_pairs.negatives import Negatives, TakenPairs, in_order
from termexplorer.trainer.term_pairs.parts import PartFiles
from termexplorer.trainer.term_pairs.positives import Positives

_BLOCK = 512  # first terms that are looked up between two reports
_SPARE = 8  # nearest terms that are kept besides those needed; some of them are taken by then
_SAMPLE = 256  # first terms from whose time that of all is told


class NearestTerms:
    """The terms of a set of similar pairs, and the nearest to each that it is not similar to.

    A first term with m similar pairs gets the m nearest terms of the set, equally near ones at
    random. Refused are terms that are equal but for case, terms of one concept, of associated
    ones, and of the concepts of these and so on once more (what is similar indirectly), and pairs
    that are there already, either way round. That is looked at in the search, so that the nearest
    of all others is found.

    Args:
        vocabulary: whose terms they are.
        pairs: p similar ones.
        exclusions: which terms are refused besides.
    """

    def __init__(
        self, vocabulary: Vocabulary, pairs: Positives, exclusions: NegativeExclusions
    ) -> None:
        self._vocabulary, self._pairs, self._exclusions = vocabulary, pairs, exclusions
        self._terms = np.unique(np.concatenate((pairs.left, pairs.right)))
        self._local = np.full(len(vocabulary.terms), -1)
        self._local[self._terms] = np.arange(len(self._terms))
        lower = [vocabulary.terms[index].lower() for index in self._terms.tolist()]
        self._index = EditNeighbours(lower)
        self._wanted = dict(zip(*np.unique(pairs.left, return_counts=True), strict=True))
        self._firsts = list(dict.fromkeys(pairs.left.tolist()))

    def __len__(self) -> int:
        return len(self._firsts)

    def seconds(self) -> float:
        """Tell how long it will take about, from some of the first terms; that takes a while."""
        sample = self._firsts[:: max(1, len(self._firsts) // _SAMPLE)]
        self._search(sample[:1], self._wanted, TakenPairs(), (0,))  # the first one compiles
        started = time.perf_counter()
        self._search(sample, self._wanted, TakenPairs(), (0,))
        passed = time.perf_counter() - started
        return passed * len(self._firsts) / max(len(sample), 1)

    def negatives(
        self,
        seed: Sequence[int],
        parts: PartFiles | None = None,
        report: Callable[[int, int], None] = lambda done, of: None,
    ) -> Negatives:
        """Return a dissimilar pair for each similar one.

        Args:
            seed: of the choice among equally near terms.
            parts: where what was found is kept, so that it need not be looked for again.
            report: how many first terms are looked up, and of how many; may raise to stop.

        Returns:
            the pairs, in the order of the similar ones.
        """
        taken = TakenPairs()
        chosen: dict[int, list[int]] = {term: [] for term in self._firsts}
        near_terms = self._first_round(seed, parts, report)
        lacking = self._firsts
        while lacking:
            for term, near in zip(lacking, near_terms, strict=True):
                self._take(term, near, chosen[term], taken)
            wanted = {term: self._wanted[term] - len(chosen[term]) for term in lacking}
            tried = dict(zip(lacking, map(len, near_terms), strict=True))
            lacking = [term for term in lacking if wanted[term] and tried[term]]
            near_terms = self._search(lacking, wanted, taken, seed)
        return in_order(self._vocabulary, self._pairs.left, chosen)

    def _first_round(
        self, seed: Sequence[int], parts: PartFiles | None, report: Callable[[int, int], None]
    ) -> list[Int64s]:
        near_terms: list[Int64s] = []
        for at in range(0, len(self._firsts), _BLOCK):
            report(at, len(self._firsts))
            block = self._firsts[at : at + _BLOCK]
            lists = parts.lists(at) if parts else None
            if lists is None:
                lists = Lists.of(self._search(block, self._wanted, TakenPairs(), seed))
                if parts:
                    parts.keep(at, lists)
            near_terms += [lists[index] for index in range(len(block))]
        return near_terms

    def _search(
        self, terms: Sequence[int], wanted: dict[int, int], taken: TakenPairs, seed: Sequence[int]
    ) -> list[Int64s]:
        """Return the nearest of each of some terms, some more than wanted, the nearest first."""
        with ThreadPoolExecutor(count_cores()) as pool:
            jobs = [pool.submit(self._nearest, x, wanted[x], taken.of(x), seed) for x in terms]
            return [job.result() for job in jobs]

    def _nearest(self, term: int, count: int, taken: Int64s, seed: Sequence[int]) -> Int64s:
        similar = self._vocabulary.similar_indirectly(term)
        refused = np.concatenate((similar, self._vocabulary.kept(term, self._exclusions), taken))
        local = np.unique(self._local[refused])
        near = self._index.nearest(int(self._local[term]), count, local[local >= 0])
        ties = np.random.default_rng((*seed, term)).random(len(near.places))
        best = np.lexsort((ties, near.distances))[: count + _SPARE]
        return self._terms[near.places[best]]

    def _take(self, term: int, near: Int64s, chosen: list[int], taken: TakenPairs) -> None:
        for other in near.tolist():
            if len(chosen) == self._wanted[term]:
                return
            if not taken.has(term, other):
                taken.add(term, other)
                chosen.append(other)
