"""Representations that build on others: joined ones and chains."""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from tiny_transformer import write_bert

from termexplorer.trainer import encoders, representations
from termexplorer.trainer.data.words import NameWords
from termexplorer.trainer.encoders import chained, joined, sif
from termexplorer.trainer.encoders.chained import ChainedNames
from termexplorer.trainer.encoders.joined import JoinedNames, JoinedWords, join
from termexplorer.trainer.encoders.network import DAN, ResidualEncoder
from termexplorer.trainer.encoders.recurrent import RecurrentEncoder, Sizes
from termexplorer.trainer.files.folders import META
from termexplorer.trainer.representations import OF_WORDS, load, load_dense
from termexplorer.trainer.representations.tfidf import TfidfNames
from termexplorer.trainer.representations.transformer_folder import convert_folder
from termexplorer.trainer.representations.word_vectors import WordVectors, convert_text
from termexplorer.trainer.tensors.random_state import RandomState

NAMES = ["viral pneumonia", "viral fever", "fever", "unknown", ""]
WORDS = "3 4\nviral 1 2 0 1\npneumonia 3 4 1 0\nfever 0 -1 2 5\n"
FLOATS = st.floats(-100, 100, width=32)


@pytest.fixture
def encoder_folder(tmp_path: Path) -> Path:
    """Word vectors and two encoders over them, in a folder that can be moved as a whole."""
    folder = tmp_path / "work"
    folder.mkdir()
    (folder / "words.vec").write_text(WORDS)
    convert_text(folder / "words.vec", folder / "vectors" / "words")
    noise = RandomState(1, torch.device("cpu"))
    DAN.initial(4, 12, noise).save(folder / "runs" / "1" / "best")
    ResidualEncoder.initial(4, 8, noise).save(folder / "runs" / "2" / "best")
    return folder


def chain(folder: Path) -> Path:
    """An encoder over an encoder over words."""
    first, second = folder / "runs" / "1" / "chain", folder / "runs" / "2" / "chain"
    chained.write(first, folder / "vectors" / "words", folder / "runs" / "1" / "best")
    chained.write(second, first, folder / "runs" / "2" / "best")
    return second


def at_unit_length(vectors: np.ndarray) -> np.ndarray:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.divide(vectors, lengths, out=np.zeros_like(vectors), where=lengths > 0)


def by_hand(folder: Path, run: str, inputs: np.ndarray) -> np.ndarray:
    """The papers' encoders by their formula, on input at unit length."""
    from safetensors.numpy import load_file

    w = load_file(folder / "runs" / run / "best" / "weights.safetensors")
    units = at_unit_length(inputs)
    network = np.maximum(units @ w["w1"].T + w["b1"], 0) @ w["w2"] + w["b2"]
    outputs = network if run == "1" else (network + units) / 2
    return at_unit_length(outputs * inputs.any(axis=1, keepdims=True))


def test_word_vectors_that_are_joined_have_words(encoder_folder: Path) -> None:
    words, other = encoder_folder / "vectors" / "words", encoder_folder / "vectors" / "other"
    (encoder_folder / "other.vec").write_text("2 3\nfever 2 0 1\nseldom 0 4 3\n")
    convert_text(encoder_folder / "other.vec", other)
    joined.write(encoder_folder / "vectors" / "joined", [words, other])
    both = load(encoder_folder / "vectors" / "joined")
    assert isinstance(both, JoinedWords)
    vectors, known = both.token_vectors(["fever", "seldom", "viral", "unknown"])
    assert known.tolist() == [True, True, True, False]
    halves = [
        [[0, -1, 2, 5], [0] * 4, [1, 2, 0, 1], [0] * 4],
        [[2, 0, 1], [0, 4, 3], [0] * 3, [0] * 3],
    ]
    expected = np.hstack([at_unit_length(np.array(half, dtype=float)) for half in halves])
    np.testing.assert_allclose(vectors, expected, atol=1e-6)
    joined.write(encoder_folder / "vectors" / "mixed", [words, chain(encoder_folder)])
    assert not hasattr(load(encoder_folder / "vectors" / "mixed"), "token_vectors")


def test_only_the_kinds_that_are_said_to_have_words_have_them() -> None:
    for kind, (module, name) in representations._KINDS.items():
        method_class = getattr(import_module(module), name)
        assert hasattr(method_class, "token_vectors") == (kind in OF_WORDS)


