"""Lists of concepts that somebody put together, under a title; they can be classes of a run."""

from collections.abc import Sequence

from termexplorer.errors import UserError
from termexplorer.store.judging import lists
from termexplorer.store.judging.bookmarks import BOOKMARKS
from termexplorer.store.judging.lists import CONCEPTS, NAMES, Item, ListInfo
from termexplorer.texts import mark, tr, translated, trn
from termexplorer.workers.data.list_classes import ListClass
from termexplorer.workspace import Workspace

__all__ = [
    "BOOKMARKS",
    "Item",
    "ListInfo",
    "add_to_list",
    "class_of_list",
    "class_sizes",
    "concept_lists",
    "remove_list",
    "restore_list",
    "shown_title",
]

_NO_LIST = mark(
    "there is no list {title}; none has names in this ontology yet: keep what is enclosed on a map "
    "as one"
)
_BOOKMARKS = mark("bookmarks")


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
        raise UserError(tr("a list needs a title; write one"))
    unique = dict.fromkeys(curies)
    with workspace.store.writing() as connection:
        items = lists.items_of(connection, release_id, unique)
        new = lists.add_to_list(connection, title, items)
    known_count = len(unique) - new
    message = trn(
        "{n:,} concept put on the list {title}",
        "{n:,} concepts put on the list {title}",
        new,
        title=title,
    )
    if not known_count:
        return message
    return trn(
        "{told}; {n:,} was on it before",
        "{told}; {n:,} were on it before",
        known_count,
        told=message,
    )


def shown_title(title: str) -> str:
    """What a list is called before people: its title, but for bookmarks."""
    return translated(_BOOKMARKS) if title == BOOKMARKS else title


def remove_list(workspace: Workspace, title: str) -> list[Item]:
    """Removes a list; its concepts stay. Returns what was on it, for `restore_list`."""
    with workspace.store.writing() as connection:
        return lists.remove_list(connection, title)


def restore_list(workspace: Workspace, title: str, items: Sequence[Item]) -> None:
    """Makes a list again as it was when it was removed."""
    with workspace.store.writing() as connection:
        lists.add_to_list(connection, title, items)


def class_sizes(workspace: Workspace, release_id: int | None) -> list[ListInfo]:
    """The lists that can be a class of a run on a release, with how many names they have there."""
    if release_id is None:
        return []
    with workspace.store.reading() as connection:
        return [size for size in lists.list_sizes(connection, release_id) if size.items > 1]


def class_of_list(workspace: Workspace, title: str, release_id: int) -> ListClass:
    """A list as it is now, as a class of a run on a release.

    Raises:
        UserError: there is no such list, it is empty, or one of pairs.
    """
    with workspace.store.reading() as connection:
        list_members = lists.members(connection, title, release_id)
        sizes = lists.list_sizes(connection, release_id) if list_members is None else []
    if list_members is None:
        known = ", ".join(size.title for size in sizes)
        if not known:
            raise UserError(translated(_NO_LIST, title=title))
        raise UserError(
            tr(
                "there is no list {title}; with names in this ontology there are {known}",
                title=title,
                known=known,
            )
        )
    if list_members.kind not in (CONCEPTS, NAMES):
        raise UserError(
            tr(
                "the list {title} is one of {kind}; a class needs concepts or names",
                title=title,
                kind=list_members.kind,
            )
        )
    if not list_members.subjects and not list_members.elsewhere:
        raise UserError(tr("the list {title} is empty; put concepts on it first", title=title))
    return ListClass(title, list_members.kind, list_members.subjects, list_members.elsewhere)
