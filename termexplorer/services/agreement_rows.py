"""A report on agreement as one table, of all its figures."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from termexplorer.services.agreement import METRICS, AgreementReport

if TYPE_CHECKING:
    from termexplorer.services.agreement import AgreementFigure, TaskFigure

OVERALL, PAIRS, ALONE, SETS = "overall", "pairs", "alone", "sets"
_SHARES = {"missing": "not rated", "dont_know": "don't know"}


@dataclass(frozen=True, slots=True)
class AgreementRow:
    """A figure.

    Attributes:
        part: `OVERALL`, `PAIRS`, `ALONE` (each annotator) or `SETS`.
        of: whom or what it is a figure of.
        figure: what it is called.
        value: NaN where it is undefined.
        low: lower end of its 95 % interval; None where it has none.
        high: upper end.
        n: items; None where that is not told.
        undefined: why it is; empty where it is not.
    """

    part: str
    of: str
    figure: str
    value: float
    low: float | None
    high: float | None
    n: int | None
    undefined: str


def agreement_rows(report: AgreementReport) -> list[AgreementRow]:
    """All figures of a report, part by part."""
    overall = report.overall
    all_of_them = "all annotators"
    rows = list(_figures(OVERALL, all_of_them, overall.figures))
    for figure, value in (
        ("no majority", report.no_majority),
        (_SHARES["missing"], overall.missing),
        (_SHARES["dont_know"], overall.dont_know),
    ):
        rows.append(_share(OVERALL, all_of_them, figure, value))
    for pair in overall.pairs:
        rows += _figures(PAIRS, " – ".join(pair.raters), pair.figures)
    for each in report.within:
        rows += _figures(ALONE, f"{each.rater}, with themselves", each.figures)
    for share in overall.shares:
        for name, figure in _SHARES.items():
            rows.append(_share(ALONE, share.rater, figure, getattr(share, name)))
    for each_set in report.sets:
        rows += _figures(SETS, each_set.set or "all pairs", (*each_set.agreement, *each_set.votes))
    return rows


def _figures(
    part: str, of: str, figures: Iterable[AgreementFigure | TaskFigure]
) -> Iterator[AgreementRow]:
    for each in figures:
        name = METRICS.get(each.metric, each.metric.replace("_", " "))
        undefined = getattr(each, "undefined", "")
        yield AgreementRow(part, of, name, each.value, each.low, each.high, each.n, undefined)


def _share(part: str, of: str, figure: str, value: float) -> AgreementRow:
    return AgreementRow(part, of, figure, value, None, None, None, "")
