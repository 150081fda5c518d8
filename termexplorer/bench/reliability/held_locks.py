"""Locks that another program holds, or held when it was killed."""

from __future__ import annotations

import multiprocessing
import sqlite3
import time
from pathlib import Path
from typing import TYPE_CHECKING

from termexplorer.bench.reliability.fault import Attempt, BreakingFault
from termexplorer.bench.reliability.interruptions import find_damage
from termexplorer.bench.reliability.program import call_program
from termexplorer.store.database.process_lock import ProcessLock

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

_LOCKS = ("window.lock", "loading.lock", "judging.lock", "runs/1.lock")
_LONG = 3600.0  # seconds, until it is killed


def _meet_held_lock(attempt: Attempt) -> list[str]:
    """Refuse what needs a workspace alone while a lock is held, and do it once that is killed."""
    workspace = attempt.sample.copy_to(attempt.folder)
    lock = workspace / attempt.draw.choice(_LOCKS)
    lock.parent.mkdir(exist_ok=True)
    words = attempt.draw.choice(
        (("workspace", "restore", attempt.sample.backup), ("workspace", "move", "{moved}"))
    )
    moved = attempt.folder / "moved"
    called = [word.format(moved=moved) for word in words]
    context = multiprocessing.get_context("fork")
    ours, theirs = context.Pipe(duplex=False)
    holder = context.Process(target=_hold_lock, args=(lock, theirs))
    holder.start()
    ours.recv()
    ended = call_program("--workspace", workspace, *called)
    holder.kill()
    holder.join()
    if fault := ended.find_fault(1):
        return [f"{lock.name} is held, {words[1]}: {fault}"]
    if damage := find_damage(workspace, attempt.sample):
        return damage
    if fault := call_program("--workspace", workspace, *called).find_fault(0):
        return [f"{lock.name} is free again, {words[1]}: {fault}"]
    return find_damage(moved if words[1] == "move" else workspace, attempt.sample)


def _hold_lock(lock: Path, connection: Connection[bool, bool]) -> None:
    with ProcessLock(lock):
        connection.send(True)
        time.sleep(_LONG)


def _meet_writer(attempt: Attempt) -> list[str]:
    """Have commands read beside a transaction that writes and does not end."""
    workspace = attempt.sample.copy_to(attempt.folder)
    connection = sqlite3.connect(workspace / "workspace.sqlite", isolation_level=None)
    try:
        connection.execute("BEGIN IMMEDIATE")
        for words in (
            ("ontology", "list"),
            ("search", "term 7"),
            ("verdicts", "check"),
        ):
            if fault := call_program("--workspace", workspace, *words).find_fault(0):
                return [f"{' '.join(words)}: {fault}"]
        connection.execute("ROLLBACK")
    finally:
        connection.close()
    return find_damage(workspace, attempt.sample)


HELD_LOCKS = (
    BreakingFault("a lock is held, and its holder killed", 0.02, _meet_held_lock),
    BreakingFault("reading beside a transaction without an end", 0.005, _meet_writer),
)
