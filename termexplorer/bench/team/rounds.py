"""Clients are killed, the server is restarted and connections are cut, until all is done."""

from __future__ import annotations

import multiprocessing
import random
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from termexplorer.bench.team.client import (
    ClientPlan,
    ClientProcess,
    give_many,
    join_client,
    read_outcome,
    set_address,
    sync_to_end,
)
from termexplorer.bench.team.cluster import OWNER, Cluster
from termexplorer.bench.team.proxy import CuttingProxy
from termexplorer.bench.times import quantile
from termexplorer.services.team.joining import admit, connect, init_team, read_address

_DATABASE = "team"
_KILLS_PER_RESTART = 50
_GAP = 0.16  # seconds between two kills, at most
_LONGEST = 1_800.0  # seconds until the last verdict
_PACE = 5.0  # seconds between two verdicts of somebody while latency is measured, at most


@dataclass(frozen=True)
class TeamSize:
    """How large a round is.

    Attributes:
        clients: that judge at once.
        verdicts: that each of them gives.
        kills: of clients, and restarts of the server, together.
        followed: verdicts of each client whose way to the others is timed.
        unsent: verdicts with which a client catches up.
    """

    clients: int
    verdicts: int
    kills: int
    followed: int
    unsent: int


@dataclass(frozen=True)
class TeamOutcome:
    """What became of the verdicts of a team.

    Attributes:
        clients: how many judged at once.
        acknowledged: verdicts that were on a client's disk before the next one was given.
        lost: those of them that are not in every client's log and on the server.
        doubled: verdicts that are more than once in a log, or on the server.
        hashes_equal: whether all clients have the same log in the end.
        kills: of clients.
        restarts: of the server, as if it had crashed.
        cuts: connections cut in the middle of a commit.
        latency_p95: seconds until a verdict is on another client's disk.
        catch_up: seconds until a client's unsent verdicts are all on the server.
        unsent: how many these were.
    """

    clients: int
    acknowledged: int
    lost: int
    doubled: int
    hashes_equal: bool
    kills: int
    restarts: int
    cuts: int
    latency_p95: float
    catch_up: float
    unsent: int


def run_team(folder: Path, size: TeamSize, seed: int) -> TeamOutcome:
    """Have a team judge through kills, restarts and cuts, and count what is lost or doubled."""
    draw = random.Random(seed)  # noqa: S311 - instants, no secrets
    with closing(Cluster()) as cluster, closing(CuttingProxy(cluster.port, seed)) as proxy:
        clients = _make_team(cluster, proxy.port, folder, size)
        with _kill_in_the_end(clients):
            restarts = _kill_at_random(clients, cluster, size, draw)
            _await_verdicts(clients)
        outcomes = _bring_together(clients, cluster)
        notes = [note for client in clients for note in client.notes]
        lost, doubled = _compare_logs(
            set(notes), [*(o[1] for o in outcomes), _read_server(cluster)]
        )
        catch_up = _time_catch_up(cluster, folder / "late", size)
        latency = _time_latency(clients, cluster, size)
        return TeamOutcome(
            size.clients, len(set(notes)), lost, doubled, len({o[0] for o in outcomes}) == 1,
            size.kills - restarts, restarts, proxy.cuts, latency, catch_up, size.unsent,
        )  # fmt: skip


def _make_team(cluster: Cluster, port: int, folder: Path, size: TeamSize) -> list[ClientProcess]:
    names = [f"client{number:02}" for number in range(size.clients)]
    cluster.run_sql(f"CREATE DATABASE {_DATABASE}")
    owner = read_address(cluster.address(OWNER, _DATABASE))
    init_team(owner, "Lead", password=cluster.password)
    cluster.add_logins(*names, "late")
    with connect(owner, cluster.password) as server:
        for name in (*names, "late"):
            admit(server, name, name)
    plans = [ClientPlan(folder / name, name, cluster.password, size.verdicts, 0) for name in names]
    for plan in plans:
        address = cluster.address(plan.name, _DATABASE)
        join_client(plan.folder, address, port, cluster.password)
    return [ClientProcess(plan) for plan in plans]


@contextmanager
def _kill_in_the_end(clients: Sequence[ClientProcess]) -> Iterator[None]:
    try:
        yield
    finally:
        for client in clients:
            client.kill()


