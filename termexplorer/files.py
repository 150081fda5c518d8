"""Files that appear whole or not at all."""

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from termexplorer.errors import UserError
from termexplorer.texts import tr
from trainer.synced import move_synced


@contextmanager
def beside(path: Path) -> Iterator[Path]:
    """Yield a path beside a file's own; what is written there takes its place, on the disk.

    Raises:
        UserError: the place cannot be written to.
    """
    # a name of its own: threads of one process write there too
    fresh = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    try:
        yield fresh
        move_synced(fresh, path)
    except OSError as error:
        text = tr("{path}: cannot be written ({error})", path=path, error=error.strerror or error)
        raise UserError(text) from error
    finally:
        fresh.unlink(missing_ok=True)
