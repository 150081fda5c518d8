"""Mappings from a ConceptMap of FHIR R4 (https://hl7.org/fhir/R4/conceptmap.html), in JSON."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from termexplorer.errors import UserError
from termexplorer.importers.mappings.file_text import parse_stored_head, read_file_text
from termexplorer.importers.text.prefixes import prefix_of
from termexplorer.mapping_terms import (
    DISJOINT,
    EQUIVALENCES,
    EXACT,
    FHIR_ELEMENT,
    FHIR_EQUIVALENCE,
    FHIR_GROUP,
    FHIR_RESOURCE,
    FHIR_SYSTEMS,
    FHIR_TARGET,
    HEAD,
    NO_COMMENT,
    NO_TARGET,
    NO_TERM,
    PREDICATES,
    SLOT_URL,
    UNMATCHED,
    UNSPECIFIED,
    list_systems,
)
from termexplorer.texts import tr

Row = dict[str, str]


def read_concept_map(path: Path) -> tuple[dict[str, Any], list[tuple[int, Row]]]:
    """Return the head of a set in the words of SSSOM, and its mappings with their numbers.

    Raises:
        UserError: it is no JSON, or no ConceptMap of R4.
    """
    resource = _read_resource(path)
    head = _read_head(path, resource)
    reader = _ConceptMapReader(path, head)
    groups = _list_of(path, resource, "group", "ConceptMap")
    rows = [row for number, group in enumerate(groups) for row in reader.read_group(number, group)]
    return head, list(enumerate(rows, start=1))


def _read_resource(path: Path) -> dict[str, Any]:
    text = read_file_text(path)
    try:
        resource = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UserError(
            tr(
                "{path}: no JSON: {error}; choose a ConceptMap of FHIR R4 in JSON",
                path=path,
                error=error,
            )
        ) from None
    if not isinstance(resource, dict) or resource.get("resourceType") != "ConceptMap":
        raise UserError(
            tr("{path}: no ConceptMap; choose a ConceptMap of FHIR R4 in JSON", path=path)
        )
    return resource


def _read_head(path: Path, resource: Mapping[str, Any]) -> dict[str, Any]:
    stored = _own_extensions(resource).get(HEAD)
    if stored is not None:
        head = parse_stored_head(stored)
        if head is None:
            raise UserError(
                tr("{path}: the extension {url} is not as it was written", path=path, url=HEAD)
            )
        return head
    rest = {key: v for key, v in resource.items() if key not in ("group", "resourceType")}
    title = resource.get("title") or resource.get("name") or ""
    head = {
        "curie_map": _name_systems(path, resource),
        "mapping_set_id": str(resource.get("url") or ""),
        "mapping_set_title": str(title),
        FHIR_RESOURCE: json.dumps(rest, ensure_ascii=False),
    }
    return {slot: value for slot, value in head.items() if value}


def _name_systems(path: Path, resource: Mapping[str, Any]) -> dict[str, str]:
    """Return the code systems of all groups by prefixes for them, each its own."""
    known = {system: prefix for prefix, system in FHIR_SYSTEMS.items()}
    prefixes: dict[str, str] = {}
    for group in _list_of(path, resource, "group", "ConceptMap"):
        for side in ("source", "target"):
            system = str(group.get(side) or "")
            if system and system not in prefixes.values():
                last = prefix_of(system.rstrip("/#_").replace("#", "/").rpartition("/")[2])
                wanted = known.get(system) or (last if last[:1].isalpha() else f"cs_{last}")
                prefix, number = wanted, 1
                while prefix in prefixes or FHIR_SYSTEMS.get(prefix, system) != system:
                    number += 1
                    prefix = f"{wanted}_{number}"
                prefixes[prefix] = system
    return prefixes


_NO_TARGET_ROW = {
    "predicate_id": EXACT,
    "object_id": NO_TERM,
    "mapping_justification": UNSPECIFIED,
    FHIR_EQUIVALENCE: NO_TARGET,
}


class _ConceptMapReader:
    def __init__(self, path: Path, head: Mapping[str, Any]) -> None:
        self._path = path
        self._is_foreign = FHIR_RESOURCE in head
        self._prefixes = {system: prefix for prefix, system in list_systems(head).items()}

    def read_group(self, number: int, group: Mapping[str, Any]) -> Iterator[Row]:
        where = f"group[{number}]"
        rest = _dump_rest(group, ("source", "target", "element"))
        for index, element in enumerate(_list_of(self._path, group, "element", where)):
            subject = {
                "subject_id": self._make_id(group.get("source"), element.get("code")),
                "subject_label": str(element.get("display") or ""),
                FHIR_GROUP: rest,
                FHIR_ELEMENT: _dump_rest(element, ("code", "display", "target")),
            }
            location = f"{where}.element[{index}]"
            targets = _list_of(self._path, element, "target", location)
            for target in targets:
                yield self._complete(subject | self._read_target(group, target, location), group)
            if not targets:
                yield self._complete(subject | _NO_TARGET_ROW, group)

    def _complete(self, row: Row, group: Mapping[str, Any]) -> Row:
        """Return the slots that have a value; where nothing matches the group's target is one."""
        if self._is_foreign and row["object_id"] == NO_TERM and group.get("target"):
            rest = json.loads(row[FHIR_GROUP] or "{}") | {"target": group["target"]}
            row = row | {FHIR_GROUP: json.dumps(rest, ensure_ascii=False)}
        return {slot: text for slot, text in row.items() if text}

    def _read_target(
        self, group: Mapping[str, Any], target: Mapping[str, Any], location: str
    ) -> Row:
        equivalence = str(target.get("equivalence") or "")
        known = {*EQUIVALENCES.values(), *PREDICATES, UNMATCHED, DISJOINT}
        if equivalence not in known:
            raise UserError(
                tr(
                    "{path}, {place}: equivalence {text!r}; FHIR R4 has {known}; of R5, convert "
                    "the file to R4 first",
                    path=self._path,
                    place=location,
                    text=equivalence,
                    known=", ".join(sorted(known)),
                )
            )
        slots = _own_extensions(target)
        is_none = equivalence == UNMATCHED and not target.get("code")
        predicate = PREDICATES.get(equivalence, EXACT)
        comment = str(target.get("comment") or "")
        row = {
            "predicate_id": predicate,
            "predicate_modifier": "Not" if equivalence == DISJOINT else "",
            "object_id": NO_TERM
            if is_none
            else self._make_id(group.get("target"), target.get("code")),
            "object_label": str(target.get("display") or ""),
            "comment": "" if comment == NO_COMMENT else comment,
            "mapping_justification": UNSPECIFIED,
        }
        row |= slots
        usual = DISJOINT if row["predicate_modifier"] == "Not" else UNMATCHED if is_none else ""
        if equivalence != (usual or EQUIVALENCES.get(row["predicate_id"], "relatedto")):
            row[FHIR_EQUIVALENCE] = equivalence
        native = ("code", "display", "equivalence", "comment")
        rest = {key: value for key, value in target.items() if key not in native}
        foreign_extensions = [e for e in _list_extensions(target) if not _is_ours(e)]
        rest = (
            rest | {"extension": foreign_extensions}
            if foreign_extensions
            else _leave_key_out(rest, "extension")
        )
        row[FHIR_TARGET] = json.dumps(rest, ensure_ascii=False) if rest else ""
        return row

    def _make_id(self, system: object, code: object) -> str:
        text = str(code or "")
        prefix = self._prefixes.get(str(system or ""), "")
        return f"{prefix}:{text}" if prefix and text else text


def _list_of(
    path: Path, content: Mapping[str, Any], key: str, location: str
) -> list[dict[str, Any]]:
    value = content.get(key, [])
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        raise UserError(
            tr(
                "{path}, {place}: {key} is no list of objects; mend it",
                path=path,
                place=location,
                key=key,
            )
        )
    return value


def _list_extensions(content: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    value = content.get("extension")
    return [e for e in value if isinstance(e, dict)] if isinstance(value, list) else []


def _is_ours(extension: Mapping[str, Any]) -> bool:
    return str(extension.get("url", "")).startswith(SLOT_URL)


def _own_extensions(content: Mapping[str, Any]) -> Row:
    return {
        str(extension["url"]).removeprefix(SLOT_URL): str(extension.get("valueString", ""))
        for extension in _list_extensions(content)
        if _is_ours(extension)
    }


def _leave_key_out(content: Mapping[str, Any], key: str) -> dict[str, Any]:
    return {name: value for name, value in content.items() if name != key}


def _dump_rest(content: Mapping[str, Any], known: tuple[str, ...]) -> str:
    rest = {key: value for key, value in content.items() if key not in known}
    return json.dumps(rest, ensure_ascii=False) if rest else ""
