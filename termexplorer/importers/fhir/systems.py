"""The code systems in a file, and what each says about itself."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from termexplorer.errors import UserError
from termexplorer.importers.fhir.xml_resource import JsonEvent, is_xml, read_xml_resource
from termexplorer.importers.files.json_events import JsonEvents
from termexplorer.importers.files.npm_package import json_files
from termexplorer.importers.files.source import Source
from termexplorer.importers.text.text import clean
from termexplorer.texts import tr

_ENTRY, _RESOURCE = "entry.item", "entry.item.resource"
_NAMES = ("concept.item.display", "concept.item.designation.item.value")
_OWN = "as the system"  # the language of names that do not tell theirs
_PREFIXES = {
    "http://snomed.info/sct": "SNOMEDCT",
    "http://loinc.org": "LOINC",
    "http://www.nlm.nih.gov/research/umls/rxnorm": "RXNORM",
    "http://hl7.org/fhir/sid/icd-10-cm": "ICD10CM",
    "http://hl7.org/fhir/sid/icd-10": "ICD10",
}
_TEXTS = {
    "url": "url", "version": "version", "name": "name", "id": "id", "title": "title",
    "language": "language", "copyright": "copyright", "content": "content", "date": "date",
    "hierarchyMeaning": "hierarchy", "resourceType": "type",
}  # fmt: skip


@dataclass(slots=True)
class System:
    """What a code system says about itself.

    Attributes:
        location: The name of its file in a package, and its number in a bundle; 0 where it is none.
        value: What tells it from the others: its URL, or else its name.
        properties: Code -> URI of the properties that it declares.
        concepts: How many there are.
        languages: Of names -> how many; "" where it is not told.
    """

    location: tuple[str, int]
    url: str = ""
    version: str = ""
    name: str = ""
    id: str = ""
    title: str = ""
    language: str = ""
    copyright: str = ""
    content: str = ""
    date: str = ""
    hierarchy: str = ""
    type: str = ""
    value: str = ""
    properties: list[list[str]] = field(default_factory=list)
    concepts: int = 0
    languages: Counter[str] = field(default_factory=Counter)

    @property
    def prefix(self) -> str:
        """The prefix of its codes as CURIEs."""
        last = self.url.rstrip("/").rpartition("/")[2]
        cleaned = re.sub(r"[^\w.-]+", "_", self.name or self.id or last).strip("_.")
        return _PREFIXES.get(self.url, cleaned or "FHIR")

    def learn(self, json_path: str, event: str, value: Any) -> None:
        """Take an event of it; `json_path` is that in the resource."""
        if json_path in _TEXTS and event == "string":
            setattr(self, _TEXTS[json_path], clean(value))
        elif json_path == "property.item" and event == "start_map":
            self.properties.append(["", ""])
        elif json_path in ("property.item.code", "property.item.uri") and event == "string":
            self.properties[-1][json_path.endswith("uri")] = value
        elif json_path.endswith("concept.item.code"):
            self.concepts += 1
        elif json_path.endswith(_NAMES):
            self.languages[_OWN] += 1
        elif json_path.endswith("concept.item.designation.item.language") and event == "string":
            self.languages[_OWN] -= 1
            self.languages[value.lower()] += 1


def resource_events(
    source: Source, wanted: tuple[str, int] | None = None
) -> Iterator[tuple[tuple[str, int], str, str, Any, int]]:
    """Yield (resource, place in it, event, value, line) of all resources, or of the wanted one.

    Raises:
        UserError: Damaged, no sound JSON or XML, truncated, or a package that is refused.
    """
    for name, events in _files_of(source):
        if wanted and wanted[0] != name:
            continue
        number = 0
        for (json_path, event, value), line in events:
            if json_path == _ENTRY and event == "start_map":
                number += 1
            inside = json_path.startswith(_RESOURCE)
            resource = (name, number if inside else 0)
            if not wanted or resource == wanted:
                json_path = json_path[len(_RESOURCE) + 1 :] if inside else json_path
                yield resource, json_path, event, value, line
            source.advance(0)


def _files_of(source: Source) -> Iterator[tuple[str, Iterator[tuple[JsonEvent, int]]]]:
    """The name and numbered events of each file in a package, or of the file itself."""
    if is_xml(source):
        yield "", read_xml_resource(source)
        return
    for name, stream in json_files(source):
        yield name, _number_events(JsonEvents(source.path, stream))


def _number_events(events: JsonEvents) -> Iterator[tuple[JsonEvent, int]]:
    for event in events:
        yield event, events.line


def systems_in(source: Source) -> list[System]:
    """The code systems, the one with most concepts first.

    Raises:
        UserError: There is none, or the file cannot be read.
    """
    systems: dict[tuple[str, int], System] = {}
    for resource, json_path, event, value, _ in resource_events(source):
        if resource not in systems:
            systems[resource] = System(resource)
        systems[resource].learn(json_path, event, value)
    code_systems = [
        code_system for code_system in systems.values() if code_system.type == "CodeSystem"
    ]
    if not code_systems:
        raise UserError(tr("{path} holds no CodeSystem; choose another file", path=source.path))
    code_systems.sort(key=lambda code_system: -code_system.concepts)
    taken: Counter[str] = Counter()
    for system in code_systems:
        system.language = system.language.lower()
        system.languages[system.language] += system.languages.pop(_OWN, 0)
        system.languages += Counter()  # without what is not there
        identity = system.url or system.name or system.id or system.prefix
        taken[identity] += 1
        system.value = (
            identity if taken[identity] == 1 else f"{identity}|{system.version or taken[identity]}"
        )
    return code_systems
