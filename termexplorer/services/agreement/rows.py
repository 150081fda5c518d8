"""A report on agreement as one table, of all its figures."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from termexplorer.services.agreement.agreement import METRICS, AgreementReport
from termexplorer.store.kept_messages import translate_message
from termexplorer.texts import mark, tr, trn
from termexplorer.trainer.evaluation.figures import EXACT

if TYPE_CHECKING:
    from termexplorer.services.agreement.agreement import AgreementFigure, MetricValue
    from termexplorer.trainer.evaluation.shares import ShareFigure

OVERALL, PAIRS, ALONE, SETS = "overall", "pairs", "alone", "sets"
_NOT_RATED = mark("not rated")
_NO_MAJORITY, _UNJUDGED = mark("no majority"), mark("judged by nobody")
_NAMES = METRICS | {
    "no_majority": _NO_MAJORITY,
    "accuracy": mark("accuracy"),
    "recall": mark("recall"),
    "precision": mark("precision"),
}
_ALL, _ALL_PAIRS, _NAMED = mark("all annotators"), mark("all pairs"), "{name}"
_AGAIN = mark("{name}, with themselves")


@dataclass(frozen=True, slots=True)
class AgreementRow:
    """A figure.

    Attributes:
        part: `OVERALL`, `PAIRS`, `ALONE` (each annotator) or `SETS`.
        whom: whom or what it is a figure of, with `{name}` where a name goes.
        name: of annotators or a set; empty for all.
        figure: what it is called.
        value: NaN where it is undefined.
        low: lower end of its 95 % interval; NaN where it is undefined.
        high: upper end.
        n: items, cells or answers that it is of.
        method: that made the interval; empty where there is none.
        note: why it is undefined, or what a mean leaves out; empty where there is nothing to say.
    """

    part: str
    whom: str
    name: str
    figure: str
    value: float
    low: float
    high: float
    n: int
    method: str
    note: str

    @property
    def of(self) -> str:
        """Whom or what it is a figure of."""
        return self.whom.format(name=self.name)


def agreement_rows(report: AgreementReport) -> list[AgreementRow]:
    """All figures of a report, part by part."""
    overall = report.overall
    rows = list(_figure_rows(OVERALL, _ALL, "", overall.figures))
    for figure, value in (
        (_NO_MAJORITY, report.no_majority),
        *([(_UNJUDGED, report.unjudged)] if report.unjudged.value > 0 else []),
        (_NOT_RATED, overall.missing),
        (report.dont_know, overall.dont_know),
    ):
        rows.append(_share_row(OVERALL, _ALL, "", figure, value))
    for pair in overall.pairs:
        rows += _figure_rows(PAIRS, _NAMED, " – ".join(pair.raters), pair.figures)
    for agreement in report.within:
        rows += _figure_rows(ALONE, _AGAIN, agreement.rater, agreement.figures)
    for share in overall.shares:
        for figure, value in ((_NOT_RATED, share.missing), (report.dont_know, share.dont_know)):
            rows.append(_share_row(ALONE, _NAMED, share.rater, figure, value))
    for each_set in report.sets:
        whom = _NAMED if each_set.set else _ALL_PAIRS
        rows += _figure_rows(SETS, whom, each_set.set, (*each_set.agreement, *each_set.votes))
    return rows


def _figure_rows(
    part: str, whom: str, rated: str, figures: Iterable[AgreementFigure | MetricValue]
) -> Iterator[AgreementRow]:
    for figure in figures:
        name = _NAMES.get(figure.metric, figure.metric.replace("_", " "))
        ends = figure.low, figure.high, figure.n
        yield AgreementRow(
            part, whom, rated, name, figure.value, *ends, figure.method, _note_of_figure(figure)
        )


def _note_of_figure(figure: AgreementFigure | MetricValue) -> str:
    return translate_message(getattr(figure, "undefined", "")) or couples_note(figure)


def couples_note(figure: AgreementFigure | MetricValue) -> str:
    """Return which couples of raters a mean over them leaves out; "" where it leaves out none."""
    left_out = getattr(figure, "couples_left_out", 0)
    if not left_out:
        return ""
    couples: int = getattr(figure, "couples", 0)
    return trn(
        "The mean of {n:,} couple of {all:,}; for the others it is undefined",
        "The mean of {n:,} couples of {all:,}; for the others it is undefined",
        couples,
        all=couples + left_out,
    )


def _share_row(part: str, whom: str, name: str, figure: str, share: ShareFigure) -> AgreementRow:
    known = share.value == share.value
    note = "" if known else tr("nothing was answered")
    ends = share.low, share.high, share.n
    return AgreementRow(part, whom, name, figure, share.value, *ends, EXACT if known else "", note)
