"""Joining a study with further workers: the child that takes its tasks, here or on a cluster."""

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

from termexplorer.errors import UserError
from termexplorer.replicate.all_pairs.tasks import ALL_PAIRS, take_pairs_tasks
from termexplorer.replicate.board.measuring import BOARD, take_board_tasks
from termexplorer.replicate.mapping.tasks import MAPPING_STUDY, take_mapping_tasks
from termexplorer.replicate.running import PAPER_STUDY, take_paper_tasks
from termexplorer.replicate.search.hidden import HIDDEN_SEARCH, take_search_tasks
from termexplorer.replicate.search.recommended import RECOMMENDED, take_recommended_tasks
from termexplorer.replicate.study.folder import usable
from termexplorer.replicate.work.worker import LEASE, WorkerRequest, open_tasks
from termexplorer.store.tasks.databases import TASKS_FILE, find_address, keep_address
from termexplorer.store.tasks.task_table import FAILED, StoredStudy, TaskCounts
from termexplorer.texts import tr
from termexplorer.workers.process.child import Channel
from termexplorer.workers.process.supervision import JobControl, supervise

_KINDS: Mapping[str, Callable[[Mapping[str, Any], WorkerRequest, Channel], None]] = {
    PAPER_STUDY: take_paper_tasks,
    BOARD: take_board_tasks,
    MAPPING_STUDY: take_mapping_tasks,
    HIDDEN_SEARCH: take_search_tasks,
    RECOMMENDED: take_recommended_tasks,
    ALL_PAIRS: take_pairs_tasks,
}


@dataclass(frozen=True, slots=True)
class StudyState:
    """How a study stands.

    Attributes:
        counts: of its tasks.
        reasons: why tasks failed.
    """

    counts: TaskCounts
    reasons: tuple[str, ...]


def join_study(
    folder: Path, control: JobControl, on_message: Callable[[object], None], lease: float = LEASE
) -> None:
    """Take tasks of a study in a child until none is left.

    Args:
        folder: of the study, in which `replicate`, `board` or `rank all` began it.
        control: stops it.
        on_message: is handed progress.
        lease: seconds after which a worker that is silent has lost its task.

    Raises:
        UserError: there is no study, a task failed, or data here are not those of the study.
        Cancelled: it was cancelled; what was finished is kept.
    """
    _find_study(folder)
    request = WorkerRequest(folder, uuid4().hex, lease)
    try:
        supervise(take_all_tasks, request, control, on_message)
    finally:  # a child that was ended gave nothing back
        with closing(open_tasks(folder)) as table:
            table.release_worker(request.worker)


def join_study_times(
    folder: Path, count: int, on_message: Callable[[object], None], lease: float = LEASE
) -> None:
    """Take tasks of a study in several children at once; see `join_study`.

    Raises:
        UserError: as `join_study`; of several workers the first one's.
    """
    controls = [JobControl() for _ in range(count)]
    with ThreadPoolExecutor(count) as pool:
        futures = [
            pool.submit(join_study, folder, control, on_message, lease) for control in controls
        ]
        try:
            for future in as_completed(futures):
                future.result()
        finally:
            for control in controls:
                control.cancel()


def keep_tasks_on(folder: Path, server: str) -> None:
    """Have a study keep its tasks on a PostgreSQL server.

    Args:
        folder: of the study, which may not be there yet.
        server: postgresql://NAME@HOST/DATABASE.

    Raises:
        UserError: it is no such address, or the study has its tasks elsewhere already.
    """
    keep_address(folder, server)


def take_all_tasks(request: WorkerRequest, channel: Channel) -> None:
    """Take tasks of a study in this process; see `join_study`."""
    study = _find_study(request.folder)
    take = _KINDS.get(study.kind)
    if take is None:
        raise UserError(
            tr(
                "{folder}: was begun by a newer termexplorer; update this program",
                folder=request.folder,
            )
        )
    with usable(request.folder):
        take(study.request, request, channel)


def read_state(folder: Path) -> StudyState:
    """Return how a study stands.

    Raises:
        UserError: there is none in the folder.
    """
    _find_study(folder)
    with closing(open_tasks(folder)) as table:
        return StudyState(table.count_tasks(), tuple(table.list_reasons(FAILED).values()))


def _find_study(folder: Path) -> StoredStudy:
    if not folder.is_dir():
        raise UserError(
            tr("{path} does not exist; check the name, and the folder that it is in", path=folder)
        )
    if find_address(folder) is not None or (folder / TASKS_FILE).is_file():
        with closing(open_tasks(folder)) as table:
            study = table.find_study()
        if study is not None:
            return study
    raise UserError(
        tr(
            "{folder}: holds no study; begin one there by `termexplorer replicate`, "
            "`termexplorer board` or `termexplorer rank all`, with --prepare to run none of it",
            folder=folder,
        )
    )
