"""The figures of all evaluations as rows of a file."""

from collections.abc import Mapping, Sequence

from termexplorer.services.evaluation import Evaluated, FigureInfo, conclusion, differences_from
from termexplorer.services.exports import Cell

EXPORT_HEADER = [
    "task", "level", "split", "data", "encoder", "title", "metric", "value", "low", "high", "n",
    "trained on", "beside the best", "beside low", "beside high", "p", "data hash",
]  # fmt: skip


def evaluation_rows(
    evaluations: Sequence[Evaluated], labels: Mapping[int, str]
) -> list[list[Cell]]:
    """All figures as rows of a file, under `EXPORT_HEADER`."""
    return [
        [
            each.task,
            each.level,
            each.split_id,
            each.data,
            figure.encoder_id,
            labels[figure.encoder_id],
            figure.metric,
            figure.value,
            figure.low,
            figure.high,
            figure.n,
            each.seen.get(figure.encoder_id),
            *_behind_best(each, figure),
            each.data_hash,
        ]
        for each in evaluations
        for figure in each.figures
    ]


def _behind_best(evaluated: Evaluated, figure: FigureInfo) -> tuple[float | None, ...]:
    """Difference to the best encoder, its interval and chance; nothing where not compared."""
    best_id = conclusion(evaluated).best_id
    ahead = {} if best_id is None else differences_from(evaluated, best_id)
    found = ahead.get(figure.encoder_id)
    if found is None or found.metric != figure.metric:
        return None, None, None, None
    return -found.value, -found.high, -found.low, found.p
