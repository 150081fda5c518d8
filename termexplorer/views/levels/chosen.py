"""The level that was chosen: kept in the workspace, from where the page Train takes it."""

import json
from dataclasses import asdict

from termexplorer.services.levels.lens import LevelChoice
from termexplorer.views.widgets.ui_state import UiState

LENS, TRAIN = "levels/choice", "train/choice"
_EDITED = "train/edited"


def keep_choice(session: UiState, key: str, ontology_id: int, choice: LevelChoice) -> None:
    """Keeps a choice of level for an ontology."""
    session.keep_place(key, json.dumps([ontology_id, asdict(choice)]))


def kept_choice(session: UiState, key: str, ontology_id: int | None) -> LevelChoice | None:
    """What was kept last, if it was for this ontology."""
    try:
        kept_for, values = json.loads(session.place(key))
        return LevelChoice.read(values) if kept_for == ontology_id else None
    except (ValueError, TypeError, AttributeError, RecursionError):
        return None  # nothing yet, or of another version


def keep_edited(
    session: UiState, ontology_id: int, taken: LevelChoice | None, choice: LevelChoice
) -> None:
    """Keeps what the page Train made of what it had taken from the page Levels."""
    edited = [ontology_id, asdict(taken) if taken else None, asdict(choice)]
    session.keep_place(_EDITED, json.dumps(edited))


def edited_choice(
    session: UiState, ontology_id: int, taken: LevelChoice | None
) -> LevelChoice | None:
    """What was kept last, if it was for this ontology, and Levels still says the same."""
    try:
        kept_for, before, values = json.loads(session.place(_EDITED))
        same = (LevelChoice.read(before) if before else None) == taken
        return LevelChoice.read(values) if kept_for == ontology_id and same else None
    except (ValueError, TypeError, AttributeError, RecursionError):
        return None  # nothing yet, or of another version
