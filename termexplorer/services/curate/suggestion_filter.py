"""Which suggestions of a list are wanted: by probability, predicate, evidence and frequency."""

from collections.abc import Sequence
from dataclasses import dataclass

from termexplorer.mapping_terms import NO_TERM
from termexplorer.services.curate.mapping_states import find_states
from termexplorer.services.curate.review import has_equal_labels
from termexplorer.services.curate.suggestion_lists import find_list, read_list
from termexplorer.services.files.exports import Cell
from termexplorer.store.judging.suggestions import Suggestion
from termexplorer.texts import mark
from termexplorer.workspace import Workspace

__all__ = [
    "EVIDENCE", "SuggestionFields", "find_evidence", "find_fitting_rows",
    "find_frequency", "find_predicate", "find_probability", "fits_fields",
]  # fmt: skip

EVIDENCE = {
    "preferred": mark("equal preferred names"),
    "synonym": mark("an equal synonym"),
    "reference": mark("a cross-reference"),
    "similar": mark("similar names"),
}
"""What a mapping rests on, the surest first."""
_PROBABILITIES = ("probability", "likelihood", "confidence", "similarity")  # columns


@dataclass(frozen=True, slots=True)
class SuggestionFields:
    """What suggestions are wanted; a suggestion without a figure that is asked for is not.

    Attributes:
        least: probability; None for any.
        most: likewise.
        predicate: CURIE, or `NO_TERM`; "" for any.
        evidence: one of `EVIDENCE`; "" for any.
        frequency: the least one; None for any.
        state: what a newer release made of a mapping: a reason, "holds", or "stale" for any
            reason; "" for any.
    """

    least: float | None = None
    most: float | None = None
    predicate: str = ""
    evidence: str = ""
    frequency: float | None = None
    state: str = ""


def fits_fields(fields: SuggestionFields, suggestion: Suggestion, header: Sequence[str]) -> bool:
    """Return whether a suggestion of a list with these columns is wanted."""
    if fields.predicate and find_predicate(suggestion) != fields.predicate:
        return False
    if fields.evidence and find_evidence(suggestion, header) != fields.evidence:
        return False
    if fields.state and fields.state not in find_states(suggestion, header):
        return False
    if fields.least is not None or fields.most is not None:
        probability = find_probability(suggestion, header)
        low, high = fields.least or 0.0, 1.0 if fields.most is None else fields.most
        if probability is None or not low <= min(probability, 1.0) <= high:
            return False
    if fields.frequency is None:
        return True
    frequency = find_frequency(suggestion, header)
    return frequency is not None and frequency >= fields.frequency


def find_fitting_rows(workspace: Workspace, list_id: int, fields: SuggestionFields) -> list[int]:
    """Return the numbers of the suggestions of a list that are wanted, in its order.

    Raises:
        UserError: there is no such list.
    """
    header = find_list(workspace, list_id).head.header
    rows = read_list(workspace, list_id)
    return [number for number, row in enumerate(rows) if fits_fields(fields, row, header)]


def find_predicate(suggestion: Suggestion) -> str:
    """Return the predicate of a mapping; `NO_TERM` where nothing matches."""
    about = suggestion.about
    return NO_TERM if about.object == NO_TERM else about.question


def find_evidence(suggestion: Suggestion, header: Sequence[str]) -> str:
    """Return which of `EVIDENCE` a mapping rests on, the surest of them."""
    slots = suggestion.slots
    if has_equal_labels(suggestion):
        return "preferred"
    is_lexical = slots.get("mapping_justification") == "semapv:LexicalMatching"
    if is_lexical or _find_cell(suggestion, header, "same name") == "yes":
        return "synonym"
    return "reference" if _find_cell(suggestion, header, "known") == "yes" else "similar"


def find_probability(suggestion: Suggestion, header: Sequence[str]) -> float | None:
    """Return how probable a suggestion is, or how similar, as its list tells it."""
    cells = (_find_cell(suggestion, header, column) for column in _PROBABILITIES)
    figure = next((cell for cell in cells if isinstance(cell, int | float)), None)
    if figure is not None:
        return float(figure)
    try:
        return float(suggestion.slots.get("confidence", ""))
    except ValueError:
        return None


def find_frequency(suggestion: Suggestion, header: Sequence[str]) -> float | None:
    """Return how often a code of a list is used."""
    cell = _find_cell(suggestion, header, "frequency")
    return float(cell) if isinstance(cell, int | float) else None


def _find_cell(suggestion: Suggestion, header: Sequence[str], column: str) -> Cell:
    return next(
        (c for title, c in zip(header, suggestion.cells, strict=False) if title == column), None
    )
