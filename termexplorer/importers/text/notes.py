"""Notes on what was counted while a file was read, in the language in use."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from termexplorer.importers.records import Note
from termexplorer.texts import join_texts, number, tr, translated

_SHOWN = 20
_LONGEST_KEY, _MOST_KEYS = 200, 1_000
_REST = "…"


def counted(kind: str, count: int, text: str, **values: Any) -> Iterator[Note]:
    """The note that there was something, if there was.

    Args:
        kind: Of the note.
        count: How many.
        text: Marked to be translated, with `{n}` for the count; of two forms if it depends on it.
        values: What else is put in.
    """
    if count:
        yield Note(kind, count, translated(text, n=count, **values))


def absent(file_kind: str) -> Note:
    """The note that a release lacks the file of something; `file_kind` is marked."""
    return Note("absent", 1, tr("the release has no file of {what}", what=translated(file_kind)))


def count_key(counts: Counter[str], key: str) -> None:
    """Count what is left out by its sort; the sorts of a file made to have millions are one."""
    key = key[:_LONGEST_KEY]
    counts[key if key in counts or len(counts) < _MOST_KEYS else _REST] += 1


def list_counts(counts: Counter[str]) -> str:
    """Return `part_of 12, has_part 3 and 4 more`, the most frequent first."""
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    listed = ", ".join(f"{key} {number(count)}" for key, count in ordered[:_SHOWN])
    more = len(ordered) - _SHOWN
    return join_texts((listed, tr(" and {n} more", n=more))) if more > 0 else listed


def count_by_sort(kind: str, counts: Counter[str], text: str) -> Iterator[Note]:
    """Yield the note of what was left out, by its sorts, if there was any.

    Args:
        kind: Of the note.
        counts: Sort -> how many.
        text: Marked to be translated, with `{n}` for the total and `{listed}` for the sorts.
    """
    yield from counted(kind, counts.total(), text, listed=list_counts(counts))