def test_a_chain_takes_the_output_at_unit_length(encoder_folder: Path) -> None:
    words = load_dense(encoder_folder / "vectors" / "words").encode(NAMES)
    names = load(chain(encoder_folder))
    assert isinstance(names, ChainedNames)
    encoded = names.encode(NAMES)
    np.testing.assert_allclose(
        encoded, by_hand(encoder_folder, "2", by_hand(encoder_folder, "1", words)), atol=1e-6
    )
    assert (encoded.dtype, encoded.shape, names.dimension) == (np.float32, (5, 4), 4)
    assert encoded[:3].any(axis=1).all()
    assert not encoded[3:].any()  # nothing in, nothing out
    assert names.encode([]).shape == (0, 4)


def test_a_join_opens_alone_and_moves_with_its_parts(encoder_folder: Path, tmp_path: Path) -> None:
    write_bert(encoder_folder / "tiny")
    convert_folder(encoder_folder / "tiny", encoder_folder / "vectors" / "tiny")
    parts = [
        encoder_folder / "vectors" / "words",
        encoder_folder / "vectors" / "tiny",
        chain(encoder_folder),
    ]
    joined.write(encoder_folder / "vectors" / "joined", parts)
    expected = np.hstack([at_unit_length(load_dense(part).encode(NAMES)) for part in parts])
    moved = encoder_folder.rename(tmp_path / "moved")
    names = load(moved / "vectors" / "joined")
    assert isinstance(names, JoinedNames)
    assert names.dimension == 4 + 16 + 4
    encoded = names.encode(NAMES)
    np.testing.assert_allclose(encoded, expected, atol=1e-6)
    assert not encoded[3, :4].any()
    assert encoded[3, 4:20].any()
    assert names.encode([]).shape == (0, 24)


@pytest.mark.parametrize("alphabet", ["", "abcdefghijklmnopqrstuvwxyz"])
def test_an_encoder_may_read_words(encoder_folder: Path, alphabet: str) -> None:
    sizes = Sizes(4, 5, 3, 2, 3) if alphabet else Sizes(4, 5, 3)
    reader = RecurrentEncoder.initial(sizes, alphabet, RandomState(1, torch.device("cpu")))
    reader.save(encoder_folder / "reader")
    words = encoder_folder / "vectors" / "words"
    chained.write(encoder_folder / "chain", words, encoder_folder / "reader")
    names = load_dense(encoder_folder / "chain")
    encoded = names.encode(NAMES)
    expected = at_unit_length(reader.encode_names(NAMES, load_dense(words)))
    expected[4] = 0
    if not alphabet:
        expected[3] = 0  # an unknown word that it cannot spell
    np.testing.assert_allclose(encoded, expected, atol=1e-6)
    assert names.encode([]).shape == (0, 3)
    DAN.initial(3, 6, RandomState(2, torch.device("cpu"))).save(encoder_folder / "top")
    chained.write(encoder_folder / "on top", encoder_folder / "chain", encoder_folder / "top")
    assert load_dense(encoder_folder / "on top").encode(NAMES)[0].any()
    with pytest.raises(ValueError, match="reads words, of which ChainedNames has no vectors"):
        ChainedNames(names, reader)
    with pytest.raises(ValueError, match="reads words, not vectors of names"):
        encoders.load(encoder_folder / "reader")


@given(
    arrays(np.float32, (5, 3), elements=FLOATS),
    arrays(np.float32, (5, 2), elements=FLOATS),
    st.floats(0.5, 100),
)
def test_a_cosine_of_a_join_is_the_mean_of_the_parts(
    left: np.ndarray, right: np.ndarray, scale: float
) -> None:
    left, right = (
        part * (np.linalg.norm(part, axis=1, keepdims=True) > 1) for part in (left, right)
    )
    encoded = join([left, right])
    units = [at_unit_length(part.astype(np.float64)) for part in (left, right)]
    np.testing.assert_allclose(encoded @ encoded.T, sum(u @ u.T for u in units), atol=1e-5)
    np.testing.assert_allclose(join([left * np.float32(scale), right]), encoded, atol=1e-5)


