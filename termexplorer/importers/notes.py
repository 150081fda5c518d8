"""Notes on what was counted while a file was read, in the language in use."""

from collections.abc import Iterator
from typing import Any

from termexplorer.importers.records import Note
from termexplorer.texts import tr, translated


def counted(kind: str, count: int, text: str, **values: Any) -> Iterator[Note]:
    """The note that there was something, if there was.

    Args:
        kind: Of the note.
        count: How many.
        text: Marked to be translated, with `{n}` for the count.
        values: What else is put in.
    """
    if count:
        yield Note(kind, count, translated(text, n=count, **values))


def absent(what: str) -> Note:
    """The note that a release lacks the file of something; `what` is marked."""
    return Note("absent", 1, tr("the release has no file of {what}", what=translated(what)))
