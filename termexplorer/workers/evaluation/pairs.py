"""Pairs of terms with scores: how similarities go with what people said ([MTS] 5.1)."""

import hashlib
from collections.abc import Iterator, Mapping
from itertools import combinations
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from termexplorer.errors import UserError
from termexplorer.store.evaluations import Difference, Evaluated
from termexplorer.store.runs import FigureInfo
from termexplorer.workers.encoding import Float32s
from termexplorer.workers.evaluation.differences import corrected
from termexplorer.workers.evaluation.messages import MEASURE
from termexplorer.workers.evaluation.scoring import pair_similarities
from termexplorer.workers.evaluation.task_data import Context

if TYPE_CHECKING:
    from trainer.evaluation.relatedness import Relatedness
    from trainer.pairs import PairSet

_PRIMARY = "spearman"


def relatedness_results(context: Context) -> Iterator[Evaluated]:
    """Each set of pairs in the files, on the pairs that all encoders can represent.

    Raises:
        UserError: there is no file, or one cannot be read.
    """
    from trainer.pairs import read_pairs

    if not context.request.pairs:
        raise UserError("relatedness needs a file of term pairs with scores: say which by --pairs")
    for path in context.request.pairs:
        for pairs in read_pairs(Path(path)):
            yield _evaluated(context, pairs)


def _evaluated(context: Context, pairs: "PairSet") -> Evaluated:
    from trainer.evaluation.relatedness import covered_by_all, relatedness

    request = context.request
    found = {}
    for encoder_id in request.encoder_ids:
        context.tick()
        found[encoder_id] = pair_similarities(
            context.encoders, encoder_id, pairs.left, pairs.right, request.measure, context.tick
        )
    counted = covered_by_all(found.values())
    task = "relatedness" if request.measure == MEASURE else f"relatedness, {request.measure}"
    data_hash = _hash(pairs, counted.tobytes())
    results = {
        encoder_id: relatedness(pairs, similarities, counted=counted, **context.options)
        for encoder_id, similarities in found.items()
    }
    notes = [f"{int(counted.sum()):,} of {len(pairs):,} pairs are known to all encoders"]
    names = {each: context.encoders.info(each).label for each in results}
    notes += [f"{names[each]}: {one.undefined}" for each, one in results.items() if one.undefined]
    return Evaluated(
        task=task,
        title=f"{pairs.name}, {len(pairs):,} pairs",
        data_hash=data_hash,
        metric=_PRIMARY,
        figures=tuple(
            FigureInfo(encoder_id, task, data_hash, f.metric, f.value, f.low, f.high, f.n)
            for encoder_id, one in results.items()
            for f in one.figures
            if not isnan(f.value)
        ),
        differences=_differences(context, pairs, found, results),
        notes=tuple(notes),
    )


def _differences(
    context: Context,
    pairs: "PairSet",
    found: Mapping[int, Float32s],
    results: "Mapping[int, Relatedness]",
) -> tuple[Difference, ...]:
    """Each two encoders whose correlation is defined."""
    from trainer.evaluation.relatedness import compare_relatedness

    defined = [each for each, one in results.items() if not one.undefined]
    comparisons = {
        (first, second): compare_relatedness(pairs, found[first], found[second], **context.options)[
            _PRIMARY
        ]
        for first, second in combinations(defined, 2)
    }
    return corrected(_PRIMARY, comparisons)


def _hash(pairs: "PairSet", counted: bytes) -> str:
    digest = hashlib.sha256(repr((pairs.left, pairs.right)).encode())
    digest.update(np.asarray(pairs.scores).tobytes())
    digest.update(counted)
    return digest.hexdigest()
