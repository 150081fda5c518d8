"""The names of a release in the order of their texts: in it names and their starts are found.

An index over the texts would be written to at random places by every batch of an import, which took
a quarter of its time. The rows of a release are written here in their order, when all are there.
"""

import json
from collections.abc import Callable

from termexplorer.store.database.engine import Store
from termexplorer.store.database.raw_sql import SqlReader

_AT_ONCE = 20_000  # rows of a transaction
_SORTED = "SELECT id FROM name WHERE release_id = ? ORDER BY text COLLATE NOCASE, id"
_ALL = """INSERT INTO sorted_name SELECT release_id, text, id, concept_id FROM name
    WHERE release_id = ? ORDER BY text COLLATE NOCASE, id"""
_ADD = """INSERT INTO sorted_name SELECT n.release_id, n.text, n.id, n.concept_id
    FROM json_each(?) sorted CROSS JOIN name n ON n.id = sorted.value"""


def sort_names(store: Store, release_id: int, progress: Callable[[], None]) -> None:
    """Writes the names of a release that nobody sees yet in the order of their texts.

    Args:
        store: where they are.
        release_id: the release, whose names will not change any more.
        progress: is called after each short transaction; may raise to stop.
    """
    with store.looking() as names:
        rows = names.execute(_SORTED, (release_id,))
        while part := rows.fetchmany(_AT_ONCE):
            with store.filling(trusted=True) as connection:
                connection.exec_driver_sql(_ADD, (json.dumps([id_ for (id_,) in part]),))
            progress()


def sort_names_anew(writer: SqlReader, release_id: int) -> None:
    """Write the order of a release's names in the place of the one that there is."""
    writer.exec_driver_sql("DELETE FROM sorted_name WHERE release_id = ?", (release_id,))
    writer.exec_driver_sql(_ALL, (release_id,))
