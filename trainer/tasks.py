"""The tasks of ``trainer.evaluation`` by name, for an encoder of names; a task is an entry here."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from termexplorer.trainer.corpora.queries import Queries
from termexplorer.trainer.data.splits import TEST, TRAIN, ZERO_SHOT
from termexplorer.trainer.errors import Message, TrainerError
from termexplorer.trainer.evaluation.candidates import CONCEPTS, bm25_candidates, candidate_ranking
from termexplorer.trainer.evaluation.categories import category_separation
from termexplorer.trainer.evaluation.coverage import coverage_at_k
from termexplorer.trainer.evaluation.figures import MetricValue
from termexplorer.trainer.evaluation.hypernyms import hypernym_detection
from termexplorer.trainer.evaluation.normalisation import normalisation
from termexplorer.trainer.evaluation.pairs.classification import pair_classification
from termexplorer.trainer.evaluation.pairs.relatedness import relatedness
from termexplorer.trainer.evaluation.similarities import Similarities, similarities_by
from termexplorer.trainer.evaluation.similarity_ranking import similarity_ranking
from termexplorer.trainer.evaluation.synonym_retrieval import HELD_OUT, TRAINING, synonym_retrieval
from termexplorer.trainer.evaluation.synonym_retrieval import ZERO_SHOT as APART
from termexplorer.trainer.files.pairs import PairSet
from termexplorer.trainer.measures import USUAL
from termexplorer.trainer.notebook import Data
from termexplorer.trainer.representations.base import texts_of
from termexplorer.trainer.text.names import LabelledNames

Figures = tuple[MetricValue, ...]

_CATEGORIES = ("category", "close", "distant")


def evaluate(task: str, encoder: object, data: Any, **options: Any) -> Figures:
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
      names of a ``category``, and of a ``close`` and a ``distant`` one. Names of which nothing is
      known are left out, with a warning that says how many.
    - ``relatedness``: how similarities go with what people said; ``data`` is a ``PairSet``, and
      ``measure`` one of ``trainer.measures.NAMES``, by default the cosine of whole terms.
    - ``pairs``: whether similarities part similar pairs, scored 1, from others, 0; likewise.

    Where a figure is undefined, such as a correlation with scores that are all the same, it is NaN,
    and a warning says why.

    Args:
        task: one of these.
        encoder: of names; a folder that ``trainer.load`` opens; or a lexical method by its name in
            ``trainer.lexical.METHODS``, or a function that indexes names as those do, which is
            fitted on all names of the data, or on the dictionary where there is one; or a
            ``Blended`` of an encoder with TF-IDF.
        data: what the task takes.
        options: of the task's function in ``trainer.evaluation``, such as ``seed``.

    Raises:
        ValueError: for another task, data that the task cannot take, or an option that it needs.
    """
    if task not in TASKS:
        raise TrainerError(
            "there is no task {task!r}; choose one of {tasks}", task=task, tasks=", ".join(TASKS)
        )
    kind = _TAKES.get(task, Data)
    if not isinstance(data, kind):
        raise TrainerError(
            "{task} takes a {kind}, not a {given}",
            task=task,
            kind=kind.__name__,
            given=type(data).__name__,
        )
    for name, meaning in _NEEDS.get(task, {}).items():
        if name not in options:
            raise TrainerError(
                "{task} needs {meaning}; give {name}=", task=task, meaning=meaning, name=name
            )
    figures = TASKS[task](similarities_by(encoder), data, **options)
    if not figures[0].n:
        warnings.warn(f"{task}: nothing is there to be measured", stacklevel=2)
    return figures


def _rank_names(by: Similarities, data: Data, **options: Any) -> Figures:
    scores = by.scores(data.labels.names)
    mentions, candidates = (np.flatnonzero(data.parts == part) for part in (TEST, TRAIN))
    return similarity_ranking(data.labels, scores, mentions, candidates, **options).figures


def _retrieve_synonyms(by: Similarities, data: Data, **options: Any) -> Figures:
    scores = by.scores(data.labels.names)
    train, test, aside = (np.flatnonzero(data.parts == part) for part in (TRAIN, TEST, ZERO_SHOT))
    retrieval = synonym_retrieval(
        data.labels, scores, train=train, test=test, zero_shot=aside, **options
    )
    return tuple(
        replace(
            figure,
            metric=f"{variant} {figure.metric}",
            primary=figure.primary and variant == HELD_OUT,
        )
        for variant in (HELD_OUT, TRAINING, APART)
        for figure in retrieval[variant].figures
    )


