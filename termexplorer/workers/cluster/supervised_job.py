"""Work on a cluster that is followed, paused and stopped as a child on this machine is."""

import os
import pickle
import shutil
import signal
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

from termexplorer import spoken
from termexplorer.errors import UserError
from termexplorer.texts import language, tr
from termexplorer.workers.cluster.folder_connection import FolderConnection
from termexplorer.workers.cluster.named_clusters import NamedCluster
from termexplorer.workers.cluster.submission import find_reason, make_executor, refuse_submission
from termexplorer.workers.process.child import Channel, outcome
from termexplorer.workers.process.protocol import Begun, Failed, Finished, JobProgress
from termexplorer.workers.process.supervision import Cancelled, JobControl, result_of
from termexplorer.workers.train.ranks import run_rank

Request = TypeVar("Request")
Result = TypeVar("Result")

_SHARED = "job-"  # begins the name of the folder of a connection
_LOOK = 0.3  # seconds between looks for messages
_BEAT = 5.0  # seconds between signs of life
_GRACE = 20.0  # seconds in which a cancelled job may end by itself
_LAST = 10.0  # seconds in which the messages of a job that is over arrive
_LEAVE = 45  # seconds in which a job whose time is over may come to the end of a step


@dataclass(frozen=True)
class ClusterJob:
    """A function of a child as a job: on its first process it runs, the others train along.

    A job whose time is over, as submitit's signal tells it, is queued again and goes on.

    Attributes:
        function: handed `request` and a `Channel`.
        request: what it works on; one whose `resume` is true goes on from what is there.
        folder: of the connection to the supervisor.
        language: that its messages are in.
    """

    function: Callable[[Any, Channel], object]
    request: Any
    folder: Path
    language: str

    def __call__(self) -> None:
        """Run in one of the job's processes."""
        if _join_job():
            run_rank()
            return
        spoken.speak(self.language)
        connection: Any = FolderConnection(self.folder, is_job=True)
        channel = Channel(connection)
        channel.report(Begun())
        threading.Thread(target=channel.listen, daemon=True).start()
        leaving = _LeavingForTime(channel)
        final = outcome(lambda: self.function(self.request, channel))
        leaving.queue_again()
        channel.report(final)

    def checkpoint(self) -> Any:
        """Return what is queued when the time of the job is over."""
        from submitit.helpers import DelayedSubmission

        return DelayedSubmission(replace(self, request=replace(self.request, resume=True)))


class _LeavingForTime:
    """Stops the work at the end of a step when the time of the job is over.

    Args:
        channel: by which the work is stopped.
    """

    def __init__(self, channel: Channel) -> None:
        from submitit import JobEnvironment

        self._channel = channel
        self._signal = int(getattr(signal, f"SIG{JobEnvironment.USR_SIG}"))
        self._queue: Any = signal.getsignal(self._signal)  # submitit's, which ends this process
        self._is_leaving = False
        signal.signal(self._signal, self._leave)

    def queue_again(self) -> None:
        """End this process and have the job queued again, if its time is over."""
        signal.signal(self._signal, signal.SIG_IGN)
        signal.alarm(0)
        if self._is_leaving:
            self._queue(self._signal, None)

    def _leave(self, _number: int, _frame: object) -> None:
        if self._channel.stopped():  # it is ending
            return
        self._is_leaving = True
        signal.signal(signal.SIGALRM, self._queue)  # a step that takes too long is taken again
        signal.alarm(_LEAVE)
        self._channel.stop()


def _join_job() -> int:
    """Export what PyTorch asks for where a job has several processes; return this one's rank."""
    from submitit.helpers import TorchDistributedEnvironment

    job = TorchDistributedEnvironment()
    if job.world_size > 1:
        if job.world_size == job.local_world_size:
            job.master_addr = "127.0.0.1"  # nothing outside of the node can come in
        job.export(set_cuda_visible_devices=False, overwrite=True)
    return int(job.rank)


def supervise_on_cluster(
    function: Callable[[Request, Channel], Result],
    request: Request,
    control: JobControl,
    on_message: Callable[[object], None],
    cluster: NamedCluster,
    folder: Path,
) -> Result:
    """Run `function(request, channel)` as a job of a cluster, and wait for its result.

    Args:
        function: a module-level function.
        request: what it works on; its files must be there on each node.
        control: pauses, stops or cancels it, from any thread.
        on_message: called in this thread with each message of the job.
        cluster: where it runs.
        folder: in which its logs and messages go, which each node sees in the same place.

    Raises:
        UserError: the cluster takes no job, or the job raised one, or ended without an answer.
        Cancelled: the work was cancelled.
        Crashed: the job failed by a bug.
    """
    executor = make_executor(
        folder / "jobs", cluster.kind, cluster.options,
        nodes=cluster.nodes, tasks_per_node=cluster.devices,
    )  # fmt: skip
    for left in folder.glob(f"{_SHARED}*"):  # whose job, if it still runs, ends without it
        shutil.rmtree(left, ignore_errors=True)
    shared = Path(tempfile.mkdtemp(prefix=_SHARED, dir=folder))
    try:
        with closing(FolderConnection(shared, is_job=False)) as connection:
            job = _submit_job(executor, ClusterJob(function, request, shared, language()))
            text = tr("Waits on {cluster}, job {job}", cluster=cluster.name, job=job.job_id)
            on_message(JobProgress(None, text))
            final = _follow_job(job, connection, control, on_message)
    finally:
        shutil.rmtree(shared, ignore_errors=True)
    if control.cancelled():
        raise Cancelled
    return result_of(final)  # type: ignore[return-value] # what the function returned


def _submit_job(executor: Any, job: ClusterJob) -> Any:
    from submitit.core.utils import FailedJobError, FailedSubmissionError

    try:
        return executor.submit(job)
    except (
        FailedJobError,
        FailedSubmissionError,
        ValueError,
        OSError,
        pickle.PicklingError,
    ) as error:
        raise refuse_submission(error) from error


def _follow_job(
    job: Any,
    connection: FolderConnection,
    control: JobControl,
    on_message: Callable[[object], None],
) -> Finished | Failed:
    beaten = over = cancelled = 0.0
    while True:
        now = time.monotonic()
        if now - beaten > _BEAT:
            connection.beat()
            beaten = now
        for command in control.take():
            connection.send(command)
        cancelled = cancelled or (now if control.cancelled() else 0.0)
        if cancelled and now - cancelled > _GRACE:
            job.cancel()
            return Failed("cancelled", "", mendable=True)
        message = connection.receive()
        if isinstance(message, Finished | Failed):
            _await_end(job)
            return message
        if message is not None:
            if not isinstance(message, Begun):
                on_message(message)
            continue
        over = (over or now) if job.done() else 0.0  # it may be queued again
        if over and now - over > _LAST:
            return Failed(_describe_end(job), "", mendable=True)
        time.sleep(_LOOK)


def _await_end(job: Any) -> None:
    """Wait until a job that has answered is over, so that nothing of it writes any more."""
    end = time.monotonic() + _GRACE
    while not job.done() and time.monotonic() < end:
        time.sleep(_LOOK)


def _describe_end(job: Any) -> str:
    try:
        reason = find_reason(job.stderr() or "")
    except (OSError, UserError):
        reason = ""
    return tr(
        "job {job} ended without an answer ({reason}); its log is in {folder}",
        job=job.job_id,
        reason=reason or job.state,
        folder=os.fspath(job.paths.folder),
    )
