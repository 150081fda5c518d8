"""Verdicts that were acknowledged: kills, power cuts, four writers, flips, a store that is gone."""

from __future__ import annotations

import shutil
from concurrent.futures import ThreadPoolExecutor

from termexplorer.bench.durability import (
    Survived,
    judge_by_several,
    judge_into_nothing,
    killed,
    make_study_workspace,
    name_writers,
    power_cut,
)
from termexplorer.bench.long_log import write_verdicts_table
from termexplorer.bench.reliability.fault import Attempt, BreakingFault
from termexplorer.bench.reliability.program import call_program

_WRITERS = 4
_IMPORTED = 5_000  # verdicts
_BESIDE = 4.0  # seconds in which they write


def _kill_while_judging(attempt: Attempt) -> list[str]:
    return _find_lost(killed(attempt.folder, attempt.rounds, attempt.draw.randrange(2**31)))


def _cut_power(attempt: Attempt) -> list[str]:
    return _find_lost(power_cut(attempt.folder, attempt.rounds, attempt.draw.randrange(2**31)))


def _have_four_write(attempt: Attempt) -> list[str]:
    return _find_lost(
        judge_by_several(attempt.folder / "workspace", _WRITERS, attempt.draw.random())
    )


def _have_four_write_beside_others(attempt: Attempt) -> list[str]:
    """Import, export and check a log, into which four write."""
    folder, table = attempt.folder / "workspace", attempt.folder / "verdicts.tsv"
    write_verdicts_table(table, _IMPORTED)
    make_study_workspace(folder, name_writers(_WRITERS))
    with ThreadPoolExecutor(1) as pool:
        judged = pool.submit(judge_by_several, folder, _WRITERS, _BESIDE)
        calls = (
            ("import", str(table)),
            ("export", "--out", str(attempt.folder / "out.tsv")),
            ("check",),
        )
        ended = [call_program("--workspace", folder, "verdicts", *words) for words in calls]
        fell = _find_lost(judged.result())
    fell += [fault for outcome in ended if (fault := outcome.find_fault(0))]
    with (attempt.folder / "out.tsv").open("rb") as file:
        rows = sum(1 for _ in file) - 1
    return fell if rows == _IMPORTED else [*fell, f"of {_IMPORTED:,} verdicts {rows:,} are there"]


def _find_lost(survived: Survived) -> list[str]:
    fell = [f"a verdict of {survived.acknowledged:,} is lost"] * survived.lost
    return fell + ["a verdict is there twice"] * survived.doubled


def flip_verdict(attempt: Attempt) -> list[str]:
    """Change one bit of a verdict's note in the file; the check has to name the row."""
    workspace = attempt.sample.copy_to(attempt.folder)
    number = attempt.draw.randrange(len(attempt.sample.notes))
    note = attempt.sample.notes[number].encode()
    store = workspace / "workspace.sqlite"
    content = bytearray(store.read_bytes())
    at = content.index(note) + attempt.draw.randrange(len(note))
    content[at] ^= 1 << attempt.draw.randrange(8)
    store.write_bytes(content)
    ended = call_program("--workspace", workspace, "verdicts", "check")
    fault = ended.find_fault(1)
    if not fault and str(number + 1) not in ended.text:
        fault = f"row {number + 1} is not named: {ended.text.strip()[-200:]}"
    return [fault] if fault else []


def _take_store_away(attempt: Attempt) -> list[str]:
    workspace = attempt.sample.copy_to(attempt.folder)
    store = workspace / "workspace.sqlite"

    def take_away() -> None:
        if attempt.draw.random() < 0.5:
            shutil.copyfile(store, attempt.folder / "other.sqlite")
            (attempt.folder / "other.sqlite").replace(store)
        else:
            store.unlink()

    acknowledged = judge_into_nothing(workspace, take_away)
    return [f"{len(acknowledged)} verdicts were acknowledged into nothing"] if acknowledged else []


JUDGING = (
    BreakingFault("killed while judging", 1.0, _kill_while_judging, at_once=True),
    BreakingFault("power cut while judging", 1.0, _cut_power, at_once=True),
    BreakingFault("four write at a time", 0.01, _have_four_write),
    BreakingFault(
        "four write while a log is imported, exported, checked",
        0.005,
        _have_four_write_beside_others,
    ),
    BreakingFault("a flipped bit in a verdict", 0.1, flip_verdict),
    BreakingFault("store deleted or replaced while judging", 0.02, _take_store_away),
)
