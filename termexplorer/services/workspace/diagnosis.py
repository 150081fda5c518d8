"""What somebody who helps needs to know of a machine and a workspace; it names no term."""

import os
import platform
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from importlib import metadata
from pathlib import Path

from termexplorer.services.encoders.encoders import list_encoders
from termexplorer.services.explore.ontologies import list_ontologies
from termexplorer.services.train.runs import list_runs
from termexplorer.services.workspace.automatic_backups import newest_backup
from termexplorer.services.workspace.backups import Backup
from termexplorer.services.workspace.check import Health, check_workspace
from termexplorer.services.workspace.room import size_of
from termexplorer.store.private_files import read_access
from termexplorer.workers.process.diagnosis import Device, run_diagnosis
from termexplorer.workers.process.supervision import JobControl, supervise
from termexplorer.workspace import Workspace

_PACKAGES = (
    "termexplorer",
    "PySide6-Essentials",
    "torch",
    "fasttext",
    "hnswlib",
    "numpy",
    "scikit-learn",
    "SQLAlchemy",
    "pyqtgraph",
    "transformers",
    "umap-learn",
)
_SYNCS = 30


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """A machine and a workspace.

    Attributes:
        versions: of the system, Python, and the packages that matter; "not installed" for some.
        processors: that this process may use, of how many there are.
        devices: that train, each with its measured rates.
        free: bytes on the workspace's disk.
        sync: median milliseconds until 4 KiB are on that disk; None where nothing can be written.
        counts: how many ontologies, concepts, names, encoders and runs, and bytes, there are.
        health: of the workspace.
        backup: the newest copy of the store; None where there is none.
        access: who may get at the workspace.
        network: the type of the file system of a network that it lies on; "" on a local one.
    """

    versions: dict[str, str]
    processors: tuple[int, int]
    devices: tuple[Device, ...]
    free: int
    sync: float | None
    counts: dict[str, int]
    health: Health
    backup: Backup | None
    access: str
    network: str


def diagnose(
    workspace: Workspace,
    control: JobControl,
    on_message: Callable[[object], None] = lambda _message: None,
) -> Diagnosis:
    """Measures, counts and checks; some seconds, more where there is much to read.

    Raises:
        Cancelled: it was cancelled.
    """
    return Diagnosis(
        versions(),
        _count_processors(),
        supervise(run_diagnosis, None, control, on_message),
        shutil.disk_usage(workspace.folder).free,
        _sync_milliseconds(workspace.folder),
        _count_content(workspace),
        check_workspace(workspace, control, on_message),
        newest_backup(workspace.folder),
        read_access(workspace.folder).value,
        workspace.store.network,
    )


def versions() -> dict[str, str]:
    """The system, Python, and the packages that matter; "not installed" for some."""
    version_by_package = {"system": platform.platform(), "Python": sys.version.split()[0]}
    for package in _PACKAGES:
        try:
            version_by_package[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            version_by_package[package] = "not installed"
    return version_by_package


def _count_processors() -> tuple[int, int]:
    total = os.cpu_count() or 1
    mine = len(os.sched_getaffinity(0)) if sys.platform == "linux" else total
    return mine, total


def _sync_milliseconds(folder: Path) -> float | None:
    """Return how long a verdict waits for the disk, at the least; None if it takes nothing."""
    took = []
    try:
        with tempfile.TemporaryFile(dir=folder) as file:
            for _ in range(_SYNCS):
                start = time.perf_counter()
                file.write(bytes(4096))
                file.flush()
                os.fsync(file.fileno())
                took.append(1000 * (time.perf_counter() - start))
    except OSError:
        return None
    return statistics.median(took)


def _count_content(workspace: Workspace) -> dict[str, int]:
    ontologies = list_ontologies(workspace)
    return {
        "ontologies": len(ontologies),
        "concepts": sum(ontology.concepts for ontology in ontologies),
        "names": sum(ontology.names for ontology in ontologies),
        "encoders": len(list_encoders(workspace)),
        "runs": len(list_runs(workspace)),
        "bytes": size_of(workspace.folder),
    }


def report(diagnosis: Diagnosis) -> str:
    """The report as text to be copied: no term, no name of a person, no place on the disk."""
    mine, total = diagnosis.processors
    lines = [f"{name}: {value}" for name, value in diagnosis.versions.items()]
    lines += [f"processors: {mine} of {total}"]
    lines += [f"device {_describe_device(device)}" for device in diagnosis.devices]
    lines += [
        f"disk: {diagnosis.free / 1e9:,.1f} GB free, {_describe_sync(diagnosis.sync)}",
        "workspace: " + ", ".join(f"{n:,} {kind}" for kind, n in diagnosis.counts.items()),
        f"file system: {_describe_network(diagnosis.network)}",
        f"the workspace can be read by {diagnosis.access}",
        f"arrays: {diagnosis.health.files:,} looked at",
    ]
    rows = diagnosis.health.verdicts
    lines += ["log of verdicts: " + ("broken" if rows is None else f"{rows:,} rows, whole")]
    faults = diagnosis.health.faults
    lines += [f"newest backup: {_describe_backup(diagnosis.backup)}"]
    lines += [f"fault, {fault.kind}: {fault.where}" for fault in faults] or ["no fault was found"]
    return "\n".join(lines)


def _describe_network(kind: str) -> str:
    if not kind:
        return "local, write-ahead log"
    return f"of a network ({kind}), rollback journal: slower; a local disk is safer"


def _describe_backup(backup: Backup | None) -> str:
    if backup is None:
        return "none; `termexplorer workspace backup` makes one"
    age = datetime.now(UTC) - datetime.fromisoformat(backup.made_at)
    state = backup.fault or "sound"
    location = f"{backup.path.parent.name}/{backup.path.name}"
    return f"{location}, {age / timedelta(hours=1):,.1f} hours old, {backup.size:,} bytes, {state}"


def _describe_sync(sync: float | None) -> str:
    return "nothing can be written to it" if sync is None else f"{sync:.1f} ms to have 4 KiB on it"


def _describe_device(device: Device) -> str:
    rates = [f"{device.float32 / 1e9:,.0f} GFLOP/s in float32"]
    rates += [f"{device.bfloat16 / 1e9:,.0f} in bfloat16" if device.bfloat16 else "no bfloat16"]
    rates += [f"{device.threads} threads"] if device.threads else []
    return f"{device.key}: {', '.join((device.name, *rates))}"
