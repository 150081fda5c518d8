"""Mappings to be carried over: of a file, or of a list that is kept in the workspace."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from termexplorer.errors import UserError
from termexplorer.services.curate.mapping_formats import open_mappings
from termexplorer.services.curate.review_files import read_mapping_set
from termexplorer.services.curate.suggestion_lists import find_list
from termexplorer.texts import tr
from termexplorer.workspace import Workspace

__all__ = ["MappingSource", "read_mappings"]


@dataclass(frozen=True, slots=True)
class MappingSource:
    """Mappings and where they are from.

    Attributes:
        title: for people.
        head: the slots of their set.
        rows: in the words of SSSOM.
        is_list: whether they are a list of the workspace, whose verdicts are in its log.
        made_here: whether a finder made that list, so that it did not come from a file.
        release_ids: of the subjects and objects of a list; None where nobody says.
    """

    title: str
    head: Mapping[str, Any]
    rows: Sequence[Mapping[str, str]]
    is_list: bool = False
    made_here: bool = False
    release_ids: tuple[int | None, int | None] = (None, None)


def read_mappings(text: str, open_workspace: Callable[[], Workspace]) -> MappingSource:
    """Read the mappings of a file, or what was judged of a list by its id.

    Of a list that came from a file, those that nobody judged are mappings too.

    Raises:
        UserError: there is none, or it cannot be read.
    """
    path = Path(text)
    if path.exists():
        with open_mappings(path) as opened:
            return MappingSource(path.name, opened.head, [row for _, row in opened.rows])
    if not text.isdecimal():
        raise UserError(tr("{path}: there is no such file; check its name and folder", path=text))
    workspace = open_workspace()
    kept_list = find_list(workspace, int(text))
    head, rows = read_mapping_set(workspace, kept_list.id)
    if not rows:
        raise UserError(
            tr("list {id}: nobody has judged a mapping of it, so none can be carried", id=text)
        )
    releases = (kept_list.head.release_id, kept_list.head.object_release_id)
    return MappingSource(kept_list.head.title, head, rows, True, not kept_list.head.head, releases)
