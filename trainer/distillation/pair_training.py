"""Training vectors of words on: synonyms, parents and definitions, near what was distilled.

The contrast with the negatives of a batch of Liu et al. 2021 (SapBERT), with definitions and
parents beside the names, as Remy et al. 2022 (BioLORD) have it; and the similarities of names
among each other as the teacher has them (Park et al. 2019, relational distillation).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn.functional import cross_entropy, embedding_bag, normalize

Int32s = NDArray[np.int32]
Int64s = NDArray[np.int64]
Float32s = NDArray[np.float32]

_WARM_UP = 50  # steps
_TEMPERATURE, _GRADED_TEMPERATURE = 0.07, 0.1
_SIMILARITY_SCALE = 100.0  # squared differences of cosines are small beside a cross entropy


@dataclass(frozen=True, eq=False)
class PairSource:
    """What static vectors are trained on.

    Attributes:
        names: (n, l) int32, the rows of the words of each name, -1 behind its end.
        starts: (c + 1,) int64; the names of concept i are ``members[starts[i]:starts[i + 1]]``.
        members: (m,) int64, numbers of names.
        parents: (p, 2) int64, a concept and one of its parents.
        definitions: (t, l) int32, as ``names``.
        defined: (t,) int64, the concept of each definition.
        teacher: (n, d) float32 at unit length, what names are by the teacher.
        weights: (v,) float32 of the words.
    """

    names: Int32s
    starts: Int64s
    members: Int64s
    parents: Int64s
    definitions: Int32s
    defined: Int64s
    teacher: Float32s
    weights: Float32s


@dataclass(frozen=True)
class StaticTraining:
    """How static vectors are trained.

    Attributes:
        steps: batches.
        batch: pairs of synonyms in each; half as many parents, definitions, and names whose
            similarities are kept.
        learning_rate: of Adam, in mean absolute values of the vectors.
        dropout: the share of words that is left out of a name.
        distillation: the weight of the teacher's similarities.
        graded: the weight of parents and definitions.
        seed: of everything random.
    """

    steps: int = 2000
    batch: int = 1024
    learning_rate: float = 0.02
    dropout: float = 0.1
    distillation: float = 3.0
    graded: float = 0.3
    seed: int = 0


def train_words(
    words: Float32s,
    source: PairSource,
    settings: StaticTraining,
    report: Callable[[int, float], None] = lambda step, loss: None,
) -> Float32s:
    """Train vectors of words, (v, d) float32, and return them.

    Args:
        words: where they start.
        source: what they learn from.
        settings: how.
        report: called after each step with its number, from 1, and its loss.
    """
    batches = _Batches(source, settings)
    vectors = torch.nn.Parameter(torch.from_numpy(words.copy()))
    rate = settings.learning_rate * float(np.abs(words).mean())
    optimizer = torch.optim.SparseAdam([vectors], lr=rate)
    weights, teacher = torch.from_numpy(source.weights), torch.from_numpy(source.teacher)
    for step in range(settings.steps):
        falling = min(1, (step + 1) / _WARM_UP) * (1 - step / settings.steps)
        optimizer.param_groups[0]["lr"] = rate * falling
        loss = _take_loss(batches, vectors, weights, teacher, settings)
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        optimizer.step()  # type: ignore[no-untyped-call]
        report(step + 1, float(loss.detach()))
    return np.asarray(vectors.detach().numpy())


class _Batches:
    """Draws names, parents and definitions."""

    def __init__(self, source: PairSource, settings: StaticTraining) -> None:
        self.source, self._size = source, settings.batch
        self._random = np.random.default_rng(settings.seed)
        self._dropout = settings.dropout
        sizes = np.diff(source.starts)
        self._sizes, self._several = sizes, np.flatnonzero(sizes > 1)
        shares = np.minimum(sizes[self._several], 6) - 1.0  # large sets have no say of their own
        self._shares = shares / shares.sum()
        self._known = np.flatnonzero((source.names >= 0).any(axis=1))

    def draw_synonyms(self) -> tuple[Int64s, Int64s]:
        """Return two different names of each of some concepts."""
        chosen = self._random.choice(self._several, self._size, p=self._shares)
        chosen = np.unique(chosen)  # one that is there twice would be its own negative
        sizes = self._sizes[chosen]
        first = (self._random.random(len(chosen)) * sizes).astype(np.int64)
        apart = (self._random.random(len(chosen)) * (sizes - 1)).astype(np.int64)
        second = (first + 1 + apart) % sizes
        starts = self.source.starts[chosen]
        return self.source.members[starts + first], self.source.members[starts + second]

    def draw_parents(self) -> tuple[Int64s, Int64s]:
        """Return a name of each of some concepts, and one of a parent of it."""
        drawn = self._random.integers(len(self.source.parents), size=self._size // 2)
        pairs = self.source.parents[drawn]
        return self._draw_names(pairs[:, 0]), self._draw_names(pairs[:, 1])

    def draw_definitions(self) -> tuple[Int64s, Int32s]:
        """Return a name of each of some concepts, and the words of its definition."""
        drawn = self._random.integers(len(self.source.defined), size=self._size // 2)
        return self._draw_names(self.source.defined[drawn]), self.source.definitions[drawn]

    def draw_any(self, more: Int64s) -> Int64s:
        """Return some names drawn from all, and some of those given."""
        half = min(self._size // 2, len(self._known))
        drawn = self._random.choice(self._known, half, replace=False)
        return np.concatenate((drawn, more[:half]))

    def drop_words(self, rows: Int32s) -> Int32s:
        """Leave words out of names, but never all."""
        known = rows >= 0
        left = known & (self._random.random(rows.shape) >= self._dropout)
        empty = ~left.any(axis=1)
        left[empty] = known[empty]
        return np.where(left, rows, np.int32(-1))

    def _draw_names(self, concepts: Int64s) -> Int64s:
        offsets = (self._random.random(len(concepts)) * self._sizes[concepts]).astype(np.int64)
        names: Int64s = self.source.members[self.source.starts[concepts] + offsets]
        return names


def _take_loss(
    batches: _Batches, vectors: Tensor, weights: Tensor, teacher: Tensor, settings: StaticTraining
) -> Tensor:
    names = batches.source.names
    left, right = batches.draw_synonyms()
    children, parents = batches.draw_parents()
    defined, definitions = batches.draw_definitions()
    rows = np.concatenate(
        (names[left], names[right], names[children], names[defined], names[parents], definitions)
    )
    encoded = _encode_rows(batches.drop_words(rows), vectors, weights)
    sizes = [len(left), len(left), len(children) + len(defined), len(children) + len(defined)]
    first, second, narrower, wider = torch.split(encoded, sizes)
    loss = (
        _contrast_partners(first, second, _TEMPERATURE)
        + _contrast_partners(second, first, _TEMPERATURE)
    ) / 2
    loss = loss + settings.graded * _contrast_partners(narrower, wider, _GRADED_TEMPERATURE)
    drawn = batches.draw_any(left)
    students, teachers = _encode_rows(names[drawn], vectors, weights), teacher[drawn]
    difference = students @ students.T - teachers @ teachers.T
    return loss + settings.distillation * _SIMILARITY_SCALE * (difference**2).mean()


def _contrast_partners(rows: Tensor, partners: Tensor, temperature: float) -> Tensor:
    """Return the loss of telling, for each row, its partner from all other rows' partners."""
    return cross_entropy(rows @ partners.T / temperature, torch.arange(len(rows)))


def _encode_rows(rows: Int32s, vectors: Tensor, weights: Tensor) -> Tensor:
    """Return the sums of words at unit length, (n, d), for (n, l) rows."""
    known = rows >= 0
    lengths = known.sum(axis=1)
    words = torch.from_numpy(rows[known].astype(np.int64))
    sums = embedding_bag(
        words,
        vectors,
        torch.from_numpy(np.cumsum(lengths) - lengths),
        mode="sum",
        per_sample_weights=weights[words],
        sparse=True,
    )
    return normalize(sums, dim=1, eps=1e-6)
