"""A folder that is written block by block, and gone on with after a break: only a block is lost."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from termexplorer.trainer.files.folders import META, sha256
from termexplorer.trainer.files.synced import make_folder_synced, move_synced, sync_path

_PART, _JOURNAL, _IDENTITY, _FRESH = ".part", "journal.jsonl", "identity.json", "fresh"


class BlockFolder:
    """The blocks of a folder that is not finished yet; one process at a time writes it.

    Args:
        folder: where it will be; until then its blocks lie beside it.
        identity: what the blocks are made of; those of anything else are thrown away.
    """

    def __init__(self, folder: Path, identity: Mapping[str, Any]) -> None:
        self.part = folder.with_name(folder.name + _PART)
        self._folder = folder
        self._identity = json.dumps(identity, sort_keys=True)
        self._hashes: dict[str, str] = {}
        self._open()

    def path(self, name: str) -> Path:
        """Return where a block lies."""
        return self.part / name

    def write(self, name: str, write: Callable[[Path], None]) -> None:
        """Have a block written, unless it is there and what was written.

        Args:
            name: of its file.
            write: writes it to a path.
        """
        if name in self._hashes:
            return
        fresh = self.part / _FRESH
        write(fresh)
        content_hash = sha256(fresh)
        sync_path(fresh)
        move_synced(fresh, self.part / name)
        self._note(name, content_hash)

    def finish(self, meta: Mapping[str, Any]) -> None:
        """Put the folder in its place, with a ``meta.json`` as ``replacing`` writes it.

        Args:
            meta: what ``meta.json`` says besides the hashes of the blocks.
        """
        for path in self.part.iterdir():
            if path.name not in self._hashes:
                path.unlink()
        text = json.dumps({**meta, "files": self._hashes}, indent=1, ensure_ascii=False)
        (self.part / META).write_text(text, encoding="utf-8")
        sync_path(self.part / META)
        if self._folder.exists():
            shutil.rmtree(self._folder)
        move_synced(self.part, self._folder)

    def _open(self) -> None:
        identity = self.part / _IDENTITY
        if not _has_text(identity, self._identity):
            shutil.rmtree(self.part, ignore_errors=True)
            make_folder_synced(self.part)
            identity.write_text(self._identity, encoding="utf-8")
            sync_path(identity)
        for name, content_hash in _read_journal(self.part / _JOURNAL):
            path = self.part / name
            if path.is_file() and sha256(path) == content_hash:
                self._hashes[name] = content_hash

    def _note(self, name: str, content_hash: str) -> None:
        with (self.part / _JOURNAL).open("a", encoding="utf-8") as journal:
            journal.write(json.dumps([name, content_hash]) + "\n")
            journal.flush()
            os.fsync(journal.fileno())
        self._hashes[name] = content_hash


def _has_text(path: Path, text: str) -> bool:
    try:
        return path.read_text(encoding="utf-8") == text
    except (OSError, ValueError):
        return False


def _read_journal(path: Path) -> list[tuple[str, str]]:
    """Return the names and hashes of a journal, whose last line a break may have cut."""
    if not path.is_file():
        return []
    entries = []
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
        try:
            name, content_hash = json.loads(line)
        except (ValueError, TypeError):
            continue
        entries.append((Path(str(name)).name, str(content_hash)))
    return entries
