"""What the form of the page Train asked for last: kept in the workspace for the next start."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from termexplorer.views.widgets.ui_state import UiState

_KEY = "train/form"


@dataclass(frozen=True, slots=True)
class KeptForm:
    """What was chosen; what says nothing is as usual.

    Attributes:
        recipe: its name.
        preset: of the recipe.
        vectors: the encoder beneath, or None.
        values: hyper-parameters that differ from the preset, by their names.
        held_out: the numbers of names that are held out, by their names.
        seed: of everything random.
        device: its id.
        ontology: which the next two are of, or None.
        synonyms: the values of a `SynonymChoice`, by their names.
        also: further ontologies that are learned from.
        study: whose verdicts are learned, or None.
        unfolded: whether everything can be chosen, not three lines alone.
        largest: hidden units that a search ends at; None where none is searched.
    """

    recipe: str = ""
    preset: str = ""
    vectors: int | None = None
    values: Mapping[str, Any] = field(default_factory=dict)
    held_out: Mapping[str, int] = field(default_factory=dict)
    seed: int = 0
    device: str = "auto"
    ontology: int | None = None
    synonyms: Mapping[str, str] = field(default_factory=dict)
    also: Sequence[int] = ()
    study: int | None = None
    unfolded: bool = False
    largest: int | None = None


def keep_form(session: UiState, form: KeptForm) -> None:
    """Keeps what is chosen."""
    session.keep_place(_KEY, json.dumps(asdict(form)))


def kept_form(session: UiState) -> KeptForm:
    """What was kept last."""
    try:
        return KeptForm(**json.loads(session.place(_KEY)))
    except (ValueError, TypeError, RecursionError):
        return KeptForm()  # nothing yet, or of another version
