"""The same names under coarser classes, through a cross-map to another system ([CG] 4.1.2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from termexplorer.trainer.errors import TrainerError
from termexplorer.trainer.text.names import LabelledNames


@dataclass(frozen=True, eq=False)
class GroupedNames:
    """Names under the codes that their concepts are mapped to.

    Attributes:
        labels: the same names in the same order, in groups; names of concepts without a code are
            in none.
        mapped: concepts that have a code.
        unmapped: concepts that have none.
        several_codes: concepts that have more than one.
        ungrouped_names: names of concepts, none of which has a code.
        names_of_several: names in more than one group.
    """

    labels: LabelledNames
    mapped: int
    unmapped: int
    several_codes: int
    ungrouped_names: int
    names_of_several: int


def group_by_cross_map(
    labels: LabelledNames, cross_map: Mapping[str, Sequence[str]]
) -> GroupedNames:
    """Fuse the synonym sets of concepts that are mapped to the same code ([CG] 4.1.2).

    Args:
        labels: names and their concepts.
        cross_map: the codes of a concept, by its label in ``labels.classes``; others are passed
            over.

    Raises:
        ValueError: where no concept has a code.
    """
    codes = [sorted(set(cross_map.get(label, ()))) for label in labels.classes]
    groups = tuple(sorted({code for several in codes for code in several}))
    if not groups:
        raise TrainerError("no concept is in the cross-map; its keys must be the classes' labels")
    counts = np.array([len(several) for several in codes])
    grouped = _group_labels(labels, groups, codes)
    before, after = labels.class_counts(), grouped.class_counts()
    return GroupedNames(
        grouped,
        mapped=int((counts > 0).sum()),
        unmapped=int((counts == 0).sum()),
        several_codes=int((counts > 1).sum()),
        ungrouped_names=int(((before > 0) & (after == 0)).sum()),
        names_of_several=int((after > 1).sum()),
    )


def _group_labels(
    labels: LabelledNames, groups: tuple[str, ...], codes: Sequence[Sequence[str]]
) -> LabelledNames:
    """Return the names in groups; ``codes`` are those of each concept."""
    from scipy.sparse import csr_array

    numbers = {code: number for number, code in enumerate(groups)}
    columns = [numbers[code] for several in codes for code in several]
    rows = np.repeat(np.arange(len(codes)), [len(several) for several in codes])
    shape = (len(codes), len(groups))
    mapped = csr_array((np.ones(len(rows), dtype=np.int32), (rows, columns)), shape=shape)
    name_index, group_index = (labels.membership().astype(np.int32) @ mapped).nonzero()
    return LabelledNames(
        labels.names, groups, name_index.astype(np.int64), group_index.astype(np.int64)
    )