def test_what_lies_beneath_several_parts_is_opened_and_encoded_once(
    encoder_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words, second = encoder_folder / "vectors" / "words", chain(encoder_folder)
    first = encoder_folder / "runs" / "1" / "chain"
    joined.write(encoder_folder / "inner", [words, first])
    joined.write(encoder_folder / "outer", [second, encoder_folder / "inner", first])
    opened = load_dense(encoder_folder / "outer")
    assert isinstance(opened, JoinedNames)
    upper, inner, lower = opened.parts
    assert isinstance(upper, ChainedNames)
    assert isinstance(inner, JoinedNames)
    assert isinstance(lower, ChainedNames)
    assert upper.beneath is lower is inner.parts[1]
    assert inner.parts[0] is lower.beneath
    alone = [
        load_dense(encoder).encode(NAMES) for encoder in (second, encoder_folder / "inner", first)
    ]
    asked = []
    encode = WordVectors.encode
    monkeypatch.setattr(
        WordVectors, "encode", lambda self, names: asked.append(names) or encode(self, names)
    )
    assert (opened.encode(NAMES) == join(alone)).all()
    assert asked == [NAMES]
    np.testing.assert_allclose(
        opened.encode(NAMES[:2]), join([vectors[:2] for vectors in alone]), atol=1e-6
    )
    assert asked == [NAMES, NAMES[:2]]


def test_what_has_changed_or_gone_beneath_is_refused(encoder_folder: Path) -> None:
    second = chain(encoder_folder)
    words = encoder_folder / "vectors" / "words"
    (words / "vocabulary.txt").write_text("cold\nviral\nfever\n")
    with pytest.raises(ValueError, match=r"vocabulary\.txt has changed"):
        load(second)
    convert_text(encoder_folder / "words.vec", words)
    assert load(second)
    (encoder_folder / "words.vec").write_text(WORDS.replace("5", "6"))
    convert_text(encoder_folder / "words.vec", words)
    with pytest.raises(ValueError, match=r"builds on .*words, which has changed since"):
        load(second)
    words.rename(encoder_folder / "elsewhere")
    with pytest.raises(ValueError, match=r"builds on .*words, which is not there"):
        load(second)


def test_what_cannot_be_built_on_is_refused(encoder_folder: Path) -> None:
    words = encoder_folder / "vectors" / "words"
    TfidfNames.fit(NAMES).save(encoder_folder / "lexical")
    with pytest.raises(ValueError, match="is lexical"):
        joined.write(encoder_folder / "joined", [words, encoder_folder / "lexical"])
    with pytest.raises(ValueError, match="give two or more"):
        joined.write(encoder_folder / "joined", [words])
    with pytest.raises(ValueError, match="is missing or damaged"):
        joined.write(encoder_folder / "joined", [words, encoder_folder / "none"])
    with pytest.raises(ValueError, match=r"none has no meta\.json"):
        chained.write(
            encoder_folder / "chain",
            encoder_folder / "none",
            encoder_folder / "runs" / "1" / "best",
        )
    joined.write(encoder_folder / "joined", [words, words])
    with pytest.raises(ValueError, match="of the kind 'joined', not 'chained'"):
        ChainedNames.load(encoder_folder / "joined")
    with pytest.raises(ValueError, match="unknown kind, 'dan'"):
        load(encoder_folder / "runs" / "1" / "best")
    meta = json.loads((encoder_folder / "joined" / META).read_text())
    (encoder_folder / "joined" / META).write_text(json.dumps({**meta, "parts": [1, 2]}))
    with pytest.raises(ValueError, match=r"meta\.json is damaged"):
        load(encoder_folder / "joined")


@pytest.mark.parametrize("kind", representations._KINDS)
def test_every_kind_is_opened_by_the_module_that_writes_it(kind: str) -> None:
    name, opener = representations._KINDS[kind]
    module = import_module(name)
    assert kind == module.KIND
    assert callable(getattr(module, opener).load)


@pytest.mark.parametrize("kind", encoders._KINDS)
def test_every_kind_of_encoder_is_opened_by_its_class(kind: str) -> None:
    name, opener = encoders._KINDS[kind]
    assert kind == getattr(import_module(name), opener).kind


def test_a_part_whose_length_says_something_keeps_it_in_a_join(encoder_folder: Path) -> None:
    words = WordVectors.load(encoder_folder / "vectors" / "words")
    read = NameWords.of_names(NAMES[:3], words, "", torch.device("cpu"))
    weighted = ChainedNames(words, sif.fit(read, 0.1))
    encoded = weighted.encode(NAMES)
    lengths = np.linalg.norm(encoded, axis=1)
    assert lengths[2] == pytest.approx(1), "a word alone"
    assert lengths[1] < 0.999, "two words that do not agree"
    other = ChainedNames(words, DAN.initial(4, 12, RandomState(1, torch.device("cpu"))))
    both = JoinedNames([other, weighted]).encode(NAMES)
    np.testing.assert_allclose(both[:, :4], at_unit_length(other.encode(NAMES)), atol=1e-6)
    np.testing.assert_allclose(both[:, 4:], encoded, atol=1e-6)
    np.testing.assert_allclose(join([other.encode(NAMES), encoded])[:, 4:], at_unit_length(encoded))
