"""The note on a terminology's licence goes with every file in which its concepts stand."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

from termexplorer.files import atomic_write
from termexplorer.licences import licence_notes, noted_prefixes

_ENDING = ".licence.txt"
Cell = TypeVar("Cell")


class Noted:
    """Sees which terminologies the rows of a file are of."""

    def __init__(self) -> None:
        self._prefixes: set[str] = set()

    def rows(self, rows: Iterable[Sequence[Cell]]) -> Iterator[Sequence[Cell]]:
        """The same rows, looked at as they pass."""
        for row in rows:
            self.see(row)
            yield row

    def see(self, cells: Iterable[object]) -> None:
        """Looks at cells, some of which may be CURIEs."""
        self._prefixes.update(noted_prefixes(cells))

    def see_mappings(self, rows: Iterable[Mapping[str, str]]) -> None:
        """Look at both sides of mappings."""
        self.see(row.get(slot) for row in rows for slot in ("subject_id", "object_id"))

    def keep(self, path: Path) -> None:
        """Writes the notes beside a file, `FILE.licence.txt`, if there are any.

        Raises:
            UserError: the place cannot be written to.
        """
        if not self._prefixes:
            return
        notes = [licence_notes()[prefix] for prefix in sorted(self._prefixes)]
        with atomic_write(path.with_name(path.name + _ENDING)) as fresh:
            fresh.write_text("".join(f"{note}\n" for note in notes), encoding="utf-8")
