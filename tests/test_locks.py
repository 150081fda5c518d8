"""What is installed is named in the locks with the hashes of its files, and nothing else is."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

PACKAGING = Path(__file__).parents[1] / "packaging"
LOCKS = sorted(PACKAGING.glob("lock*.txt"))
_ENTRY = re.compile(
    r"^(?P<name>[\w.-]+)==[^\n]*\\\n(?:    --hash=sha256:[0-9a-f]{64}[ \\]*\n?)+", re.M
)


@pytest.mark.parametrize("lock", LOCKS, ids=lambda path: path.stem)
def test_every_line_of_a_lock_is_a_version_with_its_hashes(lock: Path) -> None:
    text = lock.read_text("utf-8")
    assert _ENTRY.search(text)
    assert _ENTRY.sub("", text).strip() == ""


def test_a_lock_is_installed_with_its_hashes_alone() -> None:
    installed = [
        (script.name, line)
        for script in PACKAGING.glob("*.sh")
        for line in script.read_text("utf-8").replace("\\\n", " ").splitlines()
        if re.search(r"pip\b.* (?:install|wheel) ", line) and "--no-index" not in line
    ]
    loose = [
        (script, line)
        for script, line in installed
        if "--require-hashes" not in line and not line.endswith("--no-build-isolation --editable .")
    ]
    assert installed
    assert loose == []


def test_torch_is_locked_at_the_one_version_that_is_tested() -> None:
    relock = (PACKAGING / "relock.sh").read_text("utf-8")
    (needed,) = re.findall(r"^torch=torch==([\d.]+)", relock, re.M)
    for lock in ("lock-torch.txt", "lock-torch-cpu.txt"):
        (version,) = re.findall(r"^torch==([\d.]+)", (PACKAGING / lock).read_text("utf-8"), re.M)
        assert version == needed
