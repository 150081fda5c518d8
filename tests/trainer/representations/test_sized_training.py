"""Epochs and least count of fastText, by the length of the text where nobody names them."""

import json
from pathlib import Path

import numpy as np
import pytest

from termexplorer.trainer.representations.fasttext_training import FastText
from termexplorer.trainer.representations.methods import METHODS, learn
from termexplorer.trainer.representations.text import TrainingText
from termexplorer.trainer.text.names import LabelledNames


@pytest.mark.parametrize(
    ("tokens", "epochs", "least"),
    [
        (0, 50, 1),
        (5_000, 50, 1),
        (60_000, 50, 2),  # the names and definitions of a small ontology
        (250_000, 20, 2),
        (1_200_000, 5, 2),
        (15_000_000, 5, 5),  # abstracts
    ],
)
def test_short_texts_are_read_more_often_and_keep_rarer_words(
    tokens: int, epochs: int, least: int
) -> None:
    sized = FastText().sized(tokens)
    assert (sized.epochs, sized.min_count) == (epochs, least)
    assert (sized.dimension, sized.window) == (FastText().dimension, FastText().window)


def _short_text() -> TrainingText:
    names = tuple(f"{kind} of the {organ}" for kind in ("pain", "rash") for organ in ("eye", "ear"))
    every = np.arange(len(names))
    return TrainingText(LabelledNames(names, names, every, every), ["An eye hurts."] * 3)


def test_what_is_not_named_is_chosen_and_told(tmp_path: Path) -> None:
    small = FastText(dimension=4, buckets=20, epochs=3, min_count=2)
    facts = learn(small, _short_text(), tmp_path / "one", open_sizes=["epochs", "min_count"])
    assert (facts["epochs"], facts["min_count"]) == (50, 1)
    facts = learn(small, _short_text(), tmp_path / "two", open_sizes=["min_count"])
    assert facts["min_count"] == 1
    assert "epochs" not in facts
    assert json.dumps(facts)
    assert "epochs" not in learn(small, _short_text(), tmp_path / "three")


def test_other_methods_keep_their_sizes(tmp_path: Path) -> None:
    usual = METHODS["ppmi"].usual
    assert not hasattr(usual, "sized")
