"""A sound workspace and files to import, which faults are tried on copies of."""

from __future__ import annotations

import shutil
import sqlite3
import time
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from termexplorer.bench.durability import judge_some, make_study_workspace
from termexplorer.bench.reliability.program import call_program

_TERMS, _VERDICTS = 2000, 30


@dataclass(frozen=True)
class Sample:
    """What faults are tried on.

    Attributes:
        workspace: a folder with an ontology, a study, verdicts and a backup; never changed.
        release: a file to import.
        backup: name of the backup.
        notes: of the verdicts.
        seconds: that each command takes here when nothing happens, by its first word.
    """

    workspace: Path
    release: Path
    backup: str
    notes: tuple[str, ...]
    seconds: dict[str, float]

    def copy_to(self, folder: Path) -> Path:
        """Copy the workspace, and return the copy."""
        return Path(shutil.copytree(self.workspace, folder / "workspace"))


def make_sample(folder: Path) -> Sample:
    """Make a workspace by the program's own commands.

    Raises:
        RuntimeError: a command failed.
    """
    folder.mkdir(parents=True)
    release = folder / "toy.obo"
    release.write_text(_write_terms(), "utf-8")
    workspace = make_study_workspace(folder / "workspace")
    notes = judge_some(workspace, _VERDICTS)
    seconds = {}
    for words in (("import", release), ("workspace", "backup")):
        start = time.perf_counter()
        ended = call_program("--workspace", workspace, *words)
        if ended.code:
            raise RuntimeError(f"{words[0]}: {ended.text}")
        seconds[str(words[0])] = time.perf_counter() - start
    with closing(sqlite3.connect(workspace / "workspace.sqlite")) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    backup = min((workspace / "backups").glob("*.sqlite")).name
    return Sample(workspace, release, backup, tuple(notes), seconds)


def read_notes(workspace: Path) -> list[str]:
    """Return the notes of all verdicts in a store, in their order."""
    with closing(sqlite3.connect(workspace / "workspace.sqlite")) as connection:
        return [note for (note,) in connection.execute("SELECT note FROM verdict ORDER BY id")]


def _write_terms() -> str:
    terms = (
        f"\n[Term]\nid: T:{n}\nname: term {n}\n" + (f"is_a: T:{n // 2}\n" if n > 1 else "")
        for n in range(1, _TERMS)
    )
    return "format-version: 1.2\nontology: toy\n" + "".join(terms)
