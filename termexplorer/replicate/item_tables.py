"""Encoders beside the untrained mean, on the same items: values, intervals, gains, and signs."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from termexplorer.exporters.documents.blocks import Blocks, Chart
from termexplorer.replicate.charts import Line, Point, line_chart
from termexplorer.replicate.pair_figures import COUNTED, mean_spearman
from termexplorer.replicate.report import Shown, Value, make_table
from termexplorer.replicate.runs import numbers
from termexplorer.replicate.signs import correction_text, sign_of
from termexplorer.replicate.table_conclusions import (
    RawDifference,
    ShownColumn,
    TableConclusion,
    conclude_table,
    make_conclusion,
)
from termexplorer.replicate.work.pieces import Record
from termexplorer.trainer.metrics import SPEARMAN

if TYPE_CHECKING:
    from termexplorer.trainer.files.pairs import PairSet

UNTRAINED = "untrained mean"
_SIGNS = (
    "* better, † worse than the untrained mean, on what both have: p < .05 by a bootstrap that "
    "draws the same for both, {correction} (p_corrected in figures.csv)"
)

OVER_NAMES = (
    "95 % intervals over names, each with the mean of what it comes to in the splits that it is in"
)


@dataclass(frozen=True, slots=True)
class ItemCell:
    """What an encoder comes to in a column.

    Attributes:
        gain: how much better it is than the untrained mean on what both have; None for that itself.
        times: how many times the untrained mean's figure it is, on what both have; NaN for none.
    """

    value: Value
    gain: RawDifference | None = None
    times: float = float("nan")


Cells: TypeAlias = Mapping[tuple[str, str], ItemCell]  # encoder, column
Records: TypeAlias = Mapping[str, Sequence[Record]]  # of each encoder, one a seed


def item_cells(
    records: Records,
    columns: Sequence[str],
    metric: str,
    items: Callable[[Record, str], NDArray[np.float64]],
    names: Callable[[Record, str], NDArray[np.int64]],
) -> Cells:
    """Means over the names of all splits, each with the mean of what it comes to in its splits.

    A name of several splits is one item all the same: what it comes to in one is much what it comes
    to in another.

    Args:
        records: of all encoders, the untrained mean among them.
        columns: their titles.
        metric: name of the figure.
        items: (m,) values of a record in a column.
        names: (m,) which those are of, as the untrained mean's record of the same split has them.
    """
    from termexplorer.trainer.evaluation.bootstrap import mean_figure
    from termexplorer.trainer.evaluation.comparison import compare

    cells = {}
    for column in columns:
        values = {
            encoder: _of_names(
                # lexical encoders know no split and have one record
                [
                    names(record, column)
                    for record, _ in zip(records[UNTRAINED], encoder_records, strict=False)
                ],
                [items(record, column) for record in encoder_records],
            )
            for encoder, encoder_records in records.items()
        }
        for encoder, item_values in values.items():
            figure = mean_figure(metric, item_values, 0, primary=True)
            value = Value(
                figure.value, figure.low, figure.high,
                count=figure.n, of=len(item_values), method=figure.method,
            )  # fmt: skip
            cells[encoder, column] = ItemCell(value)
            if encoder != UNTRAINED:
                compared = compare(item_values, values[UNTRAINED])
                gain = RawDifference(
                    compared.difference, compared.low, compared.high, compared.p,
                    compared.n, compared.least_p,
                )  # fmt: skip
                times = _count_times(item_values, values[UNTRAINED])
                cells[encoder, column] = ItemCell(value, gain, times)
    return cells


def _count_times(values: NDArray[np.float64], base: NDArray[np.float64]) -> float:
    """How many times the mean of the base a mean is, of the items that both have."""
    both = ~np.isnan(values - base)
    below = float(base[both].sum())
    return float(values[both].sum()) / below if below > 0 else float("nan")


def _of_names(
    names: Sequence[NDArray[np.int64]], items: Sequence[NDArray[np.float64]]
) -> NDArray[np.float64]:
    """The mean of what each name comes to, in the order of their numbers; NaN where it is none."""
    distinct_names, inverse = np.unique(np.concatenate(names), return_inverse=True)
    values = np.concatenate(items)
    known = ~np.isnan(values)
    sums, counts = (
        np.bincount(inverse[known], weights, len(distinct_names))
        for weights in (values[known], None)
    )
    return np.asarray(
        np.divide(sums, counts, out=np.full(len(distinct_names), np.nan), where=counts > 0)
    )


def pair_cells(
    records: Records, benchmarks: "Sequence[PairSet]", tick: Callable[[], None]
) -> Cells:
    """Spearman's correlation with each set of pairs, as a mean over seeds."""
    cells = {}
    for pairs in benchmarks:
        base = numbers(records[UNTRAINED][0]["similarities"][pairs.name])
        untrained = mean_spearman(pairs, [base], None, tick)
        for encoder, encoder_records in records.items():
            samples = [numbers(record["similarities"][pairs.name]) for record in encoder_records]
            mean = untrained if encoder == UNTRAINED else mean_spearman(pairs, samples, None, tick)
            gain = None
            if encoder != UNTRAINED:
                gain = mean_spearman(pairs, samples, base, tick).difference()
            cells[encoder, pairs.name] = ItemCell(mean.shown(), gain)
    return cells


