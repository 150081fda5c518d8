"""Importing a release in a child process, with progress, so that stop always stops."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, TypeVar

from termexplorer.errors import UserError
from termexplorer.importers.choices import ImportChoice, Option
from termexplorer.importers.format_table import FORMATS, ICD10CM, RF2, TABLE
from termexplorer.store.releases import ontologies as queries
from termexplorer.store.releases.ontologies import Ontology, Remark
from termexplorer.texts import translated
from termexplorer.workers.importing.file_look import (
    TableLook,
    run_column,
    run_dialects,
    run_preview,
)
from termexplorer.workers.importing.request import FilePreview, ImportRequest, SpoiledCells
from termexplorer.workers.process.child import Channel
from termexplorer.workers.process.protocol import FILE_LIMITS, limit_to_machine
from termexplorer.workers.process.supervision import JobControl, supervise
from termexplorer.workspace import Workspace

if TYPE_CHECKING:
    from termexplorer.importers.rf2.dialects import Dialects as Dialects
    from termexplorer.importers.tables.guess import TableGuess as TableGuess

Request = TypeVar("Request")
Found = TypeVar("Found")

__all__ = [
    "ICD10CM",
    "RF2",
    "TABLE",
    "FilePreview",
    "ImportChoice",
    "ImportRequest",
    "Ontology",
    "Option",
    "Rehearsal",
    "SpoiledCells",
    "detect_format",
    "file_endings",
    "format_title",
    "formats",
    "import_release",
    "look_into",
    "preview_table",
    "read_column",
    "rehearse",
    "release_dialects",
    "sweep",
    "table_fields",
]


def formats() -> tuple[str, ...]:
    """The keys of all formats."""
    return tuple(FORMATS)


def format_title(key: str) -> str:
    """What a format is called, for people, in the language in use."""
    return translated(FORMATS[key].title)


def file_endings() -> tuple[str, ...]:
    """The endings of files that can be imported, without a dot, each once."""
    endings = (ending for row in FORMATS.values() for ending in row.endings)
    return (*dict.fromkeys(endings), "gz")


def table_fields() -> tuple[str, ...]:
    """What a column of a table can hold."""
    from termexplorer.importers.tables.guess import FIELDS

    return FIELDS


def import_release(
    workspace: Workspace,
    request: ImportRequest,
    control: JobControl,
    on_message: Callable[[object], None],
) -> Ontology:
    """Imports a release and returns it; blocks until it is done.

    Args:
        workspace: where to.
        request: what to import.
        control: cancels it within a second, from any thread.
        on_message: is handed `Progress` messages, and `SpoiledCells` before a row is stored.

    Raises:
        UserError: the source cannot be imported; the store is as it was.
        Cancelled: it was cancelled; what it left behind is swept at the next start or import.
    """
    from termexplorer.workers.importing.run import run_import  # brings in SQLAlchemy

    imported = supervise(run_import, request, control, on_message, limit_to_machine())
    with workspace.store.reading() as connection:
        ontology = queries.ontology(connection, imported.id)
    assert ontology is not None  # noqa: S101 - it was made visible a moment ago
    return ontology


@dataclass(frozen=True, slots=True)
class Rehearsal:
    """What an import would bring: the release, which has no place anywhere, and its report."""

    ontology: Ontology
    remarks: tuple[Remark, ...]


def rehearse(
    request: ImportRequest, control: JobControl, on_message: Callable[[object], None]
) -> Rehearsal:
    """Imports into a workspace that is thrown away, and tells what came of it.

    Raises:
        UserError: the source cannot be imported.
        Cancelled: it was cancelled.
    """
    with TemporaryDirectory(prefix="termexplorer-") as folder:
        workspace = Workspace(Path(folder))
        try:
            rehearsed = replace(request, workspace=workspace.folder)
            ontology = import_release(workspace, rehearsed, control, on_message)
            with workspace.store.reading() as connection:
                return Rehearsal(ontology, tuple(queries.remarks(connection, ontology.id)))
        finally:
            workspace.close()


def look_into(
    request: ImportRequest,
    control: JobControl,
    on_message: Callable[[object], None] = lambda _message: None,
    most: int = 100,
) -> FilePreview:
    """What a file offers to choose, and its first concepts; nothing is kept.

    Raises:
        UserError: the file cannot be read, or is in no known format.
        Cancelled: it was cancelled.
    """
    from termexplorer.workers.importing.look import run_look  # brings in SQLAlchemy

    return supervise(run_look, (request, most), control, on_message, FILE_LIMITS)


def sweep(
    workspace: Workspace,
    control: JobControl,
    on_message: Callable[[object], None] = lambda _message: None,
) -> None:
    """Removes what stopped or killed imports and removals left behind, if there is anything.

    Raises:
        Cancelled: it was cancelled; the rest is removed another time.
    """
    from termexplorer.workers.importing.run import run_sweep  # brings in SQLAlchemy

    if has_leftovers(workspace):
        supervise(run_sweep, workspace.folder, control, on_message)


def has_leftovers(workspace: Workspace) -> bool:
    """Whether an import or a removal left something behind, and none is going on just now."""
    from termexplorer.store.removing import unfinished_releases  # brings in SQLAlchemy

    if not unfinished_releases(workspace.store):
        return False
    try:
        with workspace.loading():
            return True
    except UserError:
        return False  # another process is importing: what is unfinished may be its own


def detect_format(path: Path) -> str:
    """The importer's format that a file or folder is in, by what it holds.

    Raises:
        UserError: the file cannot be read, or is in no known format.
    """
    from termexplorer.importers.formats import detect  # brings in all importers

    return detect(path)


def preview_table(
    path: Path,
    sheet: str = "",
    titles: bool | None = None,
    delimiter: str = "",
    control: JobControl | None = None,
) -> "TableGuess":
    """Return how a names table seems to be laid out, with its first rows.

    Args:
        path: the table.
        sheet: of a workbook; else the first one with titles.
        titles: whether the first row has titles, None to guess it.
        delimiter: between cells, "" to guess it.
        control: cancels it.

    Raises:
        UserError: the file cannot be read, is no table, or has fewer than two columns.
        Cancelled: it was cancelled.
    """
    return _look_in_child(run_preview, TableLook(path, sheet, titles, delimiter), control)


def release_dialects(path: Path, control: JobControl | None = None) -> "Dialects":
    """Return the languages and dialects of an RF2 release.

    Raises:
        UserError: it is none, or one of its files cannot be read.
        Cancelled: it was cancelled.
    """
    return _look_in_child(run_dialects, path, control)


def read_column(
    path: Path, column: int, most: int = 100_000, control: JobControl | None = None
) -> list[str]:
    """Return the texts in one column of a table, the header row aside.

    Args:
        path: CSV, TSV or XLSX.
        column: counted from 1.
        most: how many at the most.
        control: cancels it.

    Raises:
        UserError: the file cannot be read.
        Cancelled: it was cancelled.
    """
    return _look_in_child(run_column, (TableLook(path), column, most), control)


def _look_in_child(
    work: Callable[[Request, Channel], Found], request: Request, control: JobControl | None
) -> Found:
    """Look into a file in a child, which a file that is not what it seems cannot make larger."""
    return supervise(work, request, control or JobControl(), _tell_nobody, FILE_LIMITS)


def _tell_nobody(_message: object) -> None:
    """Take the messages of a look, which takes moments."""
