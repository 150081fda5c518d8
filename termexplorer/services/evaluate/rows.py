"""The figures of all evaluations as rows of a file."""

from collections.abc import Mapping, Sequence

from termexplorer.services.evaluate.evaluation import Difference, Evaluated, behind_best
from termexplorer.services.figures.coverage_words import coverage_of
from termexplorer.services.files.exports import Cell

EXPORT_HEADER = [
    "task", "level", "split", "data", "encoder", "title", "metric", "value", "low", "high", "n",
    "items", "coverage",
    "trained on", "beside the best", "beside low", "beside high", "p", "p by", "uncorrected p",
    "tests", "data hash", "name",
]  # fmt: skip


def evaluation_rows(
    evaluations: Sequence[Evaluated], labels: Mapping[int, str]
) -> list[list[Cell]]:
    """All figures as rows of a file, under `EXPORT_HEADER`."""
    return [
        [
            evaluation.task,
            evaluation.level,
            evaluation.split_id,
            evaluation.data,
            figure.encoder_id,
            labels[figure.encoder_id],
            figure.metric,
            figure.value,
            figure.low,
            figure.high,
            figure.n,
            evaluation.items,
            coverage_of(figure.n, evaluation.items),
            evaluation.seen.get(figure.encoder_id),
            *_difference_cells(behind.get((figure.encoder_id, figure.metric))),
            evaluation.data_hash,
            evaluation.name,
        ]
        for evaluation in evaluations
        for behind in [behind_best(evaluation)]
        for figure in evaluation.figures
    ]


def _difference_cells(difference: Difference | None) -> tuple[Cell, ...]:
    """Difference to the best encoder, its interval and chance; nothing where not compared."""
    if difference is None:
        return (None,) * 7
    ends = -difference.value, -difference.high, -difference.low
    return *ends, difference.p, difference.by, difference.raw_p, difference.family
