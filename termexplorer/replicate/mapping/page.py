"""The report of the study of mappings: its tables and charts."""

from collections.abc import Mapping, Sequence
from typing import Any

from termexplorer.exporters.documents.blocks import Section
from termexplorer.replicate.charts import Line, Point, line_chart
from termexplorer.replicate.mapping.figures import (
    ERRORS,
    ThresholdPoint,
    draw_curve,
    find_best,
    find_bulk,
    measure_calibration,
    measure_reliability,
    sort_errors,
)
from termexplorer.replicate.mapping.running import DECISION, EQUALITY, MappedPair
from termexplorer.replicate.report import (
    Report,
    Value,
    make_bullets,
    make_charts,
    make_paragraph,
    make_section,
    make_table,
)
from termexplorer.texts import figure_text

_SURE = 0.98  # the precision at which a batch may be taken as it is
_TICKS = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
_MOST_POINTS = 60  # of a curve
_NONE = float("nan")
_ALL_AT = "all"


def make_mapping_report(mapped: Sequence[MappedPair]) -> Report:
    """Return the report on pairs of ontologies that were mapped in each way."""
    sections, rows = [], []
    for pair in mapped:
        curves = {name: draw_curve(p, pair.gold) for name, p in pair.proposals.items()}
        figures = [_measure_method(pair, name, curve) for name, curve in curves.items()]
        rows += figures
        sections.append(_make_pair_section(pair, curves, figures))
    titles = ", ".join(pair.title for pair in mapped)
    return Report.of_rows(f"Mappings: {titles}", sections, rows)


def _measure_method(pair: MappedPair, name: str, curve: Sequence[ThresholdPoint]) -> dict[str, Any]:
    """Return the figures of one way: of all that it proposes, or else at its best threshold."""
    is_whole = name in (DECISION, EQUALITY)
    point = curve[-1] if is_whole and curve else find_best(curve)
    at = _ALL_AT if is_whole else f"{figure_text(point.score, '.3f')}, best on the gold"
    reliability = measure_reliability(pair.proposals[name], pair.gold)
    return {
        "ontologies": pair.title,
        "encoder": name,
        "threshold": at,
        "precision": point.precision,
        "recall": point.recall,
        "f1": point.f1,
        "recall_at_precision_98": find_bulk(curve, _SURE),
        "calibration_error": measure_calibration(reliability) if name == DECISION else None,
        "proposed": sum(proposal.score >= point.score for proposal in pair.proposals[name]),
        "gold": len(pair.gold),
    }


def _make_pair_section(
    pair: MappedPair,
    curves: Mapping[str, Sequence[ThresholdPoint]],
    figures: Sequence[Mapping[str, Any]],
) -> Section:
    header = ("by", "threshold", "precision", "recall", "F1", f"recall at precision {_SURE}")
    keys = ("precision", "recall", "f1", "recall_at_precision_98")
    table: list[tuple[str | Value, ...]] = [
        (str(row["encoder"]), str(row["threshold"]), *(Value(float(row[key])) for key in keys))
        for row in figures
    ]
    errors = sort_errors(pair.decided, pair.gold)
    error_rows = [(kind, f"{count:,}", ERRORS[kind]) for kind, count in errors.items()]
    return make_section(
        pair.title,
        make_paragraph(
            f"{len(pair.gold):,} curated pairs; cross-references are withheld, and nothing learned "
            "from the pairs. They are not complete, so that precision is a lower bound. Thresholds "
            "of encoders are the best on the pairs themselves, which flatters them."
        ),
        make_bullets(pair.facts),
        make_table(header, table, "Exact matches, one to one for the decision"),
        make_charts([_chart_curves(curves), _chart_reliability(pair)]),
        make_table(("kind", "count", "meaning"), error_rows, "Answers of the decision by kind"),
    )


def _chart_curves(curves: Mapping[str, Sequence[ThresholdPoint]]) -> Any:
    lines = [
        Line(name, tuple(Point(p.recall, p.precision, _NONE, _NONE) for p in _thin_out(curve)))
        for name, curve in curves.items()
    ]
    return line_chart("Precision over recall", "recall", lines, _TICKS)


def _thin_out(curve: Sequence[ThresholdPoint]) -> Sequence[ThresholdPoint]:
    step = max(len(curve) // _MOST_POINTS, 1)
    return [*curve[:: step or 1], *curve[-1:]] if len(curve) > 1 else curve


def _chart_reliability(pair: MappedPair) -> Any:
    bins = measure_reliability(pair.proposals[DECISION], pair.gold)
    reality = tuple(Point(group.probability, group.share, _NONE, _NONE) for group in bins)
    ideal = tuple(Point(tick, tick, _NONE, _NONE) for tick in (0.5, 1.0))
    lines = [Line("share in the gold", reality), Line("as probable as it says", ideal)]
    return line_chart("Reliability", "probability", lines, (0.5, 0.6, 0.7, 0.8, 0.9, 1.0))
