"""The concepts of a code system: nested, or with their parents and children as properties."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import ijson

from termexplorer.importers.fhir.systems import System
from termexplorer.importers.records import ConceptRecord, IsARecord, NameRecord, Skipped
from termexplorer.importers.text.languages import Namer, Spoken
from termexplorer.importers.text.notes import count_key
from termexplorer.importers.text.text import clean, unique
from termexplorer.texts import tr

_PROPERTIES = "http://hl7.org/fhir/concept-properties#"
_FULLY_SPECIFIED = "900000000000003001"
_PREFERRED = ("display", "preferredForLanguage")
_WITHDRAWN = ("deprecated", "retired", "inactive")
_READ = frozenset({"parent", "subsumedBy", "child", "status", "inactive", "deprecated"})
_FIELDS = frozenset({"code", "display", "definition", "designation", "property", "concept", "id"})
_PARENT = ("parent", "subsumedBy")


@dataclass(slots=True)
class _OpenConcept:
    """A concept that is being read.

    Attributes:
        json_path: Where it is in its resource.
        children: The codes of those in it.
    """

    json_path: str
    line: int
    builder: Any = field(default_factory=ijson.ObjectBuilder)
    children: list[str] = field(default_factory=list)


class CodeSystemReader:
    """Reads the concepts of one code system.

    Attributes:
        unread: Code of a property, or field of a concept -> how many values.
    """

    def __init__(self, system: System, namer: Namer) -> None:
        self.unread: Counter[str] = Counter()
        self._prefix = system.prefix
        self._language = system.language
        self._namer = namer
        self._roles = {
            code: uri.removeprefix(_PROPERTIES)
            for code, uri in system.properties
            if uri.startswith(_PROPERTIES)
        }

    def records(
        self, events: Iterable[tuple[Any, str, str, Any, int]]
    ) -> Iterator[ConceptRecord | IsARecord | Skipped]:
        """Yield each concept when it ends, with links to those in it, which came before."""
        stack: list[_OpenConcept] = []
        below = "concept.item"  # where the next concept would be
        for _, json_path, event, value, line in events:
            if event == "start_map" and json_path == below:
                stack.append(_OpenConcept(json_path, line))
                below = f"{json_path}.concept.item"
            if stack and _is_own(stack[-1].json_path, json_path, event, value):
                stack[-1].builder.event(event, value)
            if stack and event == "end_map" and json_path == stack[-1].json_path:
                frame = stack.pop()
                below = frame.json_path
                yield from self._ended(frame, stack[-1].children if stack else [])

    def _ended(
        self, frame: _OpenConcept, siblings: list[str]
    ) -> Iterator[ConceptRecord | IsARecord | Skipped]:
        concept = frame.builder.value
        code = clean(_text_or_empty(concept.get("code")))
        if not code:
            yield Skipped(frame.line, tr("a concept without a code"))
            return
        siblings.append(code)
        for key in concept.keys() - _FIELDS:
            count_key(self.unread, key)
        properties = list(self._properties(concept))
        curie = self._curie(code)
        yield ConceptRecord(
            curie=curie,
            code=code,
            names=self._namer.names(list(self._names(concept, code))),
            parents=unique(
                self._curie(value) for role, value in properties if role in _PARENT and value
            ),
            definition=clean(_text_or_empty(concept.get("definition"))),
            obsolete=any(_withdraws_concept(role, value) for role, value in properties),
            line=frame.line,
        )
        children = [
            *frame.children,
            *(value for role, value in properties if role == "child" and value),
        ]
        for child in unique(children):
            yield IsARecord(self._curie(child), curie, frame.line)

    def _curie(self, code: str) -> str:
        return f"{self._prefix}:{code}"

    def _names(self, concept: dict[str, Any], code: str) -> Iterator[Spoken]:
        display = _text_or_empty(concept.get("display"))
        spoken = (
            [Spoken(NameRecord(display, "preferred"), self._language)] if clean(display) else []
        )
        for designation in _list_of_maps(concept.get("designation")):
            use = designation.get("use")
            sort = _text_or_empty(use.get("code")) if isinstance(use, dict) else ""
            kind = "fully specified" if sort == _FULLY_SPECIFIED else "synonym"
            kind = "preferred" if sort in _PREFERRED else kind
            language = _text_or_empty(designation.get("language")).lower() or self._language
            if clean(_text_or_empty(designation.get("value"))):
                spoken.append(
                    Spoken(NameRecord(_text_or_empty(designation["value"]), kind), language)
                )
            else:
                count_key(self.unread, "designation")
        yield from spoken or [Spoken(NameRecord(code, "preferred"), self._namer.first)]

    def _properties(self, concept: dict[str, Any]) -> Iterator[tuple[str, str]]:
        """The role and value, as text, of each property that is known."""
        for concept_property in _list_of_maps(concept.get("property")):
            code = _text_or_empty(concept_property.get("code"))
            role = self._roles.get(code, code)
            if role not in _READ:
                count_key(self.unread, role or "?")
                continue
            value = next(
                (concept_property[key] for key in concept_property if key.startswith("value")), ""
            )
            value = value.get("code") if isinstance(value, dict) else value
            yield role, clean(str(value))


def _is_own(frame: str, json_path: str, event: str, value: object) -> bool:
    """Whether an event is of a concept itself, and not of those in it."""
    if json_path == frame:
        return not (event == "map_key" and value == "concept")
    inner = f"{frame}.concept"
    return json_path != inner and not json_path.startswith(f"{inner}.")


def _withdraws_concept(role: str, value: str) -> bool:
    if role == "status":
        return value.lower() in _WITHDRAWN
    return role in ("inactive", "deprecated") and value.lower() not in ("false", "")


def _text_or_empty(value: object) -> str:
    return value if isinstance(value, str) else ""


def _list_of_maps(value: object) -> list[dict[str, Any]]:
    return [entry for entry in value if isinstance(entry, dict)] if isinstance(value, list) else []