def _measure_coverage(by: Similarities, data: Data, **options: Any) -> Figures:
    everyone = np.arange(len(data.labels.names))
    scores = by.scores(data.labels.names)
    return coverage_at_k(data.labels, scores, everyone, **options).figures


def _detect_hypernyms(
    by: Similarities, data: Data, level: Mapping[str, Iterable[str]], **options: Any
) -> Figures:
    number = {label: index for index, label in enumerate(data.labels.classes)}
    unknown = [label for label in level if label not in number]
    if unknown:
        raise TrainerError(
            "{unknown!r} is no class of the names; give the labels of classes", unknown=unknown[0]
        )
    pairs = [(name, number[label]) for label, names in level.items() for name in texts_of(names)]
    scores = by.scores(data.labels.names, [name for name, _ in pairs])
    classes = np.array([class_number for _, class_number in pairs], dtype=np.int64)
    mentions = np.flatnonzero(data.parts == TEST)
    return hypernym_detection(data.labels, scores, mentions, classes, **options).figures


def _retrieve_candidates(
    by: Similarities, data: Data, concepts: int = CONCEPTS, **options: Any
) -> Figures:
    dictionary, mentions = (
        data.labels.only(np.flatnonzero(data.parts == part)) for part in (TRAIN, TEST)
    )
    scores = by.scores(mentions.names, dictionary.names)
    candidates = bm25_candidates(dictionary, mentions.names, concepts=concepts, **options)
    return candidate_ranking(dictionary, mentions, scores, candidates, **options).figures


def _normalise_mentions(
    by: Similarities, data: Queries, names: LabelledNames, **options: Any
) -> Figures:
    return normalisation(data, names, by.scores(data.texts, names.names), **options).figures


def _separate_categories(
    by: Similarities, data: Mapping[str, Iterable[str]], **options: Any
) -> Figures:
    missing = [part for part in _CATEGORIES if part not in data]
    if missing:
        raise TrainerError(
            "categories compares names of three; give the names of {missing!r}", missing=missing[0]
        )
    parts = [texts_of(data[part]) for part in _CATEGORIES]
    names = [name for part in parts for name in part]
    ends = np.cumsum([len(part) for part in parts[:-1]])
    known = _known_names(by, names)
    if not known.all():
        warnings.warn(
            f"categories: {np.count_nonzero(~known)} of {len(names)} terms are left out, as "
            "nothing is known of them",
            stacklevel=3,
        )
    places = [part[known[part]] for part in np.split(np.arange(len(names)), ends)]
    return category_separation(by.scores(names), *places, **options).figures


def _known_names(by: Similarities, names: Sequence[str]) -> NDArray[np.bool_]:
    """Return of which names something is known, (n,): those that are similar to themselves."""
    themselves = PairSet("terms", tuple(names), tuple(names), np.ones(len(names)))
    return ~np.isnan(by.of_pairs(themselves, USUAL))


def _relate_pairs(by: Similarities, data: PairSet, measure: str = USUAL, **options: Any) -> Figures:
    result = relatedness(data, by.of_pairs(data, measure), **options)
    _warn_undefined(data, result.undefined)
    return result.figures


def _classify_pairs(
    by: Similarities, data: PairSet, measure: str = USUAL, **options: Any
) -> Figures:
    result = pair_classification(data, by.of_pairs(data, measure), **options)
    _warn_undefined(data, result.undefined)
    return result.figures


def _warn_undefined(pairs: PairSet, undefined: str) -> None:
    if undefined:
        warnings.warn(f"{pairs.name}: {undefined}", stacklevel=4)


TASKS: dict[str, Callable[..., Figures]] = {
    "ranking": _rank_names,
    "synonyms": _retrieve_synonyms,
    "coverage": _measure_coverage,
    "hypernyms": _detect_hypernyms,
    "retrieval": _retrieve_candidates,
    "normalisation": _normalise_mentions,
    "categories": _separate_categories,
    "relatedness": _relate_pairs,
    "pairs": _classify_pairs,
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
    "hypernyms": {
        "level": Message("the names of the classes' own concepts, by the label of their class")
    },
    "normalisation": {"names": Message("the dictionary that the queries were made for")},
}
