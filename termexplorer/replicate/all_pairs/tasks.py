"""Ranking all pairs as tasks: a block of rows by a block of columns each, merged exactly."""

from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import astuple, dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from termexplorer.errors import UserError
from termexplorer.replicate.all_pairs.merging import RankedNames, write_ranking
from termexplorer.replicate.all_pairs.parts import (
    find_known,
    hash_vectors,
    is_part_sound,
    locate_part,
    open_rounded,
    read_part,
    write_part,
)
from termexplorer.replicate.all_pairs.request import (
    AllPairsRequest,
    find_encoder_of,
    list_task_keys,
)
from termexplorer.replicate.study.folder import held, usable
from termexplorer.replicate.work.pieces import begin_study, check_same_data
from termexplorer.replicate.work.worker import HEAD, StudyWorker, WorkerRequest, open_tasks
from termexplorer.store.kept_paths import locate_kept
from termexplorer.store.tasks.task_table import FAILED, StoredStudy, TaskKey, TaskTable
from termexplorer.texts import tr
from termexplorer.trainer.search.eight_bit import NearestRows
from termexplorer.workers.encoders.encoding import Encoders
from termexplorer.workers.encoders.release_vectors import release_vectors
from termexplorer.workers.process.child import Channel, trainer_errors
from termexplorer.workers.process.devices import AUTO, usual_device
from termexplorer.workspace import Workspace

if TYPE_CHECKING:
    from termexplorer.trainer.search.all_pairs import EightBitRows

ALL_PAIRS = "all pairs"


@dataclass(frozen=True)
class _PairsRun:
    """The tasks of a ranking, as a worker runs them.

    Attributes:
        folder: of the tasks.
        values: the request, as it is in the table.
        worker: takes the tasks.
        channel: is told of progress.
    """

    folder: Path
    values: Mapping[str, Any]
    worker: StudyWorker
    channel: Channel

    @cached_property
    def left(self) -> "EightBitRows":
        """For which is ranked."""
        return open_rounded(Path(self.values["left"]))

    @cached_property
    def right(self) -> "EightBitRows":
        """What is ranked."""
        is_same = self.values["right"] == self.values["left"]
        return self.left if is_same else open_rounded(Path(self.values["right"]))

    @cached_property
    def done_before(self) -> int:
        """How many tasks were done when this worker came."""
        return self.worker.table.count_tasks().done

    def run_task(self, key: TaskKey) -> None:
        """Rank a block of columns for a block of rows, unless that is done."""
        from termexplorer.trainer.search.all_pairs import rank_all_pairs

        path, piece = locate_part(self.folder, key), self.worker.table.find_piece(key)
        if piece is not None and is_part_sound(path, piece["sha256"]):
            return
        counts, before = self.worker.table.count_tasks(), self.done_before
        done_since, all_since = counts.done - before, sum(astuple(counts)) - before
        row, column = map(int, key)
        tables = ((self.left, row, "task_rows"), (self.right, column, "task_columns"))
        rows, columns = (
            range(block * self.values[size], min((block + 1) * self.values[size], table.shape[0]))
            for table, block, size in tables
        )
        with trainer_errors():
            nearest = rank_all_pairs(
                self.left,
                self.right,
                self.values["k"],
                rows=rows,
                columns=columns,
                but_itself=self.values["but_itself"],
                device=usual_device(),
                tick=lambda done: self._tick((done_since + done) / all_since),
            )
        self.worker.put(key, {"file": path.name, "sha256": write_part(path, nearest)})

    def merge_blocks(self) -> Iterator[tuple[int, NearestRows]]:
        """Yield the first row of each block of rows, and the nearest of all columns for them.

        Raises:
            UserError: a part is not what was written.
        """
        rows, columns = (
            range(0, table.shape[0], self.values[size])
            for table, size in ((self.left, "task_rows"), (self.right, "task_columns"))
        )
        for block, start in enumerate(rows):
            first, *later = (self._read_part((block, column)) for column in range(len(columns)))
            for part in later:
                first = first.merge(part, self.values["k"])
            yield start, first

    def tick(self, share: float) -> None:
        """Tell how much of the table is written.

        Raises:
            InterruptedError: it is to end.
        """
        self.worker.tick()
        self.channel.progress(share, tr("Writing the table"))

    def _read_part(self, key: TaskKey) -> NearestRows:
        piece = self.worker.table.find_piece(key)
        assert piece is not None  # noqa: S101 - all tasks are done
        return read_part(locate_part(self.folder, key), piece["sha256"])

    def _tick(self, share: float) -> None:
        self.worker.tick()
        self.channel.progress(share, tr("Ranking all names"))


