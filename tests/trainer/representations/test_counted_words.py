"""Word vectors by counting, against the same things written out plainly."""

from __future__ import annotations

import math
from collections import defaultdict
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sp
import torch
from hypothesis import given
from hypothesis import strategies as st

from termexplorer.trainer.representations import load
from termexplorer.trainer.representations.fasttext_fit import TrainingProgress
from termexplorer.trainer.representations.ppmi import (
    near_counts,
    positive_information,
    read,
    singular_vectors,
)
from termexplorer.trainer.representations.ppmi_training import CountedWords

WORDS = 6
texts = st.lists(st.lists(st.integers(0, WORDS - 1), max_size=8), min_size=1, max_size=6)


def laid_out(lines: list[list[int]]) -> tuple[np.ndarray, np.ndarray]:
    text = np.array([word for line in lines for word in line], dtype=np.int32)
    of_lines = np.array([k for k, line in enumerate(lines) for _ in line], dtype=np.int32)
    return text, of_lines


def plainly_counted(lines: list[list[int]], window: int) -> np.ndarray:
    counts = np.zeros((WORDS, WORDS))
    for line in lines:
        for here, word in enumerate(line):
            for index, other in enumerate(line):
                distance = abs(here - index)
                if 0 < distance <= window:
                    counts[word, other] += (window - distance + 1) / window
    return counts


@given(texts, st.integers(1, 10))
def test_counts_of_near_words(lines: list[list[int]], window: int) -> None:
    counts = near_counts(*laid_out(lines), WORDS, window).toarray()
    assert counts == pytest.approx(plainly_counted(lines, window), rel=1e-5)


@given(texts, st.sampled_from([0.5, 0.75, 1.0]))
def test_positive_information_is_the_formula(lines: list[list[int]], smoothing: float) -> None:
    counts = plainly_counted(lines, 3)
    information = positive_information(sp.csr_array(counts.astype(np.float32)), smoothing).toarray()
    powers = counts.sum(axis=0) ** smoothing
    expected: dict[tuple[int, int], float] = defaultdict(float)
    for word, other in zip(*np.nonzero(counts), strict=True):
        joint = counts[word, other] / counts.sum()
        chance = counts[word].sum() / counts.sum() * powers[other] / powers.sum()
        expected[word, other] = max(math.log(joint / chance), 0)
    for cell in np.ndindex(WORDS, WORDS):
        assert information[cell] == pytest.approx(expected[cell], abs=1e-5)


def test_singular_vectors_span_what_a_full_decomposition_has_first() -> None:
    rng = np.random.default_rng(0)
    left, right = (np.linalg.qr(rng.normal(size=(80, 80)))[0] for _ in range(2))
    matrix = left * 2.0 ** -np.arange(80) @ right.T
    seen: list[tuple[float, float]] = []
    result = singular_vectors(
        sp.csr_array(matrix.astype(np.float32)), 4, 3, 0, lambda *progress: seen.append(progress)
    )
    assert np.abs(result.T @ left[:, :4]) == pytest.approx(np.eye(4), abs=1e-3)
    assert [share for share, _ in seen] == [0.25, 0.5, 0.75, 1]
    assert seen[-1][1] == pytest.approx(0, abs=1e-4)  # nothing is left to catch


def test_any_number_of_threads_finds_the_same_singular_vectors() -> None:
    matrix = sp.random(3000, 3000, 0.01, "csr", np.float32, 0)
    before = torch.get_num_threads()
    seen = []
    for threads in (1, 2, 3):
        torch.set_num_threads(threads)
        seen.append(singular_vectors(matrix, 100, 1, 0))
        assert torch.get_num_threads() == threads
    torch.set_num_threads(before)
    assert all(np.array_equal(seen[0], vectors) for vectors in seen)


def test_reading_keeps_frequent_words_in_their_lines(tmp_path: Path) -> None:
    corpus = tmp_path / "corpus.txt"
    corpus.write_text("the heart , the\n\nlung heart the\n-\n", encoding="utf-8")
    words, text, lines = read(corpus, 2, 10)
    assert words == ["the", "heart"]  # the comma is no word, and the lung stands there once
    assert (text.tolist(), lines.tolist()) == ([0, 1, 0, 1, 0], [0, 0, 0, 2, 2])
    assert read(corpus, 1, 1)[0] == ["the"]


def test_words_of_one_subject_are_near_each_other_and_the_same_comes_out_again(
    tmp_path: Path,
) -> None:
    corpus = tmp_path / "corpus.txt"
    rng = np.random.default_rng(0)
    subjects = [[f"{kind}{n}" for n in range(10)] for kind in ("heart", "skin")]
    lines = [" ".join(rng.choice(subjects[k % 2], 5)) for k in range(400)]
    corpus.write_text("\n".join(lines), encoding="utf-8")
    method = CountedWords(dimension=4, min_count=1, threshold=1.0)
    seen: list[TrainingProgress] = []
    for folder_name in ("first", "second"):
        method.fit(corpus, tmp_path / folder_name, seen.append)
    first, second = (load(tmp_path / name) for name in ("first", "second"))
    names = ["heart1", "heart2", "skin1", "unheard of"]
    vectors = first.encode(names)
    assert np.array_equal(vectors, second.encode(names))
    near, far = vectors[0] @ vectors[1], vectors[0] @ vectors[2]
    assert near > abs(far)
    assert not vectors[3].any()
    assert seen[-1].fraction == 1
    assert all(report.seconds_left >= 0 for report in seen)


def test_too_little_text_is_told(tmp_path: Path) -> None:
    corpus = tmp_path / "corpus.txt"
    corpus.write_text("one two\n" * 9, encoding="utf-8")
    with pytest.raises(ValueError, match="2 words that occur 5 times, too few for 300 dimensions"):
        CountedWords().fit(corpus, tmp_path / "made")
    corpus.write_text("one\ntwo\n" * 9, encoding="utf-8")
    with pytest.raises(ValueError, match="no two words stand near each other"):
        CountedWords(dimension=1, threshold=1.0).fit(corpus, tmp_path / "made")
    assert not (tmp_path / "made").exists()
