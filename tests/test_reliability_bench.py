"""The catalogue of faults holds, and says so where it does not."""

from __future__ import annotations

import sqlite3
import sys
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from termexplorer.bench import durability
from termexplorer.bench.reliability import CATALOGUE, run_catalogue
from termexplorer.bench.reliability.disk_errors import DISK_ERRORS
from termexplorer.bench.reliability.fault import Attempt, BreakingFault, try_fault
from termexplorer.bench.reliability.judging import flip_verdict
from termexplorer.bench.reliability.migrations import make_older_store
from termexplorer.bench.reliability.program import Ended
from termexplorer.bench.reliability.sample import Sample, read_notes
from termexplorer.services.workspace.check import check_workspace
from termexplorer.store.opening import HEAD
from termexplorer.workers.process.supervision import JobControl
from termexplorer.workspace import Workspace

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="kills and limits of Linux")


@pytest.fixture
def sample(tmp_path: Path) -> Sample:
    """A workspace with verdicts, made in this process."""
    folder = durability.make_study_workspace(tmp_path / "sample")
    notes = durability.judge_some(folder, 5)
    return Sample(folder, tmp_path / "none.obo", "", tuple(notes), {})


def test_what_happens_to_verdicts_is_tried_and_holds(sample: Sample, tmp_path: Path) -> None:
    names = ("killed while judging", "four write at a time", "store deleted or replaced")
    chosen = [fault for fault in CATALOGUE if fault.name.startswith(names)]
    assert len(chosen) == len(names)
    for fault in chosen:
        result = try_fault(fault, sample, tmp_path / "tried", 2, Random(1))  # noqa: S311
        assert (result.ok, result.fell) == (True, ()), result
        assert result.tried == result.held >= 1


def test_a_flipped_bit_is_named_by_the_real_program(sample: Sample, tmp_path: Path) -> None:
    fault = BreakingFault("flip", 1, flip_verdict)
    result = try_fault(fault, sample, tmp_path / "tried", 1, Random(2))  # noqa: S311
    assert result.ok, result.fell


def test_a_store_that_acknowledges_into_nothing_fails_its_row(
    sample: Sample, tmp_path: Path
) -> None:
    def lie(_folder: Path, _take_away: object) -> list[str]:
        return ["a note"]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("termexplorer.bench.reliability.judging.judge_into_nothing", lie)
        fault = next(
            catalogue_fault
            for catalogue_fault in CATALOGUE
            if catalogue_fault.name.startswith("store deleted")
        )
        result = try_fault(fault, sample, tmp_path / "tried", 1, Random(1))  # noqa: S311
    assert not result.ok
    assert result.held == 0


@pytest.mark.parametrize(
    ("ended", "holds"),
    [
        (Ended(0, "all is well"), True),
        (Ended(1, "x.obo: no such file"), True),
        (Ended(-11, ""), False),
        (Ended(2, "usage"), False),
        (Ended(1, "This is a bug"), False),
        (Ended(1, "Traceback (most recent call last)"), False),
    ],
)
def test_a_crash_a_bug_or_another_code_is_a_fault(ended: Ended, holds: bool) -> None:
    assert (ended.find_fault(0, 1) == "") is holds


def test_a_catalogue_tells_what_fell_and_how_often(monkeypatch: pytest.MonkeyPatch) -> None:
    def break_half(attempt: Attempt) -> list[str]:
        return ["broken"] if attempt.draw.random() < 0.5 else []

    monkeypatch.setattr("termexplorer.bench.reliability.make_sample", lambda _folder: None)
    (result,) = run_catalogue(20, 0, catalogue=(BreakingFault("halves", 1.0, break_half),))
    assert result.tried == 20
    assert 0 < result.held < 20
    assert (result.ok, result.fell[0]) == (False, "broken")


def test_each_error_of_a_disk_is_told_or_nothing_is_lost(sample: Sample, tmp_path: Path) -> None:
    result = try_fault(DISK_ERRORS[0], sample, tmp_path / "tried", 20, Random(1))  # noqa: S311
    assert result.ok, result.fell
    assert result.tried >= 6


@pytest.mark.parametrize(
    "name",
    [
        "power cut while a file is written",
        "power cut while moving to another disk",
        "markup in names",
        "right-to-left and control characters in names",
        "formulas in notes, to a table and back",
        "a full pipe",
        "permission denied to the store",
    ],
)
def test_a_fault_without_waiting_is_tried_and_holds(
    sample: Sample, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    # the check of a whole workspace by the real program is tried elsewhere, and takes seconds
    for module in ("environments", "power_cuts"):
        monkeypatch.setattr(
            f"termexplorer.bench.reliability.{module}.find_damage", lambda *_given: []
        )
    fault = next(catalogue_fault for catalogue_fault in CATALOGUE if catalogue_fault.name == name)
    result = try_fault(fault, sample, tmp_path / "tried", 1, Random(1))  # noqa: S311
    assert result.ok, result.fell


def test_an_older_store_has_the_rows_of_a_newer_one(sample: Sample, tmp_path: Path) -> None:
    store = tmp_path / "workspace.sqlite"
    make_older_store(sample.workspace / "workspace.sqlite", store)
    with closing(sqlite3.connect(store)) as connection:
        (version,) = connection.execute("SELECT version_num FROM alembic_version").fetchone()
    assert version < HEAD
    with closing(Workspace(tmp_path)) as workspace:  # which is brought up to date
        assert check_workspace(workspace, JobControl()).faults == ()
    assert read_notes(tmp_path) == list(sample.notes)


def test_what_is_written_without_syncing_fails_its_row(
    sample: Sample, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def write_unsynced(root: Path, content: bytes) -> None:
        (root / "a.tsv").write_bytes(content)

    fault = next(
        catalogue_fault
        for catalogue_fault in CATALOGUE
        if catalogue_fault.name == "power cut while a file is written"
    )
    draw = Random(1)  # noqa: S311
    monkeypatch.setattr(draw, "choice", lambda _ways: (write_unsynced, "a.tsv"))
    result = try_fault(fault, sample, tmp_path / "tried", 2, draw)
    assert not result.ok
