"""The one error type for what the library refuses, and texts that keep their values.

A program that shows them in another language looks a template up, and fills its values in.
"""

import errno
import os
from collections.abc import Mapping
from pathlib import Path
from typing import NoReturn, Self

from .near_names import find_near_names


class Message(str):
    """A text for people, in English, which keeps its template and the values put into it.

    A value may be a message itself. Without values, the template is the text as it stands. It never
    changes.

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
        message_values = {name: _message_of(value) for name, value in values.items()}
        message = super().__new__(
            cls, template.format(**message_values) if message_values else template
        )
        object.__setattr__(message, "template", template)
        object.__setattr__(message, "values", message_values)
        return message

    def __setattr__(self, name: str, value: object) -> NoReturn:
        """Refuse any change."""
        raise AttributeError(f"a message does not change: {name}")


class TrainerError(ValueError):
    """Something that the library cannot take, such as a file or a setting, told for people.

    Args:
        template: what is wrong, where, and what to do about it, with `{names}` of values; or the
            whole message.
        values: what is put in.
    """

    def __init__(self, template: str, /, **values: object) -> None:
        super().__init__(template if isinstance(template, Message) else Message(template, **values))

    @property
    def message(self) -> Message:
        """Return what is wrong, with its template and values."""
        message: Message = self.args[0]
        return message


def _message_of(value: object) -> object:
    """Return what an error says, as the error keeps alive all that its traceback holds."""
    if not isinstance(value, BaseException):
        return value
    if isinstance(value, OSError) and value.errno is not None:
        return describe_os_error(value)
    message = value.args[0] if len(value.args) == 1 else ""
    return message if isinstance(message, Message) else str(value)


_REASONS = {
    errno.EACCES: Message("Permission denied"),
    errno.EPERM: Message("Operation not permitted"),
    errno.ENOSPC: Message("No space left on device"),
    errno.EDQUOT: Message("Disk quota exceeded"),
    errno.EISDIR: Message("Is a directory"),
    errno.ENOTDIR: Message("Not a directory"),
    errno.ENOTEMPTY: Message("Directory not empty"),
    errno.EEXIST: Message("File exists"),
    errno.EROFS: Message("Read-only file system"),
    errno.ENAMETOOLONG: Message("File name too long"),
    errno.EFBIG: Message("File too large"),
    errno.EBUSY: Message("Device or resource busy"),
    errno.EIO: Message("Input/output error"),
    errno.EMFILE: Message("Too many open files"),
}


def describe_os_error(error: OSError) -> Message:
    """Return why the system refused something; of a file that is not there, what is near its name.

    Example:
        >>> describe_os_error(OSError(28, "No space left on device"))
        'No space left on device'
    """
    if error.errno == errno.ENOENT:
        return _describe_missing(error.filename)
    unknown = error.strerror or str(error) or type(error).__name__
    return _REASONS.get(error.errno or 0) or Message(unknown)


def _describe_missing(filename: object) -> Message:
    path = Path(os.fsdecode(filename)) if isinstance(filename, str | bytes | os.PathLike) else None
    if path and not path.parent.is_dir():
        return Message("there is no folder {folder}; check its name", folder=path.parent)
    if path and (near := find_near_names(path)):
        return Message("there is no such file; near its name are: {near}", near=", ".join(near))
    return Message("there is no such file; check its name and folder")
