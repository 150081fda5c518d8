"""Whether a definition is of another term."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from termexplorer.trainer.checking.fault_curve import fit_fault_curve
from termexplorer.trainer.checking.findings import TermFinding
from termexplorer.trainer.checking.pair_features import TermComparison
from termexplorer.trainer.checking.terms import TermTable
from termexplorer.trainer.errors import Message
from termexplorer.trainer.mapping.name_forms import list_words
from termexplorer.trainer.mapping.sides import list_links

Int64s = NDArray[np.int64]
Float32s = NDArray[np.float32]
Float64s = NDArray[np.float64]

PRIOR = 0.02
"""The share of definitions of new terms that are taken to be another term's."""
_LEARNED = 600
_FEWEST = 50
_SAME = 0.95  # that it is a fault where two terms have the same definition


@dataclass(frozen=True, eq=False)
class DefinitionFit:
    """How definitions fit the names of terms.

    Attributes:
        features: (m, 5) float64.
        others: (m,) int64, the row of the other term that each fits best.
    """

    features: Float64s
    others: Int64s


class DefinitionModel:
    """Tells definitions of other terms, from definitions that were exchanged.

    Attributes:
        tried: (t, 2) float64 of definitions that were not learned from: the probability that it is
            another term's, and whether it is.
    """

    def __init__(self, comparison: TermComparison) -> None:
        self.tried: Float64s = np.zeros((0, 2))
        self._comparison = comparison
        self._curve: Any = None

    @classmethod
    def fit(
        cls, comparison: TermComparison, seed: int = 0, tick: Callable[[], None] = lambda: None
    ) -> DefinitionModel | None:
        """Learn from the definitions of known terms; None where there are too few."""
        table, random = comparison.table, np.random.default_rng(seed)
        new = set(table.new.tolist())
        rows = np.array(
            [row for row, term in enumerate(table.terms) if term.definition and row not in new],
            np.int64,
        )
        if len(rows) < _FEWEST:
            return None
        rows = random.permutation(rows)[:_LEARNED]
        model = cls(comparison)
        texts = [table.terms[row].definition for row in rows.tolist()]
        near = [_draw_near(table, row, random) for row in rows.tolist()]
        right = model._fit_texts(texts, rows, tick).features
        wrong = model._fit_texts(texts, np.array(near, np.int64), tick).features
        features = np.concatenate([right, wrong])
        labels = np.repeat([0.0, 1.0], len(rows))
        weights = np.repeat([1 - PRIOR, PRIOR], len(rows))
        folds = np.tile(np.arange(len(rows)) % 2, 2)
        model._curve, model.tried = fit_fault_curve(features, labels, weights, folds)
        return model

    def judge(self, rows: Int64s, tick: Callable[[], None] = lambda: None) -> Iterator[TermFinding]:
        """Yield how likely the definition of each of some terms is another's."""
        table = self._comparison.table
        defined = np.array([row for row in rows.tolist() if table.terms[row].definition], np.int64)
        if not len(defined):
            return
        texts = [table.terms[row].definition for row in defined.tolist()]
        fit = self._fit_texts(texts, defined, tick)
        probabilities = self._curve.predict_proba(fit.features)[:, 1].tolist()
        for row, other, probability in zip(
            defined.tolist(), fit.others.tolist(), probabilities, strict=True
        ):
            evidence = Message(
                "it fits {curie} {name} better than the term’s own names",
                curie=table.terms[other].curie,
                name=table.terms[other].label,
            )
            yield TermFinding(
                "doubtful-definition", table.terms[row], probability, evidence, table.terms[other]
            )

    def _fit_texts(self, texts: list[str], rows: Int64s, tick: Callable[[], None]) -> DefinitionFit:
        """Return how texts fit as definitions of terms, (m,) rows, and of others."""
        table = self._comparison.table
        side, count = table.side, len(table.terms)
        starts = side.starts[:-1]
        features, rivals = [], []
        step = self._comparison.count_rows_at_once()
        for start in range(0, len(texts), step):
            some, of_terms = texts[start : start + step], rows[start : start + step]
            cosines = np.maximum.reduceat(self._comparison.compare_texts(some), starts, axis=1)
            mine = cosines[np.arange(len(some)), of_terms]
            kin = _mark_kin(table, of_terms, count)
            rest = np.where(kin, -1.0, cosines)
            best = rest.argmax(axis=1)
            rival = rest[np.arange(len(some)), best]
            ranks = (rest > mine[:, None]).sum(axis=1)
            shares = [
                (_share_words(table, row, text), _share_words(table, other, text))
                for row, other, text in zip(of_terms.tolist(), best.tolist(), some, strict=True)
            ]
            words = np.array(shares)
            features.append(
                np.stack([mine, mine - rival, np.log1p(ranks), words[:, 0], words[:, 1]], axis=1)
            )
            rivals.append(best)
            tick()
        return DefinitionFit(np.concatenate(features).astype(np.float64), np.concatenate(rivals))


def find_repeated_definitions(table: TermTable) -> Iterator[TermFinding]:
    """Yield new terms with the definition of another term, letter by letter."""
    holders: dict[str, int] = {}
    new = set(table.new.tolist())
    for row, term in enumerate(table.terms):
        text = " ".join(term.definition.lower().split())
        if not text:
            continue
        other = holders.setdefault(text, row)
        if other != row and row in new:
            evidence = Message(
                "{curie} {name} has it too",
                curie=table.terms[other].curie,
                name=table.terms[other].label,
            )
            yield TermFinding("repeated-definition", term, _SAME, evidence, table.terms[other])


def _mark_kin(table: TermTable, rows: Int64s, count: int) -> NDArray[np.bool_]:
    """Return which terms are each term itself, above it or below it, (m, n)."""
    kin = np.zeros((len(rows), count), np.bool_)
    for links in (table.side.ancestors, table.side.descendants):
        for number, row in enumerate(rows.tolist()):
            kin[number, list_links(links, row)] = True
    kin[np.arange(len(rows)), rows] = True
    return kin


def _share_words(table: TermTable, row: int, text: str) -> float:
    """Return the largest share of the words of a name of a term that a text has."""
    words = set(list_words(text))
    names = table.side.forms.words[table.side.starts[row] : table.side.starts[row + 1]]
    return max(len(words & set(name)) / max(len(name), 1) for name in names)


def _draw_near(table: TermTable, row: int, random: np.random.Generator) -> int:
    """Return a term beside another one, or else any other."""
    parents = table.parents[row]
    beside: list[int] = []
    if parents and random.random() < 0.5:
        below = table.side.list_children(parents[0])
        beside = [other for other in below if other != row]
    if beside:
        return beside[int(random.integers(len(beside)))]
    return int((row + 1 + random.integers(len(table.terms) - 1)) % len(table.terms))
