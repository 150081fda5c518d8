"""Nodes of OBO Graphs JSON to concepts; what has another type than it should counts as absent."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from termexplorer.importers.records import ConceptRecord, NameRecord, Note
from termexplorer.importers.text.curies import Curies
from termexplorer.importers.text.notes import count_by_sort, count_key
from termexplorer.importers.text.properties import (
    LABELS,
    NAMES,
    SYNONYMS,
    field_of_property,
    is_true,
    shorten_property,
)
from termexplorer.importers.text.text import NameCleaner, clean, unique
from termexplorer.texts import mark_plural

_READ = frozenset({"definition", "synonyms", "xrefs", "deprecated", "basicPropertyValues"})
_FIELDS = frozenset(
    {*NAMES, "definition", "deprecated", "replaced", "consider", "alternative", "xref"}
)
_KEPT = 1024  # answers
_LOCAL = re.compile(r"[^#/:]*\Z")


def is_reference(node: dict[str, Any]) -> bool:
    """Whether a node says nothing but its id: it stands for a concept of another ontology."""
    return not _clean_field(node, "lbl") and not _map_field(node, "meta")


class NodeReader:
    """Makes concepts of the class nodes of one file, and counts what it does not read of them.

    Attributes:
        unread: Property, or field of `meta`, -> how many values.
    """

    def __init__(self, curies: Curies, cleaner: NameCleaner) -> None:
        self.unread: Counter[str] = Counter()
        self._curies = curies
        self._cleaner = cleaner

    def read_node(self, node: dict[str, Any]) -> ConceptRecord:
        """Return the concept of a class node; without a label its id stands for its name."""
        meta = _map_field(node, "meta")
        values = self._values(meta)
        curie = self._curies.shorten(clean(node["id"]))
        labels = [
            _raw_text(node, "lbl"),
            *(label for key in LABELS for label in values.get(key, ())),
        ]
        definition = _clean_field(_map_field(meta, "definition"), "val")
        definitions = [definition, *map(clean, values.get("definition", ()))]
        references = (_clean_field(item, "val") for item in _list_field(meta, "xrefs"))
        return ConceptRecord(
            curie=curie,
            code=curie,
            names=self._cleaner.distinct(
                _read_names(list(filter(clean, labels)), curie, meta, values)
            ),
            definition=next(filter(None, definitions), ""),
            alternative_ids=self._ids(values, "alternative"),
            cross_references=unique(
                (*map(self._curies.shorten, references), *self._ids(values, "xref"))
            ),
            obsolete=meta.get("deprecated") is True
            or any(map(is_true, values.get("deprecated", ()))),
            replaced_by=self._ids(values, "replaced"),
            consider=self._ids(values, "consider"),
        )

    def notes(self) -> Iterator[Note]:
        """Say what was not read."""
        text = mark_plural(
            "{n:,} value of another property is not read: {listed}",
            "{n:,} values of other properties are not read: {listed}",
        )
        yield from count_by_sort("other values", self.unread, text)

    def _ids(self, values: Mapping[str, list[str]], field: str) -> tuple[str, ...]:
        return unique(self._curies.shorten(clean(value)) for value in values.get(field, ()))

    def _values(self, meta: dict[str, Any]) -> dict[str, list[str]]:
        """Return field -> values, of the annotations that are known; the others are counted."""
        values: dict[str, list[str]] = {}
        for item in _list_field(meta, "basicPropertyValues"):
            predicate = _clean_field(item, "pred")
            if (field := field_of_property(predicate)) in _FIELDS:
                values.setdefault(field, []).append(_raw_text(item, "val"))
            else:
                count_key(self.unread, shorten_property(predicate, self._curies))
        nameless = sum(not _clean_field(item, "val") for item in _list_field(meta, "synonyms"))
        for _ in range(nameless):
            count_key(self.unread, "synonyms")
        for key, value in meta.items():
            if key not in _READ:
                for _ in value if isinstance(value, list) else (value,):
                    count_key(self.unread, key)
        return values


def _read_names(
    labels: list[str], curie: str, meta: dict[str, Any], values: Mapping[str, list[str]]
) -> Iterator[NameRecord]:
    yield NameRecord(labels[0] if labels else curie, "preferred")
    yield from (NameRecord(label, "synonym", "EXACT") for label in labels[1:])
    for synonym in _list_field(meta, "synonyms"):
        yield _synonym_of(_clean_field(synonym, "pred"))._replace(text=_raw_text(synonym, "val"))
    for field, name in SYNONYMS.items():
        yield from (name._replace(text=text) for text in values.get(field, ()))


@lru_cache(_KEPT)
def _synonym_of(predicate: str) -> NameRecord:
    """Return the kind and scope that a predicate gives: `hasExactSynonym`, an IRI or a CURIE."""
    local = _LOCAL.search(predicate)
    field = field_of_property(predicate) or field_of_property(f"oio:{local[0] if local else ''}")
    return SYNONYMS.get(field, SYNONYMS["related"])


def _map_field(owner: dict[str, Any], key: str) -> dict[str, Any]:
    value = owner.get(key)
    return value if isinstance(value, dict) else {}


def _list_field(owner: dict[str, Any], key: str) -> list[dict[str, Any]]:
    value = owner.get(key)
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def _raw_text(owner: dict[str, Any], key: str) -> str:
    value = owner.get(key)
    return value if isinstance(value, str) else ""


def _clean_field(owner: dict[str, Any], key: str) -> str:
    return clean(_raw_text(owner, key))
