"""Properties that a file puts below known ones: what they say is read as those are.

`ex:shortName rdfs:subPropertyOf skos:altLabel` may stand anywhere in a file, so what unknown
properties say is kept on the disk until all is read, if the file speaks of such properties at all.
"""

import sqlite3
from collections.abc import Iterator

from pyoxigraph import Literal, NamedNode, Quad

from termexplorer.importers.files.source import Source
from termexplorer.importers.rdf import vocabulary as known
from termexplorer.importers.text.properties import NAMES, RDFS

_BELOW = f"{RDFS}subPropertyOf"
_WORD = b"subPropertyOf"
_PART = 1 << 20
_BATCH = 20_000
_FIELDS = frozenset({*NAMES, "definition", "note", "broader", "xref", "replaced", "consider"})
_SCHEMA = "CREATE TABLE other (subject TEXT, predicate TEXT, value TEXT, language TEXT, iri INT)"

Row = tuple[str, str, str, str]


def declares_subproperties(source: Source) -> bool:
    """Return whether a file has the word for it."""
    tail = b""
    with source.opened_aside() as stream:
        while part := stream.read(_PART):
            if _WORD in tail + part:
                return True
            tail = part[-len(_WORD) :]
    return False


class Subproperties:
    """What unknown properties of a file say, and which of them are below known ones.

    Args:
        database: Where statements are kept meanwhile.
        is_used: Whether the file speaks of such properties; else nothing is kept.
    """

    def __init__(self, database: sqlite3.Connection, is_used: bool) -> None:
        self._database, self._is_used = database, is_used
        self._above: dict[str, set[str]] = {}
        self._batch: list[tuple[str, str, str, str, bool]] = []
        if is_used:
            database.execute(_SCHEMA)

    def look(self, triple: Quad) -> None:
        """Keep a statement of an unknown property about a named subject."""
        subject, value = triple.subject, triple.object
        if not self._is_used or not isinstance(subject, NamedNode):
            return
        predicate = triple.predicate.value
        if predicate == _BELOW and isinstance(value, NamedNode):
            self._above.setdefault(subject.value, set()).add(value.value)
        elif isinstance(value, Literal | NamedNode):
            language = (value.language or "").lower() if isinstance(value, Literal) else ""
            row = (subject.value, predicate, value.value, language, isinstance(value, NamedNode))
            self._batch.append(row)
            if len(self._batch) >= _BATCH:
                self._write_batch()

    def known_statements(self) -> Iterator[tuple[Row, str]]:
        """Yield subject, field, value and language of what can be read after all, and by what."""
        if self._is_used:
            self._write_batch()
        query = "SELECT subject, value, language, iri FROM other WHERE predicate = ? ORDER BY rowid"
        for predicate in sorted(self._above):
            field = self._field_above(predicate)
            for subject, value, language, is_iri in self._rows(query, predicate) if field else ():
                if field not in (known.IRIS if not is_iri else known.TEXTS):
                    yield (subject, field, value, language), predicate
        if self._is_used:
            self._database.execute("DROP TABLE other")

    def _write_batch(self) -> None:
        self._database.executemany("INSERT INTO other VALUES (?, ?, ?, ?, ?)", self._batch)
        self._batch.clear()

    def _rows(self, query: str, predicate: str) -> list[tuple[str, str, str, bool]]:
        return self._database.execute(query, (predicate,)).fetchall()

    def _field_above(self, predicate: str) -> str:
        """Return the field of the nearest known property above one, "" where there is none."""
        seen, waiting = {predicate}, [predicate]
        while waiting:
            above = sorted(self._above.get(waiting.pop(0), set()) - seen)
            for iri in above:
                if (field := known.FIELDS.get(iri, "")) in _FIELDS:
                    return field
            seen.update(above)
            waiting += above
        return ""
