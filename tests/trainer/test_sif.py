"""SIF: frequent words count less, and what all words share goes (Arora et al. 2017)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from trainer_words import CPU, WIDTH, Words, parts_of, synonyms, vectors_of

import trainer
from trainer import encoders
from trainer.encoders.sif import SmoothInverseFrequency, fit
from trainer.recipes.sif import WeightedWords
from trainer.tokenizer import tokenize
from trainer.words import NameWords

NAMES = synonyms(12).names
OTHERS = ["acute xyzitis", "brand new words", "acute acute aaaitis", "42", ""]


class Listed(Words):
    """Word vectors that are listed, as a representation."""

    dimension = WIDTH
    words = ("of", "and", "disease", "4")

    def encode(self, names: Sequence[str]) -> np.ndarray:
        return vectors_of(names)


def read(names: Sequence[str], source: Words | None = None) -> NameWords:
    return NameWords.of_names(names, source or Listed(), "", CPU)


def vector(word: str) -> np.ndarray:
    return Words().token_vectors([word])[0][0].astype(float)


def unit_row(row: np.ndarray) -> np.ndarray:
    length = np.linalg.norm(row)
    return row / length if length else row


def naive(name: str, smoothing: float, common: np.ndarray) -> np.ndarray:
    """The sum of a name's weighted words less what is common, word by word."""
    counts = Counter(word for each in NAMES for word in tokenize(each))
    total = np.zeros(WIDTH)
    for word in tokenize(name):
        total += smoothing / (smoothing + counts[word] / counts.total()) * vector(word)
    return unit_row(unit_row(total) - common) if total.any() else total


@given(st.sampled_from([1e-4, 1e-3, 0.1, 10.0]))
def test_names_are_weighted_sums_less_the_mean_of_frequent_words(smoothing: float) -> None:
    common = np.mean([unit_row(vector(word)) for word in ("of", "and", "disease")], axis=0)
    found = fit(read(NAMES), smoothing).encode_names(OTHERS, Words())
    for name, row in zip(OTHERS, found, strict=True):
        np.testing.assert_allclose(row, naive(name, smoothing, common), atol=1e-5)
    assert not found[-2:].any(), "of which nothing is known"


def test_without_a_list_of_words_those_of_the_names_are_taken() -> None:
    words = {word for name in NAMES for word in tokenize(name) if word.isalpha()}
    common = np.mean([unit_row(vector(word)) for word in words], axis=0)
    (found,) = fit(read(NAMES, Words()), 1e-3).encode_names(OTHERS[:1], Words())
    np.testing.assert_allclose(found, naive(OTHERS[0], 1e-3, common), atol=1e-5)


def test_the_order_of_names_and_words_does_not_matter() -> None:
    turned = [" ".join(reversed(name.split())) for name in reversed(NAMES)]
    one, other = (fit(read(names), 1e-3).encode_names(OTHERS, Words()) for names in (NAMES, turned))
    np.testing.assert_allclose(one, other, atol=1e-5)


def test_frequent_words_count_less() -> None:
    weights = fit(read(NAMES), 1e-3).weights
    assert weights["acute"] < weights["aaaitis"] < 1
    assert set(weights) == {word for name in NAMES for word in tokenize(name)}


def test_what_cannot_be_weighted_is_refused() -> None:
    for smoothing in (0, -1.0, float("nan")):
        with pytest.raises(ValueError, match="choose one above 0"):
            fit(read(NAMES), smoothing)
    encoder = fit(read(NAMES), 1e-3)
    encoder.common = encoder.common[:5]
    with pytest.raises(ValueError, match="takes words of 5, not 12"):
        encoder.encode_names(OTHERS, Words())


def test_a_run_of_it_is_one_epoch_and_opens_again(tmp_path: Path) -> None:
    labels = synonyms(12)
    data = trainer.Data(labels, parts_of(labels), Listed())
    (report,) = trainer.train(WeightedWords(), data, state_dir=tmp_path, device="cpu")
    opened = encoders.load_any(tmp_path / "best")
    assert isinstance(opened, SmoothInverseFrequency)
    assert isinstance(opened, encoders.WordEncoder)
    assert report.losses == {"mean length": float(opened.common.norm())}
    training = [name for name, part in zip(NAMES, data.parts, strict=True) if part == 0]
    again = fit(read(training), 1e-3)
    assert opened.weights == pytest.approx(again.weights)
    np.testing.assert_allclose(
        opened.encode_names(OTHERS, Words()), again.encode_names(OTHERS, Words()), atol=1e-6
    )
    assert opened.encode_names([], Words()).shape == (0, WIDTH)
    assert 0 < report.validation <= 1
