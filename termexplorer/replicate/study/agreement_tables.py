"""How well a study's annotators agree, as a section of its report."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from termexplorer.exporters.documents.blocks import Blocks, Section
from termexplorer.replicate.interval_chart import interval_chart
from termexplorer.replicate.report import (
    Shown,
    Value,
    make_charts,
    make_heading,
    make_paragraph,
    make_section,
    make_table,
)
from termexplorer.replicate.study.set_words import readable_set
from termexplorer.services.agreement.agreement import METRICS, AgreementReport
from termexplorer.texts import figure_text
from termexplorer.trainer.evaluation.figures import EXACT
from termexplorer.trainer.evaluation.shares import ShareFigure

if TYPE_CHECKING:
    from termexplorer.services.agreement.agreement import AgreementFigure

_BELOW = "Below each figure its 95 % interval"


def agreement_section(report: AgreementReport) -> Section:
    """All figures of agreement: overall, each two, within one, each set."""
    overall = report.overall
    alpha = overall.figures[0]
    parts = [
        make_paragraph(_describe_alpha(alpha)),
        make_heading("Overall"),
        _overall_table(overall.figures),
    ]
    if overall.pairs:
        parts += [
            make_heading("Each two annotators"),
            _figure_table(
                "annotators",
                [(" – ".join(e.raters), e.figures) for e in overall.pairs],
                "Agreement of each two annotators",
            ),
        ]
    parts.append(make_heading("Each annotator with themselves"))
    if report.within:
        within = [(agreement.rater, agreement.figures) for agreement in report.within]
        parts.append(
            _figure_table("annotator", within, "Agreement of each annotator with themselves")
        )
    else:
        parts.append(make_paragraph("No pair was shown twice."))
    if report.sets:
        rows = [
            (readable_set(set_agreement.set), set_agreement.agreement)
            for set_agreement in report.sets
        ]
        values = [("all", shown(alpha)), *((name, shown(row[0])) for name, row in rows)]
        chart = interval_chart("Krippendorff's alpha of each set", values)
        everything = [("all", overall.figures), *rows]
        parts += [
            make_heading("Each set"),
            _figure_table("set", everything, "Agreement on each set"),
        ]
        parts.append(make_charts([chart]))
    return make_section("Agreement", *parts)


def shown(figure: AgreementFigure) -> Value:
    """Return a figure as a cell; a mean over couples says how many of them it is of."""
    value = Value(figure.value, figure.low, figure.high, undefined=figure.undefined)
    couples = figure.couples + figure.couples_left_out
    sign = f" (of {figure.couples:,} of {couples:,} couples)" if figure.couples_left_out else ""
    return replace(value, method=figure.method, sign=sign)


def share_value(share: ShareFigure, undefined: str = "") -> Value:
    """Return a share as a cell."""
    return Value(share.value, share.low, share.high, undefined=undefined, method=EXACT)


def count(number: float) -> Value:
    """A whole number as a cell."""
    return Value(number, digits=0)


def _describe_alpha(alpha: AgreementFigure) -> str:
    if alpha.undefined:
        return f"Krippendorff's alpha is undefined: {alpha.undefined}."
    value, low, high = (figure_text(bound, ".3f") for bound in (alpha.value, alpha.low, alpha.high))
    return (
        f"Krippendorff's alpha is {value} (95 % interval {low} to {high}) on {alpha.n:,} pairs "
        "that two or more have rated. Decisions of adjudicators count in no figure of agreement."
    )


def _overall_table(of_all: Sequence[AgreementFigure]) -> Blocks:
    rows: list[list[Shown]] = [
        [METRICS[figure.metric], shown(figure), count(figure.n)] for figure in of_all
    ]
    caption = f"Agreement of all annotators. {_BELOW}; pairs: those of at least two ratings"
    return make_table(("figure", "value", "pairs"), rows, caption, contest=False)


def _figure_table(
    title: str, named: Sequence[tuple[str, Sequence[AgreementFigure]]], caption: str
) -> Blocks:
    metrics = [METRICS[figure.metric] for figure in named[0][1]]
    rows: list[list[Shown]] = [[name, *map(shown, row), count(row[0].n)] for name, row in named]
    return make_table((title, *metrics, "pairs"), rows, f"{caption}. {_BELOW}", contest=False)
