"""What a run is trained and scored on, whatever its recipe learns from."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from termexplorer.store.database.engine import Store
from termexplorer.workers.data.concept_data import ConceptSet, concept_set
from termexplorer.workers.data.level_choice import LevelChoice
from termexplorer.workers.data.list_classes import ListClass
from termexplorer.workers.data.synonym_choice import SynonymChoice
from termexplorer.workers.data.training_data import SplitRule, training_set
from termexplorer.workers.data.training_sets import TrainingSet

if TYPE_CHECKING:
    from termexplorer.trainer.text.names import LabelledNames

_MOST_CLASSES = 100  # more of them are summed up on a card


RunData: TypeAlias = TrainingSet | ConceptSet


def run_data(
    store: Store,
    release_id: int,
    choice: LevelChoice | None,
    rule: SplitRule,
    synonyms: SynonymChoice,
    class_lists: Sequence[ListClass] = (),
) -> tuple[RunData, int]:
    """Reads what a run needs and keeps its split; returns it with the split's id.

    Args:
        store: of the workspace.
        release_id: whose names.
        choice: of a level; None where recipes learn from synonym sets.
        rule: how names are parted.
        synonyms: which synonym sets, where there is no level.
        class_lists: kept lists that are classes besides those of the level.

    Raises:
        UserError: the level is empty, there is no such root or grouping, no class has two names, or
            a list cannot be a class.
    """
    if choice is None:
        return concept_set(store, release_id, rule.seed, synonyms)
    return training_set(store, release_id, choice, rule, class_lists)


def data_facts(data: RunData) -> dict[str, Any]:
    """What a run's card says of its data."""
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
        facts["class_lists"] = {each.title: each.facts for each in data.lists}
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
