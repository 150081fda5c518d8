"""Room on a full disk for what makes more: files that are made anew, or go anyway, go first."""

import re
import shutil
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

from termexplorer.errors import DiskFullError
from termexplorer.store.encoders.infos import encoders
from termexplorer.store.kept_paths import locate_entry
from termexplorer.store.releases.ontologies import graph_file, ontologies
from termexplorer.workspace import Workspace

_MADE_ANEW = ("index", "ranks")  # within seconds, when they are asked for
_BEGUN = re.compile(r"(\d+)-(\d+)\.(?:eight-bit|lists)\.(?:part|lock)")  # of encoder and release
_Result = TypeVar("_Result")


def write_making_room(
    workspace: Workspace, write: Callable[[], _Result], going: Iterable[str] = ()
) -> _Result:
    """Write to a store; where its disk is full, remove files first and write then.

    A row that is taken away needs some room before it gives any, in the log beside the store.

    Args:
        workspace: whose store; it is opened anew if the disk was full.
        write: writes all or nothing; it may be called twice.
        going: files and folders that go with what is removed, relative to the workspace; rows that
            tell of them still have them made anew if nothing can be written after all.

    Raises:
        DiskFullError: there is not enough room without those files either.
    """
    try:
        workspace.store.check_writable()
        return write()
    except DiskFullError:
        remove_files(locate_files(workspace, [*going, *_find_files_made_anew(workspace)]))
        workspace.reopen_store()
        return write()


def files_made_anew_of(workspace: Workspace, encoder_id: int | None) -> list[str]:
    """Return the files of an encoder that can be made anew, its vectors of names too."""
    from termexplorer.store.health import kept_files  # brings in SQLAlchemy

    with workspace.store.reading() as connection:
        files = kept_files(connection)
    return [file.path for file in files if file.encoder_id == encoder_id and file.kind != "encoder"]


def remove_begun_vectors(workspace: Workspace) -> None:
    """Remove what was begun of large vectors and their lists, and locks, of what is there no more.

    No row tells of them: vectors have one when they are finished.
    """
    begun = [
        (_BEGUN.fullmatch(path.name), path) for path in (workspace.folder / "vectors").glob("*")
    ]
    with workspace.store.reading() as connection:
        encoder_ids = {encoder.id for encoder in encoders(connection)}
        release_ids = {release.id for release in ontologies(connection)}
    remove_files(
        path
        for match, path in begun
        if match and not (int(match[1]) in encoder_ids and int(match[2]) in release_ids)
    )


def _find_files_made_anew(workspace: Workspace) -> list[str]:
    from termexplorer.store.health import kept_files

    with workspace.store.reading() as connection:
        files, releases = kept_files(connection), ontologies(connection)
    paths = [file.path for file in files if file.kind in _MADE_ANEW]
    return [*paths, *(str(graph_file(release.id)) for release in releases)]


def locate_files(workspace: Workspace, paths: Iterable[str]) -> list[Path]:
    """Return where files and folders lie that rows told of, before the rows are gone for good.

    Raises:
        UserError: one lies in no folder of the workspace.
    """
    return [locate_entry(workspace.folder, path) for path in paths]


def remove_files(paths: Iterable[Path]) -> None:
    """Remove files, folders and links, which are not followed, as far as that can be done."""
    for path in paths:
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path, ignore_errors=True)
        else:
            with suppress(OSError):  # Windows keeps what somebody has open
                path.unlink()
