"""The tasks of ``trainer.evaluation`` by name, for an encoder of names; a task is an entry here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import torch

from trainer.evaluation.coverage import coverage_at_k
from trainer.evaluation.figures import TaskFigure
from trainer.evaluation.hypernyms import hypernym_detection
from trainer.evaluation.relatedness import relatedness
from trainer.evaluation.scores import cosine_scores
from trainer.evaluation.similarity_ranking import similarity_ranking
from trainer.evaluation.synonym_retrieval import HELD_OUT, TRAINING, synonym_retrieval
from trainer.evaluation.synonym_retrieval import ZERO_SHOT as APART
from trainer.notebook import Data
from trainer.objectives import unit
from trainer.pairs import PairSet
from trainer.representations.base import Representation
from trainer.splits import TEST, TRAIN, ZERO_SHOT

Figures = tuple[TaskFigure, ...]


def evaluate(task: str, encoder: Representation, data: Any, **options: Any) -> Figures:
    """Return what an encoder comes to in a task, each figure with its 95 % interval and n.

    - ``ranking``: all training names for each test name; ``data`` is a ``Data``.
    - ``synonyms``: the same for names of the same concept, also for training names and for those
      of zero-shot concepts; ``data`` is a ``Data``.
    - ``coverage``: all other names for each name; ``data`` is a ``Data``.
    - ``hypernyms``: the names of the classes' own concepts for each test name; ``data`` is a
      ``Data``, and ``level`` gives those names by the label of their class.
    - ``relatedness``: how cosines go with what people said; ``data`` is a ``PairSet``.

    Args:
        task: one of these.
        encoder: of names.
        data: what the task takes.
        options: of the task's function in ``trainer.evaluation``, such as ``seed``.

    Raises:
        ValueError: for another task, or data that the task cannot take.
    """
    if task not in TASKS:
        raise ValueError(f"there is no task {task!r}; choose one of {', '.join(TASKS)}")
    return TASKS[task](encoder, data, **options)


def _ranking(encoder: Representation, data: Data, **options: Any) -> Figures:
    scores = cosine_scores(encoder.encode(data.labels.names))
    mentions, candidates = (np.flatnonzero(data.parts == part) for part in (TEST, TRAIN))
    return similarity_ranking(data.labels, scores, mentions, candidates, **options).figures


def _synonyms(encoder: Representation, data: Data, **options: Any) -> Figures:
    scores = cosine_scores(encoder.encode(data.labels.names))
    train, test, aside = (np.flatnonzero(data.parts == part) for part in (TRAIN, TEST, ZERO_SHOT))
    found = synonym_retrieval(
        data.labels, scores, train=train, test=test, zero_shot=aside, **options
    )
    return tuple(
        replace(
            figure,
            metric=f"{variant} {figure.metric}",
            primary=figure.primary and variant == HELD_OUT,
        )
        for variant in (HELD_OUT, TRAINING, APART)
        for figure in found[variant].figures
    )


def _coverage(encoder: Representation, data: Data, **options: Any) -> Figures:
    scores = cosine_scores(encoder.encode(data.labels.names))
    everyone = np.arange(len(data.labels.names))
    return coverage_at_k(data.labels, scores, everyone, **options).figures


def _hypernyms(
    encoder: Representation, data: Data, level: Mapping[str, Iterable[str]], **options: Any
) -> Figures:
    number = {label: place for place, label in enumerate(data.labels.classes)}
    unknown = [label for label in level if label not in number]
    if unknown:
        raise ValueError(f"{unknown[0]!r} is no class of the names; give the labels of classes")
    pairs = [(name, number[label]) for label, names in level.items() for name in names]
    of_level = encoder.encode([name for name, _ in pairs])
    scores = cosine_scores(encoder.encode(data.labels.names), of_level)
    classes = np.array([each for _, each in pairs], dtype=np.int64)
    mentions = np.flatnonzero(data.parts == TEST)
    return hypernym_detection(data.labels, scores, mentions, classes, **options).figures


def _relatedness(encoder: Representation, data: PairSet, **options: Any) -> Figures:
    terms, left, right = data.terms()
    vectors = encoder.encode(terms)
    units = unit(torch.from_numpy(vectors))
    cosines = (units[left] * units[right]).sum(1).numpy()
    known = np.asarray(vectors.any(axis=1))
    covered = np.where(known[left] & known[right], cosines, np.nan)
    return relatedness(data, covered, **options).figures


TASKS: dict[str, Callable[..., Figures]] = {
    "ranking": _ranking,
    "synonyms": _synonyms,
    "coverage": _coverage,
    "hypernyms": _hypernyms,
    "relatedness": _relatedness,
}
