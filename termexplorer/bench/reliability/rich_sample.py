"""A workspace with something in every table and of every kind of file, made by commands."""

from __future__ import annotations

import random
import sqlite3
from contextlib import closing
from itertools import islice, product
from pathlib import Path

from termexplorer.bench.durability import judge_some
from termexplorer.bench.reliability.program import call_program
from termexplorer.services.explore.bookmarks import toggle_bookmark
from termexplorer.services.levels.concept_lists import add_to_list
from termexplorer.services.verdicts.people import add_person
from termexplorer.workspace import Workspace

_ORGANS = ("lung", "heart", "liver", "kidney", "skin", "brain")
_KINDS = ("infection", "tumour", "injury", "failure")
_CAUSES = ("bacterial", "viral", "chronic", "acute", "severe", "mild")
_WORDS = (*_ORGANS, *_KINDS, *_CAUSES, "of", "the", "disease", "beta")
_DIMENSION, _VERDICTS = 8, 30
_TOY, _VECTORS, _TRAINED = "toy", "5", "6"


def make_rich_workspace(folder: Path) -> Path:
    """Make a workspace whose tables and folders are all filled, and return its folder.

    Args:
        folder: empty, for the workspace and the files that it is made of.

    Raises:
        RuntimeError: a command failed.
    """
    workspace, pairs = folder / "workspace", folder / "pairs"
    (folder / "toy.obo").write_text(_write_terms(), "utf-8")
    (folder / "toy.vec").write_text(_write_vectors(), "utf-8")
    two = ("--encoder", _VECTORS, "--encoder", "1")
    commands: tuple[tuple[str | Path, ...], ...] = (
        ("import", folder / "toy.obo"),
        ("vectors", "add", folder / "toy.vec"),
        ("train", "few-shot", "--ontology", _TOY, "--level", "1", "--vectors", _VECTORS,
         "--preset", "quick", "--set", "maximum_epochs=2", "--set", "hidden=8"),
        ("vectors", "join", "--encoder", _VECTORS, "--encoder", _TRAINED),
        ("evaluate", "synonyms", "--ontology", _TOY, *two),
        ("compare", "--task", "neighbours", "--ontology", _TOY, *two),
        ("pairs", "make", "--ontology", _TOY, "--out", pairs),
        ("evaluate", "pairs", "--pairs", pairs, *two),
        ("project", "--ontology", _TOY, "--encoder", _VECTORS, "--method", "pca",
         "--out", folder / "map.csv"),
        ("suggest", "duplicates", "--ontology", _TOY, *two),
        ("study", "new", "--pairs", pairs, "--title", "Same or not", "--each", "10",
         "--annotator", "Anna", "--annotator", "Ben", "--repeat", "0.1"),
    )  # fmt: skip
    for words in commands:
        ended = call_program("--workspace", workspace, *words)
        if ended.code:
            raise RuntimeError(f"{' '.join(map(str, words))}: {ended.text}")
    _keep_more(workspace)
    judge_some(workspace, _VERDICTS)
    with closing(sqlite3.connect(workspace / "workspace.sqlite")) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return workspace


def _keep_more(folder: Path) -> None:
    with closing(Workspace(folder)) as workspace:
        add_person(workspace, "Anna Berg")
        add_to_list(workspace, "Lungs", 1, ["TOY:1", "TOY:2", "TOY:3"])
        for concept_id in range(1, 6):
            toggle_bookmark(workspace, concept_id)


def _write_terms() -> str:
    stanzas = ['[Term]\nid: TOY:0\nname: disease\ndef: "Anything that ails." []\n']
    number = 0
    for organ in _ORGANS:
        top = number = number + 1
        stanzas.append(_write_term(top, f"{organ} disease", 0, f"disease of the {organ}"))
        for kind, cause in islice(product(_KINDS, _CAUSES), 12):
            number += 1
            name = f"{cause} {kind} of the {organ}"
            stanzas.append(_write_term(number, name, top, f"{organ} {kind}, {cause}, β"))
    stanzas.append("[Term]\nid: TOY:900\nname: old\nis_obsolete: true\nreplaced_by: TOY:1\n")
    return "format-version: 1.2\ndata-version: 1\nontology: toy\n\n" + "\n".join(stanzas)


def _write_term(number: int, name: str, parent: int, synonym: str) -> str:
    return (
        f'[Term]\nid: TOY:{number}\nname: {name}\ndef: "What is called {name}." []\n'
        f'synonym: "{synonym}" EXACT []\nalt_id: TOY:1{number:03}\nxref: ICD10CM:E{number:02}.9\n'
        f"is_a: TOY:{parent}\n" + ("is_a: TOY:9999\n" if number == 1 else "")  # told as a remark
    )


def _write_vectors() -> str:
    draw = random.Random(0)  # noqa: S311 - no secrets
    numbers = [[f"{draw.gauss():.4f}" for _ in range(_DIMENSION)] for _ in _WORDS]
    rows = (" ".join((word, *row)) for word, row in zip(_WORDS, numbers, strict=True))
    return f"{len(_WORDS)} {_DIMENSION}\n" + "\n".join(rows) + "\n"
