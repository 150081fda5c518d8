"""The option `--level`: which level where none is named, and what is wrong with one that is."""

from typing import Annotated, TypeAlias

import typer

from termexplorer.services.levels.default_level import (
    check_trained_level,
    default_level,
    trainable_level,
    warn_of_choice,
    warn_of_level,
)
from termexplorer.services.levels.lens import LevelChoice
from termexplorer.workspace import Workspace

LEVEL_HELP = "Level of the classes, 1 the highest; else the one that suits the ontology."
LevelOption: TypeAlias = Annotated[int | None, typer.Option("--level", min=1, help=LEVEL_HELP)]


def choose_level(workspace: Workspace, ontology_id: int, level: int | None, root: str = "") -> int:
    """Return a level, or the one that suits an ontology, and warn of one that is one-sided.

    Raises:
        UserError: The root is not in the ontology.
    """
    chosen = level or default_level(workspace, ontology_id, root)
    _print_warning(warn_of_level(workspace, ontology_id, chosen, root))
    return chosen


def choose_trained_level(
    workspace: Workspace,
    ontology_id: int,
    level: int | None,
    choice: LevelChoice,
    *,
    alone: bool = True,
) -> LevelChoice:
    """Return a choice on a level, or on the one that suits the ontology; warn as `choose_level`.

    Raises:
        UserError: The root is not in the ontology, or nothing can be trained on the level; see
            `check_trained_level`.
    """
    chosen = choice.on(level or trainable_level(workspace, ontology_id, choice))
    check_trained_level(workspace, ontology_id, chosen, alone=alone)
    _print_warning(warn_of_choice(workspace, ontology_id, chosen))
    return chosen


def _print_warning(text: str) -> None:
    if text:
        typer.echo(f"Warning: {text}", err=True)
