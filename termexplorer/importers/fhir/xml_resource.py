"""Resources of FHIR in XML as the events that the same resources in JSON have.

In XML a value is an attribute (`<code value="A"/>`), an array is elements that follow each other,
and a resource within another is an element named for its type.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from termexplorer.importers.files.source import Source
from termexplorer.importers.files.xml_events import Element, events, line_of, name_of, root_of

_ARRAYS = frozenset({"concept", "designation", "property", "entry", "extension"})
_HOLDERS = frozenset({"resource", "contained"})  # of whole resources

JsonEvent = tuple[str, str, Any]


@dataclass(slots=True)
class _OpenElement:
    """An element that is being read.

    Attributes:
        name: Without its namespace.
        element_path: Where it is, as the parser of JSON says it.
        array: The name of the array in it that is not closed yet, or "".
        is_value: Whether it is a plain value, so that what is in it is of nobody's interest.
        is_resource: Whether it is a resource that stands for its holder.
    """

    name: str
    element_path: str
    array: str = ""
    is_value: bool = False
    is_resource: bool = False


def is_xml(source: Source) -> bool:
    """Return whether a file is XML."""
    return root_of(source.head()) is not None


def read_xml_resource(source: Source) -> Iterator[tuple[JsonEvent, int]]:
    """Yield each event of a file's resource, with its line.

    Raises:
        UserError: No sound XML, truncated, or refused.
    """
    stack: list[_OpenElement] = []
    for event, element in events(source, "*"):
        line = line_of(element)
        parsed_events = _open_element(stack, element) if event == "start" else _close_element(stack)
        yield from ((resource_event, line) for resource_event in parsed_events)


def _open_element(stack: list[_OpenElement], element: Element) -> Iterator[JsonEvent]:
    name, parent = name_of(element), stack[-1] if stack else None
    if parent is None or parent.name in _HOLDERS:
        element_path = parent.element_path if parent else ""
        stack.append(_OpenElement(name, element_path, is_resource=parent is not None))
        if parent is None:
            yield element_path, "start_map", None
        yield element_path, "map_key", "resourceType"
        yield _join_place(element_path, "resourceType"), "string", name
        return
    element_path = _join_place(parent.element_path, name)
    if parent.is_value:
        stack.append(_OpenElement(name, element_path, is_value=True))
        return
    if parent.array and parent.array != name:
        yield from _end_array(parent)
    if parent.array != name:
        yield parent.element_path, "map_key", name
    value = element.get("value")
    if value is not None and name not in _ARRAYS:
        stack.append(_OpenElement(name, element_path, is_value=True))
        yield element_path, "string", str(value)
        return
    if name in _ARRAYS:
        if parent.array != name:
            parent.array = name
            yield element_path, "start_array", None
        element_path = f"{element_path}.item"
    stack.append(_OpenElement(name, element_path))
    yield element_path, "start_map", None


def _close_element(stack: list[_OpenElement]) -> Iterator[JsonEvent]:
    ended = stack.pop()
    if ended.array:
        yield from _end_array(ended)
    if not ended.is_value and not ended.is_resource:
        yield ended.element_path, "end_map", None


def _end_array(element: _OpenElement) -> Iterator[JsonEvent]:
    yield _join_place(element.element_path, element.array), "end_array", None
    element.array = ""


def _join_place(parent_path: str, name: str) -> str:
    return f"{parent_path}.{name}" if parent_path else name
