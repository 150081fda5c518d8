"""A study of a toy ontology: seconds, not hours."""

from dataclasses import replace
from pathlib import Path
from typing import Any

from toy_ontology import (
    CAUSES,
    HEADER,
    KINDS,
    ORGANS,
    stanza,
    toy_obo,
    write_toy,
    write_vectors,
)

from termexplorer.replicate.studies import AskedStudy, Report, replicate
from termexplorer.workers.process.supervision import JobControl

PAIRS = (
    "left\tright\tscore",
    "lung infection\tlung tumour\t4",
    "heart injury\tviral lung infection\t1",
    "left kidney\tkidney tumour\t3",
    "acute liver disease\tmild liver injury\t3.5",
    "right heart\tright lung\t2",
)


def toy_study(folder: Path, paper: str, **changes: Any) -> AskedStudy:
    """A tiny study with files of its own."""
    pairs = folder / "pairs.tsv"
    pairs.write_text("\n".join(PAIRS) + "\n", encoding="utf-8")
    study = AskedStudy(
        paper=paper,
        out=folder / "out",
        ontologies=(str(write_toy(folder)),),
        vectors=str(write_vectors(folder)),
        benchmarks=(pairs,),
        seeds=None if paper == "MTS" else 2,
        shots=(3,) if paper == "FSL" else (),
        changes={"hidden": 16, "maximum_epochs": 2},
    )
    return replace(study, **changes)


def forget_tasks(out: Path) -> None:
    """Leave only the lines that a study has written, as an earlier version did."""
    for path in out.glob("tasks.sqlite*"):
        path.unlink()


def run(study: AskedStudy) -> tuple[Report, list[str]]:
    """The report, and what was said on the way."""
    seen: list[str] = []
    report = replicate(
        study, JobControl(), lambda message: seen.append(getattr(message, "text", ""))
    )
    return report, seen


def write_other(folder: Path) -> Path:
    """The toy ontology with one more concept, under another name."""
    path = folder / "other.obo"
    text = toy_obo().replace("ontology: toy", "ontology: other")
    path.write_text(text + "\n" + stanza("TOY:9001", "heart failure", "TOY:2"), encoding="utf-8")
    return path


def write_deep(folder: Path) -> Path:
    """An ontology of four levels, two or three classes each below one above, eight names below."""
    stanzas, number = [stanza("D:0", "disease")], 0

    def grow(parent: str, name: str, words: tuple[tuple[str, ...], ...]) -> None:
        nonlocal number
        for word in words[0]:
            number += 1
            curie, longer = f"D:{number}", f"{word} {name}"
            stanzas.append(stanza(curie, longer, parent))
            if len(words) > 1:
                grow(curie, longer, words[1:])
                continue
            for kind in ("mild", "severe", "chronic", "acute"):
                number += 1
                text = f"{kind} {longer}"
                stanzas.append(stanza(f"D:{number}", text, curie, f"after {text}"))

    grow("D:0", "disease", (ORGANS[:3], KINDS[:2], ("left", "right"), CAUSES[:2]))
    path = folder / "deep.obo"
    path.write_text(HEADER + "\n" + "\n".join(stanzas), encoding="utf-8")
    return path
