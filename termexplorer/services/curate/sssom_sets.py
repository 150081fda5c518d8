"""The head of a set of mappings in SSSOM: what it is, what made it, what its prefixes stand for."""

import hashlib
import json
import re
import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import metadata
from typing import Any

from termexplorer.errors import UserError
from termexplorer.importers.sssom.sssom import values
from termexplorer.importers.text.curies import iri_of_prefix, known_iri
from termexplorer.mapping_terms import EXTENSION
from termexplorer.services.curate.record_ids import RECORD_ID, UUID_IRI, UUID_PREFIX
from termexplorer.services.encoders.encoders import find_encoder
from termexplorer.store.releases.ontologies import Ontology, ontologies, ontology, prefixes
from termexplorer.texts import tr
from termexplorer.workspace import Workspace

_COLUMNS, _FACTS = f"{EXTENSION}columns", f"{EXTENSION}facts"
_UNSPECIFIED = "https://w3id.org/sssom/license/unspecified"
_SETS = "https://w3id.org/sssom/mappings/"
_NOWHERE = "https://termexplorer.invalid/{}/"  # of prefixes that nobody said anything of
_KNOWN = {
    "oboInOwl": "http://www.geneontology.org/formats/oboInOwl#",
    "orcid": "https://orcid.org/",
    "termexplorer": "https://termexplorer.invalid/sssom/",  # as the standard's sssom.invalid
    UUID_PREFIX: UUID_IRI,
}
_BUILT_IN = ("linkml", "owl", "rdf", "rdfs", "semapv", "skos", "sssom", "xsd")
_CURIES = (
    RECORD_ID, "subject_id", "predicate_id", "object_id", "mapping_justification", "author_id",
    "reviewer_id",
)  # fmt: skip
_IRI = re.compile(r"[A-Za-z][\w+.-]*://|urn:")
_OBO_FORMATS = ("obo", "obographs", "rdf")
_VERSION_1_1 = (RECORD_ID, "review_date", "reviewer_agreement")  # of what is written here


@dataclass(frozen=True, slots=True)
class Origin:
    """What mappings come from.

    Attributes:
        releases: ids of the subjects' release, None without one, and of the objects'.
        encoder_ids: what suggested them.
        columns: titles of the cells that are written with them, by their slots.
        made_at: when they were found, ISO 8601.
        facts: sentences on how good the finder is.
        reviewers: names of those who judged them.
        source_label: what the subjects are from, where that is no release.
    """

    releases: tuple[int | None, ...]
    encoder_ids: Sequence[int]
    columns: Mapping[str, str]
    made_at: str
    facts: Sequence[str] = ()
    reviewers: Sequence[str] = ()
    source_label: str = ""


def own_head(
    workspace: Workspace, origin: Origin, rows: Sequence[Mapping[str, str]]
) -> tuple[dict[str, Any], dict[str, str]]:
    """The head of a set that was suggested here, and the prefixes of its ontologies.

    Licence notes of both ontologies are in it.
    """
    with workspace.store.reading() as connection:
        sides = [
            ontology(connection, release_id) if release_id else None
            for release_id in origin.releases
        ]
        ontology_by_id = {release.id: release for release in sides if release is not None}
        known = {
            k: v
            for release_id in reversed(ontology_by_id)
            for k, v in prefixes(connection, release_id).items()
        }
    source, target = sides[0], sides[1] if len(sides) == 2 else None
    known = _obo_prefixes(sides, rows) | known
    releases = list(ontology_by_id.values())
    head = {
        "mapping_set_id": _set_id([sorted(ontology_by_id), rows]),
        "mapping_set_title": _set_title(origin.source_label, releases, origin.reviewers),
        "license": _UNSPECIFIED,
        "subject_source_version": source and source.version,
        "object_source_version": target and target.version,
        "mapping_tool": "termexplorer",
        "mapping_tool_version": metadata.version("termexplorer"),
        "mapping_date": origin.made_at[:10],
        "comment": _set_comment(workspace, origin, releases),
        _COLUMNS: _to_json(dict(origin.columns)) if origin.columns else None,
        _FACTS: _to_json(list(origin.facts)) if origin.facts else None,
    }
    return {slot: text for slot, text in head.items() if text}, known


