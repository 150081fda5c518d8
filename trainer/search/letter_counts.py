"""Counts of letters as bits, from which a lower bound of the edit distance is read at once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Words = NDArray[np.uint64]
Int64s = NDArray[np.int64]

_SAMPLE = 20_000  # terms, from which the bits that tell most are chosen
_BLOCK = 10_000  # terms that are counted at once
_MOST = 12  # of a letter in a term that are told apart


def letter_bits(terms: Sequence[str], bits: int, *, pairs: bool = False) -> Words:
    """Say of each term, bit by bit, whether it has a letter, or a pair of them, so many times.

    A bit stands for a letter and a number; those that part the terms best are taken. If the bits
    of two terms differ in b places, and their lengths by l, then the terms are at least
    ``(b + l) / 2`` edits apart: one that replaces a letter changes at most two bits and no length,
    another one at most one bit, and the length by one. With pairs of neighbouring letters it is
    ``(b + l) / 4``: to replace a letter changes at most four bits, to insert or delete one three.

    Args:
        terms: n of them.
        bits: how many, a multiple of 64.
        pairs: count pairs of neighbouring letters.

    Returns:
        (n, bits / 64) uint64: the bits of a term are its row.
    """
    step = max(1, len(terms) // _SAMPLE)
    letters, numbers = _most_telling(terms[::step], bits, pairs)
    alphabet, which = np.unique(letters, return_inverse=True)
    packed = np.empty((len(terms), bits // 64), dtype=np.uint64)
    for at in range(0, len(terms), _BLOCK):
        block = terms[at : at + _BLOCK]
        cells = _letter_cells(block, alphabet, pairs)
        counts = np.bincount(cells, minlength=len(block) * len(alphabet))
        has = np.zeros((len(block), bits), dtype=np.bool_)
        has[:, : len(numbers)] = counts.reshape(len(block), -1)[:, which] >= numbers
        packed[at : at + _BLOCK] = np.packbits(has, axis=1).view(np.uint64)
    return packed


def _most_telling(terms: Sequence[str], bits: int, pairs: bool) -> tuple[Int64s, Int64s]:
    """Return letters and numbers such that having so many of them varies most over the terms."""
    alphabet = np.unique(_letter_owners(terms, pairs)[0])
    cells, counts = np.unique(_letter_cells(terms, alphabet, pairs), return_counts=True)
    exactly = np.zeros((len(alphabet), _MOST), dtype=np.int64)
    np.add.at(exactly, (cells % max(len(alphabet), 1), np.minimum(counts, _MOST) - 1), 1)
    shares = exactly[:, ::-1].cumsum(axis=1)[:, ::-1] / max(len(terms), 1)
    variances = (shares * (1 - shares)).ravel()
    best = np.argsort(-variances, kind="stable")[:bits]
    best = best[variances[best] > 0]
    return alphabet[best // _MOST], best % _MOST + 1


def _letter_owners(terms: Sequence[str], pairs: bool) -> tuple[Int64s, Int64s]:
    """Return the numbers of all letters, or of all pairs, and the term of each."""
    text = "".join(terms).encode("utf-32-le", "surrogatepass")
    codes = np.frombuffer(text, np.uint32).astype(np.int64)
    owners = np.repeat(np.arange(len(terms)), [len(term) for term in terms])
    if not pairs:
        return codes, owners
    within = owners[1:] == owners[:-1]
    return ((codes[:-1] << 32) | codes[1:])[within], owners[1:][within]


def _letter_cells(terms: Sequence[str], alphabet: Int64s, pairs: bool) -> Int64s:
    """Return ``term * a + letter`` of all that are in an alphabet of a letters."""
    letters, owners = _letter_owners(terms, pairs)
    if not len(alphabet):
        return owners[:0]
    places = np.minimum(np.searchsorted(alphabet, letters), len(alphabet) - 1)
    known = alphabet[places] == letters
    cells: Int64s = owners[known] * len(alphabet) + places[known]
    return cells
