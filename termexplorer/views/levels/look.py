"""What the Levels page asks of the lens: a level with its figures, and counts of the others."""

from dataclasses import dataclass, replace

from termexplorer.services.levels.default_level import (
    default_level,
    usable_level,
    warn_of_choice,
    why_not_trainable,
)
from termexplorer.services.levels.lens import LevelChoice, LevelLens, LevelSummary, open_lens
from termexplorer.views.window.level_place import LevelPlace
from termexplorer.workspace import Workspace


@dataclass(frozen=True, slots=True)
class ShownLevel:
    """A level as it is shown.

    Attributes:
        lens: the ontology.
        choice: that it was asked for.
        summary: its figures.
        warning: what is wrong with it; empty where nothing is.
        lack: why nothing can be trained on it; empty where something can.
    """

    lens: LevelLens
    choice: LevelChoice
    summary: LevelSummary
    warning: str = ""
    lack: str = ""


def look(
    workspace: Workspace, ontology_id: int, choice: LevelChoice, *, chosen: bool = True
) -> ShownLevel:
    """Looks at a level, one that is there; at the one to begin with, if none was chosen."""
    lens = open_lens(workspace, ontology_id, choice)
    level = choice.level if chosen else default_level(workspace, ontology_id, choice.root)
    choice = choice.on(usable_level(lens, level))
    summary = lens.summary(choice)
    warning = warn_of_choice(workspace, ontology_id, choice)
    lack = why_not_trainable(workspace, ontology_id, choice)
    return ShownLevel(lens, choice, summary, warning, lack)


def count(lens: LevelLens, choice: LevelChoice) -> tuple[LevelChoice, int, int]:
    """Classes and names of a level."""
    summary = lens.summary(choice)
    return choice, summary.classes, summary.names


def moved(choice: LevelChoice, level_place: LevelPlace) -> LevelChoice:
    """A choice at another place; what was left out by hand lies below another root."""
    left_out = choice.left_out if level_place.root == choice.root else ()
    return replace(choice, level=level_place.level, root=level_place.root, left_out=left_out)
