"""How well each two raters agree, as a matrix: a row and a column a rater."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from termexplorer.services.agreement.agreement import AgreementReport
from termexplorer.services.files.exports import Cell
from termexplorer.texts import number

if TYPE_CHECKING:
    from termexplorer.services.agreement.agreement import AgreementFigure

COUPLE_METRICS = ("alpha", "cohen")  # what is shown, unless another figure is chosen
_PARTS = ("value", "low", "high", "items")


@dataclass(frozen=True, slots=True, eq=False)
class CoupleMatrix:
    """One figure of each two of r raters.

    Attributes:
        metric: its key in `termexplorer.services.agreement.agreement.METRICS`.
        raters: their r names.
        figures: of each two, by their names in either order.
    """

    metric: str
    raters: tuple[str, ...]
    figures: Mapping[tuple[str, str], AgreementFigure]

    def texts(self, rater: str) -> list[str]:
        """The row of a rater for people, a cell each: value, interval and items."""
        return [self.text(rater, other) for other in self.raters]

    def text(self, rater: str, other: str) -> str:
        """Return the cell of two raters for people: value, interval and items."""
        return told_figure(self.figures.get((rater, other)))


def couple_metrics(report: AgreementReport) -> tuple[str, ...]:
    """The figures that there are of each two raters; none where one rates alone."""
    couples = report.overall.pairs
    return tuple(figure.metric for figure in couples[0].figures) if couples else ()


def couple_matrix(report: AgreementReport, metric: str) -> CoupleMatrix:
    """Arranges one figure of each two raters as a matrix.

    Args:
        report: that has it.
        metric: one of `couple_metrics`.
    """
    figures: dict[tuple[str, str], AgreementFigure] = {}
    for couple in report.overall.pairs:
        (figure,) = (candidate for candidate in couple.figures if candidate.metric == metric)
        first, second = couple.raters
        figures[first, second] = figures[second, first] = figure
    return CoupleMatrix(metric, report.raters, figures)


def couple_header(report: AgreementReport) -> list[str]:
    """The titles of a file of matrices."""
    return ["figure", "part", "rater", *report.raters]


def couple_rows(report: AgreementReport) -> Iterator[list[Cell]]:
    """Matrices of all figures under `couple_header`: values, ends of intervals and items."""
    for metric in couple_metrics(report):
        matrix = couple_matrix(report, metric)
        for part in _PARTS:
            for rater in report.raters:
                cells = [
                    _figure_part(matrix.figures.get((rater, other_rater)), part)
                    for other_rater in report.raters
                ]
                yield [metric, part, rater, *cells]


def told_figure(figure: AgreementFigure | None) -> str:
    """A figure in a cell; a dash beside oneself, and where it is undefined."""
    if figure is None:
        return "–"
    if figure.undefined:
        return f"– (n {number(figure.n)})"
    value, low, high = (number(e, ".3f") for e in (figure.value, figure.low, figure.high))
    return f"{value} [{low}, {high}], n {number(figure.n)}"


def _figure_part(figure: AgreementFigure | None, part: str) -> Cell:
    if figure is None:
        return None
    value = figure.n if part == "items" else getattr(figure, part)
    return value if value == value else None
