"""Evaluation of encoders: asked for, kept, compared, and summed up in a sentence."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from termexplorer.services.evaluation_checks import check_evaluation
from termexplorer.store import evaluations as queries
from termexplorer.store.evaluations import Difference, Evaluated
from termexplorer.store.runs import FigureInfo, RunInfo
from termexplorer.texts import mark, number, share_text, tr, translated, trn
from termexplorer.workers.evaluation.messages import (
    HARDEST,
    LINKED,
    MEASURE,
    ON_PAIRS,
    TASKS,
    EvaluationRequest,
)
from termexplorer.workers.evaluation.running import run_evaluation
from termexplorer.workers.supervision import Control, supervise
from termexplorer.workspace import Workspace
from trainer.measures import NAMES as MEASURES

__all__ = [
    "HARDEST",
    "LINKED",
    "MEASURE",
    "MEASURES",
    "ON_PAIRS",
    "TASKS",
    "WORSE",
    "Conclusion",
    "Difference",
    "Evaluated",
    "EvaluationRequest",
    "FigureInfo",
    "behind_best",
    "conclusion",
    "conclusion_text",
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
)
_APART_TOLD = 3  # encoders in the sentence
_SEEN = 0.01  # the share of names trained on from which the conclusion tells it
_SMALL = 0.0005  # a difference that three digits do not show
_SMALLEST_P = 0.001  # that is told; smaller ones are told to be smaller


@dataclass(frozen=True, slots=True)
class Conclusion:
    """Which encoder is best on some data.

    Attributes:
        best_id: the encoder of the highest figure; None where there is none.
        shown: whether it is better than every other one, by more than chance.
        difference: to the next best of those that it is not shown to be better than; where there is
            none, to the next best that it was compared with; None where it was with none.
        apart_ids: encoders with a figure on the same data that were not compared with it.
    """

    best_id: int | None
    shown: bool
    difference: Difference | None
    apart_ids: tuple[int, ...] = ()


def evaluate(
    workspace: Workspace,
    request: EvaluationRequest,
    control: Control,
    on_message: Callable[[object], None],
) -> tuple[Evaluated, ...]:
    """Computes the figures of encoders on a task and keeps them; blocks until it is done.

    Raises:
        UserError: something that the task needs is not there or cannot be read.
        Cancelled: it was cancelled; nothing is kept.
    """
    check_evaluation(workspace, request)
    found = supervise(run_evaluation, request, control, on_message)
    with workspace.store.writing() as connection:
        queries.put_evaluations(connection, found)
    return found


def list_evaluations(workspace: Workspace) -> list[Evaluated]:
    """All that was evaluated, the newest first."""
    with workspace.store.reading() as connection:
        return queries.evaluations(connection)


def conclusion(evaluated: Evaluated) -> Conclusion:
    """Which encoder is best by the metric that encoders are compared by."""
    ranked = sorted(_primary(evaluated), key=lambda figure: -figure.value)
    if not ranked:
        return Conclusion(None, False, None)
    best = ranked[0].encoder_id
    own = differences_from(evaluated, best)
    others = [figure.encoder_id for figure in ranked[1:]]
    against = [own[each] for each in others if each in own]
    level = [each for each in against if not each.significant]
    shown = len(against) == len(others) > 0 and not level
    nearest = min(level or against, key=lambda each: each.value, default=None)
    return Conclusion(best, shown, nearest, tuple(each for each in others if each not in own))


def conclusion_text(
    evaluated: Evaluated, labels: Mapping[int, str], *, exposure: bool = True
) -> str:
    """Which encoder is best, by how much, or that no difference is shown.

    Args:
        evaluated: figures and differences.
        labels: of encoders, by their ids.
        exposure: whether it is said how many of the names the best was trained on.
    """
    concluded = conclusion(evaluated)
    if concluded.best_id is None:
        return tr("No figure is defined on these data.")
    name, _, k = evaluated.metric.partition("@")
    best = labels[concluded.best_id]
    told = [_sentence(concluded, best, labels)]
    if name == "coverage":
        told.append(tr("This is at k = {k} alone.", k=k))
    share = evaluated.seen.get(concluded.best_id, 0.0)
    if exposure and share >= _SEEN:
        told.append(
            tr("{best} was trained on {share} of the names.", best=best, share=share_text(share))
        )
    return " ".join(told)


def least_seen(found: Sequence[Evaluated], level: int | None = None) -> Evaluated:
    """The one with figures on whose names the encoders were trained least.

    Of several that are equal in that, the one of a level, where it is there; else the first.
    """

    def order(each: Evaluated) -> tuple[bool, float, bool]:
        seen = round(max(each.seen.values(), default=0.0), 2)
        return not each.figures, seen, each.level != level

    return min(found, key=order)


def learned_level(found: Sequence[Evaluated], runs: Iterable[RunInfo]) -> int | None:
    """The level that the newest of the measured encoders learned, or None where none did."""
    measured = {figure.encoder_id for each in found for figure in each.figures}
    choices = {
        run.id: run.request["choice"]
        for run in runs
        if run.encoder_id in measured and run.request.get("choice")
    }
    return int(choices[max(choices)]["level"]) if choices else None


def _chance(p: float) -> str:
    return f"= {number(p, '.3f')}" if p >= _SMALLEST_P else f"< {number(_SMALLEST_P, 'g')}"


def _sentence(concluded: Conclusion, best: str, labels: Mapping[int, str]) -> str:
    difference = concluded.difference
    if concluded.apart_ids:
        return _apart_text(best, [labels[each] for each in concluded.apart_ids])
    if difference is None:
        return tr("Only {best} was measured.", best=best)
    second, by = labels[difference.second_id], _difference_text(difference)
    if concluded.shown:
        return tr("Best: {best}, ahead of {second} by {by}.", best=best, second=second, by=by)
    return tr(
        "No difference shown between {best} and {second}: {by}.", best=best, second=second, by=by
    )


def _apart_text(best: str, others: Sequence[str]) -> str:
    told, left = ", ".join(others[:_APART_TOLD]), len(others) - _APART_TOLD
    if left <= 0:
        return tr(
            "Highest: {best}; evaluate it together with {others} to compare them.",
            best=best,
            others=told,
        )
    return trn(
        "Highest: {best}; evaluate it together with {others} and {n} more to compare them.",
        "Highest: {best}; evaluate it together with {others} and {n} more to compare them.",
        left,
        best=best,
        others=told,
    )


def _difference_text(difference: Difference) -> str:
    spec = "+.5f" if 0 < abs(difference.value) < _SMALL else "+.3f"
    return tr(
        "{metric} {value} ({low} to {high}, n = {n:,}, p {p} {how})",
        metric=translated(difference.metric),
        value=number(difference.value, spec),
        low=number(difference.low, spec),
        high=number(difference.high, spec),
        n=difference.n,
        p=_chance(difference.p),
        how=difference.by,
    )


def differences_from(
    evaluated: Evaluated, encoder_id: int, metric: str = ""
) -> dict[int, Difference]:
    """How far an encoder is ahead of each that it was compared with, by that one's id.

    Args:
        evaluated: what both were measured on.
        encoder_id: of the encoder.
        metric: by which; that which tells the best encoder if empty.
    """
    own = (
        _seen_from(encoder_id, each)
        for each in evaluated.differences
        if _is_of(encoder_id, each) and each.metric == (metric or evaluated.metric)
    )
    return {each.second_id: each for each in own}


def worse_than_best(evaluated: Evaluated) -> set[tuple[int, str]]:
    """Encoders by their ids, and the metrics by which they are so by more than chance."""
    behind = behind_best(evaluated)
    return {place for place, each in behind.items() if each.significant and each.value > 0}


def behind_best(evaluated: Evaluated) -> dict[tuple[int, str], Difference]:
    """How far the best encoder is ahead of each other one, by that one's id and the metric."""
    found: dict[tuple[int, str], Difference] = {}
    for metric in {each.metric for each in evaluated.differences}:
        figures = [f for f in evaluated.figures if f.metric == metric]
        best = max(figures, key=lambda figure: figure.value, default=None)
        if best is not None:
            ahead = differences_from(evaluated, best.encoder_id, metric)
            found |= {(encoder_id, metric): each for encoder_id, each in ahead.items()}
    return found


def _primary(evaluated: Evaluated) -> Sequence[FigureInfo]:
    return [
        figure
        for figure in evaluated.figures
        if figure.metric == evaluated.metric and figure.value == figure.value  # no NaN
    ]


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
