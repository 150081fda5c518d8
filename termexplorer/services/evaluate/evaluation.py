"""Evaluation of encoders: asked for, kept, and compared with the best."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from termexplorer.services.evaluate.checks import check_evaluation
from termexplorer.services.figures.corrections import correct_alone, correct_together
from termexplorer.services.figures.metric_kinds import best_figures, goodness
from termexplorer.store.database.sqlalchemy_engine import Connection
from termexplorer.store.encoders import evaluations as queries
from termexplorer.store.encoders.evaluations import Difference, Evaluated
from termexplorer.store.encoders.runs import FigureInfo, RunInfo
from termexplorer.texts import mark
from termexplorer.trainer.measures import NAMES as MEASURES
from termexplorer.workers.evaluate.messages import (
    HARDEST,
    LINKED,
    MEASURE,
    ON_PAIRS,
    TASKS,
    EvaluationRequest,
)
from termexplorer.workers.evaluate.running import run_evaluation
from termexplorer.workers.process.supervision import JobControl, supervise
from termexplorer.workspace import Workspace

__all__ = [
    "HARDEST",
    "LINKED",
    "MEASURE",
    "MEASURES",
    "ON_PAIRS",
    "TASKS",
    "WORSE",
    "Difference",
    "Evaluated",
    "EvaluationRequest",
    "FigureInfo",
    "behind_best",
    "differences_from",
    "evaluate",
    "learned_level",
    "least_seen",
    "list_evaluations",
    "worse_than_best",
]

WORSE = "▼"  # of an encoder that is worse than the best one by more than chance

# metrics that are called otherwise in other languages; the rest are names, such as mAP
METRICS = (
    mark("accuracy"),
    mark("accuracy, no exact match"),
    mark("median rank"),
    mark("overlap"),
    mark("separation"),
    mark("AUC, all it knows"),
    mark("spearman, all it knows"),
)


def evaluate(
    workspace: Workspace,
    request: EvaluationRequest,
    control: JobControl,
    on_message: Callable[[object], None],
) -> tuple[Evaluated, ...]:
    """Computes the figures of encoders on a task and keeps them; blocks until it is done.

    Differences are corrected for what one table of the answer shows: pair sets stand in one.

    Raises:
        UserError: something that the task needs is not there or cannot be read.
        Cancelled: it was cancelled; nothing is kept.
    """
    check_evaluation(workspace, request)
    evaluations = supervise(run_evaluation, request, control, on_message)
    with workspace.store.writing() as connection:
        queries.put_evaluations(connection, evaluations)
        evaluations = tuple(_with_name(connection, evaluated) for evaluated in evaluations)
    if request.task == "pairs":
        return tuple(correct_together(evaluations))
    return tuple(map(correct_alone, evaluations))


def _with_name(connection: Connection, evaluated: Evaluated) -> Evaluated:
    """Return an evaluation with the name that it was given before."""
    stored = queries.evaluation(connection, evaluated.task, evaluated.data_hash)
    return replace(evaluated, name=stored.name if stored else "")


def list_evaluations(workspace: Workspace) -> list[Evaluated]:
    """All that was evaluated, the newest first; each is corrected as a table of its own."""
    with workspace.store.reading() as connection:
        return list(map(correct_alone, queries.evaluations(connection)))


def least_seen(evaluations: Sequence[Evaluated], level: int | None = None) -> Evaluated:
    """The one with figures on whose names the encoders were trained least.

    Of several that are equal in that, the one of a level, where it is there; else the first.
    """

    def order(evaluated: Evaluated) -> tuple[bool, float, bool]:
        seen = round(max(evaluated.seen.values(), default=0.0), 2)
        return not evaluated.figures, seen, evaluated.level != level

    return min(evaluations, key=order)


def learned_level(evaluations: Sequence[Evaluated], runs: Iterable[RunInfo]) -> int | None:
    """The level that the newest of the measured encoders learned, or None where none did."""
    measured = {figure.encoder_id for evaluated in evaluations for figure in evaluated.figures}
    choices = {
        run.id: run.request["choice"]
        for run in runs
        if run.encoder_id in measured and run.request.get("choice")
    }
    return int(choices[max(choices)]["level"]) if choices else None


def differences_from(
    evaluated: Evaluated, encoder_id: int, metric: str = ""
) -> dict[int, Difference]:
    """How far an encoder is ahead of each that it was compared with, by that one's id.

    Args:
        evaluated: what both were measured on.
        encoder_id: of the encoder.
        metric: by which; that which tells the best encoder if empty.
    """
    from_encoder = (
        _seen_from(encoder_id, difference)
        for difference in evaluated.differences
        if _is_of(encoder_id, difference) and difference.metric == (metric or evaluated.metric)
    )
    return {difference.second_id: difference for difference in from_encoder}


def worse_than_best(evaluated: Evaluated) -> set[tuple[int, str]]:
    """Encoders by their ids, and the metrics by which they are so by more than chance."""
    return {
        (encoder_id, metric)
        for (encoder_id, metric), difference in behind_best(evaluated).items()
        if difference.significant and goodness(metric, difference.value) > 0
    }


def behind_best(evaluated: Evaluated) -> dict[tuple[int, str], Difference]:
    """How far the best encoder is ahead of each other one, by that one's id and the metric.

    Where several are equally good it is the first of them; below 0 by ranks, less being better.
    """
    differences: dict[tuple[int, str], Difference] = {}
    for metric in {difference.metric for difference in evaluated.differences}:
        for best in best_figures(evaluated.figures, metric)[:1]:
            ahead = differences_from(evaluated, best.encoder_id, metric)
            differences |= {
                (encoder_id, metric): difference for encoder_id, difference in ahead.items()
            }
    return differences


def _is_of(encoder_id: int, difference: Difference) -> bool:
    return encoder_id in (difference.first_id, difference.second_id)


def _seen_from(encoder_id: int, difference: Difference) -> Difference:
    """The same difference with the encoder as the first."""
    if difference.first_id == encoder_id:
        return difference
    return replace(
        difference,
        first_id=difference.second_id,
        second_id=difference.first_id,
        value=-difference.value,
        low=-difference.high,
        high=-difference.low,
    )
