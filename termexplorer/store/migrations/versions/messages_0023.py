"""Messages are kept as template and values; until now they were kept as English text."""

import json
import re
from collections.abc import Iterable, Iterator
from functools import cache, partial
from typing import Any

from alembic import op

from termexplorer.store.migrations.kept_texts_0023 import EVALUATIONS, FACTS, REMARKS, RUNS

revision = "0023"
down_revision = "0022"

_PART = 2_000  # rows
_LISTED = ", "
_PLACE = re.compile(r"\{(\w+)(?::([^}]*))?\}")
_NUMBER, _ANYTHING = r"[-\d.,]+|-?inf|nan", ".+"
_Kept = dict[str, Any]


def upgrade() -> None:
    """Take the texts apart; one that comes of no template is shown as it stands."""
    _change("import_remark", ("id",), "text", partial(_write_text, REMARKS))
    _change("evaluation", ("task", "data_hash"), "title", partial(_write_text, EVALUATIONS))
    _change("evaluation", ("task", "data_hash"), "notes", partial(_write_list, EVALUATIONS))
    _change("run", ("id",), "error", partial(_write_text, RUNS))
    _change("run", ("id",), "card", _write_card)
    _change("suggestion_list", ("id",), "facts", partial(_write_list, FACTS))


def _change(table: str, keys: tuple[str, ...], column: str, write: Any) -> None:
    """Write a column of each row anew."""
    connection = op.get_bind()
    query = f"SELECT {column}, {', '.join(keys)} FROM {table}"
    where = " AND ".join(f"{key} = ?" for key in keys)
    rows = connection.exec_driver_sql(query).all()
    for start in range(0, len(rows), _PART):
        changed = [(write(text), *key) for text, *key in rows[start : start + _PART]]
        connection.exec_driver_sql(f"UPDATE {table} SET {column} = ? WHERE {where}", changed)


def _write_text(templates: tuple[str, ...], text: str) -> str:
    return _to_json(_take_apart(templates, text)) if text else ""


def _write_list(templates: tuple[str, ...], texts: str) -> str:
    return _to_json([_take_apart(templates, text) for text in json.loads(texts)])


def _write_card(card: str) -> str:
    if '"memory"' not in card:
        return card
    facts = json.loads(card)
    return _to_json(facts | {"memory": [_take_apart(RUNS, text) for text in facts["memory"]]})


def _to_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _take_apart(templates: tuple[str, ...], text: str) -> _Kept:
    """Return the message of a text; a plain one if it is of no template."""
    message = _find_message(templates, text)
    return message or {"text": "{text}", "values": {"text": text}}


def _find_message(templates: tuple[str, ...], text: str) -> _Kept | None:
    messages = (_match(templates, template, text) for template in templates)
    return next(filter(None, messages), None)


def _match(templates: tuple[str, ...], template: str, text: str) -> _Kept | None:
    matched = _pattern_of(template).fullmatch(text)
    if matched is None:
        return None
    specs = {name: spec or "" for name, spec in _PLACE.findall(template)}
    values = {
        name: _read_number(value, specs[name]) if specs[name] else _read_value(templates, value)
        for name, value in matched.groupdict().items()
    }
    message = {"text": template, "values": values} if values else {"text": template}
    return message if _fill(message) == text else None


def _read_number(text: str, spec: str) -> float:
    plain = text.replace(",", "")
    try:
        return int(plain) if spec in (",", "d") else float(plain)
    except ValueError:
        return 0  # another text comes of it, so that this one is of another template


def _read_value(templates: tuple[str, ...], text: str) -> object:
    """Return a value: a message itself, or a list of some, or a text."""
    if message := _find_message(templates, text):
        return message
    parts = [_find_message(templates, part) or part for part in text.split(_LISTED)]
    return _join(parts) if any(isinstance(part, dict) for part in parts) else text


def _join(parts: Iterable[object]) -> _Kept:
    values = {f"part{at}": part for at, part in enumerate(parts)}
    return {"text": _LISTED.join(f"{{{name}}}" for name in values), "values": values}


def _fill(message: _Kept) -> str:
    """Return the English text of a message."""
    template: str = message["text"]
    return template.format(**dict(_fill_values(message))) if "values" in message else template


def _fill_values(message: _Kept) -> Iterator[tuple[str, object]]:
    for name, value in message["values"].items():
        yield name, _fill(value) if isinstance(value, dict) else value


@cache
def _pattern_of(template: str) -> re.Pattern[str]:
    """Return what matches the texts that come of a template."""
    parts = _PLACE.split(template)
    places = zip(parts[1::3], parts[2::3], parts[3::3], strict=True)
    named = (
        f"(?P<{name}>{_NUMBER if spec else _ANYTHING}){re.escape(rest)}"
        for name, spec, rest in places
    )
    return re.compile(re.escape(parts[0]) + "".join(named), re.DOTALL)
