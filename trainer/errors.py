"""The one error type for what the library refuses, and texts that keep their values.

A program that shows them in another language looks a template up, and fills its values in.
"""

from collections.abc import Mapping
from typing import Self


class Message(str):
    """A text for people, in English, which keeps its template and the values put into it.

    A value may be a message itself. Without values, the template is the text as it stands.

    Attributes:
        template: with `{names}` of values, as for `str.format`.
        values: by name; of an error, what it says.

    Example:
        >>> place = Message("{path}, line {line}", path="a.tsv", line=3)
        >>> place, place.template
        ('a.tsv, line 3', '{path}, line {line}')
    """

    template: str
    values: Mapping[str, object]

    def __new__(cls, template: str, /, **values: object) -> Self:
        """Fill a template in."""
        kept = {name: _message_of(value) for name, value in values.items()}
        message = super().__new__(cls, template.format(**kept) if kept else template)
        message.template, message.values = template, kept
        return message


class TrainerError(ValueError):
    """Something that the library cannot take, such as a file or a setting, told for people.

    Args:
        template: what is wrong, where, and what to do about it, with `{names}` of values; or the
            whole message.
        values: what is put in.
    """

    def __init__(self, template: str, /, **values: object) -> None:
        super().__init__(template if isinstance(template, Message) else Message(template, **values))


def _message_of(value: object) -> object:
    """Return what an error says, as the error keeps alive all that its traceback holds."""
    if not isinstance(value, BaseException):
        return value
    message = value.args[0] if len(value.args) == 1 else ""
    return message if isinstance(message, Message) else str(value)
