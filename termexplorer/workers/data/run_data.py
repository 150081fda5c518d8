"""What a run is scored on, whatever its recipe learns from, and what its card says of that."""

from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from termexplorer.workers.data.concept_data import ConceptSet
from termexplorer.workers.data.level_sets import LevelSet

if TYPE_CHECKING:
    from termexplorer.trainer.text.names import LabelledNames

_MOST_CLASSES = 100  # more of them are summed up on a card


RunData: TypeAlias = LevelSet | ConceptSet


def describe_run_data(data: RunData) -> dict[str, Any]:
    """Return what a run's card says of its data."""
    from termexplorer.trainer.data.splits import TEST, TRAIN, VALIDATION, ZERO_SHOT, split_counts

    parts = {"train": TRAIN, "validation": VALIDATION, "test": TEST}
    facts: dict[str, Any] = {"data_hash": data.data_hash, "classes": _describe_classes(data.labels)}
    if isinstance(data, ConceptSet):
        parts["zero-shot"] = ZERO_SHOT
        facts["synonym_sets"] = split_counts(data.labels, data.parts)
        facts["names_left_out"] = data.removed
        if data.groups:
            facts["groups"] = {"by": data.choice.groups, **data.groups}
    elif data.lists:
        facts["class_lists"] = {name_list.title: name_list.facts for name_list in data.lists}
    facts["split"] = {name: int((data.parts == part).sum()) for name, part in parts.items()}
    return facts


def _describe_classes(labels: "LabelledNames") -> dict[str, Any]:
    """The names of each class, or of many classes how large they are."""
    sizes = np.bincount(labels.class_index, minlength=len(labels.classes))
    if len(sizes) <= _MOST_CLASSES:
        return dict(zip(labels.classes, sizes.tolist(), strict=True))
    return {
        "number": len(sizes),
        "smallest": int(sizes.min()),
        "median": float(np.median(sizes)),
        "largest": int(sizes.max()),
    }
