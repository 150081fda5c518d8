"""A team on a real server, through kills, restarts and cuts: nothing is lost or doubled."""

from dataclasses import asdict

from termexplorer.bench.figure import BenchContext, BenchFigure, not_measured
from termexplorer.bench.team.cluster import find_postgres
from termexplorer.bench.team.rounds import TeamOutcome, TeamSize, run_team

_WHOLE = TeamSize(clients=20, verdicts=500, kills=1_000, followed=6, unsent=10_000)
_QUICK = TeamSize(clients=3, verdicts=30, kills=20, followed=2, unsent=500)
_LATENCY, _CATCH_UP = 1.0, 30.0  # seconds


def run(context: BenchContext) -> list[BenchFigure]:
    """Have clients judge at once while they are killed, and the server is restarted and cut off."""
    if find_postgres() is None:
        return [not_measured("team", "PostgreSQL is not installed: apt install postgresql")]
    size = _QUICK if context.quick else _WHOLE
    outcome = run_team(context.folder / "team", size, seed=0)
    return [_loss_figure(outcome, size), *_time_figures(outcome)]


def _loss_figure(outcome: TeamOutcome, size: TeamSize) -> BenchFigure:
    name = (
        f"verdicts lost or doubled of {outcome.acknowledged:,} by {outcome.clients} clients; "
        f"{outcome.kills:,} × killed, {outcome.restarts} × server restarted, {outcome.cuts} × "
        "cut off in a commit"
    )
    wrong = outcome.lost + outcome.doubled
    ok = not wrong and outcome.hashes_equal
    ok = ok and outcome.acknowledged == size.clients * size.verdicts
    details = {"team": asdict(outcome)}
    return BenchFigure(name, wrong, "", "", None, None, "none, and equal logs", ok, details)


def _time_figures(outcome: TeamOutcome) -> list[BenchFigure]:
    late = f"{outcome.unsent:,} unsent verdicts on the server"
    return [
        BenchFigure(
            "a verdict on another client's disk, p95", outcome.latency_p95, "s", "", None,
            outcome.latency_p95 / _LATENCY, f"under {_LATENCY:.0f} s",
            outcome.latency_p95 < _LATENCY,
        ),
        BenchFigure(
            late, outcome.catch_up, "s", "", None, outcome.catch_up / _CATCH_UP,
            f"under {_CATCH_UP:.0f} s", outcome.catch_up < _CATCH_UP,
        ),
    ]  # fmt: skip
