"""OBO Graphs JSON, streamed: the first graph is the ontology, the others are counted.

A graph's id and version may follow its nodes, so the file is read twice: once for what it says
about itself, once for concepts and links, in the order of the file. JSON has no lines worth
naming, so records carry line 0.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import ijson

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
from termexplorer.texts import mark, tr

_NODES = "graphs.item.nodes.item"
_EDGES = "graphs.item.edges.item"
_VALUES = "graphs.item.meta.basicPropertyValues.item"
_CLASSES = ("CLASS", None)
_NODES_OF_KIND = " nodes"
_IS_A = frozenset({"is_a", "subClassOf", SUBCLASS})
_AXIOMS = (  # of a graph, which are counted
    "equivalentNodesSets", "logicalDefinitionAxioms", "disjointClassAxioms",
    "domainRangeAxioms", "propertyChainAxioms",
)  # fmt: skip
_AXIOM_PLACES = {f"graphs.item.{axiom}.item": axiom for axiom in _AXIOMS}


def read(source: Source, options: Mapping[str, object]) -> Iterator[Record]:
    """Yield the header, then concepts and is-a links as they come, then notes.

    Args:
        source: The file; its `passes` should be 2.
        options: None are known.

    Raises:
        UserError: No OBO Graphs file, damaged or truncated, or without a concept.
    """
    about = _survey_file(source)
    yield about.header()
    reading = _GraphReading()
    for record in reading.records(source):
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
    for place, event, value in _read_events(source):
        if place == "graphs.item" and event == "start_map":
            about.graphs += 1
        elif about.graphs == 1 and event == "start_map" and place in _AXIOM_PLACES:
            about.axioms[_AXIOM_PLACES[place]] += 1
        elif about.graphs == 1 and place == f"{_NODES}.id":
            _learn_prefix(about, str(value), curies)
        elif about.graphs == 1 and (event == "string" or place == _VALUES):
            _learn_value(about, place, event, value)
    if not about.graphs:
        raise UserError(
            tr("{path} holds no `graphs`, so it is no OBO Graphs file", path=source.path)
        )
    return about


def _learn_prefix(about: _About, identifier: str, curies: Curies) -> None:
    """Note what the prefix of a shortened id stands for."""
    curie = curies.shorten(identifier)
    if curie != identifier:
        prefix, _, local = curie.partition(":")
        about.prefixes.setdefault(prefix, identifier.removesuffix(local))


def _learn_value(about: _About, place: str, event: str, value: Any) -> None:
    if place == "graphs.item.id":
        about.identifier = clean(value)
    elif place == "graphs.item.lbl":
        about.label = clean(value)
    elif place == "graphs.item.meta.version":
        about.version = clean(value)
    elif place == _VALUES and event == "start_map":
        about.values.append(["", ""])
    elif place == f"{_VALUES}.pred":
        about.values[-1][0] = clean(value)
    elif place == f"{_VALUES}.val":
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

    def records(self, source: Source) -> Iterator[ConceptRecord | IsARecord | Skipped]:
        """Yield each concept and is-a link as it comes."""
        for place, item in _read_items(source):
            if place == _EDGES:
                yield from self._link(item)
            elif not isinstance(item.get("id"), str) or not item["id"].strip():
                yield Skipped(0, tr("a node without an id"))
            elif (kind := item.get("type")) not in _CLASSES:
                count_key(self._kinds, clean(str(kind)).lower())
            elif is_reference(item):
                self._references += 1
            else:
                yield self._nodes.read_node(item)

    def notes(self, about: _About) -> Iterator[Note]:
        """Say what was left out."""
        text = mark("{n:,} other graphs in the file were left out")
        yield from counted("other graphs", about.graphs - 1, text)
        text = mark("{n:,} nodes are mere references to other ontologies")
        yield from counted("references", self._references, text)
        for kind, count in sorted(self._kinds.items()):
            text = tr("{n:,} {kind} nodes are no concepts", n=count, kind=kind)
            yield Note(f"{kind}{_NODES_OF_KIND}", count, text)
        text = mark("{n:,} edges are no is-a links: {listed}")
        yield from count_by_sort("other edges", self._edges, text)
        text = mark("{n:,} axioms are not read: {listed}")
        yield from count_by_sort("axioms", about.axioms, text)
        yield from self._nodes.notes()
        yield from self._cleaner.notes()

    def _link(self, edge: dict[str, Any]) -> Iterator[IsARecord | Skipped]:
        predicate = clean(str(edge.get("pred")))
        if expand_property(predicate) not in _IS_A:
            count_key(self._edges, shorten_property(predicate, self._curies))
            return
        child, parent = edge.get("sub"), edge.get("obj")
        if isinstance(child, str) and isinstance(parent, str) and child and parent:
            shorten = self._curies.shorten
            yield IsARecord(shorten(clean(child)), shorten(clean(parent)))
        else:
            yield Skipped(0, tr("an is_a edge without a subject or an object"))


def _read_items(source: Source) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield each node and edge of the first graph, with where it stands; one is in memory."""
    builder, at = None, ""
    for place, event, value in _read_events(source):
        if builder is None:
            if place == "graphs.item" and event == "end_map":
                return
            if event != "start_map" or place not in (_NODES, _EDGES):
                continue
            builder, at = ijson.ObjectBuilder(), place
        builder.event(event, value)
        if event == "end_map" and place == at:
            yield at, builder.value
            builder = None


def _read_events(source: Source) -> Iterator[tuple[str, str, Any]]:
    source.check_text()
    yield from JsonEvents(source.path, source.stream())
