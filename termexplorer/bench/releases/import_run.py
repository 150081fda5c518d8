"""An import in a process of its own, as commands and windows start one."""

import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

_IMPORT = """
import json, resource, sys, time
from pathlib import Path
from termexplorer.bench.releases.prepared import quiet
from termexplorer.services.importing.releases import ImportRequest, import_release
from termexplorer.workers.process.supervision import JobControl
from termexplorer.workspace import Workspace
if __name__ == "__main__":
    workspace = Workspace(Path(sys.argv[1]))
    start = time.perf_counter()
    request = ImportRequest(workspace.folder, sys.argv[2], choices=json.loads(sys.argv[3]))
    import_release(workspace, request, JobControl(), quiet)
    seconds = time.perf_counter() - start
    workspace.close()
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = used.ru_utime + used.ru_stime
    print(json.dumps({"seconds": seconds, "cpu": cpu, "megabytes": used.ru_maxrss / 1024}))
"""


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
        [sys.executable, "-c", _IMPORT, str(folder), source, json.dumps(choices or {})],
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    ).stdout
    return Cost(**json.loads(output.splitlines()[-1]))
