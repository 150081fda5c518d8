"""Power cuts while files are written, a workspace moves, and a store is filled or put back."""

from __future__ import annotations

import errno
import multiprocessing
import os
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from termexplorer.bench.faults.durable_tree import DurableTree
from termexplorer.bench.faults.synced_files import SyncedFiles
from termexplorer.bench.mutations.workspace_files import QuietChannel
from termexplorer.bench.reliability.fault import Attempt, BreakingFault
from termexplorer.bench.reliability.interruptions import find_damage
from termexplorer.bench.reliability.program import call_program
from termexplorer.files import atomic_write
from termexplorer.services.files.exports import write_table
from termexplorer.services.workspace.backups import restore_backup
from termexplorer.services.workspace.room import move_workspace
from termexplorer.trainer.files.folders import replacing

_STORE = "workspace.sqlite"
_CONTENT = 5_000  # bytes at the most
_Files = dict[str, bytes]


def _cut_while_writing(attempt: Attempt) -> list[str]:
    """Write over a file or folder: before and after it is the old one or the new one, whole."""
    root = attempt.folder / "files"
    root.mkdir()
    before, after = (attempt.draw.randbytes(attempt.draw.randrange(1, _CONTENT)) for _ in range(2))
    write, name = attempt.draw.choice(
        ((_write_atomically, "a"), (_write_folder, "a/weights.npy"), (_write_table, "a.tsv"))
    )
    write(root, before)
    old = (root / name).read_bytes()
    seen: list[_Files] = []
    tree = DurableTree(root, lambda: seen.append(tree.files()))
    with tree:
        write(root, after)
        whole = tree.files()
    new = (root / name).read_bytes()
    fell = [f"{name} is not on the disk though it was said to be"] if whole.get(name) != new else []
    half = [files for files in seen if files.get(name, old) not in (old, new)]
    return [*fell, *(f"{name} is there in part" for _files in half)]


def _write_atomically(root: Path, content: bytes) -> None:
    with atomic_write(root / "a") as fresh:
        fresh.write_bytes(content)


def _write_folder(root: Path, content: bytes) -> None:
    with replacing(root / "a", {"kind": "toy"}) as part:
        (part / "weights.npy").write_bytes(content)


def _write_table(root: Path, content: bytes) -> None:
    write_table(root / "a.tsv", ("name",), [(content.hex(),)])


def _cut_while_moving(attempt: Attempt) -> list[str]:
    """Move to another disk: at each deletion all of it is durable in one of the two places."""
    source = attempt.sample.copy_to(attempt.folder)
    for number in range(attempt.draw.randrange(4)):
        (source / "vectors").mkdir(exist_ok=True)
        (source / "vectors" / f"{number}.npy").write_bytes(attempt.draw.randbytes(_CONTENT))
    whole = _read_files(source)
    seen: list[_Files] = []
    tree = DurableTree(attempt.folder, lambda: seen.append(tree.files()))
    with tree, _between_disks():
        move_workspace(source, attempt.folder / "moved")
        seen.append(tree.files())
    places = (source.name, "moved")
    lost = [files for files in seen if not any(_has_all(files, whole, name) for name in places)]
    fell = [f"of {len(seen)} instants {len(lost)} have it in no place"] if lost else []
    return fell or find_damage(attempt.folder / "moved", attempt.sample)


def _read_files(folder: Path) -> _Files:
    paths = (path for path in folder.rglob("*") if path.is_file())
    files = {str(path.relative_to(folder)): path.read_bytes() for path in paths}
    return {name: content for name, content in files.items() if not name.endswith(".lock")}


def _has_all(files: _Files, whole: _Files, folder: str) -> bool:
    return all(files.get(f"{folder}/{name}") == content for name, content in whole.items())


@contextmanager
def _between_disks() -> Iterator[None]:
    """Have files refuse to be renamed, as from one disk to another."""
    rename: Any = Path.rename

    def refuse(path: Path, target: Path) -> None:
        raise OSError(errno.EXDEV, os.strerror(errno.EXDEV), str(path), None, str(target))

    Path.rename = refuse  # type: ignore[assignment, method-assign]
    try:
        yield
    finally:
        Path.rename = rename  # type: ignore[method-assign]


def _cut_while(work: Callable[[Attempt, Path], None], word: str, attempt: Attempt) -> list[str]:
    """Cut the power at an instant of something that writes to a store; what was synced is left."""
    live = attempt.sample.copy_to(attempt.folder)
    synced = Path(shutil.copytree(live, attempt.folder / "synced"))
    process = multiprocessing.get_context("fork").Process(
        target=_work_on_synced, args=(work, attempt, live, synced)
    )
    process.start()
    time.sleep(attempt.draw.random() * attempt.sample.seconds[word])
    process.kill()
    process.join()
    if word == "import":
        again = call_program("--workspace", synced, "import", attempt.sample.release)
        if fault := again.find_fault(0, 1):  # 1: it had ended before
            return [f"import after it: {fault}"]
    return find_damage(synced, attempt.sample)


def _work_on_synced(
    work: Callable[[Attempt, Path], None], attempt: Attempt, live: Path, synced: Path
) -> None:
    with SyncedFiles(synced):
        work(attempt, live)
        time.sleep(60)  # until it is killed: what ends by itself closes files, and syncs them


def _import_release(attempt: Attempt, live: Path) -> None:
    from termexplorer.workers.importing.request import ImportRequest
    from termexplorer.workers.importing.run import run_import

    run_import(ImportRequest(live, str(attempt.sample.release)), QuietChannel())  # type: ignore[arg-type] # it tells nobody anything


def _restore_backup(attempt: Attempt, live: Path) -> None:
    restore_backup(live, attempt.sample.backup)


POWER_CUTS = (
    BreakingFault("power cut while a file is written", 0.5, _cut_while_writing),
    BreakingFault("power cut while moving to another disk", 0.05, _cut_while_moving),
    BreakingFault(
        "power cut while importing", 0.05, partial(_cut_while, _import_release, "import")
    ),
    BreakingFault(
        "power cut while restoring", 0.05, partial(_cut_while, _restore_backup, "workspace")
    ),
)
