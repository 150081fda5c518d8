"""What `evaluate` prints for people."""

from collections.abc import Container, Iterator, Mapping, Sequence

from termexplorer.cli.output import (
    ShownCell,
    encoder_cell,
    figure_cell,
    number_cell,
    print_line,
    print_table,
)
from termexplorer.services.evaluate.conclusion_words import conclusion_text
from termexplorer.services.evaluate.conclusions import Beneath
from termexplorer.services.evaluate.evaluation import (
    WORSE,
    Evaluated,
    FigureInfo,
    worse_than_best,
)
from termexplorer.services.evaluate.pair_details import hardest_header, hardest_rows
from termexplorer.services.figures.coverage_words import n_text
from termexplorer.services.figures.metric_kinds import LEAST_SHOWN
from termexplorer.texts import figure_text, share_text

Labels = Mapping[int, str]


def print_evaluation(evaluated: Evaluated, labels: Labels, beneath: Beneath) -> None:
    """Print a table of its figures, and what is to be known."""
    print_line(f"{evaluated.task} – {evaluated.name or evaluated.data}")
    for note in evaluated.notes:
        print_line(f"  {note}")
    columns = _list_metrics([evaluated])
    heading = {"task": evaluated.task, "data": evaluated.name or evaluated.data}
    rows = list(_table_rows(evaluated, labels, columns))
    print_table(("encoder", *columns, "n"), rows, heading)
    _print_mark([evaluated])
    _print_seen(evaluated, labels)
    print_line(conclusion_text(evaluated, labels, beneath=beneath, exposure=False))
    print_line("")


def print_pair_sets(
    evaluations: Sequence[Evaluated], labels: Labels, beneath: Beneath, hardest: int
) -> None:
    """One table, a row for each set and encoder; then what the differences come to.

    Args:
        evaluations: an evaluation for each set.
        labels: of encoders, by their ids.
        beneath: what lies beneath each encoder.
        hardest: how many pairs of each label are told that an encoder gets most wrong.
    """
    columns = _list_metrics(evaluations)
    rows = [
        (evaluated.title, *row)
        for evaluated in evaluations
        for row in _table_rows(evaluated, labels, columns)
    ]
    print_table(("set", "encoder", *columns, "n"), rows)
    _print_mark(evaluations)
    of_all = set.intersection(*(set(evaluated.notes) for evaluated in evaluations))
    for note in (note for note in evaluations[0].notes if note in of_all):
        print_line(f"  {note}")
    for evaluation in evaluations:
        print_line("")
        conclusion = conclusion_text(evaluation, labels, beneath=beneath, exposure=False)
        print_line(f"{evaluation.title}: {conclusion}")
        for note in (note for note in evaluation.notes if note not in of_all):
            print_line(f"  {note}")
        _print_seen(evaluation, labels)
        if hardest:
            header = hardest_header(evaluation.details, labels)
            print_table(header, hardest_rows(evaluation.details, labels, hardest))


def _print_mark(evaluations: Sequence[Evaluated]) -> None:
    """What the mark in the table says, where one is."""
    tested = [
        d
        for evaluation in evaluations
        if worse_than_best(evaluation)
        for d in evaluation.differences
    ]
    if tested:
        how = " or ".join(sorted({difference.after for difference in tested}))
        metrics = ", ".join(dict.fromkeys(difference.metric for difference in tested))
        print_line(
            f"  {WORSE} worse than the best by more than chance (p < .05 {how}; tested: {metrics})"
        )


def _print_seen(evaluated: Evaluated, labels: Labels) -> None:
    for encoder_id, share in evaluated.seen.items():
        print_line(f"  {labels[encoder_id]} was trained on {share_text(share)} of these names")


def _list_metrics(evaluations: Sequence[Evaluated]) -> list[str]:
    return list(
        dict.fromkeys(figure.metric for evaluation in evaluations for figure in evaluation.figures)
    )


def _table_rows(
    evaluated: Evaluated, labels: Labels, columns: Sequence[str]
) -> Iterator[tuple[object, ...]]:
    by_encoder: dict[int, list[FigureInfo]] = {}
    worse = worse_than_best(evaluated)
    for figure in evaluated.figures:
        by_encoder.setdefault(figure.encoder_id, []).append(figure)
    for encoder_id, figures in by_encoder.items():
        n = next((f.n for f in figures if f.metric == evaluated.metric), 0)
        cells = _figure_cells(figures, columns, worse, n)
        counted = number_cell(n, n_text(n, evaluated.items))
        yield encoder_cell(encoder_id, labels[encoder_id]), *cells, counted


def _figure_cells(
    figures: Sequence[FigureInfo],
    columns: Sequence[str],
    worse: Container[tuple[int, str]],
    n: int,
) -> Iterator[ShownCell]:
    """Each figure with its interval, and with n where that is not the row's."""
    figure_by_metric = {figure.metric: figure for figure in figures}
    for column in columns:
        figure = figure_by_metric.get(column)
        if figure is None or figure.n < LEAST_SHOWN:
            yield number_cell(None, "–")
            continue
        count_note = f"; n {figure.n:,}" if figure.n != n else ""
        mark = f"{WORSE} " if (figure.encoder_id, column) in worse else ""
        value, low, high = (
            figure_text(part, ".3f") for part in (figure.value, figure.low, figure.high)
        )
        text = f"{mark}{value} ({low}–{high}{count_note})"
        yield figure_cell(figure.value, figure.low, figure.high, text)
