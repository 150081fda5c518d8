"""The head of an SSSOM/TSV file: plain YAML, read without what could run or swell."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from termexplorer.errors import UserError

if TYPE_CHECKING:
    import yaml

_LARGEST = 1 << 22  # characters
_DEEPEST = 20
_CALLED = {"scalar": "a text", "sequence": "a list", "mapping": "pairs of name and text"}
_FORMS = {
    "curie_map": ("mapping",),
    "extension_definitions": ("sequence",),
    "mapping_set_source": ("scalar", "sequence"),
    "mapping_set_id": ("scalar",),
    "mapping_set_title": ("scalar",),
    "mapping_date": ("scalar",),
    "subject_type": ("scalar",),
    "object_type": ("scalar",),
}
_NOTHING = ("", "~", "null", "Null", "NULL")


def read_head(path: Path, text: str) -> dict[str, Any]:
    """Slots of a whole set: texts as they stand, or lists and mappings of them.

    Args:
        path: where it is from.
        text: YAML, from the first line of the file on.

    Raises:
        UserError: it is broken, or has what the standard forbids: anchors, aliases, tags and
            directives, by which a small text can become a large one.
    """
    import yaml  # the window is there before it is needed

    if len(text) > _LARGEST:
        raise UserError(f"{path}, line 1: a head of more than {_LARGEST >> 20} MiB; shorten it")
    try:
        _check(path, text)
        node = yaml.compose(text, Loader=yaml.BaseLoader)
    except yaml.MarkedYAMLError as error:
        raise _broken(path, error.problem_mark, error.problem or "it is no YAML") from None
    except yaml.YAMLError as error:  # a character that YAML does not know
        place = getattr(error, "position", 0)
        line = text.count("\n", 0, place) + 1
        raise UserError(
            f"{path}, line {line}: the head holds a character that YAML forbids; take it out"
        ) from None
    if node is None:
        return {}
    if not isinstance(node, yaml.MappingNode):
        raise _broken(path, node.start_mark, "it is no list of slots (`slot: value`)")
    found: dict[str, Any] = _plain(path, node)
    for key, value in node.value:
        wanted = _FORMS.get(key.value, ())
        if key.value in found and wanted and value.id not in wanted:
            form = " or ".join(_CALLED[each] for each in wanted)
            raise _broken(path, key.start_mark, f"{key.value} is to be {form}")
    return found


def _check(path: Path, text: str) -> None:
    import yaml

    depth = 0
    for event in yaml.parse(text, Loader=yaml.BaseLoader):
        if isinstance(event, yaml.DocumentStartEvent):
            forbidden = event.version is not None or bool(event.tags)
        else:
            forbidden = bool(getattr(event, "anchor", None) or getattr(event, "tag", None))
        if forbidden:
            raise _broken(
                path, event.start_mark, "SSSOM allows no anchors, aliases, tags and directives"
            )
        depth += isinstance(event, yaml.CollectionStartEvent)
        depth -= isinstance(event, yaml.CollectionEndEvent)
        if depth > _DEEPEST:
            raise _broken(path, event.start_mark, f"it is more than {_DEEPEST} levels deep")


def _plain(path: Path, node: "yaml.Node") -> Any:
    import yaml

    if isinstance(node, yaml.SequenceNode):
        return [_plain(path, each) for each in node.value]
    if not isinstance(node, yaml.MappingNode):
        return _checked(path, node)
    found: dict[str, Any] = {}
    for key, value in node.value:
        if not isinstance(key, yaml.ScalarNode):
            raise _broken(path, key.start_mark, "the name of a slot is no text")
        if key.value in found:
            raise _broken(path, key.start_mark, f"{key.value} stands there twice")
        if not (isinstance(value, yaml.ScalarNode) and _is_nothing(value)):
            found[_checked(path, key)] = _plain(path, value)
    return found


def _is_nothing(node: "yaml.ScalarNode") -> bool:
    return node.style is None and node.value in _NOTHING


def _checked(path: Path, node: Any) -> str:
    text = str(node.value)
    if any(sign == "\0" or "\ud800" <= sign <= "\udfff" for sign in text):
        raise _broken(
            path, node.start_mark, "it holds a NUL or half a character (\\ud800 to \\udfff)"
        )
    return text


def _broken(path: Path, mark: Any, problem: str) -> UserError:
    where = f", line {mark.line + 1}" if mark is not None else ""
    return UserError(f"{path}{where}: the head cannot be read: {problem}; mend it")
