from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from termexplorer.trainer.representations import load
from termexplorer.trainer.representations.methods import METHODS, learn
from termexplorer.trainer.representations.skipgrams import SkipGramNames
from termexplorer.trainer.representations.text import TrainingText
from termexplorer.trainer.text.names import LabelledNames
from termexplorer.trainer.text.tokenizer import tokenize

NAMES = LabelledNames(
    ("Heart attack", "Myocardial infarction", "viral fever"),
    ("MESH:D1", "MESH:D2"),
    np.array([0, 1, 2]),
    np.array([0, 0, 1]),
)
TITLE, ABSTRACT = "Myocardial infarction and pain", "A heart attack is painful, not viral fever"
DOCUMENT = f"""7|t|{TITLE}
7|a|{ABSTRACT}
7\t0\t21\tMyocardial infarction\tDisease\tD1
7\t26\t30\tpain\tDisease\tD9
"""


def text_in(folder: Path) -> TrainingText:
    """Names, a definition, 60 lines of text, and 30 annotated documents."""
    lines = "the heart attack of a man\nhe had viral fever with pain\n" * 30
    (folder / "notes.txt").write_text(lines, encoding="utf-8")
    documents = (DOCUMENT.replace("7", str(number)) for number in range(1, 31))
    (folder / "abstracts.txt").write_text("\n".join(documents), encoding="utf-8")
    definition = "A fever of a viral fever"
    return TrainingText(NAMES, [definition], [folder / "notes.txt"], [folder / "abstracts.txt"])


def test_all_of_a_text_is_read(tmp_path: Path) -> None:
    text = text_in(tmp_path)
    plain = [*NAMES.names, "A fever of a viral fever", *([TITLE, ABSTRACT] * 30)]
    assert list(text.lines()) == plain
    ticks: list[None] = []
    lines = list(text.marked_lines(lambda: ticks.append(None)))
    notes = (tmp_path / "notes.txt").read_text(encoding="utf-8").splitlines()
    expected = [tokenize(line) for line in [*plain[:4], *notes, *plain[4:]]]
    assert [line.tokens for line in lines] == expected
    assert ticks


def test_names_are_marked_in_the_text_and_not_in_their_list(tmp_path: Path) -> None:
    lines = list(text_in(tmp_path).marked_lines())
    assert not any(line.spans for line in lines[:3])
    assert lines[3].spans == [(4, 6, "MESH:D2")]  # of a definition
    assert lines[4].spans == [(1, 3, "MESH:D1")]
    # in annotated documents what is annotated, as the ontology names its concept
    assert lines[-2].spans == [(0, 2, "MESH:D1"), (3, 4, "D9")]
    assert lines[-1].spans == []


@pytest.mark.parametrize("method", METHODS)
def test_every_method_goes_from_text_to_vectors(tmp_path: Path, method: str) -> None:
    asked = replace(METHODS[method].usual, dimension=6, epochs=1, min_count=3)
    seen = []
    facts = learn(asked, text_in(tmp_path), tmp_path / "made" / "new", progress=seen.append)
    marked = 1 + 60 + 60
    expected = {"names_in_text": marked} if method.startswith("sg") else {"lines": 4 + 60 + 60}
    assert facts == expected
    assert seen[-1].fraction == 1
    vectors = load(tmp_path / "made" / "new")
    encoded = vectors.encode([*NAMES.names, ""])
    assert encoded.shape == (4, vectors.dimension) == (4, 6)
    assert encoded.any(axis=1).tolist() == [True, True, True, False]
    assert [path.name for path in (tmp_path / "made").iterdir()] == ["new"]
    if isinstance(vectors, SkipGramNames):
        is_known = vectors.name_vectors(["heart attack", "pain", "heart"])[1]
        assert is_known.tolist() == [method != "sgw", method != "sgw", False]
        concepts = vectors.concept_vectors(["MESH:D1", "MESH:D2", "D9", "D1"])[1]
        assert concepts.tolist() == [*[method == "sgs.c"] * 3, False]


def test_reading_can_be_stopped_and_leaves_nothing(tmp_path: Path) -> None:
    def stop() -> None:
        raise InterruptedError

    for listed in METHODS.values():
        with pytest.raises(InterruptedError):
            learn(listed.usual, text_in(tmp_path), tmp_path / "made" / "new", tick=stop)
    assert list((tmp_path / "made").iterdir()) == []


@pytest.mark.parametrize("size", ["dimension", "epochs", "min_count"])
def test_sizes_below_one_are_refused(size: str, tmp_path: Path) -> None:
    for listed in METHODS.values():
        wrong: Any = {size: 0}
        with pytest.raises(ValueError, match=f"{size} is 0; choose 1 or more"):
            learn(replace(listed.usual, **wrong), text_in(tmp_path), str(tmp_path / "new"))
    assert not (tmp_path / "new").exists()


def test_a_text_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    text = text_in(tmp_path)
    (tmp_path / "abstracts.txt").write_text("no title\n", encoding="utf-8")
    for listed in METHODS.values():
        with pytest.raises(ValueError, match=r"abstracts\.txt, line 1"):
            learn(listed.usual, text, tmp_path / "made" / "new")
        with pytest.raises(ValueError, match=r"gone\.txt"):
            learn(
                listed.usual,
                TrainingText(NAMES, (), [tmp_path / "gone.txt"]),
                tmp_path / "made" / "x",
            )
