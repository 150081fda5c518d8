"""Private keys, made at the first use and kept beside the store, in files for their owner alone.

The author of studies has one in a workspace; who judges has one for each seat, so that answers of
several people from one machine stay apart. A private key never leaves its folder: no pack, answers
file, export, backup, log or bug report holds it. Where none can be made or read, all goes on
unsigned.
"""

import logging
import os
import secrets
import stat
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from termexplorer.services.signing.signatures import Signature
from termexplorer.store.judging.verdicts import json_hash
from termexplorer.store.private_files import make_private_folder
from termexplorer.trainer.files.synced import sync_path
from termexplorer.workspace import Workspace

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

__all__ = ["SigningKey", "author_key", "read_seat_key", "seat_key"]

_FOLDER = "keys"
_AUTHOR = "author"
_DIGITS = 64
# a workspace may be somebody else's: what stands there may be a link, or a pipe that never ends
_READ = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
_log = logging.getLogger(__name__)


class SigningKey:
    """A private key.

    Attributes:
        public: the public key that belongs to it, 64 hexadecimal digits.
    """

    def __init__(self, private: "Ed25519PrivateKey") -> None:
        self._private = private
        self.public = private.public_key().public_bytes_raw().hex()

    def sign(self, message: bytes) -> Signature:
        """Return the signature of a message; the same each time."""
        return Signature(self.public, self._private.sign(message).hex())


def author_key(workspace: Workspace) -> SigningKey | None:
    """Return the key of who makes studies in a workspace, made at first; None without keys."""
    return _load_key(_locate_key(workspace, _AUTHOR), make=not workspace.read_only)


def seat_key(workspace: Workspace, study: str, annotator: str) -> SigningKey | None:
    """Return the key of one who judges in a study, made at first; None without keys.

    Args:
        workspace: where they judge.
        study: its key.
        annotator: their name.
    """
    name = _name_seat(study, annotator)
    return _load_key(_locate_key(workspace, name), make=not workspace.read_only)


def read_seat_key(workspace: Workspace, study: str, annotator: str) -> SigningKey | None:
    """Return the key of one who judged in a study here; None where there is none."""
    return _load_key(_locate_key(workspace, _name_seat(study, annotator)), make=False)


def _name_seat(study: str, annotator: str) -> str:
    return json_hash([study, annotator])[:32]


def _locate_key(workspace: Workspace, name: str) -> Path:
    return workspace.folder / _FOLDER / f"{name}.key"


def _load_key(path: Path, *, make: bool) -> SigningKey | None:
    try:
        from cryptography.exceptions import UnsupportedAlgorithm
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    except ImportError:
        _log.warning("the package cryptography is not there; nothing is signed")
        return None
    try:
        if make and not os.path.lexists(path):
            _write_key(path, Ed25519PrivateKey.generate().private_bytes_raw().hex())
        if not os.path.lexists(path):
            return None
        return SigningKey(Ed25519PrivateKey.from_private_bytes(bytes.fromhex(_read_key(path))))
    except OSError as error:
        _log.warning("no key to sign with: %s", error.strerror)
    except (ValueError, UnsupportedAlgorithm):  # whose own words may show the key
        _log.warning("no key to sign with: its file is damaged")
    return None


def _read_key(path: Path) -> str:
    with os.fdopen(os.open(path, _READ), "rb") as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise ValueError
        return file.read(_DIGITS + 1).decode("ascii")


def _write_key(path: Path, digits: str) -> None:
    """Write a file that its owner alone can read, unless another process was faster."""
    make_private_folder(path.parent)
    fresh = path.with_suffix(f".{secrets.token_hex(8)}")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
    try:
        with os.fdopen(os.open(fresh, flags, 0o600), "w", encoding="ascii") as file:
            file.write(digits)
            file.flush()
            os.fsync(file.fileno())
        with suppress(FileExistsError):
            _publish_file(fresh, path)
        sync_path(path.parent)
        sync_path(path.parent.parent)
    finally:
        fresh.unlink(missing_ok=True)


def _publish_file(fresh: Path, path: Path) -> None:
    """Give a finished file its name, unless one is there.

    Raises:
        FileExistsError: one is there.
    """
    try:
        os.link(fresh, path)
    except FileExistsError:
        raise
    except OSError:  # a file system without links, as on a memory stick
        if os.path.lexists(path):
            raise FileExistsError from None
        os.rename(fresh, path)
