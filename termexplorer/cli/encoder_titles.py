"""Encoders named by their titles, where commands take ids."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from termexplorer.errors import UserError

_SPARED = re.compile(r"[\W_]+")


def accept_titles(parameter: Any) -> None:
    """Have an option or argument take the title of an encoder as well as its id."""
    process = parameter.process_value

    def process_titles(context: Any, value: Any) -> Any:
        folder = context.params.get("workspace")
        if isinstance(value, str):
            value = _find_id(folder, value)
        elif isinstance(value, list | tuple):
            value = type(value)(_find_id(folder, each) for each in value)
        return process(context, value)

    parameter.process_value = process_titles


def _find_id(folder: Path | None, text: Any) -> Any:
    """Return the id that a title stands for; an id, and what is no text, as they are.

    Raises:
        UserError: no encoder is called so, or several are.
    """
    if not isinstance(text, str) or text.strip().isdecimal():
        return text
    from termexplorer.cli.opening import opened  # brings in SQLAlchemy
    from termexplorer.services.encoders.encoders import list_encoders

    with opened(folder) as place:
        encoders = list_encoders(place)
    wanted = _fold_title(text)
    exact = [each for each in encoders if wanted in map(_fold_title, (each.title, each.label))]
    found = exact or [each for each in encoders if wanted == _fold_title(each.method)]
    if len(found) == 1:
        return str(found[0].id)
    raise UserError(
        _describe_failure(text, [each.label for each in found or encoders], bool(found))
    )


def _fold_title(text: str) -> str:
    return _SPARED.sub("", text).casefold()


def _describe_failure(text: str, labels: Sequence[str], are_several: bool) -> str:
    if are_several:
        return f"“{text}” may be {' or '.join(labels)}; give the id"
    known = ", ".join(labels[:12])
    more = f" and {len(labels) - 12:,} more" if len(labels) > 12 else ""
    return f"no encoder is called “{text}”; there are {known}{more}: give a title, or an id"
