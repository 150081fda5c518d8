from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import torch
from hypothesis import example, given
from hypothesis import strategies as st
from tiny_transformer import write_bert
from tokenizers import Tokenizer

from termexplorer.trainer.data.words import NameWords
from termexplorer.trainer.encoders import sif, whitening
from termexplorer.trainer.encoders.cca import fit
from termexplorer.trainer.encoders.chained import ChainedNames, unit_rows
from termexplorer.trainer.encoders.joined import JoinedNames
from termexplorer.trainer.encoders.network import DAN, ResidualEncoder
from termexplorer.trainer.encoders.recurrent import RecurrentEncoder, Sizes
from termexplorer.trainer.encoders.tuned import TunedTransformer
from termexplorer.trainer.export import to_sentence_transformers
from termexplorer.trainer.export.modules import tokenizer_of
from termexplorer.trainer.representations import load_dense
from termexplorer.trainer.representations.base import Representation
from termexplorer.trainer.representations.bigrams import BigramNames
from termexplorer.trainer.representations.fasttext_training import FastText
from termexplorer.trainer.representations.transformer import TransformerNames, quiet_transformers
from termexplorer.trainer.representations.transformer_folder import convert_folder
from termexplorer.trainer.representations.word_vectors import WordVectors
from termexplorer.trainer.tensors.objectives import unit
from termexplorer.trainer.tensors.random_state import RandomState
from termexplorer.trainer.text.tokenizer import tokenize

WORDS = ["viral", "pneumonia", "a", "x", "β", "cell", "-", "2", "οδος", "not reached", "Nor"]
NAMES = ["Viral pneumonia", "xa pneumonia", "β-cell 2 a", "ΟΔΟΣ Nor", "unknown", "", "viral"]


@pytest.fixture(autouse=True)
def no_thread_of_progress_bars(monkeypatch: pytest.MonkeyPatch) -> None:
    from tqdm import tqdm

    monkeypatch.setattr(tqdm, "monitor_interval", 0)


def words() -> WordVectors:
    vectors = np.random.default_rng(0).normal(size=(len(WORDS), 6)).astype(np.float32)
    return WordVectors(vectors * np.float32(3), WORDS)


def over(beneath: Representation, *kinds: type[DAN] | type[ResidualEncoder]) -> ChainedNames:
    """A chain of encoders with random weights and biases."""
    noise = RandomState(1, torch.device("cpu"))
    names = beneath
    for kind in kinds:
        names = ChainedNames(names, kind.initial(beneath.dimension, 20, noise))
    assert isinstance(names, ChainedNames)
    return names


def exported(names: Representation, folder: Path, also: list[str] | None = None) -> np.ndarray:
    """What sentence-transformers makes of ``NAMES``."""
    from sentence_transformers import SentenceTransformer

    to_sentence_transformers(names, folder, also=also or [])
    with quiet_transformers():
        model = SentenceTransformer(str(folder), device="cpu")
    return np.asarray(model.encode(NAMES, show_progress_bar=False))


@pytest.mark.parametrize("kinds", [(), (DAN,), (ResidualEncoder,), (DAN, ResidualEncoder)])
def test_word_vectors_and_encoders_over_them_are_the_same_there(
    tmp_path: Path, kinds: tuple[type[DAN], ...]
) -> None:
    names = over(words(), *kinds) if kinds else words()
    expected = names.encode(NAMES)
    np.testing.assert_allclose(exported(names, tmp_path / "st"), expected, atol=1e-6)
    assert not expected[4:6].any()


@pytest.mark.parametrize("kind", [None, DAN, ResidualEncoder])
def test_projections_are_the_same_there(
    tmp_path: Path, kind: type[DAN] | type[ResidualEncoder] | None
) -> None:
    torch.manual_seed(0)
    cca = fit(unit(torch.randn(30, 6)), unit(torch.randn(30, 6)))
    noise = RandomState(1, torch.device("cpu"))
    encoder = kind.initial(6, 20, noise, cca) if kind else cca
    names = ChainedNames(words(), encoder)
    expected = names.encode(NAMES)
    np.testing.assert_allclose(exported(names, tmp_path / "st"), expected, atol=1e-5)
    assert not expected[4:6].any()


def test_whitening_is_the_same_there(tmp_path: Path) -> None:
    units = unit(torch.from_numpy(words().encode(WORDS)))
    names = ChainedNames(words(), whitening.fit(units, 0.25))
    expected = names.encode(NAMES)
    np.testing.assert_allclose(exported(names, tmp_path / "st"), expected, atol=1e-5)
    assert not expected[4:6].any()


@pytest.mark.parametrize("own_length", [True, False])
def test_weighted_words_point_the_same_way_there(tmp_path: Path, own_length: bool) -> None:
    read = NameWords.of_names(WORDS + 3 * ["viral cell"], words(), "", torch.device("cpu"))
    encoder = sif.fit(read, 0.1)
    encoder.own_length = own_length
    names = ChainedNames(words(), encoder)
    expected = unit_rows(names.encode(NAMES))
    np.testing.assert_allclose(exported(names, tmp_path / "st"), expected, atol=1e-5)
    assert not expected[4:6].any()
    alone = unit_rows(ChainedNames(words(), sif.fit(read, 1e6)).encode(NAMES))
    assert np.abs(alone - expected).max() > 0.01, "weights matter"


