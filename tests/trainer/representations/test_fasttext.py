from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from termexplorer.trainer.representations import load
from termexplorer.trainer.representations.fasttext_fit import TrainingProgress, progress_of
from termexplorer.trainer.representations.fasttext_matrices import (
    FastTextVectors,
    convert_bin,
    ngram_hashes,
)
from termexplorer.trainer.representations.fasttext_training import FastText
from termexplorer.trainer.text.tokenizer import tokenize

TOKENS = [
    "pneumonia",
    "pneumonic",
    "naïve",
    "fièvres",
    "肺炎",
    "肺",
    "2",
    "x",
    "𝔸bc",
    "ß",
    "é",
    "-",
]
NAMES = ["Acute pneumonia, type 2", "", "Naïve β-cells", "   ", "unheard-of 肺炎\nfièvre"]


def fnv(ngram: bytes) -> int:
    value = 2166136261
    for byte in ngram:
        signed = byte - 256 if byte > 127 else byte
        value = ((value ^ (signed & 0xFFFFFFFF)) * 16777619) & 0xFFFFFFFF
    return value


def test_hashes_are_those_of_the_written_rule() -> None:
    owners, hashes = ngram_hashes(TOKENS, 2, 4)
    for number, token in enumerate(TOKENS):
        text = f"<{token}>"
        grams = [text[i : i + n] for n in range(2, 5) for i in range(len(text) - n + 1)]
        expected = sorted(fnv(gram.encode()) for gram in grams)
        assert sorted(hashes[owners == number].tolist()) == expected


def test_single_brackets_are_no_ngrams() -> None:
    _, hashes = ngram_hashes(["ab"], 1, 1)
    assert sorted(hashes.tolist()) == sorted([fnv(b"a"), fnv(b"b")])


@pytest.mark.parametrize(("minn", "maxn", "bucket"), [(3, 6, 500), (1, 3, 50), (0, 0, 0)])
def test_vectors_are_the_librarys_own(
    corpus: Path, tmp_path: Path, minn: int, maxn: int, bucket: int
) -> None:
    import fasttext

    model = fasttext.train_unsupervised(
        str(corpus), dim=12, minn=minn, maxn=maxn, bucket=bucket, epoch=1, thread=11, verbose=0
    )
    model.save_model(str(tmp_path / "model.bin"))
    convert_bin(tmp_path / "model.bin", tmp_path / "copy")
    ours = FastTextVectors.load(tmp_path / "copy")
    vectors, _ = ours.token_vectors(TOKENS)
    theirs = np.array([model.get_word_vector(token) for token in TOKENS])
    np.testing.assert_allclose(vectors, theirs, atol=1e-5)
    means = [[model.get_word_vector(token) for token in tokenize(name)] for name in NAMES]
    known = ours.token_vectors([token for name in NAMES for token in tokenize(name)])[1]
    if known.all():
        expected = [np.mean(rows, axis=0) if rows else np.zeros(12) for rows in means]
        np.testing.assert_allclose(ours.encode(NAMES), expected, atol=1e-5)


def test_a_name_without_a_token_is_zero_and_unknown_words_are_left_out() -> None:
    matrix = np.array([[1, 2], [3, 4]], dtype=np.float32)
    vectors = FastTextVectors(matrix, ["a", "b"], 3, 6, 0)
    encoded = vectors.encode(["a b", "a zzz", "zzz", ""])
    assert encoded.tolist() == [[2, 3], [1, 2], [0, 0], [0, 0]]
    assert vectors.encode([]).shape == (0, 2)


def test_training_reports_progress_and_is_finite(corpus: Path, tmp_path: Path) -> None:
    seen: list[TrainingProgress] = []
    FastText(dimension=8, buckets=100).fit(corpus, tmp_path / "made", seen.append)
    vectors = load(tmp_path / "made")
    assert isinstance(vectors, FastTextVectors)
    assert np.isfinite(vectors.encode(NAMES)).all()
    assert seen
    assert seen[-1].fraction == 1.0
    assert "pneumonia" in vectors.words


def test_training_on_too_little_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "short.txt").write_text("one two\n", encoding="utf-8")
    with pytest.raises(ValueError, match="the text: Empty vocabulary"):
        FastText(dimension=4).fit(tmp_path / "short.txt", tmp_path / "made")
    assert not (tmp_path / "made").exists()


def test_progress_is_read_from_pieces() -> None:
    reading, writing = os.pipe()
    line = b"\rProgress:  45.6% words/sec/thread:    9398 lr:  0.02 avg.loss:  1.85 ETA:   1h15m41s"
    os.write(writing, b"Read 0M words\n" + line[:30])
    reports = progress_of(reading)
    os.write(writing, line[30:] + line)
    os.close(writing)
    expected = TrainingProgress(0.456, 1.85, 4541)
    assert list(reports) == [expected, expected]
    os.close(reading)


def test_a_run_too_short_for_the_clock_is_reported_too() -> None:
    line = b"\rProgress: 100.0% words/sec/thread: -92 lr:  0.0 avg.loss:  4.1 ETA:   0h 0m-1s\n"
    reading, writing = os.pipe()
    os.write(writing, line)
    os.close(writing)
    assert list(progress_of(reading)) == [TrainingProgress(1.0, 4.1, 0)]
    os.close(reading)


def test_a_file_that_is_no_model_is_refused(tmp_path: Path) -> None:
    (tmp_path / "no.bin").write_bytes(b"no model at all" * 10)
    with pytest.raises(ValueError, match=r"no\.bin is no sound fastText model"):
        convert_bin(tmp_path / "no.bin", tmp_path / "copy")
    with pytest.raises(ValueError, match="is no file"):
        convert_bin(tmp_path / "missing.bin", tmp_path / "copy")


def test_a_changed_copy_is_refused(corpus: Path, tmp_path: Path) -> None:
    FastText(dimension=4, epochs=1, buckets=10).fit(corpus, tmp_path / "made")
    matrix = tmp_path / "made" / "input.npy"
    content = bytearray(matrix.read_bytes())
    content[-1] ^= 1
    matrix.write_bytes(content)
    with pytest.raises(ValueError, match=r"input\.npy has changed"):
        load(tmp_path / "made")
    load(tmp_path / "made", verify=False)
    matrix.unlink()
    with pytest.raises(ValueError, match="is missing"):
        load(tmp_path / "made", verify=False)
