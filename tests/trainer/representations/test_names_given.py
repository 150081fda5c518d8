"""Names as a notebook has them, at the door of every representation."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from tiny_transformer import write_bert

from termexplorer import trainer
from termexplorer.trainer import representations
from termexplorer.trainer.distillation.rounding import make_tables
from termexplorer.trainer.encoders.chained import ChainedNames
from termexplorer.trainer.encoders.joined import JoinedNames
from termexplorer.trainer.encoders.network import DAN
from termexplorer.trainer.representations.base import Representation
from termexplorer.trainer.representations.bigrams import BigramNames
from termexplorer.trainer.representations.fasttext_matrices import FastTextVectors
from termexplorer.trainer.representations.matrix import MatrixNames
from termexplorer.trainer.representations.skipgrams import SkipGramNames
from termexplorer.trainer.representations.static import StaticNames
from termexplorer.trainer.representations.transformer_folder import convert_folder
from termexplorer.trainer.representations.word_vectors import WordVectors
from termexplorer.trainer.tensors.random_state import RandomState

NAMES = ["viral fever", "fever", "unknown"]
WORDS = ("viral", "fever", "s_viral_fever")


def opened(kind: str, folder: Path) -> Representation:
    rows = np.random.default_rng(0).normal(size=(len(WORDS) + 7, 4)).astype(np.float32)
    if kind == "transformer":
        write_bert(folder / "bert")
        convert_folder(folder / "bert", folder / "copy")
        result = trainer.load(folder / "copy", device="cpu")
        assert hasattr(result, "encode")
        return result
    words = WordVectors(rows[:3], WORDS)
    built: dict[str, Representation] = {
        "bigrams": BigramNames(rows, WORDS, 0, 0, 7),
        "chained": ChainedNames(words, DAN.initial(4, 6, RandomState(0, torch.device("cpu")))),
        "fasttext": FastTextVectors(rows, WORDS, 3, 4, 7),
        "joined": JoinedNames([words, words]),
        "matrix": MatrixNames(rows[:2], NAMES[:2]),
        "skipgrams": SkipGramNames(rows, WORDS, 3, 4, 7),
        "static": StaticNames(make_tables(WORDS, rows[:3], np.ones(3), 7)),
        "words": words,
    }
    return built[kind]


@pytest.fixture(params=sorted(set(representations._KINDS) - {"tfidf"}))
def names_to_vectors(request: pytest.FixtureRequest, tmp_path: Path) -> Representation:
    return opened(request.param, tmp_path)


@pytest.mark.parametrize(
    "given",
    [tuple, iter, np.array, lambda names: np.array(names, dtype=object), dict.fromkeys],
    ids=["tuple", "iterator", "array", "objects", "keys"],
)
def test_names_may_come_in_anything_that_yields_them(
    names_to_vectors: Representation, given: Callable[[list[str]], Iterable[str]]
) -> None:
    encoded = names_to_vectors.encode(given(NAMES))
    assert encoded.any()
    assert encoded.dtype == np.float32
    assert (encoded == names_to_vectors.encode(NAMES)).all()
    assert names_to_vectors.encode(iter(())).shape == (0, names_to_vectors.dimension)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("viral fever", "'viral fever' is a single text; give a list of names"),
        (["fever", None], "name 1 is of type NoneType, not a text: None"),
        (["fever", "fever", float("nan")], "name 2 is of type float, not a text: nan"),
        (np.array([3, 4]), r"name 0 is of type int64, not a text: np\.int64\(3\)"),
        (["fever", "a\ud800b"], r"a name has '\\ud800', half a character"),
        (b"fever", "name 0 is of type int"),
        (7, "7 is no list of names"),
        (None, "None is no list of names"),
    ],
)
def test_what_are_no_names_is_told(
    names_to_vectors: Representation, given: Any, message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        names_to_vectors.encode(given)


def test_the_names_of_a_class_are_not_the_letters_of_one() -> None:
    with pytest.raises(ValueError, match="'flu' is a single text"):
        trainer.labelled({"infection": "flu"})
