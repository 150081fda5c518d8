"""Whether a term's name fits below its parent, as the hierarchy teaches it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from termexplorer.trainer.checking.fault_curve import fit_fault_curve
from termexplorer.trainer.checking.findings import TermFinding
from termexplorer.trainer.checking.terms import TermTable
from termexplorer.trainer.errors import Message
from termexplorer.trainer.mapping.sides import MappingSide, list_links
from termexplorer.trainer.placing.named_hierarchy import NamedHierarchy
from termexplorer.trainer.placing.placer import Placement, Placer
from termexplorer.trainer.representations.base import Representation

Int64s = NDArray[np.int64]
Float64s = NDArray[np.float64]

PRIOR = 0.05
"""The share of parents of new terms that are taken to be wrong."""
_LEARNED, _TRIED = 600, 400  # concepts that placing is learned from, and its doubts
_FEWEST = 50  # links without which nothing is said
_PLAUSIBLE = 0.3  # how often a made wrong parent is another candidate, not any concept
_BROAD = 0.25  # share of all concepts below one, from which on it fits nearly everything


@dataclass(frozen=True, slots=True)
class ParentDoubt:
    """One parent of a term.

    Attributes:
        row: of the term.
        parent: row of the parent.
        probability: that it is wrong.
        better: row of the best candidate elsewhere; -1 where there is none.
    """

    row: int
    parent: int
    probability: float
    better: int


class ParentModel:
    """Tells parents that names contradict, from made links to other concepts.

    Attributes:
        tried: (t, 2) float64 of links that were not learned from: the probability that it is wrong,
            and whether it is.
    """

    def __init__(self, table: TermTable, placer: Placer, rows: Int64s) -> None:
        self.tried: Float64s = np.zeros((0, 2))
        self._table = table
        self._placer = placer
        self._rows = rows  # of the hierarchy's concepts
        self._number_of = {row: number for number, row in enumerate(rows.tolist())}
        self._labels = placer.evidence.hierarchy.labels
        self._curve: Any = None

    @classmethod
    def fit(
        cls,
        table: TermTable,
        encoder: Representation,
        seed: int = 0,
        tick: Callable[[], None] = lambda: None,
    ) -> ParentModel | None:
        """Learn from the live terms; None where too few have a parent."""
        rows = np.flatnonzero(table.is_live)
        number_of = {row: number for number, row in enumerate(rows.tolist())}
        parents = [[number_of[parent] for parent in table.parents[row]] for row in rows.tolist()]
        if sum(map(len, parents)) < _FEWEST:
            return None
        names = [_label_first(table, row) for row in rows.tolist()]
        hierarchy = NamedHierarchy.build(names, parents)
        placer = Placer.fit(hierarchy, encoder, learned=_LEARNED, seed=seed, tick=tick)
        model = cls(table, placer, rows)
        features, labels = model._make_links(seed, tick)
        if len(labels) < _FEWEST:
            return None
        weights = np.where(labels, PRIOR / labels.mean(), (1 - PRIOR) / (1 - labels.mean()))
        folds = np.arange(len(labels)) // 2 % 2
        model._curve, model.tried = fit_fault_curve(features, labels, weights, folds)
        return model

    def judge(self, rows: Int64s, tick: Callable[[], None] = lambda: None) -> Iterator[ParentDoubt]:
        """Yield each live parent of some live terms."""
        judged = [row for row in rows.tolist() if self._table.is_live[row]]
        for row, placement in zip(judged, self._place(judged, tick), strict=True):
            for parent in self._table.parents[row]:
                features, better = self._describe(row, parent, placement)
                probability = float(self._curve.predict_proba(features[None])[0, 1])
                yield ParentDoubt(row, parent, probability, better)

    def _place(self, rows: Sequence[int], tick: Callable[[], None]) -> Iterator[Placement]:
        """Place terms as if they were not there."""
        numbers = [self._number_of[row] for row in rows]
        labels = [self._labels[number] for number in numbers]
        for placement in self._placer.place(labels, numbers):
            tick()
            yield placement

    def _make_links(self, seed: int, tick: Callable[[], None]) -> tuple[Float64s, Float64s]:
        """Return features of links that are there, and of made wrong ones, one after the other."""
        random = np.random.default_rng(seed + 1)
        new = set(self._table.new.tolist())
        linked = [row for row in self._rows.tolist() if self._table.parents[row] and row not in new]
        rows = [linked[i] for i in random.permutation(len(linked))[:_TRIED]]
        side = self._table.side
        features, labels = [], []
        for row, placement in zip(rows, self._place(rows, tick), strict=True):
            parents = self._table.parents[row]
            right = parents[int(random.integers(len(parents)))]
            kin = {row, *_list_kin(side, right)}
            candidates = [self._rows[i] for i in placement.concepts[:20].tolist()]
            drawn = candidates if random.random() < _PLAUSIBLE else self._rows.tolist()
            wrong = [int(candidate) for candidate in drawn if candidate not in kin]
            if not wrong:
                continue
            for parent, label in ((right, 0.0), (wrong[int(random.integers(len(wrong)))], 1.0)):
                features.append(self._describe(row, parent, placement)[0])
                labels.append(label)
        return np.array(features), np.array(labels)

    def _describe(self, row: int, parent: int, placement: Placement) -> tuple[Float64s, int]:
        """Return what speaks against a parent, and the best candidate elsewhere."""
        side = self._table.side
        kin = {parent, *_list_kin(side, parent)}
        rows = self._rows[placement.concepts].tolist()
        is_kin = np.array([candidate in kin for candidate in rows], np.bool_)
        probabilities = placement.probabilities
        itself = max(
            (p for r, p in zip(rows, probabilities, strict=True) if r == parent), default=0
        )
        beside = float(probabilities[is_kin].max(initial=0))
        elsewhere = float(probabilities[~is_kin].max(initial=0))
        rank = int(np.argmax(is_kin)) if is_kin.any() else len(rows)
        elsewhere_rows = [
            candidate for candidate, near in zip(rows, is_kin, strict=True) if not near
        ]
        columns = [
            _take_logit(float(itself)), _take_logit(beside), _take_logit(elsewhere), np.log1p(rank),
            float(is_kin[:5].mean()), float(itself == 0), float(not is_kin.any()),
        ]  # fmt: skip
        return np.array(columns), int(elsewhere_rows[0]) if elsewhere_rows else -1


def find_doubtful_parents(
    model: ParentModel, table: TermTable, tick: Callable[[], None] = lambda: None
) -> Iterator[TermFinding]:
    """Yield the parents of new terms with the probability that they are wrong."""
    for doubt in model.judge(table.new, tick):
        parent = table.terms[doubt.parent]
        better = table.terms[doubt.better] if doubt.better >= 0 else None
        evidence = Message(
            "below {curie} {name}; the name fits better below {better}",
            curie=parent.curie,
            name=parent.label,
            better=f"{better.curie} {better.label}" if better else "–",
        )
        yield TermFinding(
            "doubtful-parent", table.terms[doubt.row], doubt.probability, evidence, better
        )


def _label_first(table: TermTable, row: int) -> list[str]:
    term = table.terms[row]
    return list(dict.fromkeys([term.label, *(text for text, _ in term.names)]))


def _list_kin(side: MappingSide, row: int) -> set[int]:
    """Return ancestors that are not above nearly everything, and descendants."""
    starts, most = side.descendants.indptr, _BROAD * side.count
    above = list_links(side.ancestors, row)
    narrow = {ancestor for ancestor in above if starts[ancestor + 1] - starts[ancestor] < most}
    return narrow | set(list_links(side.descendants, row))


def _take_logit(probability: float) -> float:
    clipped = min(max(probability, 1e-4), 1 - 1e-4)
    return float(np.log(clipped / (1 - clipped)))
