"""Lists of concepts that somebody put together, under a title."""

from collections.abc import Sequence

from termexplorer.errors import UserError
from termexplorer.store import lists
from termexplorer.store.lists import BOOKMARKS, Item, ListInfo
from termexplorer.workspace import Workspace

__all__ = [
    "BOOKMARKS",
    "Item",
    "ListInfo",
    "add_to_list",
    "concept_lists",
    "remove_list",
    "restore_list",
]


def concept_lists(workspace: Workspace) -> list[ListInfo]:
    """All lists of concepts, by title; bookmarks are one of them, once there are any."""
    with workspace.store.reading() as connection:
        return lists.concept_lists(connection)


def add_to_list(workspace: Workspace, title: str, release_id: int, curies: Sequence[str]) -> str:
    """Adds concepts of a release to a list, and makes it first if need be; says what was done.

    Raises:
        UserError: the title is empty.
    """
    title = " ".join(title.split())
    if not title:
        raise UserError("a list needs a title; write one")
    unique = dict.fromkeys(curies)
    with workspace.store.writing() as connection:
        items = lists.items_of(connection, release_id, unique)
        new = lists.add_to_list(connection, title, items)
    there = len(unique) - new
    known = f"; {there:,} {'was' if there == 1 else 'were'} on it before" if there else ""
    return f"{new:,} {'concept' if new == 1 else 'concepts'} put on the list {title}{known}"


def remove_list(workspace: Workspace, title: str) -> list[Item]:
    """Removes a list; its concepts stay. Returns what was on it, for `restore_list`."""
    with workspace.store.writing() as connection:
        return lists.remove_list(connection, title)


def restore_list(workspace: Workspace, title: str, items: Sequence[Item]) -> None:
    """Makes a list again as it was when it was removed."""
    with workspace.store.writing() as connection:
        lists.add_to_list(connection, title, items)
