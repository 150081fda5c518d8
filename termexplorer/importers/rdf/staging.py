"""What a file says of each subject, gathered on the disk: triples come in any order."""

import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import TypeAlias

from pyoxigraph import BlankNode, Literal, NamedNode, Quad

from termexplorer.importers.files.source import Source
from termexplorer.importers.rdf import vocabulary as known
from termexplorer.importers.rdf.parsing import Triples
from termexplorer.importers.rdf.subproperties import Subproperties, declares_subproperties
from termexplorer.importers.text.notes import count_key
from termexplorer.importers.text.properties import NAMES

_BATCH = 20_000
_CACHE = -64 * 1024  # KiB, of SQLite, for reading and for sorting
_SCHEMA = """
    PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA temp_store = FILE;
    CREATE TABLE row (subject TEXT, field TEXT, value TEXT, language TEXT);
    CREATE TABLE name_field (field TEXT);
    CREATE VIEW typed AS SELECT DISTINCT subject, value AS kind FROM row WHERE field = 'type';
    CREATE VIEW concept AS SELECT subject, kind FROM typed WHERE kind IN ('class', 'concept');
    CREATE VIEW member AS SELECT DISTINCT subject, value AS scheme FROM row
        WHERE field IN ('scheme', 'top') AND subject IN (SELECT subject FROM concept);
"""
_INDEX = "CREATE INDEX parents ON row (value) WHERE field = 'parent'"
_NODE_TEXT, _TO_NODE = "text", "@"  # a field of nodes, and what begins the fields that lead there
_RESOLVE = """
    CREATE INDEX node_texts ON row (subject) WHERE field = 'text';
    INSERT INTO row
        SELECT link.subject, substr(link.field, 2), node.value, node.language
        FROM row AS link JOIN row AS node ON node.subject = link.value AND node.field = 'text'
        WHERE link.field LIKE '@%'
        EXCEPT SELECT subject, field, value, language FROM row
        WHERE field IN (SELECT substr(field, 2) FROM row WHERE field LIKE '@%');
"""
_ABSENT = """SELECT count(*) FROM row AS link WHERE link.field LIKE '@%' AND NOT EXISTS
    (SELECT 1 FROM row AS node WHERE node.subject = link.value AND node.field = 'text')"""
_RESOLVED = "DELETE FROM row WHERE field = 'text' OR field LIKE '@%'"
_STEPS = 1_000_000  # of SQLite, between looks at whether to go on

Row: TypeAlias = tuple[str, str, str, str]
"""Subject, field, value, language in lower case; the value is an IRI or a text."""


@dataclass(frozen=True, slots=True)
class RdfSubject:
    """What a file says of one subject.

    Attributes:
        iri: Of the subject.
        values_by_field: Field -> (value, language) as they come.
    """

    iri: str
    values_by_field: dict[str, list[tuple[str, str]]]

    @classmethod
    def of(cls, iri: str, rows: Iterable[tuple[str, ...]]) -> "RdfSubject":
        """From rows of field, value and language."""
        values_by_field: dict[str, list[tuple[str, str]]] = {}
        for field, value, language in rows:
            values_by_field.setdefault(field, []).append((value, language))
        return cls(iri, values_by_field)

    def texts(self, *fields: str) -> list[tuple[str, str]]:
        """The (value, language) of some fields."""
        return [value for field in fields for value in self.values_by_field.get(field, ())]

    def values(self, *fields: str) -> list[str]:
        """The values of some fields."""
        return [value for value, _ in self.texts(*fields)]


