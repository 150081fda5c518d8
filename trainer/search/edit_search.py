"""The search for the nearest terms of one, compiled; ``edit_neighbours`` prepares it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from termexplorer.trainer.search.edit_distance import (
    Letters,
    Words,
    bounded_distance,
    places_of_letters,
)

Int64s = NDArray[np.int64]


class SortedTerms(NamedTuple):
    """The n terms that are searched, in the order of their lengths.

    Attributes:
        letters: of all terms one after another, as places in their alphabet of a letters.
        ends: (n + 1,) where each term begins in them, and where the last one ends.
        starts: (l + 2,) for each length up to that of the longest, l, and one more: the first term
            that is no shorter.
        counts: (n, w) bits for counts of letters, as ``letter_bits`` makes them.
        pairs: (n, v) the same for pairs of letters.
        alphabet: a.
    """

    letters: Letters
    ends: Int64s
    starts: Int64s
    counts: Words
    pairs: Words
    alphabet: int


@njit(cache=True, nogil=True)
def nearest_terms(terms: SortedTerms, query: int, k: int, refused: Int64s) -> tuple[Int64s, Int64s]:
    """Return the k nearest terms of one, and all that are as near as the last of them.

    Args:
        terms: where they are looked for.
        query: which of the terms they are near to.
        k: how many, at least 1.
        refused: those that are no answers, in rising order; the term itself among them.

    Returns:
        (m,) which terms these are, in any order, and (m,) their distances.
    """
    letters = terms.letters[terms.ends[query] : terms.ends[query + 1]]
    places = places_of_letters(letters, terms.alphabet)
    longest = len(terms.starts) - 2
    best = np.full(k, max(len(letters), longest))
    nearest, distances = np.empty(0, np.int64), np.empty(0, np.int64)
    first, last = 0, 1  # how many letters more or less: the first few tell how far is far enough
    while first <= last:
        ranks, bounds = _in_reach(terms, query, first, last, best[-1])
        compared = np.empty_like(ranks)
        count = 0
        while count < len(ranks) and bounds[count] <= best[-1]:
            compared[count] = _distance_up_to(terms, query, ranks[count], refused, places, best[-1])
            _insert_distance(best, compared[count])
            count += 1
        near = compared[:count] <= best[-1]
        nearest = np.concatenate((nearest, ranks[:count][near]))
        distances = np.concatenate((distances, compared[:count][near]))
        first, last = last + 1, best[-1]
    near = distances <= best[-1]
    return nearest[near], distances[near]


@njit(cache=True, nogil=True)
def _in_reach(
    terms: SortedTerms, query: int, first: int, last: int, reach: int
) -> tuple[Int64s, Int64s]:
    """Return the terms that may be in reach, and how far each is at least; nearest first.

    Args:
        terms: where they are looked for.
        query: which of them they are near to.
        first: how many letters longer or shorter they are at least.
        last: how many at most.
        reach: how far they may be.
    """
    length = terms.ends[query + 1] - terms.ends[query]
    beyond = len(terms.starts) - 1
    low = terms.starts[max(length - last, 0)]
    high = terms.starts[min(length + last + 1, beyond)]
    inner = terms.starts[max(length - first + 1, 0)]
    outer = max(terms.starts[min(length + first, beyond)], inner)
    ranks, bounds = np.empty(high - low, np.int64), np.empty(high - low, np.int64)
    count = 0
    for begin, end in ((low, min(inner, high)), (max(outer, low), high)):
        for rank in range(begin, end):
            step = abs(terms.ends[rank + 1] - terms.ends[rank] - length)
            bound = (_count_differing_bits(terms.counts, query, rank) + step + 1) >> 1
            if bound <= reach:
                bound = max(
                    bound, (_count_differing_bits(terms.pairs, query, rank) + step + 3) >> 2
                )
                if bound <= reach:
                    ranks[count], bounds[count] = rank, bound
                    count += 1
    order = _counting_sort(bounds[:count])
    return ranks[order], bounds[order]


@njit(cache=True, nogil=True)
def _counting_sort(numbers: Int64s) -> Int64s:
    """Return the places of small numbers, from the smallest to the largest."""
    before = np.zeros(numbers.max() + 2 if len(numbers) else 1, dtype=np.int64)
    for number in numbers:
        before[number + 1] += 1
    before = np.cumsum(before)
    order = np.empty(len(numbers), dtype=np.int64)
    for index, number in enumerate(numbers):
        order[before[number]] = index
        before[number] += 1
    return order


@njit(cache=True, nogil=True)
def _distance_up_to(
    terms: SortedTerms, query: int, rank: int, refused: Int64s, places: Words, reach: int
) -> int:
    """Return how far a term is, or more than `reach` where it is farther, or refused."""
    low, high = 0, len(refused)
    while low < high:
        middle = (low + high) // 2
        if refused[middle] < rank:
            low = middle + 1
        else:
            high = middle
    if low < len(refused) and refused[low] == rank:
        return reach + 1
    other = terms.letters[terms.ends[rank] : terms.ends[rank + 1]]
    return bounded_distance(places, terms.ends[query + 1] - terms.ends[query], other, reach)


@njit(cache=True, nogil=True)
def _count_differing_bits(bits: Words, first: int, second: int) -> int:
    """Return in how many bits two terms differ."""
    count = 0
    for word in range(bits.shape[1]):
        count += _count_ones(bits[first, word] ^ bits[second, word])
    return count


@njit(cache=True, nogil=True)
def _count_ones(word: np.uint64) -> int:
    """Return how many bits are set; compilers know this sum and make one instruction of it."""
    word -= (word >> np.uint64(1)) & np.uint64(0x5555555555555555)
    twos = np.uint64(0x3333333333333333)
    word = (word & twos) + ((word >> np.uint64(2)) & twos)
    word = (word + (word >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return int((word * np.uint64(0x0101010101010101)) >> np.uint64(56))


@njit(cache=True, nogil=True)
def _insert_distance(best: Int64s, distance: int) -> None:
    """Put a distance among the smallest, which are in rising order, if it is one of them."""
    at = len(best) - 1
    if distance >= best[at]:
        return
    while at > 0 and best[at - 1] > distance:
        best[at] = best[at - 1]
        at -= 1
    best[at] = distance
