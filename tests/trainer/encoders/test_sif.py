"""SIF: frequent words count less, and what all words share goes (Arora et al. 2017)."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from trainer_words import CPU, WIDTH, Words, parts_of, synonyms, vectors_of

from termexplorer import trainer
from termexplorer.trainer import encoders
from termexplorer.trainer.data.words import NameWords
from termexplorer.trainer.encoders.sif import SmoothInverseFrequency, fit
from termexplorer.trainer.recipes.sif import WeightedWords
from termexplorer.trainer.text.tokenizer import tokenize

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


def weight(word: str, smoothing: float) -> float:
    counts = Counter(word for name in NAMES for word in tokenize(name))
    return smoothing / (smoothing + counts[word] / counts.total())


def naive(name: str, smoothing: float, common: np.ndarray) -> np.ndarray:
    """The mean of a name's weighted words, each less what is common, word by word."""
    direction, total, weights = unit_row(common), np.zeros(WIDTH), 0.0
    for word in tokenize(name):
        row_vector = unit_row(vector(word))
        if row_vector.any():
            total += weight(word, smoothing) * unit_row(
                row_vector - row_vector @ direction * direction
            )
            weights += weight(word, smoothing)
    return total / weights if weights else total


def of_earlier_versions(name: str, smoothing: float, common: np.ndarray) -> np.ndarray:
    """The sum of a name's weighted words, from which what is common goes at the end."""
    total = np.sum([weight(word, smoothing) * vector(word) for word in tokenize(name)], axis=0)
    return unit_row(unit_row(total) - common) if np.any(total) else np.zeros(WIDTH)


@given(st.sampled_from([1e-4, 1e-3, 0.1, 10.0]))
def test_names_are_weighted_means_less_the_mean_of_frequent_words(smoothing: float) -> None:
    common = np.mean([unit_row(vector(word)) for word in ("of", "and", "disease")], axis=0)
    result = fit(read(NAMES), smoothing).encode_names(OTHERS, Words())
    for name, row in zip(OTHERS, result, strict=True):
        np.testing.assert_allclose(row, naive(name, smoothing, common), atol=1e-5)
    assert not result[-2:].any(), "of which nothing is known"
    assert (np.linalg.norm(result, axis=1) <= 1 + 1e-6).all()


def test_a_name_is_the_shorter_the_less_its_words_agree() -> None:
    first, several, same = fit(read(NAMES), 10.0).encode_names(
        ["acute", "acute xyzitis", "acute acute"], Words()
    )
    assert np.linalg.norm(first) == pytest.approx(1)
    assert np.linalg.norm(several) < 0.999, "words that do not agree"
    np.testing.assert_allclose(same, first, atol=1e-6)


def test_encoders_of_earlier_versions_come_to_what_they_did(tmp_path: Path) -> None:
    common = np.mean([unit_row(vector(word)) for word in ("of", "and", "disease")], axis=0)
    encoder = fit(read(NAMES), 1e-3)
    encoder.own_length = False
    encoder.save(tmp_path / "old")
    meta = json.loads((tmp_path / "old" / "meta.json").read_text(encoding="utf-8"))
    del meta["own_length"]  # which they did not write
    (tmp_path / "old" / "meta.json").write_text(json.dumps(meta), encoding="utf-8")
    result = SmoothInverseFrequency.load(tmp_path / "old").encode_names(OTHERS, Words())
    for name, row in zip(OTHERS, result, strict=True):
        np.testing.assert_allclose(row, of_earlier_versions(name, 1e-3, common), atol=1e-5)


def test_without_a_list_of_words_those_of_the_names_are_taken() -> None:
    words = {word for name in NAMES for word in tokenize(name) if word.isalpha()}
    common = np.mean([unit_row(vector(word)) for word in words], axis=0)
    (result,) = fit(read(NAMES, Words()), 1e-3).encode_names(OTHERS[:1], Words())
    np.testing.assert_allclose(result, naive(OTHERS[0], 1e-3, common), atol=1e-5)


def test_the_order_of_names_and_words_does_not_matter() -> None:
    turned = [" ".join(reversed(name.split())) for name in reversed(NAMES)]
    first, second = (
        fit(read(names), 1e-3).encode_names(OTHERS, Words()) for names in (NAMES, turned)
    )
    np.testing.assert_allclose(first, second, atol=1e-5)


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
    assert opened.own_length
    assert report.losses == {"mean length": float(opened.common.norm())}
    training = [name for name, part in zip(NAMES, data.parts, strict=True) if part == 0]
    again = fit(read(training), 1e-3)
    assert opened.weights == pytest.approx(again.weights)
    np.testing.assert_allclose(
        opened.encode_names(OTHERS, Words()), again.encode_names(OTHERS, Words()), atol=1e-6
    )
    assert opened.encode_names([], Words()).shape == (0, WIDTH)
    assert 0 < report.validation <= 1
