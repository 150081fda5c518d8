"""Ranks the concepts of a hierarchy as direct parents of a term, as its own links teach it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from termexplorer.trainer.errors import TrainerError
from termexplorer.trainer.placing.evidence import PlacingEvidence
from termexplorer.trainer.placing.named_hierarchy import NamedHierarchy
from termexplorer.trainer.representations.base import Representation

Float32s = NDArray[np.float32]
Int64s = NDArray[np.int64]

LEARNED = 2_000  # concepts whose parents are learned from; more of them bring little
_AT_A_TIME = 64  # terms that are compared at once
LEAST = 10  # concepts with parents, below which there is nothing to learn


@dataclass(frozen=True, slots=True)
class Placement:
    """The candidates of a term, the likeliest parent first.

    Attributes:
        concepts: (c,) int64.
        probabilities: (c,) float64, of each by itself: several can be parents.
    """

    concepts: Int64s
    probabilities: NDArray[np.float64]


class Placer:
    """Learns from concepts whose parents are known what makes a parent.

    Each is placed as if it were not there; gradient boosting tells its parents from the other
    candidates by what speaks for them, see `PlacingEvidence`.

    Attributes:
        evidence: of the hierarchy.
    """

    def __init__(self, evidence: PlacingEvidence, model: Any) -> None:
        self.evidence = evidence
        self._model = model

    @classmethod
    def fit(
        cls,
        hierarchy: NamedHierarchy,
        encoder: Representation | None = None,
        *,
        learned: int = LEARNED,
        seed: int = 0,
        tick: Callable[[], None] = lambda: None,
    ) -> Placer:
        """Learn from a hierarchy.

        Args:
            hierarchy: with names.
            encoder: of names; None: they are compared as written alone.
            learned: concepts at most to learn from.
            seed: by which these are drawn.
            tick: called after each; may raise to stop.

        Raises:
            ValueError: too few concepts have a parent.
        """
        from sklearn.ensemble import HistGradientBoostingClassifier

        linked = np.unique(hierarchy.child)
        if len(linked) < LEAST:
            raise TrainerError(
                "{linked} concepts have a parent, and {least} are needed to learn where terms "
                "belong; give a hierarchy",
                linked=len(linked),
                least=LEAST,
            )
        evidence = PlacingEvidence(hierarchy, encoder)
        drawn = np.random.default_rng(seed).permutation(linked)[:learned]
        described, right = [], []
        for concept, (candidates, columns) in _describe_concepts(evidence, drawn):
            described.append(columns)
            right.append(np.isin(candidates, _parents_of(hierarchy, concept)))
            tick()
        model = HistGradientBoostingClassifier(
            max_iter=200,
            learning_rate=0.08,
            l2_regularization=1.0,
            early_stopping=False,
            random_state=seed,
        )
        model.fit(np.concatenate(described), np.concatenate(right))
        return cls(evidence, model)

    def place(
        self,
        terms: Sequence[str],
        concepts: Sequence[int] | None = None,
        among: Sequence[Int64s] | None = None,
    ) -> Iterator[Placement]:
        """Rank candidates for each of some terms.

        Args:
            terms: that the hierarchy does not have, or labels of its concepts.
            concepts: whose labels the terms are, each of which counts as not there; None: of none.
            among: (m,) concepts for each term, at least one, which alone are ranked; None: all are.
        """
        for start in range(0, len(terms), _AT_A_TIME):
            some = terms[start : start + _AT_A_TIME]
            tables = self.evidence.compare(some)
            described = [
                self.evidence.describe(
                    term,
                    [table[number] for table in tables],
                    concepts[start + number] if concepts is not None else None,
                    among[start + number] if among is not None else None,
                )
                for number, term in enumerate(some)
            ]
            together = np.concatenate([columns for _, columns in described])
            likely = self._model.predict_proba(together)[:, 1]
            stops = np.cumsum([len(candidates) for candidates, _ in described])
            for (candidates, _), stop in zip(described, stops.tolist(), strict=True):
                probabilities = likely[stop - len(candidates) : stop]
                order = np.argsort(-probabilities, kind="stable")
                yield Placement(candidates[order], probabilities[order])


def _describe_concepts(
    evidence: PlacingEvidence, concepts: Int64s
) -> Iterator[tuple[int, tuple[Int64s, Float32s]]]:
    labels = evidence.hierarchy.labels
    for start in range(0, len(concepts), _AT_A_TIME):
        some = concepts[start : start + _AT_A_TIME].tolist()
        tables = evidence.compare([labels[concept] for concept in some])
        for number, concept in enumerate(some):
            rows = [table[number] for table in tables]
            yield concept, evidence.describe(labels[concept], rows, concept)


def _parents_of(hierarchy: NamedHierarchy, concept: int) -> Int64s:
    links = hierarchy.to_parents
    return links.indices[links.indptr[concept] : links.indptr[concept + 1]].astype(np.int64)
