"""Which names are for training, validation and test."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from termexplorer.trainer.errors import TrainerError
from termexplorer.trainer.text.names import LabelledNames

PARTS = TRAIN, VALIDATION, TEST, UNUSED, ZERO_SHOT = 0, 1, 2, 3, 4

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
        raise TrainerError(
            "{shots} shots give no pair of names in a class; use at least 2", shots=shots
        )
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

    Raises:
        ValueError: for less than no passes.
    """
    if min(test_passes, validation_passes) < 0:
        raise TrainerError(
            "{test_passes} and {validation_passes} passes; use 0 or more",
            test_passes=test_passes,
            validation_passes=validation_passes,
        )
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


def concept_split(
    labels: LabelledNames,
    zero_shot_share: float,
    test_passes: int,
    validation_passes: int,
    seed: int,
) -> Parts:
    """Keep whole concepts for zero-shot, and names of the other concepts for the rest ([CG] 5.1).

    Concepts are drawn at random for zero-shot. Of the others, each with at least two training names
    gives one to test in each test pass, then one to validation in each validation pass. A name of
    concepts on both sides is unused.

    Args:
        labels: names and their concepts.
        zero_shot_share: of the concepts that have names, from 0 to below 1.
        test_passes: how often one name of each concept is held out for test.
        validation_passes: the same for validation.
        seed: of everything random.

    Returns:
        (n,) uint8 of TRAIN, VALIDATION, TEST, UNUSED, ZERO_SHOT.

    Raises:
        ValueError: for another share.
    """
    if not 0 <= zero_shot_share < 1:
        raise TrainerError(
            "a share of {zero_shot_share} of the concepts is not from 0 to below 1",
            zero_shot_share=zero_shot_share,
        )
    rng = np.random.default_rng(seed)
    concepts = np.unique(labels.class_index)
    aside = np.zeros(len(labels.classes), dtype=np.bool_)
    aside[rng.permutation(concepts)[: round(zero_shot_share * len(concepts))]] = True
    in_aside = np.zeros(len(labels.names), dtype=np.bool_)
    in_aside[labels.name_index[aside[labels.class_index]]] = True
    on_both = np.zeros_like(in_aside)
    on_both[labels.name_index[~aside[labels.class_index]]] = True
    on_both &= in_aside
    seen = ~in_aside[labels.name_index]
    remaining = replace(
        labels, name_index=labels.name_index[seen], class_index=labels.class_index[seen]
    )
    parts = hls_split(remaining, test_passes, validation_passes, seed)
    parts[in_aside] = np.where(on_both[in_aside], UNUSED, ZERO_SHOT)
    return parts


def split_counts(labels: LabelledNames, parts: Parts) -> dict[str, int]:
    """Count what a split comes to, as [CG] table 2 does; pairs are ordered."""
    sizes = {
        part: np.bincount(
            labels.class_index[parts[labels.name_index] == part], minlength=len(labels.classes)
        )
        for part in (TRAIN, ZERO_SHOT)
    }
    names = {part: int((parts[labels.class_counts() > 0] == part).sum()) for part in PARTS}
    return {
        "train concepts": int((sizes[TRAIN] > 0).sum()),
        "train mentions": names[TRAIN],
        "train synonym pairs": int((sizes[TRAIN] * (sizes[TRAIN] - 1)).sum()),
        "validation mentions": names[VALIDATION],
        "test mentions": names[TEST],
        "zero-shot concepts": int((sizes[ZERO_SHOT] > 0).sum()),
        "zero-shot mentions": names[ZERO_SHOT],
    }


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
