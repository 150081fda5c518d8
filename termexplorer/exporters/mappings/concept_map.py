"""Mappings as a ConceptMap of FHIR R4 (https://hl7.org/fhir/R4/conceptmap.html), in JSON.

What the standard has no element for stands in extensions, one for each slot of SSSOM.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from termexplorer.exporters.kept_notes import Noted
from termexplorer.files import atomic_write
from termexplorer.mapping_terms import (
    DISJOINT,
    EQUIVALENCES,
    EXACT,
    FHIR_ELEMENT,
    FHIR_EQUIVALENCE,
    FHIR_GROUP,
    FHIR_RESOURCE,
    FHIR_TARGET,
    HEAD,
    NEED_COMMENT,
    NO_COMMENT,
    NO_TARGET,
    NO_TERM,
    PREDICATES,
    SLOT_URL,
    UNMATCHED,
    UNSPECIFIED,
    list_systems,
    split_curie,
)

_NATIVE = (
    "subject_id", "subject_label", "object_id", "object_label", "comment", FHIR_EQUIVALENCE,
    FHIR_GROUP, FHIR_ELEMENT, FHIR_TARGET,
)  # fmt: skip


def write_concept_map(
    path: Path, head: Mapping[str, Any], rows: Sequence[Mapping[str, str]]
) -> int:
    """Write a mapping set beside its final place, then move it there; return how many rows.

    Raises:
        UserError: the place cannot be written to.
    """
    resource = make_concept_map(head, rows)
    noted = Noted()
    noted.see_mappings(rows)
    with atomic_write(path) as fresh:
        fresh.write_text(json.dumps(resource, ensure_ascii=False, indent=1) + "\n", "utf-8")
    noted.keep(path)
    return len(rows)


def make_concept_map(head: Mapping[str, Any], rows: Sequence[Mapping[str, str]]) -> dict[str, Any]:
    """Return a mapping set as a resource."""
    resource: dict[str, Any] = {"resourceType": "ConceptMap"}
    if stored := head.get(FHIR_RESOURCE):
        resource |= json.loads(stored)
    else:
        resource |= {"status": "draft", "extension": [_make_extension(HEAD, json.dumps(head))]}
        texts = {"url": "mapping_set_id", "title": "mapping_set_title", "date": "mapping_date"}
        resource |= {key: str(head[slot]) for key, slot in texts.items() if head.get(slot)}
    groups: list[dict[str, Any]] = []
    systems = list_systems(head)
    for row in rows:
        _add_row(groups, row, systems)
    return resource | ({"group": groups} if groups else {})


def _add_row(
    groups: list[dict[str, Any]], row: Mapping[str, str], systems: Mapping[str, str]
) -> None:
    """Add a row to the last group and element where these are its own, else to new ones."""
    source, code = split_curie(row.get("subject_id", ""), systems)
    target, other_code = split_curie(row.get("object_id", ""), systems)
    sides = {"source": systems.get(source, ""), "target": systems.get(target, "")}
    group = {side: system for side, system in sides.items() if system}
    group |= json.loads(row.get(FHIR_GROUP, "{}"))
    if row.get("object_id") == NO_TERM and "target" not in group and groups:
        group |= {key: system for key, system in groups[-1].items() if key == "target"}
    if not groups or _leave_key_out(groups[-1], "element") != group:
        groups.append(group | {"element": []})
    element = _drop_empty({"code": code, "display": row.get("subject_label", "")})
    element |= json.loads(row.get(FHIR_ELEMENT, "{}"))
    elements = groups[-1]["element"]
    if row.get(FHIR_EQUIVALENCE) == NO_TARGET:
        elements.append(element)
        return
    if not elements or _leave_key_out(elements[-1], "target") != element:
        elements.append(element | {"target": []})
    elements[-1].setdefault("target", []).append(_make_target(row, other_code))


def _make_target(row: Mapping[str, str], code: str) -> dict[str, Any]:
    predicate, modifier = row.get("predicate_id", ""), row.get("predicate_modifier", "")
    is_none = row.get("object_id") == NO_TERM
    usual = UNMATCHED if is_none else EQUIVALENCES.get(predicate, "relatedto")
    equivalence = row.get(FHIR_EQUIVALENCE) or usual
    equivalence = DISJOINT if modifier == "Not" else equivalence
    native = {*_NATIVE, *_list_implied(equivalence, predicate, modifier)}
    if row.get("mapping_justification") == UNSPECIFIED:
        native.add("mapping_justification")
    if equivalence == DISJOINT:
        native.discard(FHIR_EQUIVALENCE)
    if is_none and equivalence != UNMATCHED:
        native.discard("object_id")
    extensions = [
        _make_extension(slot, text)
        for slot, text in sorted(row.items())
        if slot not in native and text
    ]
    target = {
        "code": "" if is_none else code,
        "display": row.get("object_label", ""),
        "equivalence": equivalence,
        "comment": row.get("comment") or (NO_COMMENT if equivalence in NEED_COMMENT else ""),
        "extension": extensions,
    }
    more: dict[str, Any] = json.loads(row.get(FHIR_TARGET, "{}"))
    further = [*extensions, *more.get("extension", [])]
    return _drop_empty(target) | more | ({"extension": further} if further else {})


def _list_implied(equivalence: str, predicate: str, modifier: str) -> list[str]:
    """Return the slots that a reader gets from an equivalence."""
    implied = PREDICATES.get(equivalence, EXACT)
    slots = ["predicate_id"] if implied == predicate else []
    return (
        [*slots, "predicate_modifier"] if equivalence == DISJOINT and modifier == "Not" else slots
    )


def _make_extension(slot: str, text: str) -> dict[str, str]:
    return {"url": f"{SLOT_URL}{slot}", "valueString": text}


def _drop_empty(content: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in content.items() if value}


def _leave_key_out(content: Mapping[str, Any], key: str) -> dict[str, Any]:
    return {name: value for name, value in content.items() if name != key}
