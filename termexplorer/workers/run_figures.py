"""The figures of a run: its encoder, and what lies beneath it, on the names it held out."""

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from termexplorer.store.runs import FigureInfo
from termexplorer.workers.concept_data import ConceptSet
from termexplorer.workers.encoding import Float32s
from termexplorer.workers.run_data import RunData
from termexplorer.workers.training_sets import LISTS, TrainingSet

if TYPE_CHECKING:
    from trainer.evaluation.figures import TaskResult

Encode = Callable[[Sequence[str]], Float32s]


def run_figures(
    encoder_id: int, data: RunData, vectors: Float32s, encode: Encode
) -> tuple[FigureInfo, ...]:
    """What an encoder comes to on the tasks that a run is scored on, as `evaluate` finds it too.

    Args:
        encoder_id: whose figures they are.
        data: n names with their classes and parts.
        vectors: (n, d), the names as the encoder has them.
        encode: the encoder, for other names.
    """
    results = (
        _of_concepts(data, vectors)
        if isinstance(data, ConceptSet)
        else _of_level(data, vectors, encode)
    )
    return tuple(
        FigureInfo(encoder_id, task, data.data_hash, f.metric, f.value, f.low, f.high, f.n)
        for task, result in results
        for f in result.figures
        if f.n
    )


def _of_level(
    data: TrainingSet, vectors: Float32s, encode: Encode
) -> "Iterator[tuple[str, TaskResult]]":
    from trainer.evaluation.hypernyms import hypernym_detection
    from trainer.evaluation.scores import cosine_scores
    from trainer.evaluation.similarity_ranking import similarity_ranking
    from trainer.splits import TEST, TRAIN

    mentions, listed = data.places(TEST), data.places(TEST, of_lists=True)
    names = cosine_scores(vectors)
    if len(mentions):
        of_level = cosine_scores(vectors, encode(data.level_names))
        yield "ranking", similarity_ranking(data.labels, names, mentions, data.places(TRAIN))
        yield "hypernyms", hypernym_detection(data.labels, of_level, mentions, data.level_classes)
    if len(listed):
        everyone = np.flatnonzero(data.parts == TRAIN)
        yield LISTS, similarity_ranking(data.labels, names, listed, everyone)


def _of_concepts(data: ConceptSet, vectors: Float32s) -> "Iterator[tuple[str, TaskResult]]":
    from trainer.evaluation.scores import cosine_scores
    from trainer.evaluation.similarity_ranking import similarity_ranking
    from trainer.splits import TEST, TRAIN, ZERO_SHOT

    scores = cosine_scores(vectors)
    train, test, aside = (np.flatnonzero(data.parts == part) for part in (TRAIN, TEST, ZERO_SHOT))
    for variant, mentions, candidates in (("test", test, train), ("zero-shot", aside, aside)):
        if len(mentions):
            result = similarity_ranking(data.labels, scores, mentions, candidates)
            yield f"synonyms, {variant}", result
