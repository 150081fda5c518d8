"""Pair sets: how well similarities part similar pairs from dissimilar ones ([MTS] 5.2)."""

from collections.abc import Iterator, Mapping
from functools import partial
from itertools import chain, zip_longest
from math import isinf
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from termexplorer.store.encoders.evaluations import Difference, Evaluated
from termexplorer.store.encoders.pair_details import HardPair, PairDetails
from termexplorer.store.kept_messages import plain_message
from termexplorer.texts import tr
from termexplorer.trainer.errors import Message
from termexplorer.trainer.metrics import ACCURACY, AUC
from termexplorer.workers.evaluate.differences import MCNEMAR, differences_by
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

if TYPE_CHECKING:
    from termexplorer.trainer.evaluation.pairs.classification import PairClassification

    Results = Mapping[int, PairClassification]

_DELONG = "DeLong"
_DIGITS = 6  # of what is drawn


def pair_set_results(context: TaskContext, steps: EvaluationSteps) -> Iterator[Evaluated]:
    """Each set of pairs in the files, on the pairs that all encoders can represent.

    Raises:
        UserError: there is no file, one cannot be read, or has scores that are no labels.
    """
    from termexplorer.trainer.evaluation.pairs.classification import check_labels

    sets = read_sets(context)
    for pairs in sets:
        check_labels(pairs)
    for seen in seen_by_all(context, sets, steps):
        steps.begin(tr("curves of {name}", name=seen.pairs.name))
        results = _classify_by_encoder(context, seen)
        yield _evaluate_results(context, seen, results)


def _classify_by_encoder(context: TaskContext, seen: SeenPairs) -> "Results":
    return {
        encoder_id: _classify_pairs(context, seen, encoder_id, seen.counted)
        for encoder_id in seen.similarities
    }


def _classify_pairs(
    context: TaskContext, seen: SeenPairs, encoder_id: int, counted: NDArray[np.bool_]
) -> "PairClassification":
    from termexplorer.trainer.evaluation.pairs.classification import pair_classification

    similarities = seen.similarities[encoder_id]
    return pair_classification(seen.pairs, similarities, counted=counted, **context.options)


def _compare_encoders(
    context: TaskContext, seen: SeenPairs, results: "Results"
) -> Iterator[Difference]:
    from termexplorer.trainer.evaluation.pairs.comparison import compare_classifications

    comparisons = {
        (first, second): compare_classifications(
            seen.pairs,
            seen.similarities[first],
            seen.similarities[second],
            counted=seen.counted,
            **context.options,
        )
        for first, second in defined_couples(results)
    }
    tests = {AUC: _DELONG, ACCURACY: MCNEMAR}
    for metric, test in tests.items():
        of_metric = {couple: by_metric[metric] for couple, by_metric in comparisons.items()}
        yield from differences_by(metric, of_metric, dict.fromkeys(of_metric, test))


def _evaluate_results(context: TaskContext, seen: SeenPairs, results: "Results") -> Evaluated:
    task = task_name(context)
    return Evaluated(
        task=task,
        title=plain_message(seen.pairs.name),
        data_hash=seen.data_hash,
        set_hash=seen.set_hash,
        metric=AUC,
        figures=(
            *figures_of(task, seen, results),
            *own_figures(task, seen, partial(_classify_pairs, context, seen)),
        ),
        differences=tuple(_compare_encoders(context, seen, results)),
        seen=context.seen(seen.terms()),
        items=len(seen.pairs),
        notes=(
            *notes_of(context, seen, results),
            Message(kept_texts.AT_THRESHOLD, test=Message(_DELONG)),
        ),
        details=tuple(
            _pair_details(context, task, seen, encoder_id, result)
            for encoder_id, result in results.items()
            if not result.undefined
        ),
    )


def _pair_details(
    context: TaskContext, task: str, seen: SeenPairs, encoder_id: int, result: "PairClassification"
) -> PairDetails:
    from termexplorer.trainer.evaluation.pairs.hardest import hardest
    from termexplorer.trainer.evaluation.pairs.roc import drawn_points

    drawn = drawn_points(result.false_positives, result.true_positives)
    counted = np.where(seen.counted, seen.similarities[encoder_id], np.nan)
    similar, dissimilar = hardest(seen.pairs.scores, counted, context.request.hardest)
    in_turn = chain.from_iterable(zip_longest(similar.tolist(), dissimilar.tolist()))
    return PairDetails(
        encoder_id,
        task,
        seen.data_hash,
        None if isinf(result.threshold) else result.threshold,
        tuple(
            np.round(side[drawn], _DIGITS).tolist()
            for side in (result.false_positives, result.true_positives)
        ),
        tuple(_make_pair(seen, index) for index in in_turn if index is not None),
    )


def _make_pair(seen: SeenPairs, index: int) -> HardPair:
    pairs = seen.pairs
    return HardPair(
        pairs.left[index],
        pairs.right[index],
        bool(pairs.scores[index]),
        {encoder_id: float(of[index]) for encoder_id, of in seen.similarities.items()},
    )
