"""Titles of runs and encoders are kept as template and values; until now as English text."""

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

from alembic import op

from termexplorer.store.migrations.kept_titles_0024 import TEMPLATES

revision = "0024"
down_revision = "0023"

_Message = dict[str, Any]
_SEPARATORS = (", ", " + ")
_SLOT = re.compile(r"\{(\w+)(?::,)?\}")
_NUMBER, _TEXT = r"[0-9][0-9,]*", r"\S.*"
_NUMBERED = re.compile(r"(?P<title>.+) \((?P<n>\d+)\)")  # of several with one title
_LABEL = re.compile(r"(?P<title>.+) #(?P<id>\d+)")
_TITLED = {"label", "encoder", "title", "titles", "sets"}  # values of messages that are titles
_ROWS = 2_000  # written at once


def upgrade() -> None:
    """Take titles apart, and those in messages; a title of no template stays as it stands."""
    _rewrite("encoder", ("id",), "title", _write_title)
    _rewrite("run", ("id",), "title", _write_title)
    for column in ("title", "notes"):
        _rewrite("evaluation", ("task", "data_hash"), column, _write_titles_within)
    _rewrite("suggestion_list", ("id",), "facts", _write_titles_within)


def _rewrite(table: str, keys: tuple[str, ...], column: str, write: Callable[[str], str]) -> None:
    connection = op.get_bind()
    where = " AND ".join(f"{key} = ?" for key in keys)
    rows = connection.exec_driver_sql(f"SELECT {column}, {', '.join(keys)} FROM {table}").all()
    changed = [(write(text), *row_keys) for text, *row_keys in rows if text]
    for start in range(0, len(changed), _ROWS):
        connection.exec_driver_sql(
            f"UPDATE {table} SET {column} = ? WHERE {where}", changed[start : start + _ROWS]
        )


def _write_title(text: str) -> str:
    plain = {"text": "{text}", "values": {"text": text}}
    return json.dumps(_take_apart(text) or plain, ensure_ascii=False)


def _write_titles_within(content: str) -> str:
    try:
        return json.dumps(_replace_titles(json.loads(content)), ensure_ascii=False)
    except ValueError:
        return content  # no message, which is shown as it stands


def _replace_titles(content: Any) -> Any:
    """Return messages with their values that are titles as messages."""
    if isinstance(content, list):
        return [_replace_titles(part) for part in content]
    if not isinstance(content, dict):
        return content
    return {
        key: (isinstance(value, str) and key in _TITLED and _take_apart(value))
        or _replace_titles(value)
        for key, value in content.items()
    }


def _take_apart(text: str) -> _Message | None:
    """Return the message of a title; None for one that is not of the program."""
    for separator in _SEPARATORS:
        parts = text.split(separator)
        if len(parts) > 1:
            messages = [_take_apart(part) or part for part in parts]
            known = any(isinstance(part, dict) for part in messages)
            return _join(messages, separator) if known else None
    for pattern, template in ((_NUMBERED, "{title} ({n})"), (_LABEL, "{title} #{id}")):
        matched = pattern.fullmatch(text)
        if matched and (title := _take_apart(matched["title"])):
            name, number = next(reversed(matched.groupdict().items()))
            return {"text": template, "values": {"title": title, name: int(number)}}
    return next(_match_templates(text), None)


def _join(parts: list[Any], separator: str) -> _Message:
    values = {f"part{at}": part for at, part in enumerate(parts)}
    return {"text": separator.join(f"{{{name}}}" for name in values), "values": values}


def _match_templates(text: str) -> Iterator[_Message]:
    for template in TEMPLATES:
        if (matched := _pattern_of(template).fullmatch(text)) is None:
            continue
        values = {name: _read_value(name, value) for name, value in matched.groupdict().items()}
        message = {"text": template} | ({"values": values} if values else {})
        if template.format(**values) == text:
            yield message


def _read_value(name: str, text: str) -> int | str:
    return int(text.replace(",", "")) if name == "n" else text


def _pattern_of(template: str) -> re.Pattern[str]:
    """Return what matches the texts that come of a template."""
    pieces = _SLOT.split(template)
    slots = (
        f"(?P<{name}>{_NUMBER if name == 'n' else _TEXT}){re.escape(rest)}"
        for name, rest in zip(pieces[1::2], pieces[2::2], strict=True)
    )
    return re.compile(re.escape(pieces[0]) + "".join(slots), re.DOTALL)
