"""What learning from judged pairs came to: before and after, side by side, on held-out pairs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from math import isnan

from termexplorer.services.figures.corrections import correct_p
from termexplorer.services.train.runs import (
    FigureInfo,
    RunInfo,
    key_figures,
    list_runs,
    run_details,
)
from termexplorer.texts import interval_text, number
from termexplorer.workers.data.judged_choice import TASK, JudgedChoice
from termexplorer.workspace import Workspace

__all__ = ["BEFORE_AFTER", "BeforeAfterRow", "before_after", "runs_on_study"]

BEFORE_AFTER = ("run", "pairs", "figure", "before", "after", "after − before", "p (Holm)", "n")


@dataclass(frozen=True, slots=True)
class BeforeAfterRow:
    """A figure of the encoder beneath and of the trained one, on the same held-out pairs.

    Attributes:
        run_id: of the run.
        title: of the run.
        task: which pairs, as figures call them.
        before: of the encoder beneath.
        after: of the trained one.
        difference: after less before.
        low: lower end of its 95 % interval.
        high: upper end.
        p: that there is no difference: DeLong's test for AUC, McNemar's for accuracy; corrected
            over all rows that are shown and tested; NaN of fewer than 10 pairs.
        raw_p: before the correction.
        family: how many rows that are.
    """

    run_id: int
    title: str
    task: str
    before: FigureInfo
    after: FigureInfo
    difference: float
    low: float
    high: float
    p: float
    raw_p: float
    family: int

    @property
    def pairs(self) -> str:
        """Which pairs, for people."""
        return self.task.removeprefix(TASK).removeprefix(", ") or "all held out"

    @property
    def cells(self) -> tuple[int | str, ...]:
        """As `BEFORE_AFTER` has them."""
        change = interval_text(self.difference, self.low, self.high, "+.3f")
        p = "–" if isnan(self.p) else number(self.p, ".3g")
        spans = (_interval_of(self.before), _interval_of(self.after), change, p)
        return (self.run_id, self.pairs, self.after.metric, *spans, self.after.n)


def before_after(workspace: Workspace, run_id: int) -> list[BeforeAfterRow]:
    """The rows of a run; none where it has not ended, or learned from something else.

    Raises:
        UserError: no such run.
    """
    details = run_details(workspace, run_id)
    return _correct_rows(_read_rows(details.run, details.figures))


def runs_on_study(workspace: Workspace, key: str) -> list[BeforeAfterRow]:
    """The rows of all runs that learned from a study, the newest run first."""
    figures, rows = key_figures(workspace), list[BeforeAfterRow]()
    for run in list_runs(workspace):
        judged = JudgedChoice.read(run.request)
        if judged is not None and judged.study == key:
            rows += _read_rows(run, figures.get(run.id, ()))
    return _correct_rows(rows)


def _read_rows(run: RunInfo, figures: Iterable[FigureInfo]) -> list[BeforeAfterRow]:
    figure_by_key = {(figure.encoder_id, figure.task, figure.metric): figure for figure in figures}
    return [
        BeforeAfterRow(
            run.id,
            run.title,
            difference["task"],
            figure_by_key[run.input_id, difference["task"], difference["metric"]],
            figure_by_key[run.encoder_id or 0, difference["task"], difference["metric"]],
            difference["difference"],
            difference["low"],
            difference["high"],
            p=difference["p"],
            raw_p=difference["p"],
            family=0,
        )
        for difference in run.card.get("differences", ())
    ]


def _correct_rows(rows: list[BeforeAfterRow]) -> list[BeforeAfterRow]:
    """Correct p over the rows of a table."""
    items = {at: row.after.n for at, row in enumerate(rows)}
    p = correct_p({at: row.raw_p for at, row in enumerate(rows)}, items)
    family = sum(not isnan(p_value) for p_value in p.values())
    return [replace(row, p=p[at], family=family) for at, row in enumerate(rows)]


def _interval_of(figure: FigureInfo) -> str:
    return interval_text(figure.value, figure.low, figure.high)
