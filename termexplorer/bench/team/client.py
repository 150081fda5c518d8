"""A client of a team: a process that judges, and meanwhile sends and receives."""

from __future__ import annotations

import multiprocessing
import os
import random
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Event, Thread
from typing import TYPE_CHECKING

from termexplorer.services.team.background import TeamLoop, TeamState
from termexplorer.services.team.joining import connect, join_team, read_address
from termexplorer.services.team.sync import TeamSync
from termexplorer.services.verdicts.log import (
    CURATORS,
    Answer,
    Judge,
    VerdictSubject,
    check_log,
    give_verdict,
    now,
)
from termexplorer.store.judging.verdicts import append_rows, given, history
from termexplorer.store.team.incoming import compute_log_hash
from termexplorer.store.team.membership import change_address
from termexplorer.workspace import Workspace

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.synchronize import Barrier

_SUBJECTS = 40
_PAUSE = 0.1  # seconds between two verdicts, at most
Arrival = tuple[str, float]  # a note, and when its verdict was given or came in


@dataclass(frozen=True)
class ClientPlan:
    """What a client is to do.

    Attributes:
        folder: its workspace.
        name: who judges.
        password: of their login.
        wanted: verdicts that they give in all.
        at_once: verdicts that they give before they only send and receive.
        pause: seconds between two verdicts, at most.
        seed: of the instants.
        start: at which they wait for each other, each connected; None where they do not.
    """

    folder: Path
    name: str
    password: str
    wanted: int
    at_once: int
    pause: float = _PAUSE
    seed: int = 0
    start: Barrier | None = None


def join_client(folder: Path, address: str, port: int, password: str) -> None:
    """Make a workspace that is in the team, and reaches it from then on by another port."""
    target = read_address(address)
    with closing(Workspace(folder)) as workspace:
        join_team(workspace, target, password)
    behind = target.url.set(port=port, drivername="postgresql")
    set_address(folder, behind.render_as_string())


def set_address(folder: Path, address: str) -> None:
    """Have a workspace reach its team at another address."""
    with closing(Workspace(folder)) as workspace, workspace.store.writing() as connection:
        change_address(connection, address)


class ClientProcess:
    """A running client.

    Attributes:
        notes: of the verdicts that were acknowledged, in all its lives.
        given_at: when these were given, by notes.
        received_at: notes of others, and when they came in.
    """

    def __init__(self, plan: ClientPlan) -> None:
        self.plan = plan
        self.notes: list[str] = []
        self.given_at: dict[str, float] = {}
        self.received_at: list[Arrival] = []
        self._context = multiprocessing.get_context("fork")  # which is there at once
        self._process: multiprocessing.process.BaseProcess | None = None
        self._pipe: Connection[object, tuple[bool, Arrival]] | None = None

    def start(self, at_once: int, seed: int) -> None:
        """Have it live, and give so many verdicts at most."""
        values = {**vars(self.plan), "at_once": at_once, "seed": seed}
        ours, theirs = self._context.Pipe(duplex=False)
        self._process = self._context.Process(
            target=_run_client, args=(ClientPlan(**values), theirs), daemon=True
        )
        self._process.start()
        theirs.close()
        self._pipe = ours

    def read(self) -> None:
        """Take in what it acknowledged so far."""
        if self._pipe is None:
            return
        with suppress(EOFError, OSError):
            while self._pipe.poll():
                is_own, (note, moment) = self._pipe.recv()
                if is_own:
                    self.notes.append(note)
                    self.given_at[note] = moment
                else:
                    self.received_at.append((note, moment))

    def kill(self) -> None:
        """Kill it, at whatever it is."""
        if self._process is None or self._pipe is None:
            return
        self._process.kill()
        self._process.join()
        self.read()
        self._pipe.close()
        self._process = self._pipe = None


def _run_client(plan: ClientPlan, pipe: Connection[tuple[bool, Arrival], object]) -> None:
    """Judge, and send and receive meanwhile, until it is killed."""
    draw = random.Random(plan.seed)  # noqa: S311 - instants, no secrets
    judge = Judge(plan.name)
    with closing(Workspace(plan.folder)) as workspace:
        seen, connected = [_find_last(workspace)], Event()

        def tell_received(state: TeamState) -> None:
            if state.connected:
                connected.set()
            last, moment = _find_last(workspace), time.time()
            for note in _read_notes_of_others(workspace, plan.name, seen[0]):
                pipe.send((False, (note, moment)))
            seen[0] = last

        loop = TeamLoop(workspace, tell_received, password=plan.password)
        Thread(target=loop.run, daemon=True).start()
        notes = read_notes(workspace, plan.name)
        for note in notes:
            pipe.send((True, (note, 0.0)))  # on the disk, whether or not that was told before
        if plan.start is not None:
            connected.wait()
            plan.start.wait()
        for index in range(len(notes), min(plan.wanted, len(notes) + plan.at_once)):
            time.sleep(draw.random() * plan.pause)
            note, moment = f"{plan.name}.{index}", time.time()
            give_verdict(workspace, judge, _subject_of(index), _answer_with(note))
            pipe.send((True, (note, moment)))
        while os.getppid() != 1:
            time.sleep(0.2)


def _subject_of(index: int) -> VerdictSubject:
    return VerdictSubject("skos:broadMatch", f"BENCH:{index % _SUBJECTS}", "BENCH:parent")


def _answer_with(note: str) -> Answer:
    moment = now()
    return Answer("correct", note, moment, moment)


def _find_last(workspace: Workspace) -> int:
    with workspace.store.looking() as connection:
        return int(connection.execute("SELECT max(id) FROM verdict").fetchone()[0] or 0)


def _read_notes_of_others(workspace: Workspace, name: str, after: int) -> Iterator[str]:
    query = "SELECT note FROM verdict WHERE id > ? AND judge <> ?"
    with workspace.store.looking() as connection:
        yield from [note for (note,) in connection.execute(query, (after, name))]


def read_notes(workspace: Workspace, name: str) -> list[str]:
    """Return the notes of all verdicts that somebody gave."""
    with workspace.store.reading() as connection:
        return [row.answer.note for row in history(connection, CURATORS, Judge(name))]


def sync_to_end(folder: Path, password: str, address: str) -> None:
    """Send and receive until nothing is left; see `ClientPlan`."""
    with (
        closing(Workspace(folder)) as workspace,
        connect(read_address(address), password) as server,
    ):
        TeamSync(workspace, server).sync()


def read_outcome(folder: Path) -> tuple[str, list[str]]:
    """Return the hash of what a workspace has of the team's log, and all notes; check its chain."""
    with closing(Workspace(folder)) as workspace:
        check_log(workspace)
        with workspace.store.reading() as connection:
            notes = [row.answer.note for row in given(connection, CURATORS)]
            return compute_log_hash(connection)[1], notes


def give_many(folder: Path, name: str, count: int) -> None:
    """Give verdicts while nothing is sent."""
    rows = [
        (Judge(name), _subject_of(index), _answer_with(f"{name}.{index}"), None)
        for index in range(count)
    ]
    with closing(Workspace(folder)) as workspace, workspace.store.writing() as connection:
        append_rows(connection, rows)
