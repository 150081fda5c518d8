"""Whether a workspace is whole: its store, its arrays, its log, and nothing that nobody knows."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from termexplorer.errors import UserError
from termexplorer.services.verdicts.log import check_log
from termexplorer.services.workspace.row_check import (
    RESTORE,
    Fault,
    find_row_faults,
    find_schema_fault,
    mend_indexes,
)
from termexplorer.store.database.log_head import HEAD_FILE, is_head_damaged
from termexplorer.store.health import (
    KeptFile,
    complaints,
    kept_files,
    run_ids,
)
from termexplorer.store.kept_paths import FOLDERS, is_plain_path, locate_kept
from termexplorer.store.releases.ontologies import Ontology, graph_file, ontologies
from termexplorer.texts import mark, tr, translated
from termexplorer.workers.process.protocol import JobProgress
from termexplorer.workers.process.supervision import Cancelled, JobControl
from termexplorer.workspace import Workspace

_IN_THE_MAKING = 24 * 3600  # seconds; training on a long text writes nothing for hours
_ANEW = mark("it is made anew when it is asked for")
_HEAD_ANEW = mark("it is written anew now that the log of verdicts was read")
_LOST = mark("remove the encoder, or put the file back from a copy of the workspace")


@dataclass(frozen=True, slots=True)
class Health:
    """What a check looked at and found.

    Attributes:
        files: files and folders of arrays whose hashes were compared, those of levels among them.
        verdicts: rows of the log, read one by one; None where it is broken.
        faults: what was found.
    """

    files: int
    verdicts: int | None
    faults: tuple[Fault, ...]


def check_workspace(
    workspace: Workspace,
    control: JobControl,
    on_message: Callable[[object], None] = lambda _message: None,
    *,
    quick: bool = False,
) -> Health:
    """Read everything once.

    Args:
        workspace: what is checked.
        control: cancels it.
        on_message: is told of progress.
        quick: leave out what takes longest, to compare search indexes with their rows.

    Raises:
        Cancelled: it was cancelled.
    """
    on_message(JobProgress(None, tr("Checking the store")))
    store = workspace.store.path
    faults = list(_page_faults(store))
    faults += find_schema_fault(workspace)
    faults += find_row_faults(workspace, control)
    if not quick:
        faults += mend_indexes(workspace)
    verdicts, log_faults = _check_verdicts(workspace)
    faults += log_faults
    try:
        with workspace.store.reading() as connection:
            files, runs = kept_files(connection), run_ids(connection)
            releases = ontologies(connection)
    except UserError as error:  # what files there should be cannot be read
        return Health(0, verdicts, (*faults, Fault("store", store.name, str(error), "")))
    for number, file in enumerate(files):
        if control.cancelled():
            raise Cancelled
        on_message(JobProgress(number / len(files), tr("Checking {path}", path=file.path)))
        faults += _file_faults(workspace.folder, file)
    graphs = [
        release for release in releases if (workspace.folder / graph_file(release.id)).is_file()
    ]
    faults += [fault for graph in graphs for fault in _graph_faults(workspace, graph)]
    faults += [_stray_fault(path) for path in strays(workspace.folder, files, runs, releases)]
    return Health(len(files) + len(graphs), verdicts, tuple(faults))


def _check_verdicts(workspace: Workspace) -> tuple[int | None, list[Fault]]:
    faults = []
    if is_head_damaged(workspace.folder):
        problem = tr("not what was written")
        faults.append(Fault("changed", HEAD_FILE, problem, translated(_HEAD_ANEW)))
    try:
        return check_log(workspace), faults
    except UserError as error:
        return None, [*faults, Fault("log", workspace.store.path.name, str(error), "")]


def _page_faults(store: Path) -> Iterator[Fault]:
    try:
        problems = complaints(store)
    except UserError as error:  # so much is broken that nothing more can be said of pages
        problems = [str(error)]
    yield from (Fault("store", store.name, text, translated(RESTORE)) for text in problems)


def _file_faults(folder: Path, file: KeptFile) -> Iterator[Fault]:
    from termexplorer.trainer.files.folders import META, read_meta, sha256

    mend = translated(_LOST if file.kind == "encoder" else _ANEW)
    try:
        path = locate_kept(folder, file.path)
    except UserError as error:
        yield Fault("outside", str(file.path), str(error), translated(RESTORE))
        return
    whole = path / META if path.is_dir() else path
    owner = tr("{kind} of encoder {encoder_id}", kind=file.kind, encoder_id=file.encoder_id)
    if not whole.is_file():
        yield Fault("missing", file.path, tr("{owner}: the file is gone", owner=owner), mend)
    elif sha256(whole) != file.content_hash:
        yield Fault("changed", file.path, tr("{owner}: not what was written", owner=owner), mend)
    elif path.is_dir():
        try:
            read_meta(path)
        except ValueError as error:
            yield Fault("changed", file.path, f"{owner}: {error}", mend)


def _graph_faults(workspace: Workspace, ontology: Ontology) -> Iterator[Fault]:
    from termexplorer.workers.data.counted_graph import is_sound

    if not is_sound(workspace, ontology):
        problem = tr("links of ontology {id}: not what was written", id=ontology.id)
        yield Fault("changed", str(graph_file(ontology.id)), problem, translated(_ANEW))


def strays(
    folder: Path, files: list[KeptFile], runs: list[int], releases: list[Ontology]
) -> list[Path]:
    """Files and folders that no row tells of, relative to the workspace, sorted.

    What was written within the last day may be in the making, and is not among them; nor are
    locks, which stay by design.
    """
    known = {Path(*Path(file.path).parts[:2]) for file in files if is_plain_path(file.path)}
    known |= {Path("runs", str(run_id)) for run_id in runs}
    known |= {graph_file(release.id) for release in releases}
    settled = time.time() - _IN_THE_MAKING
    present = (
        path.relative_to(folder) for subfolder in FOLDERS for path in (folder / subfolder).glob("*")
    )
    unknown = (path for path in present if path not in known and path.suffix != ".lock")
    return sorted(path for path in unknown if _last_written(folder / path) < settled)


def _last_written(path: Path) -> float:
    """When a file, or anything in a folder, was written last; just now where that is moving."""
    try:
        return max(file.stat().st_mtime for file in (path, *path.rglob("*")))
    except FileNotFoundError:
        return time.time()


def _stray_fault(path: Path) -> Fault:
    return Fault(
        "stray",
        str(path),
        tr("no row refers to it"),
        tr("termexplorer workspace compact removes it"),
    )
