"""What files and folders that a study reads hold, told by a hash."""

import hashlib
from pathlib import Path

from termexplorer.errors import UserError
from termexplorer.system_reasons import tell_reason
from termexplorer.trainer.files.folders import sha256


def content_hash(path: Path) -> str:
    """SHA-256 of a file; of a folder over the names and the SHA-256 of all files in it.

    Raises:
        UserError: it is not there or cannot be read.
    """
    try:
        if not path.is_dir():
            return sha256(path)
        files = sorted(file for file in path.rglob("*") if file.is_file())
        held = [(file.relative_to(path).as_posix(), sha256(file)) for file in files]
    except OSError as error:
        raise UserError(f"{path}: cannot be read ({tell_reason(error)})") from error
    return hashlib.sha256(repr(held).encode()).hexdigest()
