"""Rights that one holder at a time has."""

import subprocess
import sys
from pathlib import Path

import pytest

from termexplorer.errors import UserError
from termexplorer.store.database.process_lock import LockHeldError, ProcessLock

HOLDER = """
import sys, time
from pathlib import Path
from termexplorer.errors import UserError
from termexplorer.store.database.process_lock import ProcessLock
held = ProcessLock(Path(sys.argv[1]))
held.take()
print("held", flush=True)
time.sleep(600)
"""


def test_a_right_is_refused_while_it_is_had(tmp_path: Path) -> None:
    path = tmp_path / "one.lock"
    with ProcessLock(path) as first:
        first.take()  # it may be had already
        with pytest.raises(LockHeldError):
            ProcessLock(path).take()
    with ProcessLock(path), ProcessLock(tmp_path / "another.lock"):
        assert [file.stat().st_size for file in tmp_path.iterdir()] == [0, 0]  # and no journals


def test_a_right_comes_back_when_its_process_is_killed(tmp_path: Path) -> None:
    path = tmp_path / "one.lock"
    command = [sys.executable, "-c", HOLDER, str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as holder:
        assert holder.stdout
        assert holder.stdout.readline() == b"held\n"
        with pytest.raises(LockHeldError):
            ProcessLock(path).take()
        holder.kill()
    ProcessLock(path).take()


def test_a_file_that_cannot_be_made_is_told_from_a_right_that_is_had(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"one\.lock: cannot be locked"):
        ProcessLock(tmp_path / "missing" / "one.lock").take()
