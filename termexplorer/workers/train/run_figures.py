"""The figures of a run: its encoder, what lies beneath it and TF-IDF, on the names it held out."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from termexplorer.store.encoders.evaluations import difference_row
from termexplorer.store.encoders.runs import FigureInfo
from termexplorer.workers.data.concept_data import ConceptSet
from termexplorer.workers.data.level_sets import LISTS, LevelSet
from termexplorer.workers.data.run_data import RunData
from termexplorer.workers.evaluate.differences import differences_of

if TYPE_CHECKING:
    from termexplorer.trainer.evaluation.figures import TaskResult
    from termexplorer.trainer.evaluation.scores import Scores

ScoresWith = Callable[[Sequence[str] | None], "Scores"]
"""Similarities of a run's names with others, or among themselves."""
TaskResults = Mapping[str, "TaskResult"]


def score_tasks(data: RunData, scores_with: ScoresWith) -> TaskResults:
    """Score an encoder on the tasks of a run, as `evaluate` does too.

    Args:
        data: n names with their classes and parts.
        scores_with: the encoder.
    """
    if isinstance(data, ConceptSet):
        return dict(_of_concepts(data, scores_with))
    return dict(_of_level(data, scores_with))


def figures_of_run(results: Mapping[int, TaskResults], data_hash: str) -> tuple[FigureInfo, ...]:
    """Return the figures of encoders, by their ids, that are over any items."""
    return tuple(
        FigureInfo(encoder_id, task, data_hash, f.metric, f.value, f.low, f.high, f.n)
        for encoder_id, of_tasks in results.items()
        for task, result in of_tasks.items()
        for f in result.figures
        if f.n
    )


def compare_on_run(results: Mapping[int, TaskResults], seed: int) -> list[dict[str, Any]]:
    """Return how each two encoders differ on each task, as a run's card keeps it."""
    rows: list[dict[str, Any]] = []
    for task in next(iter(results.values())):
        of_task = {encoder_id: of_tasks[task] for encoder_id, of_tasks in results.items()}
        primary = next(iter(of_task.values())).figures[0].metric
        differences = differences_of(of_task, primary, seed, lambda: None)
        rows += [{"task": task} | difference_row(difference) for difference in differences]
    return rows


def _of_level(data: LevelSet, scores_with: ScoresWith) -> "Iterator[tuple[str, TaskResult]]":
    from termexplorer.trainer.data.splits import TEST, TRAIN
    from termexplorer.trainer.evaluation.hypernyms import hypernym_detection
    from termexplorer.trainer.evaluation.similarity_ranking import similarity_ranking

    mentions, listed = data.places(TEST), data.places(TEST, of_lists=True)
    names = scores_with(None)
    if len(mentions):
        of_level = scores_with(data.level_names)
        yield "ranking", similarity_ranking(data.labels, names, mentions, data.places(TRAIN))
        yield "hypernyms", hypernym_detection(data.labels, of_level, mentions, data.level_classes)
    if len(listed):
        everyone = np.flatnonzero(data.parts == TRAIN)
        yield LISTS, similarity_ranking(data.labels, names, listed, everyone)


def _of_concepts(data: ConceptSet, scores_with: ScoresWith) -> "Iterator[tuple[str, TaskResult]]":
    from termexplorer.trainer.data.splits import TEST, TRAIN, ZERO_SHOT
    from termexplorer.trainer.evaluation.similarity_ranking import similarity_ranking

    scores = scores_with(None)
    train, test, aside = (np.flatnonzero(data.parts == part) for part in (TRAIN, TEST, ZERO_SHOT))
    for variant, mentions, candidates in (("test", test, train), ("zero-shot", aside, aside)):
        if len(mentions):
            result = similarity_ranking(data.labels, scores, mentions, candidates)
            yield f"synonyms, {variant}", result
