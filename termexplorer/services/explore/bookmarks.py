"""Bookmarks: concepts that somebody wants to find again, in every release."""

from termexplorer.store.judging.bookmarks import bookmarked
from termexplorer.store.releases.concepts import ConceptRef
from termexplorer.workspace import Workspace


def bookmarks(workspace: Workspace) -> list[ConceptRef]:
    """Bookmarked concepts in their newest release."""
    with workspace.store.looking() as connection:
        return bookmarked(connection)


def toggle_bookmark(workspace: Workspace, concept_id: int) -> bool:
    """Sets or takes away a bookmark; returns whether it is set now."""
    from termexplorer.store.judging import lists

    with workspace.store.writing() as connection:
        return lists.toggle_bookmark(connection, concept_id)
