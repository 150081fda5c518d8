"""Lists of this workspace that a file of mappings was exported from."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from termexplorer.exporters.tables import Cell
from termexplorer.services.curate.record_ids import RECORD_ID
from termexplorer.services.curate.review_slots import clip_cells
from termexplorer.services.curate.sssom_sets import columns_of, hash_row
from termexplorer.store.judging.suggestions import KeptList, Suggestion, kept_lists, suggested
from termexplorer.workspace import Workspace

__all__ = ["KnownList", "find_known_list"]

_VARYING = (RECORD_ID, "mapping_date")  # which an export adds
_OWN_TOOL = "termexplorer"


@dataclass(frozen=True, slots=True)
class KnownList:
    """A list that has mappings of a file.

    Attributes:
        list_id: which list.
        new: how many of the file's mappings it does not have.
    """

    list_id: int
    new: int


def find_known_list(
    workspace: Workspace, head: Mapping[str, Any], mappings: Iterable[Suggestion]
) -> KnownList | None:
    """Return the list that a file was exported from, the one that has most of its mappings.

    Args:
        workspace: where lists are kept.
        head: slots of the file's set.
        mappings: its mappings, each time they are asked for.

    Returns:
        None if the file does not say that it comes from a list as one here, or none has any of it.
    """
    with workspace.store.reading() as connection:
        candidates = [
            suggestion_list
            for suggestion_list in kept_lists(connection)
            if _may_come_from(head, suggestion_list)
        ]
        if not candidates:
            return None
        with_cells = bool(columns_of(head))
        keys = [_hash_mapping(mapping, with_cells=with_cells) for mapping in mappings]
        known_lists = []
        for candidate in candidates:
            rows = suggested(connection, candidate.id)
            known_hashes = {_hash_mapping(row, with_cells=with_cells) for row in rows}
            known_lists.append(
                KnownList(candidate.id, sum(key not in known_hashes for key in keys))
            )
    best = min(known_lists, key=lambda known_list: known_list.new)
    return best if best.new < len(keys) else None


def _may_come_from(head: Mapping[str, Any], suggestion_list: KeptList) -> bool:
    """Whether a set says that it was made of a list such as this."""
    if suggestion_list.head.kind == "imported":
        former = suggestion_list.head.head.get("mapping_set_id")
        sources = head.get("mapping_set_source", [])
        return bool(former) and former in ([sources] if isinstance(sources, str) else sources)
    is_ours = head.get("mapping_tool") == _OWN_TOOL
    return is_ours and list(columns_of(head).values()) == list(suggestion_list.head.header)


def _hash_mapping(mapping: Suggestion, *, with_cells: bool) -> int:
    about = mapping.about
    slots = {slot: text for slot, text in mapping.slots.items() if slot not in _VARYING and text}
    cells = _write_cells(mapping.cells) if with_cells else ""
    subject = json.dumps([about.question, about.subject, about.object, about.term, cells])
    return hash_row(slots | {"": subject})


def _write_cells(cells: Sequence[Cell]) -> str:
    """Return cells as text; a similarity above 1 by rounding is exported as 1."""
    return json.dumps(clip_cells(cells))
