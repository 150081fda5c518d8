"""Workers as jobs of a cluster, by submitit, the extra `cluster`."""

from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from shutil import which
from typing import Any

from termexplorer.errors import UserError
from termexplorer.replicate.work.joining import join_study, read_state
from termexplorer.texts import tr
from termexplorer.workers.process.supervision import JobControl

CLUSTERS = ("slurm", "local")
_MINUTES = 24 * 60  # that a job may take; it is queued again where it takes longer
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
        cluster: one of `CLUSTERS`.
        options: of sbatch, by their long names.
        lease: seconds after which a worker that is silent has lost its task.

    Raises:
        UserError: there is no study, no such cluster or option, the extra is missing, or a job of
            the local cluster failed.
    """
    if cluster not in CLUSTERS:
        raise UserError(tr("there is no cluster {name!r}; choose slurm or local", name=cluster))
    read_state(folder)
    if find_spec("submitit") is None:
        raise UserError(
            tr("jobs of a cluster need the extra `cluster`: pip install 'termexplorer[cluster]'")
        )
    if cluster == "slurm" and which("sbatch") is None:
        raise UserError(
            tr(
                "Slurm's program sbatch is not here; run this where jobs are submitted, or try "
                "--cluster local"
            )
        )
    return _submit_jobs(folder, count, cluster, options, lease)


def _submit_jobs(
    folder: Path, count: int, cluster: str, options: Mapping[str, str], lease: float
) -> tuple[str, ...]:
    import submitit
    from submitit.core.utils import FailedJobError, FailedSubmissionError, UncompletedJobError

    try:
        executor = submitit.AutoExecutor(folder=folder / _JOBS, cluster=cluster)
        executor.update_parameters(
            name="termexplorer", timeout_min=_MINUTES, slurm_array_parallelism=count
        )
        slurm_options = {f"slurm_{name}": value for name, value in options.items()}
        executor.update_parameters(**slurm_options)
        with executor.batch():
            jobs = [executor.submit(ClusterWorker(folder, lease)) for _ in range(count)]
        if cluster == "local":
            for job in jobs:
                job.result()
    except (FailedJobError, UncompletedJobError) as error:
        raise UserError(_find_reason(str(error))) from error
    except (FailedSubmissionError, NameError, ValueError, OSError) as error:
        raise UserError(
            tr("the cluster took no job: {error}", error=_find_reason(str(error)))
        ) from error
    return tuple(job.job_id for job in jobs)


def _find_reason(text: str) -> str:
    """Return the last line of an error, which says what happened."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1] if lines else ""
