"""An import in a process of its own, as commands and windows start one."""

import json
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from termexplorer.bench.releases.prepared import quiet
from termexplorer.services.importing.releases import ImportRequest, import_release
from termexplorer.workers.process.supervision import JobControl
from termexplorer.workspace import Workspace

_MODULE = "termexplorer.bench.releases.import_run"


@dataclass(frozen=True, slots=True)
class Cost:
    """What an import took.

    Attributes:
        seconds: of wall time.
        cpu: seconds of all cores.
        megabytes: the most that its process held at a time.
    """

    seconds: float
    cpu: float
    megabytes: float


def cost_of_import(
    folder: Path, source: str, choices: Mapping[str, Sequence[str]] | None = None
) -> Cost:
    """Imports into the workspace in a folder, which is made where it is missing."""
    output = subprocess.run(  # noqa: S603 - ourselves
        [sys.executable, "-m", _MODULE, str(folder), source, json.dumps(choices or {})],
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    ).stdout
    return Cost(**json.loads(output.splitlines()[-1]))


def main(folder: Path, source: str, choices: Mapping[str, Sequence[str]]) -> None:
    """Import into a workspace, and print what it took as JSON."""
    import resource  # not on Windows

    workspace = Workspace(folder)
    start = time.perf_counter()
    chosen = {name: tuple(values) for name, values in choices.items()}
    request = ImportRequest(workspace.folder, source, choices=chosen)
    import_release(workspace, request, JobControl(), quiet)
    seconds = time.perf_counter() - start
    workspace.close()
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu, megabytes = used.ru_utime + used.ru_stime, used.ru_maxrss / 1024
    print(json.dumps({"seconds": seconds, "cpu": cpu, "megabytes": megabytes}))  # noqa: T201


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], json.loads(sys.argv[3]))
