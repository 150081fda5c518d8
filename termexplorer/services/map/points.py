"""What the points of a map are: their concepts, names and classes, and how they are drawn."""

from collections import Counter
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from termexplorer.errors import UserError
from termexplorer.services.explore.release_texts import release_texts
from termexplorer.services.levels.lens import LevelChoice, open_lens
from termexplorer.texts import mark, tr, translated, trn
from termexplorer.workspace import Workspace

# Okabe and Ito's colours, those that show on white before the pale one
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#F0E442")
OTHERS, SEVERAL, NONE = "#9a9a9a", "#6b6b6b", "#c8c8c8"
_NO_LEVEL = mark("there is no level {level} in this ontology; choose 1 to {levels}")
_NO_LEVEL_BELOW = mark("there is no level {level} below {root}; choose 1 to {levels}")


@dataclass(frozen=True, eq=False)
class MapPoints:
    """The n points of a map, in its order.

    Attributes:
        concepts: CURIEs.
        names: texts.
        level: that classes are of; None where they are not asked for.
        classes: of each point CURIE and label of the classes that its concept is or is below.
        concept_ids: (n,) int64, of the store.
    """

    concepts: tuple[str, ...]
    names: tuple[str, ...]
    level: int | None = None
    classes: tuple[tuple[tuple[str, str], ...], ...] = ()
    concept_ids: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, np.int64))


@dataclass(frozen=True, eq=False)
class PointGroup:
    """Points that are drawn alike.

    Attributes:
        label: the class, or what else they have in common.
        colour: as #rrggbb.
        mark: tells a class apart without its colour; empty for what is drawn grey.
        points: (m,) int64, which of them.
    """

    label: str
    colour: str
    mark: str
    points: NDArray[np.int64]


def points_of_names(
    workspace: Workspace,
    release_id: int,
    name_ids: NDArray[np.int64],
    root: str = "",
    level: int | None = None,
) -> MapPoints:
    """What names of a release are, (n,) ids in rising order, with their classes below a root.

    Raises:
        UserError: the ontology has no levels, or not so many.
    """
    release_names = release_texts(workspace, release_id)
    names, labels = release_names.names, release_names.labels
    rows = np.searchsorted(names.ids, name_ids)
    concept_ids = names.concept_ids[rows]
    ids = concept_ids.tolist()
    curies = tuple(labels[identifier][0] for identifier in ids)
    texts = tuple(names.texts[row] for row in rows.tolist())
    if level is None:
        return MapPoints(curies, texts, concept_ids=concept_ids)
    above = _classes_on_level(workspace, release_id, root, level)
    class_texts = {
        class_ids: tuple(labels[class_id][::2] for class_id in class_ids)
        for class_ids in {(), *above.values()}
    }
    classes = tuple(class_texts[above.get(identifier, ())] for identifier in ids)
    return MapPoints(curies, texts, level, classes, concept_ids)


def check_level(workspace: Workspace, release_id: int, root: str, level: int) -> None:
    """Looks whether there is a level, before a map is made for its classes.

    Raises:
        UserError: the ontology has no levels, or not so many.
    """
    _classes_on_level(workspace, release_id, root, level)


def _classes_on_level(
    workspace: Workspace, release_id: int, root: str, level: int
) -> dict[int, tuple[int, ...]]:
    choice = LevelChoice(root, level, dead_ends=False)  # where to look is no training
    lens = open_lens(workspace, release_id, choice)
    if not 1 <= level <= lens.levels:
        text = _NO_LEVEL_BELOW if root else _NO_LEVEL
        raise UserError(translated(text, level=level, root=root, levels=lens.levels))
    return lens.classes_of(level)


def point_groups(points: MapPoints) -> tuple[PointGroup, ...]:
    """The points by class: the largest in colours, in falling order, and the rest in greys."""
    if points.level is None:
        return (PointGroup(tr("all names"), COLOURS[0], "", np.arange(len(points.names))),)
    sizes = Counter(point_classes[0] for point_classes in points.classes if len(point_classes) == 1)
    shown = [class_key for class_key, _ in sizes.most_common(len(COLOURS))]
    number_by_class = {class_key: number for number, class_key in enumerate(shown)}
    smaller, several, none = range(len(shown), len(shown) + 3)
    of = np.array(
        [
            none
            if not point_classes
            else several
            if len(point_classes) > 1
            else number_by_class.get(point_classes[0], smaller)
            for point_classes in points.classes
        ]
    )
    groups = [
        PointGroup(label or curie, COLOURS[n], str(n + 1), np.flatnonzero(of == n))
        for n, (curie, label) in enumerate(shown)
    ]
    fewer = len(sizes) - len(shown)
    rest = (
        (trn("{n:,} smaller class", "{n:,} smaller classes", fewer), OTHERS, smaller),
        (tr("of several classes"), SEVERAL, several),
        (tr("of no class on level {level}", level=points.level), NONE, none),
    )
    groups += [PointGroup(label, colour, "", np.flatnonzero(of == n)) for label, colour, n in rest]
    return tuple(group for group in groups if len(group.points))
