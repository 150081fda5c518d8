"""The bench of damaged files tells what it is there to tell."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from termexplorer.bench.mutations.child import try_mutation
from termexplorer.bench.mutations.damage import damage_bytes
from termexplorer.bench.mutations.groups import GROUPS
from termexplorer.bench.mutations.sound_file import FileReading, Reader, make_file, make_rows
from termexplorer.bench.mutations.trial import try_mutations
from termexplorer.errors import UserError

ROWS = make_rows(9, lambda number, name: f"{number} {name}\n")


def read_all(path: Path) -> FileReading:
    return FileReading(path.read_bytes().decode("utf-8", "replace"))


def fall(path: Path) -> FileReading:
    raise KeyError(path.name)


def refuse(path: Path) -> FileReading:
    raise UserError(f"{path}: no; mend it")


def refuse_silently(_path: Path) -> FileReading:
    raise UserError


def take_memory(_path: Path) -> FileReading:
    raise MemoryError


def lose_all(_path: Path) -> FileReading:
    return FileReading("")


def lose_all_and_tell(_path: Path) -> FileReading:
    return FileReading("", {"rows left out": 9})


def faults_of(read: Reader, folder: Path) -> set[str]:
    file = make_file("a.txt", read, ROWS)
    expected = read_all(file.write_contents(file.contents, folder))
    return {
        try_mutation(file, expected, folder / "tried", Random(number))  # noqa: S311
        for number in range(30)
    }


@pytest.mark.parametrize(
    ("read", "message"),
    [
        (fall, "KeyError"), (refuse_silently, "no clear line"), (take_memory, "memory"),
        (lose_all, "lost without a word"),
    ],
)  # fmt: skip
def test_what_falls_is_told(read: Reader, message: str, tmp_path: Path) -> None:
    assert any(message in fault for fault in faults_of(read, tmp_path))


@pytest.mark.parametrize("read", [read_all, refuse, lose_all_and_tell])
def test_what_is_refused_or_told_holds(read: Reader, tmp_path: Path) -> None:
    assert faults_of(read, tmp_path) == {""}


def test_the_same_number_is_the_same_damage() -> None:
    data = b"".join(ROWS)
    several = [damage_bytes(data, Random(number)) for number in range(50)]  # noqa: S311
    assert several == [damage_bytes(data, Random(number)) for number in range(50)]  # noqa: S311
    assert len(set(several)) > 40


def test_a_child_that_dies_is_told_and_the_next_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "dying_child.py").write_text(
        "import os, sys\nprint('ready')\n"
        "for number in range(int(sys.argv[4]), int(sys.argv[5])):\n"
        "    if number == 2:\n        sys.stdout.flush()\n        os.kill(os.getpid(), 11)\n"
        "    print('wrong' if number == 4 else '', flush=True)\n"
    )
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setattr("termexplorer.bench.mutations.trial._MODULE", "dying_child")
    assert list(try_mutations("any", 6, 0)) == [(2, "the process ended with -11"), (4, "wrong")]


@pytest.mark.parametrize("group", ["settings of recipes", "OBO"])
def test_damaged_files_hold(group: str) -> None:
    assert list(try_mutations(group, 40, 1)) == []


@pytest.mark.parametrize("group", GROUPS)
def test_what_is_damaged_is_sound_before(group: str, tmp_path: Path) -> None:
    if group in ("encoders", "vectors"):
        pytest.skip("the bench itself refuses to begin with what is not sound; these take long")
    from termexplorer.bench.mutations.child import read_sound

    (tmp_path / "made").mkdir()
    for file in GROUPS[group](tmp_path / "made"):
        read_sound(file, tmp_path)
