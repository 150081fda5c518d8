"""The model card of the built-in encoder: its data, their licences, its figures and its limits."""

from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

from termexplorer.replicate.builtin.data import ONTOLOGIES, TEXTS, HeldOutNames
from termexplorer.replicate.builtin.figures import measure_encoder, tabulate_figures
from termexplorer.replicate.builtin.making import BuiltInMaking

Report = Callable[[str], None]

CARD = "MODEL_CARD.md"
_FIGURES = "## Figures"
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
    lines = [*_describe_data(making), *_describe_making(making), _FIGURES, "", *_LIMITS]
    (folder / CARD).write_text("\n".join(lines), encoding="utf-8")
    write_figures(folder, making.held_out, data_folder, report)


def write_figures(folder: Path, held_out: HeldOutNames, data_folder: Path, report: Report) -> None:
    """Measure an encoder anew, and replace the figures of its model card.

    Args:
        folder: of the encoder and its card.
        held_out: names that it did not learn from.
        data_folder: as for `write_card`.
        report: is told of each step.
    """
    table = tabulate_figures(measure_encoder(folder, held_out, data_folder, report))
    card = (folder / CARD).read_text(encoding="utf-8")
    before, _, after = card.partition(_FIGURES)
    _, limits, last = after.partition(_LIMITS[0])
    lines = [_FIGURES, "", *table, ""]
    (folder / CARD).write_text(before + "\n".join(lines) + limits + last, encoding="utf-8")


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
