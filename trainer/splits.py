"""Which names are for training, validation and test."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from trainer.names import LabelledNames

TRAIN, VALIDATION, TEST, UNUSED = 0, 1, 2, 3

Parts = NDArray[np.uint8]


def few_shot_split(labels: LabelledNames, shots: int, seed: int) -> Parts:
    """Sample a few names of each class ([FSL] 3.2).

    ``shots`` names of each class are for training, as many for validation, up to as many for test.
    Names of several classes, and those that no sample takes, are unused. A class with too few
    names fills training first, then validation, then test.

    Returns:
        (n,) uint8 of TRAIN, VALIDATION, TEST, UNUSED.

    Raises:
        ValueError: for less than two shots, which give no positive pair.
    """
    if shots < 2:
        raise ValueError(f"{shots} shots give no pair of names in a class; use at least 2")
    rng = np.random.default_rng(seed)
    unambiguous = labels.class_counts() == 1
    parts = np.full(len(labels.names), UNUSED, dtype=np.uint8)
    for members in labels.members():
        drawn = rng.permutation(members[unambiguous[members]])
        for number, part in enumerate((TRAIN, VALIDATION, TEST)):
            parts[drawn[number * shots : (number + 1) * shots]] = part
    return parts


def hls_split(
    labels_at_depth: LabelledNames, test_passes: int, validation_passes: int, seed: int
) -> Parts:
    """Hold out names for test, then for validation; all others train ([HLS] 4.2).

    In each pass one name that is not yet held out is held out for each class of the depth level,
    unless it is the last training name of one of its classes.

    Returns:
        (n,) uint8 of TRAIN, VALIDATION, TEST.
    """
    rng = np.random.default_rng(seed)
    classes_of = _classes_of_names(labels_at_depth)
    members = [rng.permutation(names) for names in labels_at_depth.members()]
    left = np.array([len(names) for names in members], dtype=np.int64)
    parts = np.full(len(labels_at_depth.names), TRAIN, dtype=np.uint8)
    for part in (TEST,) * test_passes + (VALIDATION,) * validation_passes:
        for names in members:
            held_out = _first_that_may_go(names, parts, classes_of, left)
            if held_out is not None:
                parts[held_out] = part
                left[classes_of[held_out]] -= 1
    return parts


def _classes_of_names(labels: LabelledNames) -> Sequence[NDArray[np.int64]]:
    """Return for each name the indices of its classes."""
    order = np.argsort(labels.name_index, kind="stable")
    starts = np.cumsum(labels.class_counts())[:-1]
    return np.split(labels.class_index[order], starts)


def _first_that_may_go(
    names: NDArray[np.int64],
    parts: Parts,
    classes_of: Sequence[NDArray[np.int64]],
    left: NDArray[np.int64],
) -> int | None:
    """Return the first training name whose classes all keep another one."""
    for name in names[parts[names] == TRAIN]:
        if (left[classes_of[name]] > 1).all():
            return int(name)
    return None
