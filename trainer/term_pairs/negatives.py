"""Pairs of terms that do not mean the same: as many as there are similar ones ([MTS] 3.2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from termexplorer.trainer.term_pairs.concepts import Int64s, NegativeExclusions, Vocabulary
from termexplorer.trainer.term_pairs.positives import Positives, edit_distances

_TRIES = 50  # at random, before all terms that may be taken are looked for


@dataclass(frozen=True, eq=False)
class Negatives:
    """Dissimilar pairs.

    Attributes:
        left: (q,) int64 places of terms: the first terms of similar pairs, in their order.
        right: (q,) int64, terms of the same set.
        distances: (q,) int64, Levenshtein's, of the terms in lower case.
        missing: for how many similar pairs there is none, as every term was refused.
    """

    left: Int64s
    right: Int64s
    distances: Int64s
    missing: int


@dataclass(eq=False)
class TakenPairs:
    """The dissimilar pairs that a set has so far, either way round."""

    partners: dict[int, list[int]] = field(default_factory=dict)

    def has(self, term: int, other_term: int) -> bool:
        """Whether two terms are paired."""
        return other_term in self.partners.get(term, ())

    def add(self, term: int, other_term: int) -> None:
        """Pair two terms."""
        self.partners.setdefault(term, []).append(other_term)
        self.partners.setdefault(other_term, []).append(term)

    def of(self, term: int) -> Int64s:
        """Return the terms that one is paired with."""
        return np.array(self.partners.get(term, ()), dtype=np.int64)


def random_negatives(
    vocabulary: Vocabulary, pairs: Positives, seed: Sequence[int], exclusions: NegativeExclusions
) -> Negatives:
    """Pair the first term of each similar pair with another term of the set, drawn at random.

    All terms of the set are as likely but those that are refused: terms of one concept, or of an
    associated one, and pairs that are there already, either way round.

    Args:
        vocabulary: whose terms they are.
        pairs: p similar ones.
        seed: of the draw.
        exclusions: which terms are refused besides.
    """
    rng = np.random.default_rng(seed)
    terms = np.unique(np.concatenate((pairs.left, pairs.right)))
    taken = TakenPairs()
    chosen: dict[int, list[int]] = {term: [] for term in pairs.left.tolist()}
    for term in pairs.left.tolist():
        refused = np.union1d(vocabulary.similar(term), vocabulary.kept(term, exclusions))
        other = _draw_term(term, terms, refused, taken, rng)
        if other >= 0:
            taken.add(term, other)
            chosen[term].append(other)
    return in_order(vocabulary, pairs.left, chosen)


def in_order(
    vocabulary: Vocabulary, left: Int64s, chosen: Mapping[int, Sequence[int]]
) -> Negatives:
    """Return the terms that were chosen for each first term of p similar pairs, in their order."""
    left_over = {term: iter(partners) for term, partners in chosen.items()}
    right = np.array([next(left_over[term], -1) for term in left.tolist()], dtype=np.int64)
    is_drawn = right >= 0
    distances = edit_distances(vocabulary, left[is_drawn], right[is_drawn])
    return Negatives(left[is_drawn], right[is_drawn], distances, int((~is_drawn).sum()))


def _draw_term(
    term: int, terms: Int64s, refused: Int64s, taken: TakenPairs, rng: np.random.Generator
) -> int:
    """Return a term that may stand beside one, -1 if there is none."""
    out = set(refused.tolist())
    for index in rng.integers(len(terms), size=_TRIES).tolist():
        other = int(terms[index])
        if other not in out and not taken.has(term, other):
            return other
    left = np.setdiff1d(terms, np.concatenate((refused, taken.of(term))))
    return int(rng.choice(left)) if len(left) else -1
