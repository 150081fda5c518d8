"""Pairs of terms that people judged: how they are parted, and what a run learns of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from termexplorer.trainer.data.splits import TEST, TRAIN, VALIDATION, Parts
from termexplorer.trainer.errors import Message, TrainerError
from termexplorer.trainer.files.pairs import distinct

Bools = NDArray[np.bool_]
Int64s = NDArray[np.int64]

_SHARES = np.array([0.5, 0.2, 0.3])  # of the pairs, to train on, to stop by, to test
_MOST_AT_RANDOM = 0.5  # of all pairs are tested because they were drawn at random


@dataclass(frozen=True, eq=False)
class JudgedPairs:
    """Pairs of terms with the vectors that an encoder is trained over.

    Attributes:
        vectors: (u, d) float32, of the distinct terms.
        left: (p,) int64, the place of each pair's first term among them.
        right: (p,) int64, that of the second.
        similar: (p,) bool, what people said.
        parts: (p,) uint8, see ``trainer.data.splits``.

    Raises:
        ValueError: for shapes that do not fit, other than yes and no, or without both kinds to
            train on and to stop by.
    """

    vectors: NDArray[np.float32]
    left: Int64s
    right: Int64s
    similar: Bools
    parts: Parts

    def __post_init__(self) -> None:
        object.__setattr__(self, "similar", _yes_or_no(self.similar))
        shapes = {column.shape for column in (self.left, self.right, self.similar, self.parts)}
        if shapes != {(len(self.similar),)} or self.vectors.ndim != 2:
            raise TrainerError(
                "the arrays of {similar} judged pairs do not fit together",
                similar=len(self.similar),
            )
        for part, purpose in ((TRAIN, Message("to train on")), (VALIDATION, Message("to stop by"))):
            if len(np.unique(self.similar[self.parts == part])) < 2:
                raise TrainerError(
                    "judged pairs of both kinds are needed {what}; judge more pairs", what=purpose
                )


def split_pairs(
    left: Sequence[str],
    right: Sequence[str],
    similar: Bools,
    at_random: Bools,
    seed: int,
) -> Parts:
    """Part judged pairs: about half to train on, a fifth to stop by, the rest to test.

    Pairs that share a term, in whatever case, stay together, and similar and dissimilar ones are
    spread alike. Pairs that were drawn at random are tested first, up to half of all pairs: figures
    on them are without bias. Where keeping terms together leaves a part without one of the two
    kinds, each pair goes for itself, and terms may be in several parts (``terms_shared``).

    Args:
        left: the p first terms.
        right: the p second terms.
        similar: (p,) bool, what people said.
        at_random: (p,) bool, which pairs were drawn at random.
        seed: of the order in which they are taken.

    Returns:
        (p,) uint8 of TRAIN, VALIDATION, TEST.

    Raises:
        ValueError: for too few pairs to have both kinds in each part, or other than yes and no.
    """
    similar, at_random = _yes_or_no(similar), _yes_or_no(at_random)
    for groups in (_group_sharing_terms(left, right), np.arange(len(left))):
        parts = _fill_parts(groups, similar, at_random, seed)
        if _has_both_kinds(parts, similar):
            return parts
    raise TrainerError(
        "{similar} similar and {dissimilar} dissimilar pairs are too few to train "
        "on, to stop by and to test; have more judged",
        similar=np.count_nonzero(similar),
        dissimilar=np.count_nonzero(~similar),
    )


def terms_shared(left: Sequence[str], right: Sequence[str], parts: Parts) -> int:
    """Return how many terms, in whatever case, are in pairs of more than one part."""
    parts_of_term: dict[str, set[int]] = {}
    for terms in (left, right):
        for term, part in zip(terms, parts.tolist(), strict=True):
            parts_of_term.setdefault(term.casefold(), set()).add(part)
    return sum(len(term_parts) > 1 for term_parts in parts_of_term.values())


def _yes_or_no(judgements: ArrayLike) -> Bools:
    """Return bools, also of 0 and 1, whose opposites would be other numbers."""
    given = np.asarray(judgements)
    if given.dtype != np.bool_ and not np.isin(given, (0, 1)).all():
        raise TrainerError("what people said of a pair is True or False; give bools, or 0 and 1")
    return given.astype(np.bool_)


def _group_sharing_terms(left: Sequence[str], right: Sequence[str]) -> Int64s:
    """Return the number of each pair's group; pairs that share a term are of one, (p,) int64."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    folded = [[term.casefold() for term in terms] for terms in (left, right)]
    terms, left_terms, right_terms = distinct(*folded)
    links = coo_array(
        (np.ones(len(left_terms)), (left_terms, right_terms)), shape=(len(terms),) * 2
    )
    _, of_term = connected_components(links, directed=False)
    return np.asarray(of_term[left_terms], np.int64)


def _fill_parts(groups: Int64s, similar: Bools, at_random: Bools, seed: int) -> Parts:
    """Put each group, the large ones first, where pairs of its kinds are lacking most."""
    counts = np.stack([np.bincount(groups, weights=kind) for kind in (~similar, similar)], axis=1)
    to_test = np.bincount(groups, weights=at_random) > 0
    wanted = _SHARES[:, None] * counts.sum(axis=0).clip(min=1)
    filled, of_group = np.zeros_like(wanted), np.empty(len(counts), np.uint8)
    order = np.random.default_rng(seed).permutation(len(counts))
    for group in order[np.lexsort((-counts[order].sum(axis=1), ~to_test[order]))]:
        group_counts = counts[group]
        part = int(((1 - filled / wanted) @ group_counts).argmax())
        if to_test[group] and (filled[TEST] + group_counts).sum() <= _MOST_AT_RANDOM * len(groups):
            part = TEST
        filled[part] += group_counts
        of_group[group] = part
    return of_group[groups]


def _has_both_kinds(parts: Parts, similar: Bools) -> bool:
    return all(len(np.unique(similar[parts == part])) == 2 for part in (TRAIN, VALIDATION, TEST))
