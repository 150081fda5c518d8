"""A study of a toy ontology: seconds, not hours."""

from dataclasses import replace
from pathlib import Path
from typing import Any

from toy_ontology import write_toy, write_vectors

from termexplorer.replicate.studies import Report, Study, replicate
from termexplorer.workers.supervision import Control

PAIRS = (
    "left\tright\tscore",
    "lung infection\tlung tumour\t4",
    "heart injury\tviral lung infection\t1",
    "left kidney\tkidney tumour\t3",
    "acute liver disease\tmild liver injury\t3.5",
    "right heart\tright lung\t2",
)


def toy_study(folder: Path, paper: str, **changes: Any) -> Study:
    """A tiny study with files of its own."""
    pairs = folder / "pairs.tsv"
    pairs.write_text("\n".join(PAIRS) + "\n", encoding="utf-8")
    study = Study(
        paper=paper,
        out=folder / "out",
        ontologies=(str(write_toy(folder)),),
        vectors=str(write_vectors(folder)),
        benchmarks=(pairs,),
        seeds=2,
        shots=(3,),
        changes={"hidden": 16, "maximum_epochs": 2},
    )
    return replace(study, **changes)


def run(study: Study) -> tuple[Report, list[str]]:
    """The report, and what was said on the way."""
    said: list[str] = []
    report = replicate(study, Control(), lambda message: said.append(getattr(message, "text", "")))
    return report, said
