"""What a command says of an error of the system that nobody foresaw, or of a package not there."""

from collections.abc import Iterator
from contextlib import contextmanager

from termexplorer.errors import UserError
from termexplorer.system_reasons import tell_reason

_WINDOW = ("PySide6", "pyqtgraph")  # the extra `gui`


def describe_os_error(error: OSError) -> str:
    """Return what the system refused, where, and what to do."""
    reason = tell_reason(error)
    if error.filename is None:
        return f"{reason}; see that files can be read and written, and that the disk has room"
    return f"{error.filename}: {reason}; check the rights of that place, or name another"


@contextmanager
def refuse_without_window() -> Iterator[None]:
    """Turn a missing package of the window into a `UserError` that names its extra."""
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in _WINDOW:
            raise
        raise UserError(
            "the window and pictures need Qt, which is not installed: "
            "pip install 'termexplorer[gui]'"
        ) from error