@pytest.mark.parametrize("pooling", ["mean", "first"])
def test_transformers_are_the_same_there(tmp_path: Path, pooling: str) -> None:
    write_bert(tmp_path / "tiny")
    convert_folder(tmp_path / "tiny", tmp_path / "copy", pooling=pooling)
    names = over(load_dense(tmp_path / "copy"), DAN)
    exported_vectors = exported(names, tmp_path / "st")
    empty = NAMES.index("")
    assert (exported_vectors[empty].any(), names.encode(NAMES)[empty].any()) == (True, False)
    assert "an empty name is zero there" in (tmp_path / "st" / "README.md").read_text("utf-8")
    known = [row for row, name in enumerate(NAMES) if name]
    np.testing.assert_allclose(exported_vectors[known], names.encode(NAMES)[known], atol=1e-6)


def test_a_tuned_transformer_is_the_same_there(tmp_path: Path) -> None:
    write_bert(tmp_path / "tiny")
    convert_folder(tmp_path / "tiny", tmp_path / "copy")
    beneath = TransformerNames.load(tmp_path / "copy")
    tuned = TunedTransformer.initial(beneath, 1)
    for weight in tuned.tensors.values():
        weight += 0.1
    names = ChainedNames(beneath, tuned)
    known = [row for row, name in enumerate(NAMES) if name]
    expected = names.encode(NAMES)[known]
    np.testing.assert_allclose(exported(names, tmp_path / "st")[known], expected, atol=1e-6)
    assert (
        np.abs(expected - unit(torch.from_numpy(beneath.encode(NAMES)))[known].numpy()).max() > 0.01
    )


def test_fasttext_is_the_same_for_the_words_that_are_in_the_folder(
    tmp_path: Path, corpus: Path
) -> None:
    FastText(dimension=6, epochs=1, min_count=1, buckets=50).fit(corpus, tmp_path / "vectors")
    names = load_dense(tmp_path / "vectors")
    expected = names.encode(NAMES)
    some = exported(names, tmp_path / "some")
    np.testing.assert_allclose(some[[0, 6]], expected[[0, 6]], atol=1e-6)
    assert expected[4].any()
    assert not some[4].any()  # composed of n-grams, which is not expressible
    every = exported(names, tmp_path / "all", also=NAMES)
    np.testing.assert_allclose(every, expected, atol=1e-6)


_UNLIKE = "\U0001171e"  # a mark that letters look through in one Unicode, not in the next


@given(st.text() | st.text(alphabet="aAxeEΣσς β-_2\u2581İ½é\u0301\n˂ʰ.ʼ"))
@example("ae\u0301 A˂Σ")
@example("A˂Σ")
@example("AΣʰ a.Σ ʰΣ Σ.a")
def test_tokens_are_the_same_there(name: str) -> None:
    assigned = "".join(c for c in name if (c.isprintable() or c.isspace()) and c != _UNLIKE)
    known = dict.fromkeys([*WORDS, *tokenize(assigned), "οδοσ"])
    known.pop("\u2581", None)
    tokenizer = Tokenizer.from_str(json.dumps(tokenizer_of(list(known))))
    ids = tokenizer.encode(assigned, add_special_tokens=False).ids
    expected = [token for token in tokenize(assigned) if token in known]
    assert [list(known)[row] for row in ids] == expected


def test_what_cannot_be_expressed_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="has no modules for JoinedNames"):
        to_sentence_transformers(JoinedNames([words(), words()]), tmp_path / "st")
    bigrams = BigramNames(np.ones((5, 6), dtype=np.float32), ["viral", "fever"], 0, 0, 3)
    with pytest.raises(ValueError, match="has no modules for BigramNames"):
        to_sentence_transformers(bigrams, tmp_path / "st")
    reader = RecurrentEncoder.initial(Sizes(6, 4, 4), "", RandomState(1, torch.device("cpu")))
    with pytest.raises(ValueError, match="has no modules for RecurrentEncoder"):
        to_sentence_transformers(ChainedNames(words(), reader), tmp_path / "st")
    assert not list(tmp_path.iterdir())
    (tmp_path / "mine").mkdir()
    with pytest.raises(ValueError, match="mine is there already; name a new folder"):
        to_sentence_transformers(words(), tmp_path / "mine")


def test_a_folder_that_is_called_like_a_part_stays(tmp_path: Path) -> None:
    mine = tmp_path / "st.part" / "notes.txt"
    mine.parent.mkdir()
    mine.write_text("mine")
    to_sentence_transformers(words(), tmp_path / "st")
    assert mine.read_text() == "mine"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["st", "st.part"]
