"""The static encoder against a plain re-computation, and what it refuses."""

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from termexplorer.trainer.errors import TrainerError
from termexplorer.trainer.files.folders import META, sha256
from termexplorer.trainer.representations import load, load_dense
from termexplorer.trainer.representations.static import (
    LARGEST_FACTOR,
    TENSORS,
    StaticNames,
    StaticTables,
    hash_grams,
)
from termexplorer.trainer.text.tokenizer import tokenize

WORDS = ("fever", "of", "the", "lung", "left", "pneumonia", "µ", "-")
NAMES = ["Fever of the lung", "pneumonia", "Left lung - fever", "lung lung", "viral pneumonia"]


def make_tables(dimension: int = 7, grams: int = 11) -> StaticTables:
    random = np.random.default_rng(3)
    return StaticTables(
        WORDS,
        random.integers(-127, 128, (len(WORDS), dimension)).astype(np.int8),
        random.integers(1, LARGEST_FACTOR + 1, len(WORDS)).astype(np.uint16),
        random.integers(-127, 128, (grams, dimension)).astype(np.int8),
        random.integers(1, LARGEST_FACTOR + 1, grams).astype(np.uint16),
        random.random(len(WORDS)).astype(np.float32),
        0.5,
    )


def naive_vector(tables: StaticTables, name: str) -> np.ndarray:
    total = np.zeros(tables.rows.shape[1])
    for word in tokenize(name):
        if word in tables.words:
            row = tables.words.index(word)
            total += tables.rows[row].astype(float) * int(tables.factors[row])
            continue
        grams = hash_grams(word, len(tables.gram_factors))
        parts = [tables.gram_rows[g].astype(float) * int(tables.gram_factors[g]) for g in grams]
        if parts:
            total += np.floor(np.sum(parts, axis=0) / len(grams))
    length = np.linalg.norm(total)
    return total / length if length else total


@pytest.fixture
def encoder() -> StaticNames:
    return StaticNames(make_tables())


def test_vectors_are_those_of_a_plain_re_computation(encoder: StaticNames) -> None:
    expected = np.array([naive_vector(make_tables(), name) for name in NAMES])
    np.testing.assert_allclose(encoder.encode(NAMES), expected, atol=1e-6)


@given(st.lists(st.text("lung fever-µxyz", max_size=30), max_size=8), st.integers(0, 7))
def test_a_vector_is_the_same_to_the_bit_whatever_stands_beside_it(
    names: list[str], chosen: int
) -> None:
    encoder = StaticNames(make_tables())
    together = encoder.encode(names)
    if names:
        index = chosen % len(names)
        alone = encoder.encode([names[index]])
        assert alone[0].tobytes() == together[index].tobytes()


def test_many_names_are_those_of_each(encoder: StaticNames) -> None:
    names = NAMES * 1_000
    assert encoder.encode(names).tobytes() == np.tile(encoder.encode(NAMES), (1_000, 1)).tobytes()


def test_a_width_that_is_no_power_of_two_is_brought_to_unit_length() -> None:
    for dimension in (1, 2, 3, 5, 96, 101):
        vectors = StaticNames(make_tables(dimension)).encode(NAMES)
        np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-6)


def test_nothing_is_known_of_a_name_without_words(encoder: StaticNames) -> None:
    assert not encoder.encode(["", "??", " "]).any()
    assert encoder.encode([]).shape == (0, 7)


def test_an_unknown_word_is_made_of_its_letters(encoder: StaticNames) -> None:
    vectors = encoder.encode(["bronchitis", "Bronchitis", "mumps"])
    assert vectors[0].any()
    assert vectors[0].tobytes() == vectors[1].tobytes()
    assert vectors[0].tobytes() != vectors[2].tobytes()


def test_the_longest_name_stays_within_32_bits() -> None:
    tables = make_tables()
    tables.rows[:] = 127
    tables.factors[:] = LARGEST_FACTOR
    vectors = StaticNames(tables).encode(["lung " * 5_000])
    np.testing.assert_allclose(vectors, 1 / np.sqrt(7), atol=1e-6)


def test_the_share_of_a_name_that_is_known_goes_by_the_weight_of_words(
    encoder: StaticNames,
) -> None:
    weights = make_tables().weights
    lung, of = (float(weights[WORDS.index(word)]) for word in ("lung", "of"))
    shares = encoder.known_shares(["lung", "mumps", "lung of mumps", "", "?", "lung -"])
    np.testing.assert_allclose(shares, [1, 0, (lung + of) / (lung + of + 0.5), 0, 0, 1], rtol=1e-5)


def test_words_have_vectors_that_sum_to_those_of_names(encoder: StaticNames) -> None:
    vectors, known = encoder.token_vectors(["left", "lung", "?"])
    assert known.tolist() == [True, True, False]
    total = vectors.sum(axis=0)
    np.testing.assert_allclose(
        encoder.encode(["left lung"])[0], total / np.linalg.norm(total), atol=1e-5
    )


def test_what_is_saved_is_what_is_opened(encoder: StaticNames, tmp_path: Path) -> None:
    encoder.save(tmp_path / "static")
    for opened in (load(tmp_path / "static"), load_dense(tmp_path / "static")):
        assert isinstance(opened, StaticNames)
        assert opened.dimension == 7
        assert opened.words == WORDS
        assert opened.encode(NAMES).tobytes() == encoder.encode(NAMES).tobytes()


@pytest.mark.parametrize(
    "changed",
    [
        {"words": WORDS[:-1]},
        {"factors": np.full(len(WORDS), LARGEST_FACTOR + 1, dtype=np.uint16)},
        {"rows": np.zeros((len(WORDS), 6), dtype=np.int8)},
        {"rows": np.zeros((len(WORDS), 7), dtype=np.int16)},
        {"gram_factors": np.ones(3, dtype=np.uint16)},
        {"weights": np.full(len(WORDS), np.nan, dtype=np.float32)},
    ],
)
def test_tables_that_do_not_fit_are_refused(changed: dict[str, object], tmp_path: Path) -> None:
    StaticNames(replace(make_tables(), **changed)).save(tmp_path / "static")  # type: ignore[arg-type]
    with pytest.raises(TrainerError, match="do not fit"):
        load(tmp_path / "static")


def test_a_file_that_is_no_safetensors_is_refused(encoder: StaticNames, tmp_path: Path) -> None:
    folder = tmp_path / "static"
    encoder.save(folder)
    (folder / TENSORS).write_bytes(b"\xff" * 64)
    meta = json.loads((folder / META).read_text())
    meta["files"][TENSORS] = sha256(folder / TENSORS)
    (folder / META).write_text(json.dumps(meta))
    with pytest.raises(ValueError, match="static"):
        load(folder)


def test_encoding_imports_no_torch(encoder: StaticNames, tmp_path: Path) -> None:
    encoder.save(tmp_path / "static")
    code = (
        "import sys; from pathlib import Path\n"
        "from termexplorer.trainer.representations import load\n"
        f"assert load(Path({str(tmp_path / 'static')!r})).encode(['lung']).any()\n"
        "heavy = {'torch', 'scipy', 'sklearn', 'fasttext', 'hnswlib'} & set(sys.modules)\n"
        "assert not heavy, heavy"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
