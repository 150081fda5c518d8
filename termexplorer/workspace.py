"""The workspace: a folder with a store, its locks, and the list of recent ones."""

import json
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from platformdirs import user_config_path

from termexplorer.errors import UserError
from termexplorer.files import atomic_write
from termexplorer.kept import SharedCache
from termexplorer.store.database.engine import Store
from termexplorer.store.database.log_head import keep_log_head
from termexplorer.store.database.process_lock import LockHeldError, ProcessLock
from termexplorer.store.kept_paths import check_no_links_out
from termexplorer.store.opening import open_store
from termexplorer.store.private_files import (
    Access,
    make_private_folder,
    read_access,
    tighten_folder,
)
from termexplorer.system_reasons import tell_reason
from termexplorer.texts import tr

_STORE = "workspace.sqlite"
_RECENT = 8
_KEPT = 8  # texts, levels and names on maps of two releases, and some below other roots


class Workspace:
    """An open workspace folder.

    Attributes:
        folder: where everything of it lies.
        store: its tables.
        kept: what was read of whole releases.

    Raises:
        UserError: the folder cannot be made or its store cannot be opened.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder.expanduser().resolve()
        try:
            make_private_folder(self.folder)
            if read_access(self.folder) == Access.OPEN:
                tighten_folder(self.folder)
            check_no_links_out(self.folder)
            self.store: Store = open_store(self.folder / _STORE)
            if not self.read_only:
                for name in ("vectors", "runs", "maps", "backups"):
                    make_private_folder(self.folder / name)
        except OSError as error:
            raise UserError(
                tr(
                    "{folder}: cannot be used as a workspace ({strerror}); choose another folder "
                    "with --workspace",
                    folder=self.folder,
                    strerror=tell_reason(error),
                )
            ) from error
        self.cache = SharedCache(_KEPT)
        self._window = ProcessLock(self.folder / "window.lock")

    @property
    def read_only(self) -> str:
        """Why nothing can be written to it, as where its disk is full; "" where it can."""
        return self.store.read_only

    def reopen_store(self) -> None:
        """Open the store anew, for writing if that is possible by now.

        Raises:
            UserError: it cannot be opened.
        """
        self.store.close()
        self.store = open_store(self.folder / _STORE)

    def claim_window(self) -> None:
        """Take the workspace for the one window that may show it; any may that only reads.

        Raises:
            UserError: another window shows it.
        """
        if self.read_only:
            return
        try:
            self._window.take()
        except LockHeldError as error:
            raise UserError(
                tr(
                    "{folder}: is open in another window; use that one, or open another folder "
                    "with --workspace",
                    folder=self.folder,
                )
            ) from error
        _remember_folder(self.folder)

    @contextmanager
    def loading(self) -> Iterator[None]:
        """Holds the right to add or remove a release; one process at a time has it.

        Raises:
            UserError: an import or a removal is running already.
        """
        busy = tr("an ontology is being imported or removed there; try again when that is done")
        with self._alone("loading", busy):
            yield

    @contextmanager
    def judging(self) -> Iterator[None]:
        """Holds the right to judge pairs of a study; one window at a time has it.

        Raises:
            UserError: somebody judges in another window.
        """
        busy = tr("pairs are being judged there in another window; use that one")
        with self._alone("judging", busy):
            yield

    @contextmanager
    def _alone(self, right: str, busy: str) -> Iterator[None]:
        self.store.check_writable()
        try:
            with ProcessLock(self.folder / f"{right}.lock"):
                yield
        except LockHeldError as error:
            raise UserError(f"{self.folder}: {busy}") from error

    def close(self) -> None:
        """Closes the store and lets the window's claim go."""
        if not self.read_only:
            with suppress(UserError), self.store.looking() as connection:  # damaged, or gone
                keep_log_head(connection, self.folder)
        self.store.close()
        self._window.let_go()
        with suppress(OSError):  # what was made meanwhile; the folder may be gone
            tighten_folder(self.folder)


def recent() -> list[Path]:
    """Folders of workspaces that were shown lately and are still there, the newest first."""
    try:
        listed = json.loads(_recent_file().read_text("utf-8"))
    except (OSError, ValueError, RecursionError):
        return []
    listed = listed if isinstance(listed, list) else []
    folders = [Path(item) for item in listed if isinstance(item, str)]
    return [folder for folder in folders if (folder / _STORE).exists()]


def _remember_folder(folder: Path) -> None:
    file = _recent_file()
    folders = [folder, *(other for other in recent() if other != folder)][:_RECENT]
    try:
        make_private_folder(file.parent)
        with atomic_write(file) as fresh:
            fresh.write_text(json.dumps([str(known_folder) for known_folder in folders]), "utf-8")
    except (OSError, UserError):
        return  # a list of conveniences is not worth a failure


def _recent_file() -> Path:
    return user_config_path("termexplorer") / "recent.json"
