"""Pairs of terms with scores: how similarities go with what people said ([MTS] 5.1)."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from termexplorer.store.encoders.evaluations import Evaluated
from termexplorer.texts import tr
from termexplorer.trainer.metrics import SPEARMAN
from termexplorer.workers.evaluate.differences import differences_by
from termexplorer.workers.evaluate.pairs import (
    SeenPairs,
    defined_couples,
    figures_of,
    notes_of,
    own_figures,
    read_sets,
    seen_by_all,
    task_name,
)
from termexplorer.workers.evaluate.steps import EvaluationSteps
from termexplorer.workers.evaluate.task_data import TaskContext
from termexplorer.workers.process import kept_texts


def relatedness_results(context: TaskContext, steps: EvaluationSteps) -> Iterator[Evaluated]:
    """Each set of pairs in the files, on the pairs that all encoders can represent.

    Raises:
        UserError: there is no file, or one cannot be read.
    """
    for seen in seen_by_all(context, read_sets(context), steps):
        steps.begin(tr("correlations in {name}", name=seen.pairs.name))
        yield _evaluate_results(context, seen, steps)


def _evaluate_results(context: TaskContext, seen: SeenPairs, steps: EvaluationSteps) -> Evaluated:
    from termexplorer.trainer.evaluation.pairs.relatedness import (
        METRICS,
        Relatedness,
        compare_relatedness,
        relatedness,
    )

    pairs, similarities = seen.pairs, seen.similarities

    def correlate(encoder_id: int, counted: NDArray[np.bool_]) -> Relatedness:
        return relatedness(pairs, similarities[encoder_id], counted=counted, **context.options)

    results = {encoder_id: correlate(encoder_id, seen.counted) for encoder_id in similarities}
    steps.say(tr("Comparing encoders: {what}", what=pairs.name))
    couples = tuple(defined_couples(results))
    comparisons = {
        metric: compare_relatedness(
            pairs, similarities, couples, metric=metric, counted=seen.counted, **context.options
        )
        for metric in METRICS
    }
    task = task_name(context)
    return Evaluated(
        task=task,
        title=kept_texts.OF_PAIRS.fill(name=pairs.name, count=len(pairs)),
        data_hash=seen.data_hash,
        set_hash=seen.set_hash,
        metric=SPEARMAN,
        figures=(*figures_of(task, seen, results), *own_figures(task, seen, correlate)),
        seen=context.seen(seen.terms()),
        differences=tuple(
            difference
            for metric, of_couples in comparisons.items()
            for difference in differences_by(metric, of_couples)
        ),
        items=len(pairs),
        notes=tuple(notes_of(context, seen, results)),
    )
