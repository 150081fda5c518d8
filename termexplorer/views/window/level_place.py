"""The level that is looked at: one for all pages, and kept in the workspace."""

import json
from dataclasses import dataclass

from termexplorer.views.widgets.ui_state import UiState
from termexplorer.views.window.selection import ConceptSelection

_PLACE = "level/"  # and the id of an ontology


@dataclass(frozen=True, slots=True)
class LevelPlace:
    """A level of the ontology on show.

    Attributes:
        level: 1 the highest.
        root: CURIE of the concept below which levels are counted; empty: all roots.
    """

    level: int
    root: str = ""


def choose_level(session: UiState, selection: ConceptSelection, level_place: LevelPlace) -> None:
    """Looks at a level, on all pages."""
    if kept_level(session, selection.ontology_id) != level_place:
        stored = json.dumps([level_place.level, level_place.root])
        session.keep_place(f"{_PLACE}{selection.ontology_id}", stored)
        selection.level_changed.emit(level_place)


def kept_level(session: UiState, ontology_id: int | None) -> LevelPlace | None:
    """The level of an ontology that the user chose last; None where no level was chosen."""
    try:
        level, root = json.loads(session.place(f"{_PLACE}{ontology_id}"))
        return LevelPlace(int(level), str(root))
    except (ValueError, TypeError, RecursionError):
        return None  # nothing yet
