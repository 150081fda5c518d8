"""Encoders compared mention by mention: where they disagree, who wins, and how ranks move."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import product

import numpy as np

from termexplorer.errors import UserError
from termexplorer.services.evaluate.checks import check_task
from termexplorer.store.encoders.infos import check_distinct
from termexplorer.texts import tr
from termexplorer.workers.compare.messages import (
    MOST_ENCODERS,
    TASK_WORDS,
    TASKS,
    Bools,
    Compared,
    CompareRequest,
    ComparisonSubject,
    Float64s,
    Ints,
    WholeRanking,
    WholeRequest,
)
from termexplorer.workers.compare.running import run_comparison
from termexplorer.workers.process.supervision import JobControl, supervise
from termexplorer.workspace import Workspace

__all__ = [
    "MOST_ENCODERS",
    "SORTS",
    "TASKS",
    "TASK_WORDS",
    "CompareRequest",
    "Compared",
    "ComparisonSubject",
    "Float64s",
    "Ints",
    "Tally",
    "WholeRanking",
    "WholeRequest",
    "compare",
    "differences",
    "gains",
    "losses",
    "order_mentions",
    "tallies",
]

SORTS = ("rbo", "difference", "gain", "loss")


@dataclass(frozen=True, slots=True)
class Tally:
    """How often an encoder's best right answer ranks above the baseline's, below it, or the same.

    Attributes:
        label: of the class, or empty for all mentions together.
    """

    label: str
    encoder_id: int
    wins: int
    losses: int
    ties: int


def compare(
    workspace: Workspace,
    request: CompareRequest,
    control: JobControl,
    on_message: Callable[[object], None],
) -> Compared:
    """Ranks by each encoder that has not ranked these names before, and compares them.

    It blocks until it is done; what one encoder came to is kept even if the next is given up.

    Raises:
        UserError: something that the task needs is not there, or is not given.
        Cancelled: it was cancelled.
    """
    _check_request(request)
    return supervise(run_comparison, request, control, on_message)


def _check_request(request: CompareRequest) -> None:
    subject, encoders = request.subject, request.encoder_ids
    check_task(subject.task, TASKS)
    if not 2 <= len(encoders) <= MOST_ENCODERS:
        raise UserError(
            tr(
                "name 2 to {most} encoders to compare, not {named}",
                most=MOST_ENCODERS,
                named=len(encoders),
            )
        )
    check_distinct(encoders)
    if subject.task == "hypernyms" and subject.level is None:
        raise UserError(tr("hypernyms are of a level; say which with --level"))


def differences(compared: Compared) -> Float64s:
    """How far apart the encoders' best right ranks are, (m,); NaN where nothing is right."""
    return np.asarray(compared.best.max(axis=1) - compared.best.min(axis=1))


def gains(compared: Compared, baseline_id: int) -> Float64s:
    """Return how many ranks the best of the others is above the baseline, (m,); 0 if none is."""
    return np.asarray(np.maximum(_rank_gains(compared, baseline_id).max(axis=1), 0.0))


def losses(compared: Compared, baseline_id: int) -> Float64s:
    """Return how many ranks the worst of the others is below the baseline, (m,); 0 if none is."""
    return np.asarray(np.maximum(-_rank_gains(compared, baseline_id).min(axis=1), 0.0))


def _rank_gains(compared: Compared, baseline_id: int) -> Float64s:
    """How many ranks each of the others is above the baseline, (m, e - 1)."""
    at = compared.encoder_ids.index(baseline_id)
    return np.delete(compared.best[:, [at]] - compared.best, at, axis=1)


def order_mentions(
    compared: Compared,
    sort: str = SORTS[0],
    baseline_id: int | None = None,
    *,
    class_number: int | None = None,
    seen: bool | None = None,
) -> Ints:
    """Places of the mentions, those to be looked at first before others.

    Args:
        compared: what came of the comparison.
        sort: `rbo`: least overlap of two encoders first; `difference` of the best right ranks,
            `gain` or `loss` against the baseline: most first. Those without one are last.
        baseline_id: an encoder; the first if None.
        class_number: only mentions of this class; None: all.
        seen: only mentions that any encoder was trained on, or that none was; None: all.
    """
    baseline = baseline_id or compared.encoder_ids[0]
    keys: dict[str, Callable[[], Float64s]] = {
        "rbo": lambda: compared.lowest,
        "difference": lambda: -differences(compared),
        "gain": lambda: -gains(compared, baseline),
        "loss": lambda: -losses(compared, baseline),
    }
    order = np.lexsort((compared.mean, keys[sort]()))
    is_shown = np.ones(len(order), np.bool_)
    if class_number is not None:
        is_shown &= _of_class(compared, class_number)
    if seen is not None:
        is_shown &= compared.seen.any(axis=1) == seen
    return np.asarray(order[is_shown[order]])


def _of_class(compared: Compared, number: int) -> Bools:
    of_class = np.zeros(len(compared.mentions), np.bool_)
    of_class[_mention_rows(compared)[compared.mention_classes.numbers == number]] = True
    return of_class


def _mention_rows(compared: Compared) -> Ints:
    """The mention of each membership of a class."""
    counts = np.diff(compared.mention_classes.starts)
    return np.repeat(np.arange(len(counts)), counts)


def tallies(compared: Compared, baseline_id: int | None = None) -> tuple[Tally, ...]:
    """Wins, losses and ties of each other encoder: of all mentions, then of each class.

    Mentions for which nothing is right are not counted; one of several classes counts in each. The
    classes with most mentions come first.
    """
    baseline = baseline_id or compared.encoder_ids[0]
    other_ids = [encoder_id for encoder_id in compared.encoder_ids if encoder_id != baseline]
    moves = _rank_gains(compared, baseline)
    labels = ("", *compared.classes)
    everywhere = np.concatenate(
        (np.zeros(len(moves), np.int64), compared.mention_classes.numbers + 1)
    )
    of_rows = moves[np.concatenate((np.arange(len(moves)), _mention_rows(compared)))]
    counts = np.array(
        [
            [
                np.bincount(everywhere[held], minlength=len(labels))
                for held in (column > 0, column < 0, column == 0)
            ]
            for column in of_rows.T
        ]
    )  # (others, 3, labels)
    sizes = np.bincount(everywhere, minlength=len(labels))
    order = np.argsort(-sizes[1:], kind="stable") + 1
    return tuple(
        Tally(labels[row], other_ids[at], *counts[at, :, row].tolist())
        for row, at in product((0, *order[sizes[order] > 0].tolist()), range(len(other_ids)))
    )
