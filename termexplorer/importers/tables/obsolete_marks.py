"""A column that tells which concepts are obsolete: yes or no, or words such as `retired`.

It is read where every value of it is understood. A yes means obsolete under most titles, and in use
under such as `active`; under `status` only words that say it themselves are understood, as a 1
there is obsolete for some and in use for others.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from termexplorer.importers.records import Note
from termexplorer.importers.tables.titles import marks_in_use, marks_status
from termexplorer.importers.text.notes import count_key, counted, list_counts
from termexplorer.importers.text.text import clean
from termexplorer.texts import mark, tr

_YES = {"true", "t", "1", "1.0", "yes", "y", "x", "on", "ja", "j", "wahr", "✓"}
_NO = {"false", "f", "0", "0.0", "no", "n", "off", "nein", "falsch"}
_OBSOLETE = {
    "obsolete", "retired", "deprecated", "inactive", "withdrawn", "superseded", "replaced",
    "deleted", "expired", "discontinued", "invalid", "not active", "non-active", "noncurrent",
    "not current", "disabled", "archived", "legacy", "veraltet", "inaktiv", "ungültig",
    "zurückgezogen", "gelöscht", "ersetzt", "abgelöst",
}  # fmt: skip
_IN_USE = {
    "active", "current", "valid", "live", "in use", "published", "released", "approved", "accepted",
    "enabled", "not obsolete", "not deprecated", "aktiv", "aktuell", "gültig", "in gebrauch",
}  # fmt: skip


@dataclass(slots=True)
class ObsoleteMarks:
    """What a column says of which concepts are obsolete.

    Attributes:
        title: Of the column; "" without titles.
        not_understood: Value -> how many cells, of those that nothing is known of.
    """

    title: str = ""
    not_understood: Counter[str] = field(default_factory=Counter)
    _empty: int = 0
    _noes: int = 0
    _said: dict[str, bool] = field(default_factory=dict)
    _contradicted: dict[str, int] = field(default_factory=dict)

    def add_cell(self, cell: str) -> None:
        """Look at a cell of the column, before any is read."""
        text = clean(cell).casefold()
        if not text:
            self._empty += 1
        elif (is_obsolete := self._read(text)) is None:
            count_key(self.not_understood, text)
        else:
            self._noes += is_obsolete

    @property
    def is_read(self) -> bool:
        """Whether all values are understood."""
        return not self._list_not_understood()

    def is_obsolete(self, identifier: str, line: int, cell: str) -> bool:
        """Return whether a row says that its concept is obsolete; an empty cell says nothing."""
        stated = self._read(clean(cell).casefold()) if self.is_read else None
        if stated is None:
            return False
        if self._said.setdefault(identifier, stated) != stated:
            self._contradicted.setdefault(identifier, line)
        return stated

    def notes_before(self) -> Iterator[Note]:
        """Say what is not understood."""
        values = self._list_not_understood()
        yield from counted(
            "obsolete not understood",
            values.total(),
            mark(
                "the column {title!r} is to tell which concepts are obsolete, and is not read: "
                "values that are not understood: {values}; write them as true and false, or as "
                "active and obsolete"
            ),
            title=self.title,
            values=list_counts(values),
        )

    def notes(self) -> Iterator[Note]:
        """Say which concepts have rows that differ."""
        yield from counted(
            "obsolete and not",
            len(self._contradicted),
            mark(
                "concepts with rows that say they are obsolete and others that say they are not, "
                "taken as obsolete: {n:,}, the first in line {line}"
            ),
            line=next(iter(self._contradicted.values()), 0),
        )

    def _list_not_understood(self) -> Counter[str]:
        """The values; empty cells too where a yes means in use and nothing else means no."""
        if self._empty and marks_in_use(self.title) and not self._noes:
            return self.not_understood + Counter({tr("empty cells"): self._empty})
        return self.not_understood

    def _read(self, text: str) -> bool | None:
        """Whether a value says obsolete; None where it says nothing that is known."""
        if text in _OBSOLETE or text in _IN_USE:
            return text in _OBSOLETE
        if marks_status(self.title) or text not in _YES | _NO:
            return None
        return (text in _YES) != marks_in_use(self.title)
