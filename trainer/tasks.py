"""The tasks of ``trainer.evaluation`` by name, for an encoder of names; a task is an entry here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from trainer.corpora.queries import Queries
from trainer.evaluation.candidates import CONCEPTS, bm25_candidates, candidate_ranking
from trainer.evaluation.categories import category_separation
from trainer.evaluation.coverage import coverage_at_k
from trainer.evaluation.figures import TaskFigure
from trainer.evaluation.hypernyms import hypernym_detection
from trainer.evaluation.normalisation import normalisation
from trainer.evaluation.pair_classification import pair_classification
from trainer.evaluation.relatedness import relatedness
from trainer.evaluation.scores import cosine_scores, finite
from trainer.evaluation.similarity_ranking import similarity_ranking
from trainer.evaluation.synonym_retrieval import HELD_OUT, TRAINING, synonym_retrieval
from trainer.evaluation.synonym_retrieval import ZERO_SHOT as APART
from trainer.measures import measure
from trainer.measures.base import WordBags
from trainer.names import LabelledNames
from trainer.notebook import Data, load
from trainer.pairs import PairSet
from trainer.representations.base import Float32s, Representation, texts_of
from trainer.splits import TEST, TRAIN, ZERO_SHOT

Figures = tuple[TaskFigure, ...]

_CATEGORIES = ("category", "close", "distant")


def evaluate(task: str, encoder: Representation | str | Path, data: Any, **options: Any) -> Figures:
    """Return what an encoder comes to in a task, each figure with its 95 % interval and n.

    - ``ranking``: all training names for each test name; ``data`` is a ``Data``.
    - ``synonyms``: the same for names of the same concept, also for training names and for those
      of zero-shot concepts; ``data`` is a ``Data``.
    - ``coverage``: all other names for each name; ``data`` is a ``Data``.
    - ``hypernyms``: the names of the classes' own concepts for each test name; ``data`` is a
      ``Data``, and ``level`` gives those names by the label of their class.
    - ``retrieval``: the names of the 20 best concepts by BM25 among the training names, for each
      test name; ``data`` is a ``Data``.
    - ``normalisation``: concepts for mentions; ``data`` is a ``Queries``, and ``names`` the
      dictionary that they were made for.
    - ``categories``: the share of errors in keeping close categories together; ``data`` gives the
      names of a ``category``, and of a ``close`` and a ``distant`` one.
    - ``relatedness``: how cosines go with what people said; ``data`` is a ``PairSet``.
    - ``pairs``: whether cosines part similar pairs, scored 1, from others, 0; likewise.

    Args:
        task: one of these.
        encoder: of names, or a folder that ``trainer.load`` opens.
        data: what the task takes.
        options: of the task's function in ``trainer.evaluation``, such as ``seed``.

    Raises:
        ValueError: for another task, data that the task cannot take, or an option that it needs.
    """
    if task not in TASKS:
        raise ValueError(f"there is no task {task!r}; choose one of {', '.join(TASKS)}")
    kind = _TAKES.get(task, Data)
    if not isinstance(data, kind):
        raise ValueError(f"{task} takes a {kind.__name__}, not a {type(data).__name__}")
    for name, meaning in _NEEDS.get(task, {}).items():
        if name not in options:
            raise ValueError(f"{task} needs {meaning}; give {name}=")
    names = load(encoder) if isinstance(encoder, str | Path) else encoder
    if not hasattr(names, "encode"):
        raise ValueError(f"{names!r} encodes no names; give an encoder, or the folder of one")
    return TASKS[task](names, data, **options)


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
    pairs = [(name, number[label]) for label, names in level.items() for name in texts_of(names)]
    of_level = encoder.encode([name for name, _ in pairs])
    scores = cosine_scores(encoder.encode(data.labels.names), of_level)
    classes = np.array([each for _, each in pairs], dtype=np.int64)
    mentions = np.flatnonzero(data.parts == TEST)
    return hypernym_detection(data.labels, scores, mentions, classes, **options).figures


def _retrieval(
    encoder: Representation, data: Data, concepts: int = CONCEPTS, **options: Any
) -> Figures:
    dictionary, mentions = (
        data.labels.only(np.flatnonzero(data.parts == part)) for part in (TRAIN, TEST)
    )
    scores = cosine_scores(encoder.encode(mentions.names), encoder.encode(dictionary.names))
    found = bm25_candidates(dictionary, mentions.names, concepts=concepts, **options)
    return candidate_ranking(dictionary, mentions, scores, found, **options).figures


def _normalisation(
    encoder: Representation, data: Queries, names: LabelledNames, **options: Any
) -> Figures:
    scores = cosine_scores(encoder.encode(data.texts), encoder.encode(names.names))
    return normalisation(data, names, scores, **options).figures


def _categories(
    encoder: Representation, data: Mapping[str, Iterable[str]], **options: Any
) -> Figures:
    missing = [part for part in _CATEGORIES if part not in data]
    if missing:
        raise ValueError(f"categories compares names of three; give the names of {missing[0]!r}")
    parts = [texts_of(data[part]) for part in _CATEGORIES]
    names = [name for part in parts for name in part]
    ends = np.cumsum([len(part) for part in parts[:-1]])
    places = np.split(np.arange(len(names)), ends)
    scores = cosine_scores(encoder.encode(names))
    return category_separation(scores, *places, **options).figures


def _relatedness(encoder: Representation, data: PairSet, **options: Any) -> Figures:
    return relatedness(data, _cosines(encoder, data), **options).figures


def _pairs(encoder: Representation, data: PairSet, **options: Any) -> Figures:
    return pair_classification(data, _cosines(encoder, data), **options).figures


def _cosines(encoder: Representation, pairs: PairSet) -> Float32s:
    terms, left, right = pairs.terms()
    vectors = finite(encoder.encode(terms))
    return measure("avg_cosine")(WordBags.of_vectors(vectors), left, right)


TASKS: dict[str, Callable[..., Figures]] = {
    "ranking": _ranking,
    "synonyms": _synonyms,
    "coverage": _coverage,
    "hypernyms": _hypernyms,
    "retrieval": _retrieval,
    "normalisation": _normalisation,
    "categories": _categories,
    "relatedness": _relatedness,
    "pairs": _pairs,
}
# what a task takes, where that is no ``Data``
_TAKES: dict[str, type] = {
    "normalisation": Queries,
    "categories": Mapping,
    "relatedness": PairSet,
    "pairs": PairSet,
}
# options that a task cannot do without, and what they are
_NEEDS: dict[str, dict[str, str]] = {
    "hypernyms": {"level": "the names of the classes' own concepts, by the label of their class"},
    "normalisation": {"names": "the dictionary that the queries were made for"},
}
