"""The folder of a study: made if it is not there, and held by one process at a time."""

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from termexplorer.errors import UserError
from termexplorer.store.database.process_lock import LockHeldError, ProcessLock
from termexplorer.system_reasons import tell_reason


@contextmanager
def held(folder: Path) -> Iterator[None]:
    """Holds the right to run a study there.

    Raises:
        UserError: another process has it, or the folder cannot be made or written to.
    """
    right = ProcessLock(folder / "study.lock")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        right.take()
    except OSError as error:
        raise UserError(f"{folder}: cannot be made ({tell_reason(error)})") from error
    except UserError as error:
        raise UserError(f"{folder}: cannot be written to; choose another --out") from error
    except LockHeldError as error:
        raise UserError(
            f"{folder}: a study is running there already; wait for it, or choose another --out"
        ) from error
    try:
        yield
    finally:
        right.let_go()


@contextmanager
def usable(folder: Path) -> Iterator[None]:
    """Tells what of the folder cannot be used, or that its disk is full.

    Raises:
        UserError: either.
    """
    try:
        yield
    except OSError as error:
        path = Path(str(error.filename or ""))
        if path.is_relative_to(folder):
            problem = (
                f"{path}: cannot be used ({tell_reason(error)}); check the rights of its folder"
            )
        elif error.errno == errno.ENOSPC:
            problem = f"{folder}: {tell_reason(error)}; make room"
        else:
            raise
        raise UserError(f"{problem}, then run the study again: it goes on") from error