def _kill_at_random(
    clients: Sequence[ClientProcess], cluster: Cluster, size: TeamSize, draw: random.Random
) -> int:
    """Kill clients, each of which goes on at once, and restart the server; return how often."""
    lives = max(size.kills // size.clients, 1)
    at_once = -(-size.verdicts // lives)
    for client in clients:
        client.start(at_once, draw.randrange(1 << 30))
    restarts = 0
    for number in range(1, size.kills + 1):
        time.sleep(draw.random() * _GAP)
        if number % _KILLS_PER_RESTART == 0 or number == size.kills // 2:
            cluster.restart_at_once()
            restarts += 1
            continue
        client = draw.choice(clients)
        client.kill()
        client.start(at_once, draw.randrange(1 << 30))
        for other in clients:
            other.read()
    for client in clients:
        client.kill()
        client.start(size.verdicts, draw.randrange(1 << 30))
    return restarts


def _await_verdicts(clients: Sequence[ClientProcess]) -> None:
    """Wait until each client has given all its verdicts.

    Raises:
        TimeoutError: it takes too long.
    """
    end = time.monotonic() + _LONGEST
    while any(len(set(client.notes)) < client.plan.wanted for client in clients):
        if time.monotonic() > end:
            raise TimeoutError("clients do not give their verdicts")
        time.sleep(0.1)
        for client in clients:
            client.read()


def _bring_together(
    clients: Sequence[ClientProcess], cluster: Cluster
) -> list[tuple[str, list[str]]]:
    """Have all clients send, then receive, without any break; return their hashes and notes."""
    words = [
        (client.plan.folder, cluster.password, cluster.address(client.plan.name, _DATABASE))
        for client in clients
    ]
    with multiprocessing.get_context("fork").Pool(2) as pool:
        for _ in ("send", "receive"):
            pool.starmap(sync_to_end, words)
        return pool.map(read_outcome, [client.plan.folder for client in clients])


def _read_server(cluster: Cluster) -> list[str]:
    notes = "SELECT content::json ->> 'note' FROM termexplorer.verdict"
    return cluster.run_sql(notes, OWNER, _DATABASE).splitlines()


def _compare_logs(acknowledged: set[str], logs: Sequence[Sequence[str]]) -> tuple[int, int]:
    """Return how many acknowledged notes are missing in a log, and how many notes are doubled."""
    lost = sum(len(acknowledged - set(notes)) for notes in logs)
    return lost, sum(len(notes) - len(set(notes)) for notes in logs)


def _time_catch_up(cluster: Cluster, folder: Path, size: TeamSize) -> float:
    """Return the seconds in which a client sends all that it gave while it was away."""
    address = cluster.address("late", _DATABASE)
    join_client(folder, address, cluster.port, cluster.password)
    sync_to_end(folder, cluster.password, address)
    give_many(folder, "late", size.unsent)
    began = time.perf_counter()
    sync_to_end(folder, cluster.password, address)
    return time.perf_counter() - began


def _time_latency(clients: Sequence[ClientProcess], cluster: Cluster, size: TeamSize) -> float:
    """Return the 95 % quantile of the seconds from a verdict to another client's disk."""
    followers = []
    start = multiprocessing.get_context("fork").Barrier(len(clients))
    for client in clients:
        address = cluster.address(client.plan.name, _DATABASE)
        set_address(client.plan.folder, address)  # with nothing before the server that cuts it off
        sync_to_end(client.plan.folder, cluster.password, address)
        wanted = size.verdicts + size.followed
        followers.append(
            ClientProcess(replace(client.plan, wanted=wanted, pause=_PACE, start=start))
        )
    with _kill_in_the_end(followers):
        for seed, follower in enumerate(followers):
            follower.start(size.followed, seed)
        _await_verdicts(followers)
        time.sleep(2.0)
    given_at = {n: at for follower in followers for n, at in follower.given_at.items() if at}
    arrivals = [arrival for follower in followers for arrival in follower.received_at]
    seconds = sorted(at - given_at[note] for note, at in arrivals if note in given_at)
    if len(seconds) < len(given_at) * (len(followers) - 1):
        return float("inf")  # some did not arrive in time
    return quantile(seconds, 0.95) / 1_000  # which gives milliseconds
