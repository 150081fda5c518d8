"""What a newer release made of mappings that were carried over to it, in words."""

from collections.abc import Sequence

from termexplorer.store.judging.suggestions import Suggestion
from termexplorer.texts import mark, tr, translated

__all__ = [
    "BETTER", "HOLDS", "MERGED", "MOVED", "REASONS", "RENAMED", "REPLACED", "RETIRED", "SPLIT",
    "STALE", "STATE", "STATE_WORDS", "explain_state", "find_states", "word_states",
]  # fmt: skip

RETIRED, REPLACED, MERGED, SPLIT = "retired", "replaced", "merged", "split"
RENAMED, MOVED, BETTER = "renamed", "moved", "better-candidate"
REASONS = {
    RETIRED: mark("it is withdrawn, and nothing is named in its place"),
    REPLACED: mark("it is withdrawn, and a new term takes its place"),
    MERGED: mark("it went into a term that was there already"),
    SPLIT: mark("several terms take its place"),
    RENAMED: mark("it is called otherwise"),
    MOVED: mark("it is below other terms"),
    BETTER: mark("a new term has the name of what it is mapped to"),
}
"""Why a mapping is stale."""
STATE = "state"
"""The column of what a newer release made of a mapping."""
HOLDS = "holds"
"""What stands there where it made nothing of it."""
STALE = "stale"
"""Any other state."""
STATE_WORDS = {
    STALE: mark("needs a person"),
    RETIRED: mark("retired"),
    REPLACED: mark("replaced"),
    MERGED: mark("merged"),
    SPLIT: mark("split"),
    RENAMED: mark("renamed"),
    MOVED: mark("moved"),
    BETTER: mark("better candidate"),
    HOLDS: mark("holds"),
}
"""States as they stand in a table, in the order in which they are offered."""
_SEPARATOR = "; "


def find_states(suggestion: Suggestion, header: Sequence[str]) -> list[str]:
    """Return what a newer release made of a mapping: `HOLDS`, or its reasons and `STALE`.

    Nothing of mappings that were not carried over.
    """
    if STATE not in header:
        return []
    states = str(suggestion.cells[list(header).index(STATE)]).split(_SEPARATOR)
    return states if states == [HOLDS] else [*states, STALE]


def word_states(cell: str) -> str:
    """Return what a table shows of the states of a mapping."""
    parts = cell.split(_SEPARATOR)
    return _SEPARATOR.join(translated(STATE_WORDS.get(part, part)) for part in parts)


def explain_state(suggestion: Suggestion, header: Sequence[str]) -> str:
    """Return what was mapped on the older release, and what became of it; "" where it holds."""
    reasons = [state for state in find_states(suggestion, header) if state in REASONS]
    if not reasons:
        return ""
    cells = dict(zip(header, suggestion.cells, strict=False))
    return tr(
        "On the older release {concept} ({name}): {reasons}",
        concept=cells.get("former concept", ""),
        name=cells.get("former name", ""),
        reasons=_SEPARATOR.join(translated(REASONS[reason]) for reason in reasons),
    )
