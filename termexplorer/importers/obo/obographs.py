"""OBO Graphs JSON, streamed: the first graph is the ontology, the others are counted.

A graph's id and version may follow its nodes, so the file is read for what it says about itself,
and then for concepts and for links: whole nodes and edges come from the parser's own code, which is
far faster than making them of events. JSON has no lines worth naming, so records carry line 0.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice
from typing import Any

from termexplorer.errors import UserError
from termexplorer.importers.files.json_events import JsonEvents
from termexplorer.importers.files.source import Source
from termexplorer.importers.obo.obographs_nodes import NodeReader, is_reference
from termexplorer.importers.records import (
    ConceptRecord,
    Header,
    IsARecord,
    Note,
    Record,
    Skipped,
)
from termexplorer.importers.text.curies import Curies, release_version, terminology_key
from termexplorer.importers.text.notes import count_by_sort, count_key, counted
from termexplorer.importers.text.properties import SUBCLASS, expand_property, shorten_property
from termexplorer.importers.text.text import NameCleaner, clean, mentions_licence
from termexplorer.licences import licence_notes
from termexplorer.texts import mark_plural, tr, trn

_NODES = "graphs.item.nodes.item"
_EDGES = "graphs.item.edges.item"
_VALUES = "graphs.item.meta.basicPropertyValues.item"
_CLASSES = ("CLASS", None)
_MOST_PREDICATES = 1_000  # of which is known whether they are is-a
_NODES_OF_KIND = " nodes"
_IS_A = frozenset({"is_a", "subClassOf", SUBCLASS})
_AXIOMS = (  # of a graph, which are counted
    "equivalentNodesSets", "logicalDefinitionAxioms", "disjointClassAxioms",
    "domainRangeAxioms", "propertyChainAxioms",
)  # fmt: skip
_AXIOM_PLACES = {f"graphs.item.{axiom}.item": axiom for axiom in _AXIOMS}
_NODE_ID = f"{_NODES}.id"
_SURVEYED = frozenset(
    {
        "graphs.item", "graphs.item.id", "graphs.item.lbl", "graphs.item.meta.version", _NODES,
        _NODE_ID, _EDGES, _VALUES, f"{_VALUES}.pred", f"{_VALUES}.val", *_AXIOM_PLACES,
    }
)  # fmt: skip


def read(source: Source, options: Mapping[str, object]) -> Iterator[Record]:
    """Yield the header, then concepts and is-a links as they come, then notes.

    Args:
        source: The file; its `passes` should be 3.
        options: None are known.

    Raises:
        UserError: No OBO Graphs file, damaged or truncated, or without a concept.
    """
    about = _survey_file(source)
    yield about.header()
    reading = _GraphReading()
    for record in reading.records(source, about):
        reading.concepts += isinstance(record, ConceptRecord)
        yield record
    if not reading.concepts:
        raise UserError(
            tr("{path} holds no concept in its first graph; choose another file", path=source.path)
        )
    yield from reading.notes(about)


@dataclass(slots=True)
class _About:
    """What a file says about itself and holds besides its ontology."""

    graphs: int = 0
    nodes: int = 0  # of the first graph, as are its edges
    edges: int = 0
    identifier: str = ""
    label: str = ""
    version: str = ""
    values: list[list[str]] = field(default_factory=list)  # [predicate, value] each
    prefixes: dict[str, str] = field(default_factory=dict)
    axioms: Counter[str] = field(default_factory=Counter)

    def header(self) -> Header:
        licence = self._value("license") or self._value("rights")
        comments = (value for _, value in self.values if mentions_licence(value))
        terminology = terminology_key(self.identifier)
        return Header(
            terminology=terminology or None,
            title=self.label or self._value("title"),
            version=release_version(self.version or self._value("versionInfo")),
            licence=licence or next(comments, licence_notes().get(terminology.upper(), "")),
            prefixes=self.prefixes,
        )

    def _value(self, name: str) -> str:
        """The value whose predicate ends in `name`, or ""."""
        ends = (f"/{name}", f"#{name}", f":{name}")
        return next((value for key, value in self.values if key.endswith(ends)), "")


def _survey_file(source: Source) -> _About:
    about, curies = _About(), Curies()
    source.check_text()
    for json_path, event, value in JsonEvents(source.path, source.stream()):
        if json_path not in _SURVEYED:
            continue
        if json_path == "graphs.item":
            about.graphs += event == "start_map"
        elif about.graphs == 1:
            _learn_event(about, json_path, event, value, curies)
    if not about.graphs:
        raise UserError(
            tr("{path} holds no `graphs`, so it is no OBO Graphs file", path=source.path)
        )
    return about


def _learn_event(about: _About, json_path: str, event: str, value: Any, curies: Curies) -> None:
    """Note what an event within the first graph says of it."""
    if json_path == _NODE_ID:
        _learn_prefix(about, str(value), curies)
    elif event == "start_map" and json_path in (_NODES, _EDGES, *_AXIOM_PLACES):
        about.nodes += json_path == _NODES
        about.edges += json_path == _EDGES
        if json_path in _AXIOM_PLACES:
            about.axioms[_AXIOM_PLACES[json_path]] += 1
    elif event == "string" or json_path == _VALUES:
        _learn_value(about, json_path, event, value)


def _learn_prefix(about: _About, identifier: str, curies: Curies) -> None:
    """Note what the prefix of a shortened id stands for."""
    curie = curies.shorten(identifier)
    if curie != identifier:
        prefix, _, local = curie.partition(":")
        about.prefixes.setdefault(prefix, identifier.removesuffix(local))


def _learn_value(about: _About, json_path: str, event: str, value: Any) -> None:
    if json_path == "graphs.item.id":
        about.identifier = clean(value)
    elif json_path == "graphs.item.lbl":
        about.label = clean(value)
    elif json_path == "graphs.item.meta.version":
        about.version = clean(value)
    elif json_path == _VALUES and event == "start_map":
        about.values.append(["", ""])
    elif json_path == f"{_VALUES}.pred":
        about.values[-1][0] = clean(value)
    elif json_path == f"{_VALUES}.val":
        about.values[-1][1] = clean(value)


class _GraphReading:
    """The nodes and edges of the first graph."""

    def __init__(self) -> None:
        self.concepts = 0
        self._curies, self._cleaner = Curies(), NameCleaner()
        self._nodes = NodeReader(self._curies, self._cleaner)
        self._references = 0
        self._kinds: Counter[str] = Counter()
        self._edges: Counter[str] = Counter()

    def records(
        self, source: Source, about: _About
    ) -> Iterator[ConceptRecord | IsARecord | Skipped]:
        """Yield each concept, then each is-a link."""
        for node in _read_maps(source, _NODES, about.nodes):
            if not isinstance(node.get("id"), str) or not node["id"].strip():
                yield Skipped(0, tr("a node without an id"))
            elif (kind := node.get("type")) not in _CLASSES:
                count_key(self._kinds, clean(str(kind)).lower())
            elif is_reference(node):
                self._references += 1
            else:
                yield self._nodes.read_node(node)
        for edge in _read_maps(source, _EDGES, about.edges):
            yield from self._link(edge)

    def notes(self, about: _About) -> Iterator[Note]:
        """Say what was left out."""
        text = mark_plural(
            "{n:,} other graph in the file was left out",
            "{n:,} other graphs in the file were left out",
        )
        yield from counted("other graphs", about.graphs - 1, text)
        text = mark_plural(
            "{n:,} node is a mere reference to another ontology",
            "{n:,} nodes are mere references to other ontologies",
        )
        yield from counted("references", self._references, text)
        for kind, count in sorted(self._kinds.items()):
            text = trn(
                "{n:,} {kind} node is no concept",
                "{n:,} {kind} nodes are no concepts",
                count,
                kind=kind,
            )
            yield Note(f"{kind}{_NODES_OF_KIND}", count, text)
        text = mark_plural(
            "{n:,} edge is no is-a link: {listed}", "{n:,} edges are no is-a links: {listed}"
        )
        named: Counter[str] = Counter()
        for predicate, count in self._edges.items():
            named[shorten_property(clean(predicate), self._curies)] += count
        yield from count_by_sort("other edges", named, text)
        text = mark_plural(
            "{n:,} axiom is not read: {listed}", "{n:,} axioms are not read: {listed}"
        )
        yield from count_by_sort("axioms", about.axioms, text)
        yield from self._nodes.notes()
        yield from self._cleaner.notes()

    def _link(self, edge: dict[str, Any]) -> Iterator[IsARecord | Skipped]:
        predicate = str(edge.get("pred"))
        if not _is_hierarchy(predicate):
            count_key(self._edges, predicate)
            return
        child, parent = edge.get("sub"), edge.get("obj")
        if isinstance(child, str) and isinstance(parent, str) and child and parent:
            shorten = self._curies.shorten
            yield IsARecord(shorten(clean(child)), shorten(clean(parent)))
        else:
            yield Skipped(0, tr("an is_a edge without a subject or an object"))


@lru_cache(_MOST_PREDICATES)
def _is_hierarchy(predicate: str) -> bool:
    return expand_property(clean(predicate)) in _IS_A


def _read_maps(source: Source, json_path: str, count: int) -> Iterator[dict[str, Any]]:
    """Yield the first maps at a place, as many as the first graph has there."""
    if not count:
        source.stream()  # a pass, as the progress counts them
    else:
        values = JsonEvents(source.path, source.stream()).values_at(json_path)
        yield from islice((value for value in values if isinstance(value, dict)), count)
