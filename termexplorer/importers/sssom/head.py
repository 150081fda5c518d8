"""The head of an SSSOM/TSV file: plain YAML, read without what could run or swell."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from termexplorer.errors import UserError
from termexplorer.texts import mark, tr, translated

if TYPE_CHECKING:
    import yaml

_LARGEST = 1 << 22  # characters
_DEEPEST = 20
_CALLED = {
    "scalar": mark("a text"),
    "sequence": mark("a list"),
    "mapping": mark("pairs of name and text"),
}
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
        raise UserError(
            tr(
                "{path}, line 1: a head of more than {size} MiB; shorten it",
                path=path,
                size=_LARGEST >> 20,
            )
        )
    try:
        _check_depth(path, text)
        node = yaml.compose(text, Loader=yaml.BaseLoader)
    except yaml.MarkedYAMLError as error:
        raise _broken_head(path, error.problem_mark, error.problem or tr("it is no YAML")) from None
    except yaml.YAMLError as error:  # a character that YAML does not know
        position = getattr(error, "position", 0)
        line = text.count("\n", 0, position) + 1
        raise UserError(
            tr(
                "{path}, line {line}: the head holds a character that YAML forbids; take it out",
                path=path,
                line=line,
            )
        ) from None
    if node is None:
        return {}
    if not isinstance(node, yaml.MappingNode):
        raise _broken_head(path, node.start_mark, tr("it is no list of slots (`slot: value`)"))
    head: dict[str, Any] = _node_value(path, node)
    for key, value in node.value:
        wanted = _FORMS.get(key.value, ())
        if key.value in head and wanted and value.id not in wanted:
            form = tr(" or ").join(translated(_CALLED[kind]) for kind in wanted)
            problem = tr("{slot} is to be {form}", slot=key.value, form=form)
            raise _broken_head(path, key.start_mark, problem)
    return head


def _check_depth(path: Path, text: str) -> None:
    import yaml

    depth = 0
    for event in yaml.parse(text, Loader=yaml.BaseLoader):
        if isinstance(event, yaml.DocumentStartEvent):
            forbidden = event.version is not None or bool(event.tags)
        else:
            forbidden = bool(getattr(event, "anchor", None) or getattr(event, "tag", None))
        if forbidden:
            raise _broken_head(
                path, event.start_mark, tr("SSSOM allows no anchors, aliases, tags and directives")
            )
        depth += isinstance(event, yaml.CollectionStartEvent)
        depth -= isinstance(event, yaml.CollectionEndEvent)
        if depth > _DEEPEST:
            problem = tr("it is more than {n} levels deep", n=_DEEPEST)
            raise _broken_head(path, event.start_mark, problem)


def _node_value(path: Path, node: "yaml.Node") -> Any:
    import yaml

    if isinstance(node, yaml.SequenceNode):
        return [_node_value(path, child) for child in node.value]
    if not isinstance(node, yaml.MappingNode):
        return _checked_text(path, node)
    entries: dict[str, Any] = {}
    for key, value in node.value:
        if not isinstance(key, yaml.ScalarNode):
            raise _broken_head(path, key.start_mark, tr("the name of a slot is no text"))
        if key.value in entries:
            problem = tr("{slot} stands there twice", slot=key.value)
            raise _broken_head(path, key.start_mark, problem)
        if not (isinstance(value, yaml.ScalarNode) and _is_nothing(value)):
            entries[_checked_text(path, key)] = _node_value(path, value)
    return entries


def _is_nothing(node: "yaml.ScalarNode") -> bool:
    return node.style is None and node.value in _NOTHING


def _checked_text(path: Path, node: Any) -> str:
    text = str(node.value)
    if any(sign == "\0" or "\ud800" <= sign <= "\udfff" for sign in text):
        raise _broken_head(
            path, node.start_mark, tr("it holds a NUL or half a character (\\ud800 to \\udfff)")
        )
    return text


def _broken_head(path: Path, position: Any, problem: str) -> UserError:
    if position is None:
        return UserError(
            tr("{path}: the head cannot be read: {problem}; mend it", path=path, problem=problem)
        )
    return UserError(
        tr(
            "{path}, line {line}: the head cannot be read: {problem}; mend it",
            path=path,
            line=position.line + 1,
            problem=problem,
        )
    )
