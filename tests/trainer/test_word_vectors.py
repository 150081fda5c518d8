from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pytest

from trainer.folders import read_meta
from trainer.representations import load
from trainer.representations.word_vectors import WordVectors, convert_text

GOOD = "3 2\nviral 1 2\npneumonia 3 4\nviral 9 9\n"


@pytest.mark.parametrize("name", ["words.vec", "words.vec.gz"])
def test_words_are_averaged_and_unknown_ones_left_out(tmp_path: Path, name: str) -> None:
    content = GOOD.encode()
    (tmp_path / name).write_bytes(gzip.compress(content) if name.endswith("gz") else content)
    convert_text(tmp_path / name, tmp_path / "copy")
    vectors = load(tmp_path / "copy")
    assert isinstance(vectors, WordVectors)
    assert vectors.words == ("viral", "pneumonia")  # the first of equal words counts
    assert read_meta(tmp_path / "copy")["repeated"] == 1
    found = vectors.encode(["Viral pneumonia", "viral fever", "fever", ""])
    assert found.tolist() == [[2, 3], [1, 2], [0, 0], [0, 0]]
    assert found.dtype == np.float32


def test_a_word_may_hold_another_lines_end(tmp_path: Path) -> None:
    (tmp_path / "words.vec").write_bytes("2 2\na\rb 1 2\nsk\u2028in 3 4\n".encode())
    convert_text(tmp_path / "words.vec", tmp_path / "copy")
    vectors = load(tmp_path / "copy")
    assert isinstance(vectors, WordVectors)
    assert vectors.words == ("a\rb", "sk\u2028in")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", r"line 1: expected the number of words"),
        ("viral 1 2\n", r"line 1: expected the number of words"),
        ("0 2\n", r"line 1: 0 words of 2 numbers"),
        ("2 2\nviral 1 2\n", r"line 2: the file ends after 1 of 2"),
        ("1 2\nviral 1 2\nfever 1 2\n", r"line 3: more lines"),
        ("2 2\nviral 1 2\nfever 1\n", r"line 3: expected a word and 2 numbers"),
        ("2 2\nviral 1 2\nfever 1 x\n", r"line 3: expected 2 numbers after the word"),
        ("2 2\nviral 1 nan\nfever 1 2\n", r"line 2: a value is not a finite number"),
        ("1 2\nviral 1 1e99\n", r"line 2: a value is not a finite number"),
        ("2 2\nviral 0 0\nfever 0 -0.0\n", r"every number is 0; give vectors that tell"),
    ],
)
def test_a_bad_file_is_refused_with_its_line(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "bad.vec"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(ValueError, match=message) as caught:
        convert_text(path, tmp_path / "copy")
    assert str(path) in str(caught.value)
    assert not (tmp_path / "copy").exists()


def test_truncated_and_missing_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "cut.vec.gz"
    path.write_bytes(gzip.compress(GOOD.encode() * 50)[:-15])
    with pytest.raises(ValueError, match=r"cut\.vec\.gz"):
        convert_text(path, tmp_path / "copy")
    with pytest.raises(ValueError, match=r"none\.vec"):
        convert_text(tmp_path / "none.vec", tmp_path / "copy")
