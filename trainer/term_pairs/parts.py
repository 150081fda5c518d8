"""What a long search has found so far, in files, so that it can go on after it was stopped."""

from __future__ import annotations

import zipfile
from pathlib import Path

import numpy as np

from termexplorer.trainer.files.synced import move_synced
from termexplorer.trainer.term_pairs.concepts import Lists


class PartFiles:
    """Lists of places by number, one file each.

    Args:
        folder: where they are; of one search alone. It is made with the first of them.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def lists(self, number: int) -> Lists | None:
        """Return the lists of a number; None if there are none, or their file is damaged."""
        try:
            with self._path(number).open("rb") as file:
                stored = np.load(file, allow_pickle=False)
                return Lists(stored["starts"], stored["members"])
        except (OSError, ValueError, KeyError, zipfile.BadZipFile):
            return None

    def keep(self, number: int, lists: Lists) -> None:
        """Write the lists of a number; they are there whole or not at all."""
        self._folder.mkdir(parents=True, exist_ok=True)
        path = self._path(number)
        part = path.with_suffix(".part")
        with part.open("wb") as file:
            np.savez(file, starts=lists.starts, members=lists.members)
        move_synced(part, path)

    def _path(self, number: int) -> Path:
        return self._folder / f"{number:08d}.npz"
