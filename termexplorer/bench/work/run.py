"""Studies shared by workers that are killed at random: nothing is lost, doubled or different."""

from contextlib import closing
from dataclasses import asdict

from termexplorer.bench.figure import BenchContext, BenchFigure, not_measured
from termexplorer.bench.team.cluster import Cluster, find_postgres
from termexplorer.bench.work.light import LightSize, WorkOutcome, kill_light_workers
from termexplorer.bench.work.study import kill_study_workers

_WHOLE, _QUICK = LightSize(workers=8, tasks=200, kills=1_000), LightSize(4, 30, 25)
_STUDY_KILLS, _QUICK_STUDY_KILLS = 24, 1


def run(context: BenchContext) -> list[BenchFigure]:
    """Kill workers of a table in a file, of one on a server, and of a study that trains."""
    size = _QUICK if context.quick else _WHOLE
    outcomes = [kill_light_workers(context.folder / "work-file", size, 0, None)]
    figures = [_count_wrong(outcomes[0])]
    if find_postgres() is None:
        figures.append(
            not_measured("work on a server", "PostgreSQL is not installed: apt install postgresql")
        )
    else:
        with closing(Cluster()) as server:
            outcomes.append(kill_light_workers(context.folder / "work-server", size, 0, server))
        figures.append(_count_wrong(outcomes[1]))
    kills = _QUICK_STUDY_KILLS if context.quick else _STUDY_KILLS
    study = kill_study_workers(context.folder / "work-study", kills, 0)
    details = {"work": {"tables": [*map(asdict, outcomes)], "study": asdict(study)}}
    name = f"results of a study of {study.tasks} tasks, {study.kills} × a worker killed"
    differing = 0 if study.same else 1
    goal = "the bytes of one worker alone, but for measured times"
    return [*figures, BenchFigure(name, differing, "", "", None, None, goal, study.same, details)]


def _count_wrong(outcome: WorkOutcome) -> BenchFigure:
    restarts = f", {outcome.restarts} × the server restarted" if outcome.restarts else ""
    name = (
        f"pieces lost, doubled or wrong of {outcome.pieces:,} in {outcome.database}; "
        f"{outcome.kills:,} × a worker killed{restarts}"
    )
    wrong = outcome.lost + outcome.doubled + outcome.wrong
    return BenchFigure(name, wrong, "", "", None, None, "none", wrong == 0)
