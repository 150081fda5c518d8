"""All pairs of names of pairs of concepts, and what each pair of names has in common."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from termexplorer.trainer.mapping.qualifiers import QUALIFIERS
from termexplorer.trainer.mapping.sides import MappingSide, binary_matrix
from termexplorer.trainer.mapping.word_swaps import WordSwaps

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Int64s = NDArray[np.int64]
Float32s = NDArray[np.float32]
Bools = NDArray[np.bool_]

PairSimilarities = Callable[[Int64s, Int64s], Float32s]
"""(m,) names of the source and (m,) of the target, as indices, to their (m,) similarities."""

WEIGHTS = ("words", "idf", *QUALIFIERS)
"""What words are counted by; the columns of ``NamePairs.extra`` and ``missing``."""
_AT_ONCE = 200_000  # pairs of names


@dataclass(frozen=True, eq=False)
class NamePairs:
    """The m pairs of names of p pairs of concepts.

    Attributes:
        pairs: (p, 2) int64 concepts, of the source and of the target.
        starts: (p,) int64, where the name pairs of each pair of concepts start.
        pair: (m,) int64, the pair of concepts of each pair of names; rising.
        left: (m,) int64 names of the source.
        right: (m,) int64 names of the target.
        cosines: of each encoder, (m,) float32.
        equal: by each form (letters, bags, cores), (m,) bool.
        extra: (m, w) float32, the weight of words of the left name that the right one has not.
        missing: (m, w) float32, of words of the right name that the left one has not.
        overlap: (m,) float32, the share of common words, by their idf.
        keeps: (m,) float32, how often the swap of one word keeps a concept; 0 for more words.
        swaps: (m,) float32, of how many names that is the share.
        score: (m,) float32, the mean of similarities and overlap.
    """

    pairs: Int64s
    starts: Int64s
    pair: Int64s
    left: Int64s
    right: Int64s
    cosines: tuple[Float32s, ...]
    equal: tuple[Bools, ...]
    extra: Float32s
    missing: Float32s
    overlap: Float32s
    keeps: Float32s
    swaps: Float32s
    score: Float32s


def compare_names(
    source: MappingSide,
    target: MappingSide,
    pairs: Int64s,
    similarities: Sequence[PairSimilarities],
    swaps: WordSwaps,
) -> NamePairs:
    """Compare all names of pairs of concepts.

    Args:
        source: of the first concepts.
        target: of the second ones.
        pairs: (p, 2) int64.
        similarities: by each encoder.
        swaps: of both ontologies.
    """
    starts, pair, left, right = _expand_pairs(source, target, pairs)
    cosines = tuple(np.clip(of_names(left, right), -1, 1) for of_names in similarities)
    forms = ((getattr(source.forms, f), getattr(target.forms, f)) for f in _FORMS)
    equal = tuple(_number_texts(*texts, left, right) for texts in forms)
    extra, missing, common = _weigh_words(source, target, left, right)
    total = common[:, 1] + extra[:, 1] + missing[:, 1]
    overlap = (common[:, 1] / np.maximum(total, 1e-6)).astype(np.float32)
    few = (extra[:, 0] < 2) & (missing[:, 0] < 2) & (common[:, 0] > 0) & ~equal[1]
    keeps, counts = _rate_swaps(source, target, left, right, np.flatnonzero(few), swaps)
    keeps[equal[1]] = 1
    score = np.asarray(np.mean([*cosines, overlap], axis=0), np.float32)
    return NamePairs(
        pairs, starts, pair, left, right, cosines, equal, extra, missing, overlap, keeps, counts,
        score,
    )  # fmt: skip


_FORMS = ("letters", "bags", "cores")


def _expand_pairs(
    source: MappingSide, target: MappingSide, pairs: Int64s
) -> tuple[Int64s, Int64s, Int64s, Int64s]:
    widths = np.diff(target.starts)[pairs[:, 1]]
    counts = np.diff(source.starts)[pairs[:, 0]] * widths
    starts = np.cumsum(counts) - counts
    pair = np.repeat(np.arange(len(pairs)), counts)
    offset = np.arange(len(pair)) - starts[pair]
    left = source.starts[pairs[pair, 0]] + offset // widths[pair]
    right = target.starts[pairs[pair, 1]] + offset % widths[pair]
    return starts, pair, left, right


def _number_texts(
    texts: Sequence[str], other_texts: Sequence[str], left: Int64s, right: Int64s
) -> Bools:
    """Return whether two forms are the same, and not empty."""
    number_of = {"": -1}
    ours, theirs = (
        np.array([number_of.setdefault(text, len(number_of)) for text in several], np.int64)
        for several in (texts, other_texts)
    )
    return np.asarray((ours[left] == theirs[right]) & (ours[left] >= 0))


def _weigh_words(
    source: MappingSide, target: MappingSide, left: Int64s, right: Int64s
) -> tuple[Float32s, Float32s, Float32s]:
    """Return the weights of words of the left name alone, the right one alone, and both, (m, w)."""
    counts = Counter(word for side in (source, target) for of in side.forms.words for word in of)
    column_of = {word: column for column, word in enumerate(counts)}
    names = len(source.names) + len(target.names)
    weights = np.array([_weigh_word(word, names / n) for word, n in counts.items()], np.float32)
    ours, theirs = (_word_matrix(side, column_of) for side in (source, target))
    common = np.zeros((len(left), weights.shape[1]), np.float32)
    for start in range(0, len(left), _AT_ONCE):
        part = slice(start, start + _AT_ONCE)
        common[part] = ours[left[part]].multiply(theirs[right[part]]) @ weights
    return (ours @ weights)[left] - common, (theirs @ weights)[right] - common, common


def _weigh_word(word: str, rarity: float) -> list[float]:
    return [1.0, float(np.log(rarity)), *(float(word in words) for words in QUALIFIERS.values())]


def _word_matrix(side: MappingSide, column_of: dict[str, int]) -> csr_array:
    lengths = [len(words) for words in side.forms.words]
    columns = [column_of[word] for words in side.forms.words for word in words]
    rows = np.repeat(np.arange(len(lengths)), lengths)
    return binary_matrix(rows, np.array(columns, np.int64), (len(lengths), len(column_of)))


def _rate_swaps(
    source: MappingSide,
    target: MappingSide,
    left: Int64s,
    right: Int64s,
    rows: Int64s,
    swaps: WordSwaps,
) -> tuple[Float32s, Float32s]:
    keeps, counts = np.zeros(len(left), np.float32), np.zeros(len(left), np.float32)
    ours, theirs = ([set(words) for words in side.forms.words] for side in (source, target))
    known: dict[tuple[str, str], tuple[float, int]] = {}
    for row, name, other in zip(
        rows.tolist(), left[rows].tolist(), right[rows].tolist(), strict=True
    ):
        swap = (
            next(iter(ours[name] - theirs[other]), ""),
            next(iter(theirs[other] - ours[name]), ""),
        )
        if swap not in known:
            known[swap] = swaps.rate_swap(*swap)
        keeps[row], counts[row] = known[swap]
    return keeps, counts