def prepare_ranking(request: AllPairsRequest, channel: Channel) -> None:
    """Write down the tasks of a ranking, and run none; vectors that are missing are made.

    Raises:
        UserError: the encoder has no vectors, an ontology no names, or the folder holds a study of
            something else.
    """
    with _begun_ranking(request, channel):
        pass


def rank_all_names(request: AllPairsRequest, channel: Channel) -> RankedNames:
    """Rank what is not ranked yet, wait for what other workers rank, and write the table.

    Raises:
        UserError: as `prepare_ranking`; or a task failed.
        InterruptedError: it was stopped; what was finished is kept.
    """
    with _begun_ranking(request, channel) as (workspace, table, values):
        _reopen_damaged(table, request.out)
        run = _PairsRun(request.out, values, StudyWorker(table, HEAD, channel), channel)
        run.worker.work_off(run.run_task)
        for reason in table.list_reasons(FAILED).values():  # of another worker
            raise UserError(reason)
        return write_ranking(
            workspace,
            request,
            run.merge_blocks(),
            lambda rows: find_known(run.left, rows),
            run.tick,
        )


def take_pairs_tasks(values: Mapping[str, Any], asked: WorkerRequest, channel: Channel) -> None:
    """Take tasks of a ranking until none is left.

    Args:
        values: the request, as it is in the table.
        asked: the worker.
        channel: to report by and be stopped by.

    Raises:
        UserError: a task failed, or the vectors here are not those of the study.
        InterruptedError: it was stopped; what was finished is kept.
    """
    with closing(open_tasks(asked.folder, asked.lease)) as table:
        check_same_data(table, _identify_ranking(values))
        worker = StudyWorker(table, asked.worker, channel)
        worker.work_off(_PairsRun(asked.folder, values, worker, channel).run_task)


@contextmanager
def _begun_ranking(
    request: AllPairsRequest, channel: Channel
) -> Iterator[tuple[Workspace, TaskTable, Mapping[str, Any]]]:
    """Have the tasks of a ranking in its table, and the request beside them."""
    with held(request.out), usable(request.out), closing(Workspace(request.workspace)) as workspace:
        values, keys = _describe_ranking(request, workspace, channel)
        asked = _identify_ranking(values)
        with closing(open_tasks(request.out)) as table:
            begin_study(table, request.out, StoredStudy(ALL_PAIRS, asked, values))
            table.put_tasks(keys)
            yield workspace, table, values


def _describe_ranking(
    request: AllPairsRequest, workspace: Workspace, channel: Channel
) -> tuple[dict[str, Any], list[TaskKey]]:
    """Return what a worker needs, and the keys of the tasks; vectors that are missing are made."""
    encoders = Encoders(workspace.folder, workspace.store, AUTO)
    encoder_id = find_encoder_of(encoders, request.encoder_id).id
    left, right = (
        release_vectors(workspace.folder, workspace.store, encoders, encoder_id, side, channel)
        for side in (request.ontology_id, request.to_id)
    )
    values = {
        "left": str(locate_kept(request.workspace, left.path)),
        "right": str(locate_kept(request.workspace, right.path)),
        "but_itself": request.ontology_id == request.to_id,
        "k": request.k,
        "task_rows": request.task_rows,
        "task_columns": request.task_columns,
    }
    keys = list_task_keys(request, left.rows, right.rows)
    if not keys:
        raise UserError(tr("there are no names to rank; import an ontology that has some"))
    return values, keys


def _identify_ranking(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return what must be the same for a part to count."""
    sides = {side: hash_vectors(Path(values[side])) for side in ("left", "right")}
    return {**values, **sides}


def _reopen_damaged(table: TaskTable, folder: Path) -> None:
    """Have tasks done again whose parts are gone, or not what was written."""
    for key, piece in table.read_pieces().items():
        if not is_part_sound(locate_part(folder, key), piece["sha256"]):
            table.reopen_task(key)
