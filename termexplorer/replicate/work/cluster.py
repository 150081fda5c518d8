"""Workers as jobs of a cluster, by submitit, the extra `cluster`."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from termexplorer.errors import UserError
from termexplorer.replicate.work.joining import join_study, read_state
from termexplorer.workers.cluster.submission import find_reason, make_executor, refuse_submission
from termexplorer.workers.process.supervision import JobControl

_JOBS = "jobs"  # the folder of logs


class ClusterWorker:
    """A worker as a job, which is queued again when its time is over.

    Args:
        folder: of the study.
        lease: seconds after which it has lost its task if it is silent.
    """

    def __init__(self, folder: Path, lease: float) -> None:
        self._folder, self._lease = folder, lease

    def __call__(self) -> None:
        """Take tasks until none is left."""
        join_study(self._folder, JobControl(), lambda _message: None, self._lease)

    def checkpoint(self) -> Any:
        """Return what is queued when the time of the job is over."""
        from submitit.helpers import DelayedSubmission

        return DelayedSubmission(self)


def submit_workers(
    folder: Path, count: int, cluster: str, options: Mapping[str, str], lease: float
) -> tuple[str, ...]:
    """Submit workers as one array of jobs; return the ids of the jobs.

    Jobs of the local cluster are waited for.

    Args:
        folder: of a study, which each node sees in the same place.
        count: of the workers.
        cluster: slurm or local.
        options: of sbatch, by their long names.
        lease: seconds after which a worker that is silent has lost its task.

    Raises:
        UserError: there is no study, no such cluster or option, the extra is missing, or a job of
            the local cluster failed.
    """
    read_state(folder)
    executor = make_executor(folder / _JOBS, cluster, options, slurm_array_parallelism=count)
    from submitit.core.utils import FailedJobError, FailedSubmissionError, UncompletedJobError

    try:
        with executor.batch():
            jobs = [executor.submit(ClusterWorker(folder, lease)) for _ in range(count)]
        if cluster == "local":
            for job in jobs:
                job.result()
    except (FailedJobError, UncompletedJobError) as error:
        raise UserError(find_reason(str(error))) from error
    except (FailedSubmissionError, ValueError, OSError) as error:
        raise refuse_submission(error) from error
    return tuple(job.job_id for job in jobs)