def _obo_prefixes(
    releases: Sequence[Ontology | None], rows: Sequence[Mapping[str, str]]
) -> dict[str, str]:
    """Return the IRIs of prefixes of ids in OBO files, which stand for PURLs without saying so."""
    slots = ("subject_id", *("object_id" for _ in releases[1:]))
    ids = {
        row.get(slot, "")
        for slot, release in zip(slots, releases, strict=True)
        if release is not None and release.format in _OBO_FORMATS
        for row in rows
    }
    prefixes_used = {
        identifier.partition(":")[0]
        for identifier in ids
        if ":" in identifier and "://" not in identifier
    }
    return {prefix: iri_of_prefix(prefix) for prefix in prefixes_used}


def prefixes_of_ontologies(workspace: Workspace) -> dict[str, str]:
    """Return the IRIs of prefixes that ontologies of a workspace state, all of them alike."""
    with workspace.store.looking() as connection:
        stated = [prefixes(connection, release.id) for release in ontologies(connection)]
    iris_by_prefix: dict[str, set[str]] = {}
    for prefix_map in stated:
        for prefix, iri in prefix_map.items():
            iris_by_prefix.setdefault(prefix, set()).add(iri)
    return {prefix: iris.pop() for prefix, iris in iris_by_prefix.items() if len(iris) == 1}


def changed_head(
    head: Mapping[str, Any], rows: Sequence[Mapping[str, str]], stored_digest: str
) -> dict[str, Any]:
    """The head of a set that came from a file; of another set made from it if the rows changed.

    Args:
        head: as it came.
        rows: what is written now.
        stored_digest: `digest` of the rows that came.
    """
    if digest(rows) == stored_digest:
        return dict(head)
    former, sources = head.get("mapping_set_id"), head.get("mapping_set_source", [])
    from_ = [*([sources] if isinstance(sources, str) else sources), *([former] if former else [])]
    fresh = {"mapping_set_id": _set_id([former, rows]), "mapping_set_source": from_}
    return {slot: value for slot, value in fresh.items() if value} | {
        slot: value for slot, value in head.items() if slot not in fresh
    }


def columns_of(head: Mapping[str, Any]) -> dict[str, str]:
    """The titles of the cells that stand with the mappings of a set, by their slots.

    Raises:
        ValueError: they are not as they were written.
    """
    columns: dict[str, str] = _read_head_value(head, _COLUMNS, {})
    return columns


def facts_of(head: Mapping[str, Any]) -> list[str]:
    """Sentences on how good the finder of a set is.

    Raises:
        ValueError: they are not as they were written.
    """
    facts: list[str] = _read_head_value(head, _FACTS, [])
    return facts


def _read_head_value(head: Mapping[str, Any], slot: str, nothing: Any) -> Any:
    try:
        value = json.loads(head[slot]) if slot in head else nothing
    except (TypeError, RecursionError):
        value = None
    texts = value.values() if isinstance(value, dict) else value
    if type(value) is not type(nothing) or not all(isinstance(text, str) for text in texts):
        raise ValueError(tr("{slot} in the head is not as it was written", slot=slot))
    return value


def state_columns(head: Mapping[str, Any], columns: Mapping[str, str]) -> dict[str, Any]:
    """Return a head that says the titles of cells, by their slots, in place of those before."""
    return {**head, _COLUMNS: _to_json(dict(columns))}


