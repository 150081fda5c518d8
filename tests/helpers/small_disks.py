"""Disks of a test's own: small ones that can be filled, and folders where nothing can be written.

The super-user may write wherever a file's rights forbid it, so that only a mount keeps a test of
theirs from writing; and only the super-user may mount.
"""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import disk_usage

import pytest

_PAGE = 4096


@contextmanager
def small_disk(folder: Path, size: int) -> Iterator[Path]:
    """A disk of some bytes, in a folder that is made for it."""
    folder.mkdir()
    _mount("-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder))
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


@contextmanager
def read_only_view(of: Path, folder: Path) -> Iterator[Path]:
    """The same folder under another path, under which nothing can be written."""
    folder.mkdir()
    _mount("--bind", str(of), str(folder))
    try:
        _mount("-o", "remount,ro,bind", str(folder))
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


def fill(disk: Path, leave: int = 0) -> None:
    """Write a file `filler` that leaves so many bytes free, or a page less."""
    pages = max(disk_usage(disk).free - leave, 0) // _PAGE
    (disk / "filler").write_bytes(bytes(_PAGE * pages))


def _mount(*words: str) -> None:
    if sys.platform != "linux" or os.geteuid() != 0:
        pytest.skip("only the super-user of a Linux system may mount a disk for a test")
    done = subprocess.run(["mount", *words], capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"this machine lets no disk be mounted for a test: {done.stderr.strip()}")