def pair_table(cells: Cells, splits: int) -> Blocks:
    """A table of correlations with sets of pairs."""
    mean = "the mean over splits ± its standard deviation over them, " if splits > 1 else ""
    caption = f"Spearman's correlation, {mean}95 % intervals over pairs; {COUNTED}"
    return cells_table(cells, caption, SPEARMAN, times=False)


def conclude_cells(cells: Cells, metric: str) -> TableConclusion:
    """What a table of encoders and columns comes to, beside the untrained mean.

    Args:
        cells: all that it shows.
        metric: that the figures are.
    """
    columns = dict.fromkeys(column for _, column in cells)
    return conclude_table(
        [
            ShownColumn(
                column,
                {metric: {e: cell.value for (e, at), cell in cells.items() if at == column}},
                {
                    (metric, e, UNTRAINED): cell.gain
                    for (e, at), cell in cells.items()
                    if at == column and cell.gain is not None
                },
            )
            for column in columns
        ],
        UNTRAINED,
    )


def cells_table(cells: Cells, caption: str, metric: str, *, times: bool) -> Blocks:
    """A table of encoders and columns, and what it comes to.

    Args:
        cells: what each comes to.
        caption: what they are.
        metric: that the figures are.
        times: say how many times the untrained mean's figure each is.
    """
    concluded = conclude_cells(cells, metric)
    encoders, columns = (list(dict.fromkeys(keys)) for keys in zip(*cells, strict=True))
    rows: list[list[Shown]] = []
    for encoder in encoders:
        row: list[Shown] = [encoder]
        for column in columns:
            cell = cells[encoder, column]
            gain = f" ×{cell.times:.2f}" if times and cell.times == cell.times else ""
            shown = concluded.differences.get((column, metric, encoder, UNTRAINED))
            row.append(replace(cell.value, sign=sign_of(shown) + gain))
        rows.append(row)
    signs = _SIGNS.format(correction=correction_text(concluded.family))
    return make_table(["", *columns], rows, f"{caption}. {signs}") + make_conclusion(concluded)


def cells_chart(cells: Cells, title: str, x_label: str, at: Mapping[str, float]) -> Chart | None:
    """Lines of encoders over columns, each at its place on the x axis."""
    lines = []
    for encoder in dict.fromkeys(encoder for encoder, _ in cells):
        shown = [(x, cells[encoder, column].value) for column, x in at.items()]
        points = (Point(x, cell.value, cell.low, cell.high) for x, cell in shown)
        lines.append(Line(encoder, tuple(points)))
    return line_chart(title, x_label, lines, list(at.values()))


def listed(cells: Cells, task: str, metric: str, shown: Cells | None = None) -> list[Record]:
    """The same as rows for JSON and CSV.

    Args:
        cells: what each comes to.
        task: what the encoders did.
        metric: name of the figure.
        shown: those that stand in the table, over which p is corrected; None: all.
    """
    corrected = conclude_cells(cells if shown is None else shown, metric).differences
    p = {
        (encoder, column): comparison.p for (column, _, encoder, _), comparison in corrected.items()
    }
    return [
        {
            "encoder": encoder,
            "task": task,
            "data": column,
            "metric": metric,
            "value": finite(cell.value.value),
            "low": finite(cell.value.low),
            "high": finite(cell.value.high),
            "p": None if cell.gain is None else finite(cell.gain.p),
            "p_corrected": finite(p.get((encoder, column), float("nan"))),
            "n": cell.value.count,
        }
        for (encoder, column), cell in cells.items()
    ]


def finite(value: float) -> float | None:
    """A number for JSON, which knows no NaN."""
    return float(value) if value == value else None
