"""Links of a release read in the order in which they lie, where a damaged one stops a look-up."""

import sqlite3
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator

Link = tuple[object, ...]
_LINKS = "SELECT child_id, parent_id FROM is_a NOT INDEXED"
_RELEASES = "SELECT id, release_id FROM concept NOT INDEXED"
_MOST_CHILDREN = 20  # of which a lost link may be


def read_links_as_they_lie(rows: sqlite3.Connection, release_id: int) -> Iterator[Link]:
    """Yield the links of a release; one whose child is no concept counts to the row before it.

    Raises:
        sqlite3.DatabaseError: not even that can be read.
    """
    releases = dict(rows.execute(_RELEASES))
    last = None
    for link in rows.execute(_LINKS):
        last = releases.get(link[0], last)
        if last == release_id:
            yield link


def find_lost_link(
    rows: sqlite3.Connection,
    release_id: int,
    between: tuple[Link | None, Link | None],
    is_expected: Callable[[Link], bool],
) -> Link | None:
    """Return the one link of two concepts of a release that fits a checksum; None for no such.

    Args:
        rows: of the store.
        release_id: of the release.
        between: the sound links before and after it; None at the ends.
        is_expected: whether a link fits the checksum.
    """
    query = f"{_RELEASES} WHERE release_id = ? ORDER BY id"
    concepts = [concept for concept, _release in rows.execute(query, (release_id,))]
    before, after = between
    first = bisect_left(concepts, before[0]) if before else 0
    end = bisect_right(concepts, after[0]) if after else len(concepts)
    children = concepts[first : min(end, first + _MOST_CHILDREN)]
    return next(
        (
            (child, parent)
            for child in children
            for parent in concepts
            if is_expected((child, parent))
        ),
        None,
    )
