"""The one error type for what the world does wrong; anything else raised is a bug of ours."""

from termexplorer.plain_text import show_signs

_START, _END = 1_400, 500  # characters of a longer message that are shown


class UserError(Exception):
    """Something the user can mend: a bad file, an unknown id, a place that cannot be written to.

    The message is one line that says what is wrong, where (file and line where there is one), and
    what to do about it, after a semicolon. Commands print it on standard error and exit with 1.
    It may quote a file: ends of lines and control characters in it are shown as signs, and of a
    long one its start and its end.
    """

    def __init__(self, message: str = "") -> None:
        shown = _shorten_message(show_signs(_shorten_message(message)).replace("\n", " ⏎ "))
        super().__init__(message if shown == message else shown)

    def __str__(self) -> str:
        """Return the message, which keeps what it was made of where `tr` made it."""
        message: str = self.args[0] if self.args else ""
        return message

    @property
    def why(self) -> str:
        """What is wrong, without what to do about it, for where something else is to be done."""
        return str(self).partition(";")[0]


class StoreError(UserError):
    """A store cannot be read or written: no room, no rights, damage, a lock that stays."""


class StoreGoneError(StoreError):
    """The file of an open store was deleted, moved or replaced; nothing was written to it."""


class NotWritableError(StoreError):
    """A store cannot be written to: its medium is read-only or full, or the rights are missing."""


class DiskFullError(NotWritableError):
    """A store cannot be written to because its disk takes no more."""


class StoppedError(UserError):
    """Ctrl+C stopped a command: it exits with 130, and the message says how to go on."""


def _shorten_message(message: str) -> str:
    if len(message) <= _START + _END:
        return message
    return f"{message[:_START]} … {message[-_END:]}"
