"""The names of a release as a table."""

from collections.abc import Iterator
from pathlib import Path

from termexplorer.services.files.exports import write_table
from termexplorer.workspace import Workspace

NAMES_HEADER = ("concept", "name", "kind", "scope", "obsolete")
_NAMES = """SELECT c.curie, n.text, n.kind, n.scope, c.obsolete
    FROM name n NOT INDEXED LEFT JOIN concept c ON c.id = n.concept_id
    WHERE n.release_id = ? ORDER BY n.id"""


def write_names(workspace: Workspace, path: Path, release_id: int) -> int:
    """Write the names of a release under `NAMES_HEADER`, and return how many there are.

    Args:
        workspace: where it is.
        path: where to; its ending tells the form.
        release_id: the release.

    Raises:
        UserError: another ending than a table has, or the place cannot be written to.
    """
    count = 0

    def read_rows() -> Iterator[tuple[str, ...]]:
        nonlocal count
        for curie, text, kind, scope, obsolete in reader.execute(_NAMES, (release_id,)):
            count += 1
            yield (curie or "", text, kind, scope, "obsolete" if obsolete else "")

    with workspace.store.looking() as reader:
        write_table(path, NAMES_HEADER, read_rows())
    return count
