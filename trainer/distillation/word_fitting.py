"""Vectors of words fitted in closed form, so that their means are the vectors of names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

Float32s = NDArray[np.float32]

_STEPS = 25  # of conjugate gradients; the error falls little after
_FREQUENT = 10_000  # words whose mean is taken as what all words share
_TINY = 1e-12


def scale_to_unit(vectors: Float32s) -> Float32s:
    """Return rows at unit length; a row of zeros stays one."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.maximum(lengths, _TINY), dtype=np.float32)


def fit_words(
    averages: csr_matrix, targets: Float32s, start: Float32s, ridge: float = 0.3
) -> Float32s:
    """Fit vectors of words by ridge regression towards where they start.

    Minimises ``|A W - T|² + ridge |W - S|²`` by conjugate gradients, all columns at once.

    Args:
        averages: A, (n, v), as of ``WordVocabulary.average_names``.
        targets: T, (n, d), the vectors of the names.
        start: S, (v, d), what is known of words alone.
        ridge: how much they are held there.

    Returns:
        W, (v, d) float32.
    """
    change = np.zeros_like(start)
    residual = np.asarray(averages.T @ (targets - averages @ start))
    direction = residual.copy()
    squared = (residual * residual).sum(axis=0)
    for _ in range(_STEPS):
        applied = averages.T @ (averages @ direction) + ridge * direction
        step = squared / np.maximum((direction * applied).sum(axis=0), _TINY)
        change += step * direction
        residual -= step * applied
        before, squared = squared, (residual * residual).sum(axis=0)
        direction = residual + (squared / np.maximum(before, _TINY)) * direction
    return np.asarray(start + change, dtype=np.float32)


def remove_common(vectors: Float32s, known: NDArray[np.bool_]) -> Float32s:
    """Return words at unit length without what frequent words share (Mu and Viswanath 2018).

    Args:
        vectors: (v, d), the most frequent words first.
        known: (v,) which words have a vector; the others are rows of zeros.
    """
    units = scale_to_unit(np.where(known[:, None], vectors, 0))
    return np.asarray(scale_to_unit(_project_out(units, units[known][:_FREQUENT].mean(axis=0))))


def remove_mean(vectors: Float32s, averages: csr_matrix) -> Float32s:
    """Return words without the direction of the mean name, scaled to a median length of 1."""
    parted = _project_out(vectors, np.asarray((averages @ vectors).mean(axis=0)))
    return np.asarray(parted / np.median(np.linalg.norm(parted, axis=1)), dtype=np.float32)


def _project_out(vectors: Float32s, direction: Float32s) -> Float32s:
    unit = direction / max(float(np.linalg.norm(direction)), _TINY)
    return np.asarray(vectors - np.outer(vectors @ unit, unit), dtype=np.float32)


def join_words(parts: Sequence[tuple[Float32s, float]]) -> Float32s:
    """Put vectors of words side by side, each part multiplied by its weight."""
    return np.concatenate([weight * part for part, weight in parts], axis=1).astype(np.float32)


def find_main_directions(names: Float32s, dimension: int) -> Float32s:
    """Return the directions that keep most of the cosines of names, (d, dimension) float32."""
    _, directions = np.linalg.eigh((names.T @ names).astype(np.float64))
    return np.asarray(directions[:, ::-1][:, :dimension], dtype=np.float32)
