"""Levenshtein distance by bit vectors, compiled, for loops over very many pairs of terms.

One distance is better had from RapidFuzz. After Myers 1999, "A fast bit-vector algorithm for
approximate string matching based on dynamic programming", as Hyyrö 2003 writes it.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

Words = NDArray[np.uint64]
Letters = NDArray[np.uint16]

_ONE = np.uint64(1)
_TOP = np.uint64(63)


@njit(cache=True, nogil=True)
def places_of_letters(term: Letters, alphabet: int) -> Words:
    """Return where a term has each letter.

    Args:
        term: (m,) its letters, as places in the alphabet.
        alphabet: a, the number of letters that there are.

    Returns:
        (a, ceil(m / 64)) uint64: bit j of word w is set where the letter stands at 64 w + j.
    """
    places = np.zeros((alphabet, (len(term) + 63) // 64), dtype=np.uint64)
    for at in range(len(term)):
        places[term[at], at >> 6] |= _ONE << np.uint64(at & 63)
    return places


@njit(cache=True, nogil=True)
def bounded_distance(places: Words, length: int, other: Letters, limit: int) -> int:
    """Return how many letters of a term have to be inserted, deleted or replaced to make another.

    Args:
        places: of the term's letters.
        length: of the term, at least 1.
        other: (n,) the letters of the other one.
        limit: beyond which it does not matter how far they are.

    Returns:
        the distance, or ``limit + 1`` where it is larger.
    """
    if places.shape[1] > 1:
        return _long_distance(places, length, other, limit)
    last = _ONE << np.uint64(length - 1)
    up, down = ~np.uint64(0), np.uint64(0)
    score = length
    for at in range(len(other)):
        here = places[other[at], 0]
        same = (((here & up) + up) ^ up) | here | down
        rise, fall = down | ~(same | up), same & up
        score += (rise & last != 0) - (fall & last != 0)
        if score - (len(other) - at - 1) > limit:
            return limit + 1
        rise = (rise << _ONE) | _ONE
        up, down = (fall << _ONE) | ~(same | rise), rise & same
    return min(score, limit + 1)


@njit(cache=True, nogil=True)
def _long_distance(places: Words, length: int, other: Letters, limit: int) -> int:
    """Do the same for a term of several words, which hand on what rises and falls."""
    words = places.shape[1]
    last = _ONE << np.uint64((length - 1) & 63)
    rises = np.full(words, ~np.uint64(0))
    falls = np.zeros(words, dtype=np.uint64)
    score = length
    for at in range(len(other)):
        letter = other[at]
        rise_in, fall_in = _ONE, np.uint64(0)
        for word in range(words):
            up, down = rises[word], falls[word]
            here = places[letter, word] | fall_in
            same = (((here & up) + up) ^ up) | here | down
            rise, fall = down | ~(same | up), same & up
            if word == words - 1:
                score += (rise & last != 0) - (fall & last != 0)
            rise, rise_in = (rise << _ONE) | rise_in, rise >> _TOP
            fall, fall_in = (fall << _ONE) | fall_in, fall >> _TOP
            rises[word], falls[word] = fall | ~(same | rise), rise & same
        if score - (len(other) - at - 1) > limit:
            return limit + 1
    return min(score, limit + 1)
