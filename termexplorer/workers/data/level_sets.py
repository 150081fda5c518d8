"""What a run on the classes of a level trains, stops and is scored on."""

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from termexplorer.store.releases.corpus import Int64s, ReleaseGraph, ReleaseNames
from termexplorer.taxonomy import TrainingNames
from termexplorer.workers.data.list_classes import ListNames

if TYPE_CHECKING:
    from termexplorer.trainer.text.names import LabelledNames

UNUSED = 3  # as in trainer.data.splits
LISTS = "ranking, lists"  # task: held-out names of lists among all names that were learned


@dataclass(frozen=True, eq=False)
class LevelSet:
    """What a run trains, stops and is scored on.

    Attributes:
        labels: the names that are used, with their classes on the level.
        parts: (n,) uint8, see `trainer.data.splits`.
        name_ids: (n,) int64.
        class_ids: (c,) int64, the concepts on the level.
        level_names: the names of those concepts, never trained on.
        level_classes: (h,) int64, the class that each of them is a name of.
        lists: what the lists came to that are the classes after those of the level.
        data_hash: SHA-256 of names, classes and parts.
    """

    labels: "LabelledNames"
    parts: NDArray[np.uint8]
    name_ids: Int64s
    class_ids: Int64s
    level_names: tuple[str, ...]
    level_classes: Int64s
    lists: tuple[ListNames, ...]
    data_hash: str

    def places(self, part: int, *, of_lists: bool = False) -> Int64s:
        """The names of a part that are of classes of the level, or of those that are lists."""
        listed = np.zeros(len(self.parts), bool)
        besides = self.labels.class_index >= len(self.class_ids)
        listed[self.labels.name_index[besides]] = True
        return np.flatnonzero((self.parts == part) & (listed == of_lists))


def labelled(names: ReleaseNames, chosen: TrainingNames) -> "LabelledNames":
    """All live names of a release, those that are chosen with their classes."""
    from termexplorer.trainer.text.names import LabelledNames

    classes = (*(str(class_id) for class_id in chosen.classes), *chosen.besides)
    return LabelledNames(names.texts, classes, chosen.names, chosen.labels)


def gathered(
    graph: ReleaseGraph,
    names: ReleaseNames,
    chosen: TrainingNames,
    parts: NDArray[np.uint8],
    labels: dict[int, tuple[str, str, str]],
    lists: tuple[ListNames, ...],
) -> LevelSet:
    """The names that are chosen and of a part that is used, with all that is asked of them.

    Args:
        graph: of the release.
        names: all its n live names.
        chosen: which of them, and their classes.
        parts: (n,) uint8, see `trainer.data.splits`.
        labels: CURIE, code and label of concepts by their ids.
        lists: those that are classes besides.
    """
    from termexplorer.trainer.text.names import LabelledNames

    class_ids = graph.concept_ids[chosen.classes]
    in_class = np.zeros(len(parts), bool)
    in_class[chosen.names] = True
    used = np.flatnonzero((parts < UNUSED) & in_class)
    new_index = np.full(len(parts), -1)
    new_index[used] = np.arange(len(used))
    is_kept = new_index[chosen.names] >= 0
    of_classes = np.isin(names.concept_ids, class_ids)
    order = np.argsort(class_ids)
    of_class = order[np.searchsorted(class_ids[order], names.concept_ids[of_classes])]
    of_used = LabelledNames(
        tuple(names.texts[i] for i in used),
        (*(f"{labels[i][1]} {labels[i][2]}" for i in class_ids.tolist()), *chosen.besides),
        new_index[chosen.names[is_kept]],
        chosen.labels[is_kept],
    )
    return LevelSet(
        labels=of_used,
        parts=parts[used],
        name_ids=names.ids[used],
        class_ids=class_ids,
        level_names=tuple(names.texts[i] for i in np.flatnonzero(of_classes)),
        level_classes=of_class,
        lists=lists,
        data_hash=data_hash(of_used, parts[used]),
    )


def data_hash(labels: "LabelledNames", parts: NDArray[np.uint8]) -> str:
    """SHA-256 of names, classes and parts."""
    digest = hashlib.sha256()
    for text in (*labels.names, *labels.classes):
        digest.update(text.encode() + b"\0")
    for array in (labels.name_index, labels.class_index, parts):
        digest.update(array.tobytes())
    return digest.hexdigest()
