"""The child that imports a release: all of it, or nothing."""

import gc
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from termexplorer.errors import DiskFullError, UserError
from termexplorer.importers.format_table import ICD10CM, RF2, TABLE
from termexplorer.store.database.engine import Store
from termexplorer.store.database.row_checksums import write_checksums
from termexplorer.store.indexes.index_sums import write_index_sums
from termexplorer.store.indexes.search_keys import index_search_keys
from termexplorer.store.releases.loading import (
    ReleaseCounts,
    begin_release,
    merge_indexes,
    show_release,
)
from termexplorer.store.releases.ontologies import Remark, ontologies, ontology
from termexplorer.store.removing import remove_release, rows_of, unfinished_releases
from termexplorer.store.search.sorted_names import sort_names
from termexplorer.texts import tr
from termexplorer.trainer.errors import Message
from termexplorer.workers.importing.request import ImportRequest, SpoiledCells
from termexplorer.workers.process import kept_texts
from termexplorer.workers.process.child import Channel
from termexplorer.workspace import Workspace

if TYPE_CHECKING:
    from termexplorer.importers.formats import Import
    from termexplorer.importers.records import Record

_OPTIONS = (
    "terminology", "columns", "delimiter", "sheet", "titles", "language", "dialect", "choices",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class ImportedRelease:
    """A release that is in the workspace now."""

    id: int
    counts: ReleaseCounts


def run_import(request: ImportRequest, channel: Channel) -> ImportedRelease:
    """Imports a release; anything but success leaves the store as it was.

    Raises:
        UserError: the source cannot be read, or holds no concept.
        InterruptedError: the import was stopped.
    """
    workspace = Workspace(request.workspace)
    with workspace.loading():
        _sweep_unfinished(workspace.store)
        channel.on_stop(workspace.store.interrupt)
        gc.disable()  # rows make no cycles; looking for some took a twentieth of a long import
        try:
            return _import_release(workspace, request, channel)
        except Exception:
            if not channel.stopped():  # a stop must not wait: the next start sweeps
                _sweep_unfinished(workspace.store)
            raise
        finally:
            gc.enable()
            workspace.close()


def run_sweep(workspace_folder: Path, channel: Channel) -> None:
    """Removes what imports and removals that were stopped or killed left behind.

    Raises:
        InterruptedError: it was stopped; the rest goes another time.
    """
    workspace = Workspace(workspace_folder)
    total = sum(
        rows_of(workspace.store, release_id) for release_id in unfinished_releases(workspace.store)
    )
    done = 0

    def removed(rows: int) -> None:
        nonlocal done
        done += rows
        if channel.stopped():
            raise InterruptedError
        channel.progress(min(done / max(total, 1), 1), tr("Removing concepts and names"))

    with workspace.loading():
        _sweep_unfinished(workspace.store, removed)
    workspace.close()


def _sweep_unfinished(store: Store, removed: Callable[[int], None] = lambda _rows: None) -> None:
    unfinished = unfinished_releases(store)
    for release_id in unfinished:
        remove_release(store, release_id, removed)
    if unfinished:
        with suppress(DiskFullError):  # they answer as they are, if more slowly
            merge_indexes(store, lambda: removed(0))


def _import_release(
    workspace: Workspace, request: ImportRequest, channel: Channel
) -> ImportedRelease:
    from termexplorer.workers.data.counted_graph import counted_graph
    from termexplorer.workers.importing.loading import Loader

    store = workspace.store
    source, opened = request.source, opened_importer(request)
    location = source if opened.format == ICD10CM else str(Path(source).resolve())
    release_id = begin_release(store, opened.format, location)
    loader = Loader(store, release_id)

    def progress() -> None:
        if channel.stopped():
            raise InterruptedError
        channel.progress(0.95 * opened.progress.fraction(), tr("Importing {source}", source=source))

    opened.progress.watch = progress
    channel.progress(None, tr("Opening {source}", source=source))
    loader.load(_warn_of_spoiled_cells(opened.records, channel), progress)
    channel.progress(0.95, tr("Checking links"))
    loader.remarks[:0] = _same_content(store, loader.content_hash())
    counts = loader.finish(source)
    sort_names(store, release_id, progress)
    index_search_keys(store, release_id, progress)
    merge_indexes(store, progress)
    write_checksums(store, release_id, progress)
    write_index_sums(store, progress)
    header = loader.header
    terminology = request.terminology or header.terminology or Path(source).stem
    show_release(
        store,
        release_id,
        terminology=terminology,
        title=header.title or terminology,
        version=header.version,
        licence=header.licence,
        prefixes=dict(header.prefixes),
        content_hash=loader.content_hash(),
        counts=counts,
    )
    channel.progress(0.99, tr("Counting names"))
    with store.reading() as connection:
        shown = ontology(connection, release_id)
    if shown:
        counted_graph(workspace, shown)
    return ImportedRelease(release_id, counts)


def _warn_of_spoiled_cells(records: "Iterable[Record]", channel: Channel) -> "Iterator[Record]":
    """Yield the records; report what a spreadsheet spoiled before the first row of them goes on."""
    from termexplorer.importers.records import Header, Note
    from termexplorer.importers.tables.damage import SPOILED

    warnings: list[str] = []
    remaining = iter(records)
    for record in remaining:
        if isinstance(record, Note) and record.kind in SPOILED:
            warnings.append(record.text)
        if isinstance(record, Header | Note):
            yield record
            continue
        if warnings:
            channel.report(SpoiledCells(tuple(warnings)))
        yield record
        break
    yield from remaining


def format_of(request: ImportRequest) -> str:
    """The format that is asked for, or told by what is asked of it, else by the content.

    Raises:
        UserError: it cannot be told.
    """
    from termexplorer.importers.formats import detect

    of_tables = request.columns or request.delimiter or request.sheet or request.titles is not None
    return request.format or (TABLE if of_tables else detect(request.source))


def opened_importer(request: ImportRequest) -> "Import":
    """The importer that a request asks for; nothing is read of the file yet but its beginning.

    Raises:
        UserError: the file cannot be read, or has another format.
    """
    from termexplorer.importers.formats import open_importer

    format_name = format_of(request)
    path = None if format_name == ICD10CM else Path(request.source)
    return open_importer(format_name, path, _options_for_format(request, format_name))


def _options_for_format(request: ImportRequest, format_name: str) -> dict[str, object]:
    if format_name != RF2 and (request.language or request.dialect):
        raise UserError(
            tr(
                "{source} is of the format {format_name}; a language or dialect can be chosen "
                "of an RF2 release only",
                source=request.source,
                format_name=format_name,
            )
        )
    options = {name: getattr(request, name) for name in _OPTIONS}
    return {name: value for name, value in options.items() if value or value is False}


def _same_content(store: Store, content_hash: str) -> list[Remark]:
    """Says which release holds the same, the newest if there are several."""
    with store.reading() as connection:
        same = [
            existing for existing in ontologies(connection) if existing.content_hash == content_hash
        ]
    return [
        Remark(
            False,
            0,
            1,
            Message(
                kept_texts.SAME_CONTENT,
                id=existing.id,
                label=existing.label,
                day=existing.imported_at.partition("T")[0],
            ),
        )
        for existing in same[-1:]
    ]
