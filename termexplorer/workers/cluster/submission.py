"""Submitting jobs by submitit, with one clear error where that cannot be done."""

import logging
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from shutil import which
from typing import Any

from termexplorer.errors import UserError
from termexplorer.texts import tr
from termexplorer.workers.cluster.named_clusters import KINDS

_MINUTES = 24 * 60  # that a job may take; it is queued again where it takes longer
_TIMES = 1_000  # that it is queued again at most


def make_executor(folder: Path, kind: str, options: Mapping[str, str], **parameters: Any) -> Any:
    """Return what submits jobs.

    Args:
        folder: where logs of the jobs go, which each node sees in the same place.
        kind: of the cluster, slurm or local.
        options: of sbatch, by their long names.
        parameters: of submitit, for any cluster.

    Raises:
        UserError: there is no such kind or option, or the extra or Slurm is missing.
    """
    if kind not in KINDS:
        raise UserError(tr("there is no cluster {name!r}; choose slurm or local", name=kind))
    if find_spec("submitit") is None:
        raise UserError(
            tr(
                "jobs of a cluster need the extra `cluster`: .venv/bin/python -m pip install -e "
                "'.[cluster]' in termexplorer's folder"
            )
        )
    if kind == "slurm" and which("sbatch") is None:
        raise UserError(
            tr(
                "Slurm's program sbatch is not here; run this where jobs are submitted, or try "
                "--cluster local"
            )
        )
    import submitit

    logging.getLogger("submitit").setLevel(logging.ERROR)  # warns at each look without accounting
    times = {f"{kind}_max_num_timeout": _TIMES}
    executor = submitit.AutoExecutor(folder=folder, cluster=kind, **times)
    executor.update_parameters(name="termexplorer", timeout_min=_MINUTES, **parameters)
    for name, value in options.items():
        try:
            executor.update_parameters(**{f"slurm_{name}": read_option(name, value)})
        except (NameError, TypeError, ValueError) as error:
            raise UserError(
                tr(
                    "{name}={value} is no option of sbatch that jobs take; give its long name with "
                    "_ for -, such as partition, time (minutes), mem or gpus_per_node",
                    name=name,
                    value=value,
                )
            ) from error
    return executor


def read_option(name: str, value: str) -> str | int:
    """Return the value of an option of sbatch; a time, in any of its forms, is in minutes.

    Raises:
        ValueError: it is no time.
    """
    if value.isdecimal():
        return int(value)  # submitit reckons with the time that a job may take
    if name != "time":
        return value
    days, dash, clock = value.rpartition("-")
    parts = [int(part) for part in clock.split(":")]
    if not dash and len(parts) == 2:  # minutes and seconds
        parts = [0, *parts]
    hours, minutes, seconds = (*parts, 0, 0)[:3]
    return (int(days or 0) * 24 + hours) * 60 + minutes + -(-seconds // 60)


def refuse_submission(error: Exception) -> UserError:
    """Return the error for people where a cluster took no job."""
    return UserError(tr("the cluster took no job: {error}", error=find_reason(str(error))))


def find_reason(text: str) -> str:
    """Return the last line of an error, which says what happened."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1] if lines else ""
