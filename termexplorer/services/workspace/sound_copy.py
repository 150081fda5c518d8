"""What is sound in a damaged workspace, opened by itself, so that it can be exported."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from termexplorer.errors import UserError
from termexplorer.services.workspace.store_file import STORE, check_is_workspace
from termexplorer.store.database.row_copies import DamagedRow
from termexplorer.store.sound_rows import copy_sound_rows
from termexplorer.texts import tr
from termexplorer.workspace import Workspace


@dataclass(frozen=True, slots=True)
class SoundPart:
    """A workspace with the sound rows of another one.

    Attributes:
        workspace: open as long as the other one is looked at; it is thrown away then.
        left_out: the damaged rows that are not in it.
    """

    workspace: Workspace
    left_out: tuple[DamagedRow, ...]


@contextmanager
def open_sound_part(folder: Path) -> Iterator[SoundPart]:
    """Copy what is sound in a workspace into a new one, and open that; nothing here is changed.

    Args:
        folder: of the workspace, whose store may be damaged.

    Raises:
        UserError: it is none, or not even its tables can be listed.
    """
    check_is_workspace(folder)
    with (
        TemporaryDirectory(prefix="termexplorer-sound-") as temporary_folder,
        closing(Workspace(Path(temporary_folder) / "workspace")) as workspace,
    ):
        try:
            left_out = copy_sound_rows(folder / STORE, workspace.folder / STORE)
        except (sqlite3.DatabaseError, UnicodeDecodeError):  # its words may be those of a term
            raise UserError(
                tr(
                    "{folder}: its store cannot be read at all; put back a backup: "
                    "termexplorer backup list, workspace restore",
                    folder=folder,
                )
            ) from None
        yield SoundPart(workspace, tuple(left_out))
