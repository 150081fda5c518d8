"""Nodes of OBO Graphs JSON to concepts; what has another type than it should counts as absent."""

from collections.abc import Iterator
from typing import Any

from termexplorer.importers.curies import Curies
from termexplorer.importers.records import ConceptRecord, NameRecord
from termexplorer.importers.text import NameCleaner, clean, unique

_SCOPES = {
    "hasExactSynonym": "EXACT",
    "hasRelatedSynonym": "RELATED",
    "hasNarrowSynonym": "NARROW",
    "hasBroadSynonym": "BROAD",
}
_ALTERNATIVE = "hasAlternativeId"
_REPLACED_BY = ("IAO_0100001", "replaced_by", "replacedBy")
_CONSIDER = ("consider",)


def is_reference(node: dict[str, Any]) -> bool:
    """Whether a node says nothing but its id: it stands for a concept of another ontology."""
    return not _text(node, "lbl") and not _map(node, "meta")


def concept_of(node: dict[str, Any], curies: Curies, cleaner: NameCleaner) -> ConceptRecord:
    """The concept of a class node; without a label its id stands for its name."""
    meta = _map(node, "meta")
    curie = curies.shorten(clean(node["id"]))
    label = _raw(node, "lbl") if _text(node, "lbl") else curie
    definition = _text(_map(meta, "definition"), "val")
    references = (curies.shorten(_text(item, "val")) for item in _maps(meta, "xrefs"))
    return ConceptRecord(
        curie=curie,
        code=curie,
        names=cleaner.distinct(_names(label, meta)),
        definition=definition,
        alternative_ids=_values(meta, (_ALTERNATIVE,), curies),
        cross_references=unique(references),
        obsolete=meta.get("deprecated") is True,
        replaced_by=_values(meta, _REPLACED_BY, curies),
        consider=_values(meta, _CONSIDER, curies),
    )


def _names(label: str, meta: dict[str, Any]) -> Iterator[NameRecord]:
    yield NameRecord(label, "preferred")
    for synonym in _maps(meta, "synonyms"):
        kind = _text(synonym, "pred").rpartition("#")[2]
        yield NameRecord(_raw(synonym, "val"), "synonym", _SCOPES.get(kind, "RELATED"))


def _values(meta: dict[str, Any], endings: tuple[str, ...], curies: Curies) -> tuple[str, ...]:
    """CURIEs given by the annotations whose predicate ends in one of `endings`."""
    return unique(
        curies.shorten(_text(item, "val"))
        for item in _maps(meta, "basicPropertyValues")
        if _text(item, "pred").endswith(endings)
    )


def _map(owner: dict[str, Any], key: str) -> dict[str, Any]:
    value = owner.get(key)
    return value if isinstance(value, dict) else {}


def _maps(owner: dict[str, Any], key: str) -> list[dict[str, Any]]:
    value = owner.get(key)
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def _raw(owner: dict[str, Any], key: str) -> str:
    value = owner.get(key)
    return value if isinstance(value, str) else ""


def _text(owner: dict[str, Any], key: str) -> str:
    return clean(_raw(owner, key))
