"""The last row of the log of verdicts, kept in a file of its own beside the store.

The rows of the log are chained, so that a changed or missing row is found; but a tail that was cut
off leaves a chain that is whole. The file tells how long it was.
"""

import json
import zlib
from pathlib import Path

from termexplorer.errors import UserError
from termexplorer.files import atomic_write
from termexplorer.store.database.raw_sql import SqlReader
from termexplorer.texts import tr

HEAD_FILE = "verdicts-head.json"
_LAST = "SELECT id, hash FROM verdict ORDER BY id DESC LIMIT 1"
_HASH = "SELECT hash FROM verdict WHERE id = ?"


def keep_log_head(connection: SqlReader, folder: Path) -> None:
    """Write down the last row of the log, where it is another than the one that stands there.

    Args:
        connection: to the store.
        folder: of the workspace.
    """
    row = connection.exec_driver_sql(_LAST).fetchone()
    head = {"row": row[0], "hash": row[1]} if row else None
    before = _read_head(folder)
    if head is None or head == before or (before and not _has_row(connection, before)):
        return  # an end that was cut off is not forgotten by whoever looks next
    try:
        with atomic_write(folder / HEAD_FILE) as fresh:
            fresh.write_text(json.dumps(head | {"check": _sum_head(head)}), "utf-8")
    except UserError:
        return  # on a full disk or a read-only medium; the log itself is as it was


def is_head_damaged(folder: Path) -> bool:
    """Return whether the file is there and is not what was written."""
    return (folder / HEAD_FILE).exists() and _read_head(folder) is None


def forget_log_head(folder: Path) -> None:
    """Remove the file, after a copy with a shorter log was put in the store's place."""
    (folder / HEAD_FILE).unlink(missing_ok=True)


def check_log_head(connection: SqlReader, folder: Path) -> None:
    """Hold the log against the file beside the store.

    Raises:
        UserError: the row that was its last is not in it, or another.
    """
    head = _read_head(folder)
    if head is None:
        return
    if not _has_row(connection, head):
        raise UserError(
            tr(
                "the log of verdicts had {rows:,} rows, and its end is not there any more; put "
                "back the newest copy from the folder `backups` of the workspace",
                rows=head["row"],
            )
        )


def _has_row(connection: SqlReader, head: dict[str, int | str]) -> bool:
    row = connection.exec_driver_sql(_HASH, (head["row"],)).fetchone()
    return row is not None and row[0] == head["hash"]


def _sum_head(head: dict[str, int | str]) -> int:
    return zlib.crc32(f"{head['row']} {head['hash']}".encode("utf-8", "backslashreplace"))


def _read_head(folder: Path) -> dict[str, int | str] | None:
    try:
        content = json.loads((folder / HEAD_FILE).read_text("utf-8"))
        head: dict[str, int | str] = {"row": int(content["row"]), "hash": str(content["hash"])}
        sound = content.get("check", _sum_head(head)) == _sum_head(head)  # earlier ones have none
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None
    return head if sound else None
