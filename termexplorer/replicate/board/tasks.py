"""The twelve tasks of the board, each with one figure."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from termexplorer.replicate.board.sources import MENTIONS, BoardSources, MentionsOfClasses
from termexplorer.replicate.builtin.data import HeldOutNames
from termexplorer.trainer.corpora.queries import Queries
from termexplorer.trainer.data.splits import TEST, TRAIN
from termexplorer.trainer.evaluation.figures import MetricValue
from termexplorer.trainer.evaluation.hypernyms import hypernym_detection
from termexplorer.trainer.evaluation.normalisation import normalisation
from termexplorer.trainer.evaluation.pairs.relatedness import relatedness
from termexplorer.trainer.evaluation.scores import Scores
from termexplorer.trainer.evaluation.similarities import Similarities
from termexplorer.trainer.evaluation.similarity_ranking import similarity_ranking
from termexplorer.trainer.files.pairs import PairSet
from termexplorer.trainer.measures import USUAL
from termexplorer.trainer.metrics import HITS, MRR
from termexplorer.trainer.text.names import LabelledNames

Measure = Callable[[Similarities], MetricValue]

_RESAMPLES = 2_000


@dataclass(frozen=True, slots=True)
class BoardTask:
    """A task of the board.

    Attributes:
        title: what people call it.
        metric: what the figure is, as people write it.
        prepare: reads its data and draws what is measured, once for all encoders.
        learned: whether the built-in encoder learned from the ontology that it is of.
    """

    title: str
    metric: str
    prepare: Callable[[BoardSources], Measure]
    learned: bool = False


def _prepare_pairs(name: str, sources: BoardSources) -> Measure:
    return partial(_measure_pairs, sources.pairs[name])


def _measure_pairs(pairs: PairSet, by: Similarities) -> MetricValue:
    similarities = np.nan_to_num(by.of_pairs(pairs, USUAL))  # unknown terms are like none
    return relatedness(pairs, similarities, resamples=_RESAMPLES).figures[0]


def _prepare_held_out(sources: BoardSources) -> Measure:
    labels, parts = sources.doid.labels, sources.doid.parts
    train, test = (np.flatnonzero(parts == part) for part in (TRAIN, TEST))
    test = sources.draw_some(test, sources.sizes.mentions)
    chosen = np.concatenate((test, train))
    fewer = np.repeat(np.array([TEST, TRAIN], dtype=np.uint8), (len(test), len(train)))
    return partial(_measure_synonyms, HeldOutNames(labels.only(chosen), fewer))


def _prepare_synonyms(key: str, sources: BoardSources) -> Measure:
    return partial(_measure_synonyms, sources.list_synonyms(key))


def _measure_synonyms(names: HeldOutNames, by: Similarities) -> MetricValue:
    test, train = (np.flatnonzero(names.parts == part) for part in (TEST, TRAIN))
    scores = by.scores(names.labels.names)
    return similarity_ranking(names.labels, scores, test, train).figures[0]


def _prepare_mentions(sources: BoardSources) -> Measure:
    return partial(_measure_mentions, *sources.list_mentions(MENTIONS))


def _measure_mentions(queries: Queries, names: LabelledNames, by: Similarities) -> MetricValue:
    scores = by.scores(queries.texts, names.names)
    return normalisation(queries, names, scores, leave_out_unknown=True).figures[0]


def _prepare_classes(
    list_names: Callable[[BoardSources], MentionsOfClasses], metric: str, sources: BoardSources
) -> Measure:
    names = list_names(sources)
    return partial(_measure_classes, names, metric)


def _measure_classes(names: MentionsOfClasses, metric: str, by: Similarities) -> MetricValue:
    scores = by.scores(names.mentions.names, names.candidates)
    ranked = _score_classes(scores, names)
    classes = np.arange(len(names.mentions.classes))
    mentions = np.arange(len(names.mentions.names))
    figures = hypernym_detection(names.mentions, ranked, mentions, classes).figures
    return next(figure for figure in figures if figure.metric == metric)


def _score_classes(scores: Scores, names: MentionsOfClasses) -> Scores:
    """Make similarities of names such of classes, each as similar as the best of its names."""
    everything = np.arange(len(names.candidates))
    used, starts = np.unique(names.candidate_classes, return_index=True)

    def score(mentions: NDArray[np.int64], classes: NDArray[np.int64]) -> NDArray[np.float32]:
        table = np.asarray(scores(mentions, everything))
        best = np.full((len(mentions), len(names.mentions.classes)), -np.inf, dtype=np.float32)
        best[:, used] = np.maximum.reduceat(table, starts, axis=1)
        return best[:, classes]

    return score


TASKS: Mapping[str, BoardTask] = {
    "mayosrs": BoardTask("MayoSRS", "Spearman", partial(_prepare_pairs, "mayosrs")),
    "umnsrs-relatedness": BoardTask(
        "UMNSRS, relatedness", "Spearman", partial(_prepare_pairs, "umnsrs_relatedness.csv")
    ),
    "umnsrs-similarity": BoardTask(
        "UMNSRS, similarity", "Spearman", partial(_prepare_pairs, "umnsrs_similarity.csv")
    ),
    "ehr-relb": BoardTask("EHR-RelB", "Spearman", partial(_prepare_pairs, "ehr-relb")),
    "doid-synonyms": BoardTask("DOID, synonyms held out", "mAP", _prepare_held_out, learned=True),
    "medic-synonyms": BoardTask("MEDIC, synonyms", "mAP", partial(_prepare_synonyms, "medic")),
    "uberon-synonyms": BoardTask(
        "Uberon, synonyms", "mAP", partial(_prepare_synonyms, "uberon"), learned=True
    ),
    "icd10cm-synonyms": BoardTask(
        "ICD-10-CM, synonyms", "mAP", partial(_prepare_synonyms, "icd"), learned=True
    ),
    "bc5cdr": BoardTask("BC5CDR, diseases to MEDIC", "accuracy", _prepare_mentions),
    "doid-ncit": BoardTask(
        "DOID to NCIt",
        "hits@1",
        partial(_prepare_classes, BoardSources.list_mappings, f"{HITS}1"),
        learned=True,
    ),
    "hpo-hypernyms": BoardTask(
        "HPO, class of level 2",
        "MRR",
        partial(_prepare_classes, BoardSources.list_hypernyms, MRR),
        learned=True,
    ),
    "doid-parents": BoardTask(
        "DOID, parents of hidden concepts",
        "MRR",
        partial(_prepare_classes, BoardSources.list_parents, MRR),
        learned=True,
    ),
}