class RowDigest:
    """What tells some mappings from others, found while they pass."""

    def __init__(self) -> None:
        self._hash = hashlib.sha256(b"[")
        self._separator = ""

    def add(self, row: Mapping[str, str]) -> None:
        """Take the next row."""
        self._hash.update((self._separator + _to_json(dict(sorted(row.items())))).encode())
        self._separator = ", "

    def finish(self) -> str:
        """Return the digest of all rows that were taken."""
        self._hash.update(b"]")
        return self._hash.hexdigest()


def hash_row(row: Mapping[str, str]) -> int:
    """Return what tells a mapping from all others that are not the same in every slot."""
    content = _to_json(sorted(row.items())).encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(content, digest_size=12).digest())


def digest(rows: Iterable[Mapping[str, str]]) -> str:
    """What tells some mappings from others."""
    row_digest = RowDigest()
    for row in rows:
        row_digest.add(row)
    return row_digest.finish()


def whole_head(
    head: Mapping[str, Any], known: Mapping[str, str], rows: Sequence[Mapping[str, str]]
) -> dict[str, Any]:
    """A head with all prefixes, and the extension slots of ours, that its mappings need.

    Args:
        head: its other slots, and prefixes and definitions that are there already.
        known: IRIs of further prefixes.
        rows: the mappings.
    """
    used = {slot for row in rows for slot in row} | set(head)
    definitions = list(head.get("extension_definitions") or ())
    defined = {
        definition.get("slot_name") for definition in definitions if isinstance(definition, dict)
    }
    added = [
        {"slot_name": slot, "property": f"termexplorer:{slot.removeprefix(EXTENSION)}"}
        for slot in sorted(used)
        if slot.startswith(EXTENSION) and slot not in defined
    ]
    declared = _complete_prefixes(dict(head.get("curie_map") or {}), known, rows, bool(added))
    slots: dict[str, Any] = {"curie_map": declared} if declared else {}
    if used & set(_VERSION_1_1):
        slots = {"sssom_version": "1.1"} | slots
    slots |= {slot: value for slot, value in head.items() if slot not in slots}
    if added:
        slots["extension_definitions"] = [*definitions, *added]
    return slots


def _complete_prefixes(
    declared: dict[str, Any],
    known: Mapping[str, str],
    rows: Iterable[Mapping[str, str]],
    ours: bool,
) -> dict[str, Any]:
    ids = {
        identifier for row in rows for slot in _CURIES for identifier in values(row.get(slot, ""))
    }
    used = {
        identifier.partition(":")[0]
        for identifier in ids
        if ":" in identifier and not _IRI.match(identifier)
    }
    used |= {"termexplorer"} if ours else set()
    for prefix in sorted(used - set(declared) - set(_BUILT_IN)):
        iri = known.get(prefix) or _KNOWN.get(prefix) or known_iri(prefix)
        declared[prefix] = iri or _NOWHERE.format(prefix)
    return declared


def _set_title(source: str, releases: Sequence[Ontology], reviewers: Sequence[str]) -> str:
    judged = f"reviewed by {', '.join(reviewers)}" if reviewers else "not reviewed"
    labels = " to ".join([*([source] if source else []), *(r.label for r in releases)])
    return f"{labels or 'Mappings'}, suggested, {judged}"


def _set_comment(workspace: Workspace, origin: Origin, releases: Iterable[Ontology]) -> str:
    encoders = ", ".join(_encoder_label(workspace, encoder_id) for encoder_id in origin.encoder_ids)
    licences = [f"{release.label}: {release.licence}" for release in releases if release.licence]
    return ". ".join([*([f"Suggested by {encoders}"] if encoders else []), *licences])


def _encoder_label(workspace: Workspace, encoder_id: int) -> str:
    try:
        return find_encoder(workspace, encoder_id).label
    except UserError:
        return f"encoder {encoder_id}, which is there no longer"


def _set_id(content: object) -> str:
    return f"{_SETS}{uuid.uuid5(uuid.NAMESPACE_URL, _to_json(content))}"


def _to_json(content: object) -> str:
    return json.dumps(content, ensure_ascii=False)
