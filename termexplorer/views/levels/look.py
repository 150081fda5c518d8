"""What the Levels page asks of the lens: a level with its figures, and counts of the others."""

from dataclasses import dataclass, replace

from termexplorer.services.levels.lens import LevelChoice, LevelLens, LevelSummary, open_lens
from termexplorer.views.window.level_place import LevelPlace
from termexplorer.workspace import Workspace


@dataclass(frozen=True, slots=True)
class ShownLevel:
    """A level as it is shown: the lens, the choice it was asked for, and its figures."""

    lens: LevelLens
    choice: LevelChoice
    summary: LevelSummary


def look(workspace: Workspace, ontology_id: int, choice: LevelChoice) -> ShownLevel:
    """Looks at a level; one too low is raised."""
    lens = open_lens(workspace, ontology_id, choice)
    choice = choice.on(min(max(choice.level, 1), lens.levels))
    return ShownLevel(lens, choice, lens.summary(choice))


def count(lens: LevelLens, choice: LevelChoice) -> tuple[LevelChoice, int, int]:
    """Classes and names of a level."""
    summary = lens.summary(choice)
    return choice, summary.classes, summary.names


def moved(choice: LevelChoice, level_place: LevelPlace) -> LevelChoice:
    """A choice at another place; what was left out by hand lies below another root."""
    left_out = choice.left_out if level_place.root == choice.root else ()
    return replace(choice, level=level_place.level, root=level_place.root, left_out=left_out)
