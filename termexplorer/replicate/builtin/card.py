"""The model card of the built-in encoder: its data, their licences, its figures and its limits."""

from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path

from termexplorer.importers.formats import detect, open_importer
from termexplorer.importers.records import ConceptRecord
from termexplorer.replicate.builtin.data import ONTOLOGIES, TEXTS, HeldOutNames
from termexplorer.replicate.builtin.making import BuiltInMaking
from termexplorer.texts import figure_text
from termexplorer.trainer.data.splits import concept_split
from termexplorer.trainer.evaluation.figures import MetricValue
from termexplorer.trainer.files.pairs import read_pairs
from termexplorer.trainer.notebook import Data, labelled
from termexplorer.trainer.representations import load
from termexplorer.trainer.tasks import evaluate

Report = Callable[[str], None]

CARD = "MODEL_CARD.md"
_BENCHMARKS = "benchmarks/fivez2021_benchmarks.json"
_UNSEEN = "ontologies/ctd_medic_2012-07-06.tsv.gz"  # nothing is learned from it
_FEWER = 3_000  # concepts of it that are measured, for the time it takes
_TEACHER = (
    "all-MiniLM-L6-v2, by the makers of sentence-transformers, 23 million weights (teacher)",
    "Apache-2.0",
)


def write_card(folder: Path, making: BuiltInMaking, data_folder: Path, report: Report) -> None:
    """Measure an encoder and write its model card beside its weights.

    Args:
        folder: of the encoder.
        making: what it was made of.
        data_folder: open data, with `benchmarks/` and `ontologies/`.
        report: is told of each step.
    """
    figures = list(_measure_encoder(folder, making.held_out, data_folder, report))
    lines = [
        *_describe_data(making),
        *_describe_making(making),
        *_tabulate_figures(figures),
        *_LIMITS,
    ]
    (folder / CARD).write_text("\n".join(lines), encoding="utf-8")


Row = tuple[str, MetricValue, MetricValue]  # what is measured, built-in, TF-IDF


def _measure_encoder(
    folder: Path, held_out: HeldOutNames, data_folder: Path, report: Report
) -> Iterator[Row]:
    encoder = load(folder)
    for pairs in read_pairs(data_folder / _BENCHMARKS):
        report(f"measuring {pairs.name}")
        yield (
            f"{pairs.name}: relatedness, Spearman",
            evaluate("relatedness", encoder, pairs)[0],
            evaluate("relatedness", "tfidf", pairs)[0],
        )
    names = {"DOID, held out": held_out, "MEDIC, not learned from": _read_unseen(data_folder)}
    for title, labels in names.items():
        report(f"measuring synonyms of {title}")
        data = Data(labels.labels, labels.parts)
        both = [evaluate("synonyms", by, data) for by in (encoder, "tfidf")]
        for ours, lexical in zip(*both, strict=True):
            if "mAP" in ours.metric and "train" not in ours.metric and ours.n:
                yield f"{title}: synonyms, {ours.metric}", ours, lexical


def _read_unseen(data_folder: Path) -> HeldOutNames:
    path = data_folder / _UNSEEN
    records = open_importer(detect(path), path).records
    concepts = [record for record in records if isinstance(record, ConceptRecord)][:_FEWER]
    labels = labelled({c.curie: dict.fromkeys(name.text for name in c.names) for c in concepts})
    return HeldOutNames(labels, concept_split(labels, 0.0, 1, 0, 0))


def _describe_data(making: BuiltInMaking) -> list[str]:
    return [
        "# The built-in encoder",
        "",
        f"A static encoder of names: a vector for each of {making.words:,} words, and vectors of "
        "character n-grams for all others. English, biomedical. It comes with termexplorer and "
        "under its licence, with the attributions below.",
        "",
        "## Data",
        "",
        "| source | licence |",
        "|---|---|",
        *(f"| {source.title} | {source.licence} |" for source in (*ONTOLOGIES, *TEXTS)),
        "| {} | {} |".format(*_TEACHER),
        "",
        f"{making.names:,} names of {making.concepts:,} concepts. Of DOID (2018) a tenth of the "
        "concepts, and one or two names of each of the others that have enough, were held out, "
        "with what the other ontologies have of those concepts.",
        "",
    ]


def _describe_making(making: BuiltInMaking) -> list[str]:
    settings = (f"- {name}: {value}" for name, value in asdict(making.settings).items())
    return [
        "## How it was made",
        "",
        "`python packaging/built_in.py --data DIR --transformer DIR`, "
        f"{making.seconds / 60:.0f} minutes on two cores that other work shared:",
        "",
        *settings,
        "",
        "Words that stand near each other in names, definitions and texts were counted; words were "
        "fitted to the teacher's vectors of names in closed form; both were joined, brought to "
        "fewer dimensions, trained on with synonyms, parents and definitions, and rounded to "
        "integers. Windows, weights and steps were chosen by DOID's validation synonyms, the "
        "definitions of concepts, distances in the tree of MeSH and words that occur together in "
        "abstracts that nothing is learned from; none by the sets of pairs below.",
        "",
    ]


def _tabulate_figures(figures: list[Row]) -> list[str]:
    rows = [
        f"| {title} | {_tell_interval(ours)} | {_tell_interval(lexical)} | {ours.n:,} |"
        for title, ours, lexical in figures
    ]
    return [
        "## Figures",
        "",
        "One run, with 95 % intervals.",
        "",
        "| | built-in | TF-IDF | n |",
        "|---|---|---|---|",
        *rows,
        "",
    ]


def _tell_interval(figure: MetricValue) -> str:
    value, low, high = (
        figure_text(number, ".3f") for number in (figure.value, figure.low, figure.high)
    )
    return f"{value} ({low} to {high})"


_LIMITS = [
    "## Limits",
    "",
    "- English alone. Names in other languages are known by their spelling at best: rank those by "
    "TF-IDF.",
    "- A sum of words: it does not see their order, and negation is one word among others.",
    "- It learned from the ontologies above: names of theirs are not unseen, but for those held "
    "out.",
    "- A near name is a suggestion to somebody who knows the field, no more.",
    "",
]