class Staging:
    """The triples of a file that the importer knows, in a temporary database.

    Its table is `row`: subject, field, value, language; `typed`, `concept` (classes and concepts)
    and `member` (of schemes) are views of it.

    Attributes:
        prefixes: Prefix -> IRI, as the file declares them.
        counts: What was counted and not kept -> how many.
        unknown_properties: IRI of a property that is not known -> how many statements.
    """

    def __init__(self, source: Source) -> None:
        self.counts: Counter[str] = Counter()
        self.unknown_properties: Counter[str] = Counter()
        self._database = sqlite3.connect("")  # a file that goes with the connection
        self._database.executescript(_SCHEMA)
        self._database.execute(f"PRAGMA cache_size = {_CACHE}")
        self._database.executemany("INSERT INTO name_field VALUES (?)", zip(NAMES))
        self._subproperties = Subproperties(self._database, declares_subproperties(source))
        self._stopped: BaseException | None = None
        self._source = source
        try:
            triples = Triples(source)
            self._fill(triples)
            self.prefixes = triples.prefixes
            self._resolve_nodes()
            self._database.execute(_INDEX)
        except BaseException:
            self.close()
            raise
        self._database.set_progress_handler(self._look, _STEPS)

    def close(self) -> None:
        """Throw it away."""
        self._database.close()

    def rows(self, query: str, *values: object) -> Iterator[tuple[str, ...]]:
        """The rows of a query on the table `row`.

        Raises:
            BaseException: What the source's `watch` raised meanwhile.
        """
        try:
            yield from self._database.execute(query, values)
        except sqlite3.OperationalError:
            if self._stopped:
                raise self._stopped from None
            raise

    def number(self, query: str, *values: object) -> int:
        """The single number that a query gives."""
        return int(next(self.rows(query, *values))[0])

    def subjects(self) -> Iterator[RdfSubject]:
        """Everything that is said, by subject, in the order of their IRIs."""
        rows = self.rows("SELECT subject, field, value, language FROM row ORDER BY subject, rowid")
        for iri, group in groupby(rows, itemgetter(0)):
            yield RdfSubject.of(iri, (row[1:] for row in group))

    def _look(self) -> int:
        try:
            self._source.advance(0)
        except BaseException as error:
            self._stopped = error
            return 1
        return 0

    def _fill(self, triples: Triples) -> None:
        self._read_triples(triples)
        for row, predicate in self._subproperties.known_statements():
            self.unknown_properties[predicate] -= 1
            self._write([row])

    def _read_triples(self, triples: Triples) -> None:
        batch: list[Row] = []
        for triple in triples:
            row = self._row(triple)
            if row is None:
                continue
            batch.append(row)
            if len(batch) >= _BATCH:
                self._write(batch)
        self._write(batch)

    def _resolve_nodes(self) -> None:
        """Give subjects the texts that stand in nodes of their own, as SKOS-XL has labels."""
        if self.number("SELECT count(*) FROM row WHERE field LIKE '@%'"):
            self._database.executescript(_RESOLVE)
            self.counts["absent texts"] += self.number(_ABSENT)
        self._database.execute(_RESOLVED)

    def _write(self, batch: list[Row]) -> None:
        self._database.executemany("INSERT INTO row VALUES (?, ?, ?, ?)", batch)
        batch.clear()

    def _row(self, triple: Quad) -> Row | None:
        """What to keep of a triple; else it is counted."""
        subject, predicate, value = triple.subject, triple.predicate.value, triple.object
        if predicate == known.TYPE:
            return self._typed(subject, value)
        if field := known.FIELDS.get(predicate):
            return self._said(subject, field, value, predicate)
        if field := known.INVERSE.get(predicate):
            return self._said(value, field, subject, predicate)
        if field := known.NODES.get(predicate):
            return self._said_by_node(subject, field, value, predicate)
        if predicate in known.NODE_TEXTS and isinstance(value, Literal):
            return _key_of(subject), _NODE_TEXT, value.value, (value.language or "").lower()
        if kind := known.COUNTED.get(predicate):
            self.counts[kind] += 1
        else:
            self._subproperties.look(triple)
            self._count_other(subject, predicate)
        return None

    def _count_other(self, subject: object, predicate: str) -> None:
        if isinstance(subject, NamedNode):
            count_key(self.unknown_properties, predicate)
        else:
            self.counts["parts of expressions"] += 1

    def _typed(self, subject: object, value: object) -> Row | None:
        kind = value.value if isinstance(value, NamedNode) else ""
        if isinstance(subject, NamedNode) and kind in known.TYPES:
            if kind == known.DEPRECATED_CLASS:
                self._write([(subject.value, "deprecated", "true", "")])
            return subject.value, "type", known.TYPES[kind], ""
        if counted := known.COUNTED_TYPES.get(kind):
            self.counts[counted] += 1
        if known.TYPES.get(kind) == known.CONCEPT:
            self.counts["without IRI"] += 1
        return None

    def _said(self, subject: object, field: str, value: object, predicate: str) -> Row | None:
        if not isinstance(subject, NamedNode):
            return None  # of an axiom or expression, which is counted by its type
        if isinstance(value, Literal) and field not in known.IRIS:
            return subject.value, field, value.value, (value.language or "").lower()
        if isinstance(value, NamedNode) and field not in known.TEXTS:
            return subject.value, field, value.value, ""
        if field == "parent" and isinstance(value, BlankNode):
            self.counts["superclass expressions"] += 1
            return None
        return self._said_by_node(subject, field, value, predicate)

    def _said_by_node(
        self, subject: object, field: str, value: object, predicate: str
    ) -> Row | None:
        if isinstance(subject, NamedNode) and field in known.TEXTS and _key_of(value):
            return subject.value, _TO_NODE + field, _key_of(value), ""
        self._count_other(subject, predicate)
        return None


def _key_of(node: object) -> str:
    """Return what tells a node from the others; "" where it is a text."""
    if isinstance(node, NamedNode):
        return node.value
    return f"_:{node.value}" if isinstance(node, BlankNode) else ""
