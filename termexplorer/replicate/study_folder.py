"""The folder of a study: made if it is not there, and held by one process at a time."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from termexplorer.errors import UserError
from termexplorer.store.claim import Claim, TakenError


@contextmanager
def held(folder: Path) -> Iterator[None]:
    """Holds the right to run a study there.

    Raises:
        UserError: another process has it, or the folder cannot be made or written to.
    """
    right = Claim(folder / "study.lock")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        right.take()
    except OSError as error:
        raise UserError(f"{folder}: cannot be made ({error.strerror})") from error
    except TakenError as error:
        raise UserError(
            f"{folder}: a study is running there already; wait for it, or choose another --out"
        ) from error
    try:
        yield
    finally:
        right.let_go()
