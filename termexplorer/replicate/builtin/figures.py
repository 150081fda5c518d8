"""What the built-in encoder comes to, beside TF-IDF and blended with it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import numpy as np
import torch

from termexplorer.importers.formats import detect, open_importer
from termexplorer.importers.records import ConceptRecord
from termexplorer.replicate.builtin.data import HeldOutNames
from termexplorer.texts import figure_text
from termexplorer.trainer.corpora.dictionary import Dictionary
from termexplorer.trainer.corpora.pubtator import read_pubtator
from termexplorer.trainer.corpora.queries import MentionPreparation, Queries, prepare_queries
from termexplorer.trainer.data.splits import TRAIN, VALIDATION, concept_split
from termexplorer.trainer.evaluation.figures import MetricValue, TaskResult
from termexplorer.trainer.evaluation.normalisation import normalisation
from termexplorer.trainer.evaluation.scores import Scores
from termexplorer.trainer.evaluation.similarities import Blended, similarities_by
from termexplorer.trainer.evaluation.sparse import best_weight
from termexplorer.trainer.evaluation.synonym_retrieval import HELD_OUT, synonym_retrieval
from termexplorer.trainer.files.pairs import read_pairs
from termexplorer.trainer.notebook import Data, labelled
from termexplorer.trainer.representations import load_dense
from termexplorer.trainer.representations.base import Representation
from termexplorer.trainer.tasks import evaluate
from termexplorer.trainer.text.names import LabelledNames

Report = Callable[[str], None]

_BENCHMARKS = "benchmarks/fivez2021_benchmarks.json"
_DICTIONARY = "ontologies/ctd_medic_2012-07-06.tsv.gz"  # nothing is learned from it
_MENTIONS = "normalisation/bc5cdr_test.pubtator.txt.gz"
_TO_CHOOSE_BY = "normalisation/bc5cdr_dev.pubtator.txt.gz"
_ABSTRACTS = 150  # of those, whose mentions the weight is chosen by
_LEARNED = {
    "Uberon": "ontologies/uberon-basic_2015-04-23.obo.gz",
    "Cell Ontology": "ontologies/cl-basic_craft.obo.gz",
    "ICD-10-CM": "ontologies/icd10cm_tabular_2021.xml.gz",
}
_FEWER = 3_000  # concepts of an ontology that are measured, for the time it takes


@dataclass(frozen=True, slots=True)
class ComparedFigure:
    """A figure of the encoder, of TF-IDF, and of both blended."""

    title: str
    built_in: MetricValue
    tfidf: MetricValue
    blended: MetricValue


@dataclass(frozen=True, slots=True)
class BuiltInFigures:
    """All rows, and the weight of TF-IDF in what is blended."""

    weight: float
    rows: tuple[ComparedFigure, ...]


def measure_encoder(
    folder: Path, held_out: HeldOutNames, data_folder: Path, report: Report
) -> BuiltInFigures:
    """Measure an encoder on pairs of names, synonyms and mentions.

    Args:
        folder: of the encoder.
        held_out: names of the first ontology; the weight is chosen on its validation names.
        data_folder: open data, with `benchmarks/`, `ontologies/` and `normalisation/`.
        report: is told of each step.
    """
    encoder = load_dense(folder)
    report("choosing the weight of TF-IDF on validation names")
    weight = choose_weight(encoder, held_out)
    by = (encoder, "tfidf", Blended(encoder, weight))
    rows = (
        ComparedFigure(title, *figures)
        for title, figures in _measure_tasks(by, held_out, data_folder, report)
    )
    return BuiltInFigures(weight, tuple(rows))


def choose_weight(encoder: Representation, names: HeldOutNames) -> float:
    """Return the weight of TF-IDF with which validation names find their synonyms best."""
    train, validation = (np.flatnonzero(names.parts == part) for part in (TRAIN, VALIDATION))

    def retrieve(scores: Scores) -> TaskResult:
        return synonym_retrieval(
            names.labels, scores, train=train, test=validation, zero_shot=train[:0]
        )[HELD_OUT]

    dense, sparse = (similarities_by(by).scores(names.labels.names) for by in (encoder, "tfidf"))
    return best_weight(dense, sparse, retrieve)


Encoders = tuple[Representation, str, Blended]
Triple = tuple[MetricValue, MetricValue, MetricValue]


def _measure_tasks(
    by: Encoders, held_out: HeldOutNames, data_folder: Path, report: Report
) -> Iterator[tuple[str, Triple]]:
    for pairs in read_pairs(data_folder / _BENCHMARKS):
        report(f"measuring {pairs.name}")
        first = [evaluate("relatedness", encoder, pairs)[0] for encoder in by]
        yield f"{pairs.name}: relatedness, Spearman", (first[0], first[1], first[2])
    medic = _read_names(data_folder / _DICTIONARY)
    synonyms = {
        "DOID, held out": held_out,
        "MEDIC, not learned from": _split_few(medic),
        **{
            f"{title}, learned from": _split_few(_read_names(data_folder / path))
            for title, path in _LEARNED.items()
        },
    }
    for title, names in synonyms.items():
        report(f"measuring synonyms of {title}")
        yield from _measure_synonyms(by, title, names)
    report("measuring mentions of diseases")
    yield from _measure_mentions(by, medic, data_folder)


def _measure_synonyms(
    by: Encoders, title: str, names: HeldOutNames
) -> Iterator[tuple[str, Triple]]:
    data = Data(names.labels, names.parts)
    by_encoder = [evaluate("synonyms", encoder, data) for encoder in by]
    for figures in zip(*by_encoder, strict=True):
        metric = figures[0].metric
        if "mAP" in metric and "train" not in metric and figures[0].n:
            yield f"{title}: synonyms, {metric}", (figures[0], figures[1], figures[2])


def _measure_mentions(
    by: Encoders, medic: LabelledNames, data_folder: Path
) -> Iterator[tuple[str, Triple]]:
    dictionary = Dictionary(medic)
    preparation = MentionPreparation(kinds=frozenset({"Disease"}))
    abstracts = islice(read_pubtator(data_folder / _TO_CHOOSE_BY), _ABSTRACTS)
    weight = _choose_for_mentions(by[0], medic, prepare_queries(abstracts, dictionary, preparation))
    queries = prepare_queries(read_pubtator(data_folder / _MENTIONS), dictionary, preparation)
    by_encoder = [
        evaluate("normalisation", encoder, queries, names=medic, leave_out_unknown=True)
        for encoder in (by[0], by[1], Blended(by[0], weight))
    ]
    for figures in zip(*by_encoder, strict=True):
        title = f"BC5CDR, test, diseases to MEDIC, TF-IDF × {weight:g}: {figures[0].metric}"
        yield title, (figures[0], figures[1], figures[2])


def _choose_for_mentions(encoder: Representation, medic: LabelledNames, queries: Queries) -> float:
    def normalise(scores: Scores) -> TaskResult:
        return normalisation(queries, medic, scores, leave_out_unknown=True)

    dense, sparse = (
        _keep_all(similarities_by(by).scores(queries.texts, medic.names), queries, medic)
        for by in (encoder, "tfidf")
    )
    return best_weight(dense, sparse, normalise)


def _keep_all(scores: Scores, queries: Queries, names: LabelledNames) -> Scores:
    """Compute all similarities once, as they are asked for with each weight."""
    table = np.asarray(scores(np.arange(len(queries.texts)), np.arange(len(names.names))))
    return lambda texts, candidates: torch.from_numpy(table[np.ix_(texts, candidates)])


def _read_names(path: Path) -> LabelledNames:
    records = open_importer(detect(path), path).records
    concepts = [record for record in records if isinstance(record, ConceptRecord)]
    return labelled(
        {
            concept.curie: dict.fromkeys(name.text for name in concept.names)
            for concept in concepts
            if not concept.obsolete
        }
    )


def _split_few(labels: LabelledNames) -> HeldOutNames:
    """Hold out a name of each of the first concepts; all names of others are left away."""
    first = np.unique(labels.name_index[labels.class_index < _FEWER])
    fewer = labels.only(first)
    return HeldOutNames(fewer, concept_split(fewer, 0.0, 1, 0, 0))


def tabulate_figures(figures: BuiltInFigures) -> list[str]:
    """Return the lines of a Markdown table."""
    rows = [
        f"| {row.title} | {_tell_interval(row.built_in)} | {_tell_interval(row.tfidf)} "
        f"| {_tell_interval(row.blended)} | {row.built_in.n:,} |"
        for row in figures.rows
    ]
    return [
        f"One run, with 95 % intervals. Blended: cosine and {figures.weight:g} times TF-IDF's, a "
        "weight chosen on DOID's validation names; for mentions another one, chosen on BC5CDR's "
        "development part. Of an ontology that was learned from, names are not unseen.",
        "",
        "| | built-in | TF-IDF | blended | n |",
        "|---|---|---|---|---|",
        *rows,
        "",
    ]


def _tell_interval(figure: MetricValue) -> str:
    value, low, high = (
        figure_text(number, ".3f") for number in (figure.value, figure.low, figure.high)
    )
    return f"{value} ({low} to {high})"
