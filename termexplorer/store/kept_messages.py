"""Messages that a workspace keeps: template and values, put into words where they are shown.

A `Message` is its English text, which commands and exports have; a window shows what
`translate_message` makes of it in its own language.
"""

import json
from collections.abc import Iterable, Mapping
from contextlib import suppress
from numbers import Integral, Real
from typing import Any

from termexplorer.texts import PluralText, SpokenText, translated
from termexplorer.trainer.errors import Message

_PLAIN = "{text}"


def plain_message(text: str) -> Message:
    """Return a text as a message: what `tr` made of its template and values, else as it stands.

    Example:
        >>> plain_message("Map of Names"), plain_message("").values
        ('Map of Names', {})
    """
    if isinstance(text, SpokenText):
        with suppress(AttributeError, KeyError, IndexError, TypeError, ValueError):
            return _of_parts(text.template, {name: _of_text(v) for name, v in text.values.items()})
    if isinstance(text, Message):
        return text
    return Message(_PLAIN, text=text) if text else Message("")


def _of_text(value: object) -> object:
    return plain_message(value) if isinstance(value, SpokenText) else value


def _of_parts(template: str, values: Mapping[str, object]) -> Message:
    """Return the message of a template; of one of two forms, that which the number asks for."""
    if not isinstance(template, PluralText):
        return Message(template, **values)
    message = Message(template.singular if values.get("n") == 1 else template, **values)
    object.__setattr__(message, "template", template)
    return message


def join_messages(parts: Iterable[str], separator: str = ", ") -> Message:
    """Return messages and values as one message, which lists them."""
    listed = {f"part{at}": part for at, part in enumerate(parts)}
    return Message(separator.join(f"{{{name}}}" for name in listed), **listed)


def list_joined(message: str) -> list[Any]:
    """Return what `join_messages` listed with commas; nothing for another message.

    Example:
        >>> list_joined(join_messages(["a", "b"])), list_joined("a, b")
        (['a', 'b'], [])
    """
    if not isinstance(message, Message):
        return []
    parts = list(message.values.values())
    return parts if message.template == join_messages(map(str, parts)).template else []


def translate_message(text: str) -> str:
    """Return a message in the language in use, and any other text as it is."""
    if not isinstance(text, Message):
        return text
    values: dict[str, Any] = {
        name: translate_message(value) if isinstance(value, str) else value
        for name, value in text.values.items()
    }
    return translated(text.template, **values)


def encode_message(message: str) -> dict[str, Any]:
    """Return a message as JSON keeps it; a plain text as one that is shown as it stands."""
    if not isinstance(message, Message):
        message = plain_message(message)
    values = {name: _encode_value(value) for name, value in message.values.items()}
    forms = {"one": message.template.singular} if isinstance(message.template, PluralText) else {}
    return {"text": message.template} | forms | ({"values": values} if values else {})


def _encode_value(value: object) -> Any:
    if isinstance(value, Message):
        return encode_message(value)
    if value is None or isinstance(value, str | bool):
        return value
    if isinstance(value, Integral):
        return int(value)
    return float(value) if isinstance(value, Real) else str(value)


def decode_message(content: object) -> Message:
    """Return what `encode_message` made; what else is found there, as a plain text."""
    try:
        return _decode_parts(content)
    except (AttributeError, KeyError, IndexError, TypeError, ValueError):
        return plain_message(str(content))


def _decode_parts(content: Any) -> Message:
    template = content["text"]
    if "one" in content:
        template = PluralText(content["one"], template)
    values = {
        name: _decode_parts(value) if isinstance(value, Mapping) else value
        for name, value in content.get("values", {}).items()
    }
    return _of_parts(template, values)


def write_message(message: str) -> str:
    """Return a message as a column of text keeps it; nothing where it says nothing."""
    return json.dumps(encode_message(message), ensure_ascii=False) if message else ""


def read_message(text: str) -> Message:
    """Return what `write_message` wrote; what else is found there, as a plain text."""
    try:
        return decode_message(json.loads(text)) if text else Message("")
    except ValueError:
        return plain_message(text)
