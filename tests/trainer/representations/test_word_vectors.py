from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pytest

from termexplorer.trainer.files.folders import read_meta
from termexplorer.trainer.representations import convert, load
from termexplorer.trainer.representations.word_vectors import WordVectors, convert_text

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
    encoded = vectors.encode(["Viral pneumonia", "viral fever", "fever", ""])
    assert encoded.tolist() == [[2, 3], [1, 2], [0, 0], [0, 0]]
    assert encoded.dtype == np.float32


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
        ("viral 1\n", r"line 1: expected the number of words"),
        ("id,name\n", r"line 1: expected the number of words"),
        ("viral 1 2\nfever 1\n", r"line 2: expected a word and 2 numbers"),
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


NUMBERS = np.array([[1, 2], [3, 4], [9, 9]], "<f4")
BINARY = b"3 2\n" + b"\n".join(
    word + b" " + numbers.tobytes()
    for word, numbers in zip((b"viral", b"pneumonia", b"viral"), NUMBERS, strict=True)
)
GLOVE = GOOD.partition("\n")[2].encode()


@pytest.mark.parametrize("name", ["words.bin", "words.vec", "words.vec.gz", "words.txt"])
@pytest.mark.parametrize(
    "content",
    [
        BINARY,
        BINARY + b"\n",
        BINARY.replace(b"\npneu", b"pneu").replace(b"@\nviral", b"@viral"),
        GLOVE,
        b"\xef\xbb\xbf" + GOOD.encode(),
        b"\xef\xbb\xbf" + GLOVE.replace(b"\n", b"\r\n"),
    ],
)
def test_word2vec_and_glove_are_read_whatever_they_are_called(
    tmp_path: Path, name: str, content: bytes
) -> None:
    if name.endswith("bin") and content[:1] != b"3":
        pytest.skip("a name for binary files")
    (tmp_path / name).write_bytes(gzip.compress(content) if name.endswith("gz") else content)
    convert(tmp_path / name, tmp_path / "copy")
    vectors = load(tmp_path / "copy")
    assert isinstance(vectors, WordVectors)
    assert vectors.words == ("viral", "pneumonia")
    assert read_meta(tmp_path / "copy")["repeated"] == 1
    assert vectors.encode(["viral", "pneumonia"]).tolist() == [[1, 2], [3, 4]]


def test_binary_vectors_are_read_in_parts(tmp_path: Path) -> None:
    numbers = np.random.default_rng(0).normal(size=(3_000, 300)).astype("<f4")
    words = [f"w{number}".encode() for number in range(len(numbers))]
    rows = (word + b" " + row.tobytes() for word, row in zip(words, numbers, strict=True))
    (tmp_path / "large.bin").write_bytes(b"3000 300\n" + b"\n".join(rows))
    convert(tmp_path / "large.bin", tmp_path / "copy")
    vectors = load(tmp_path / "copy")
    assert isinstance(vectors, WordVectors)
    assert vectors.encode(["w0", "w1500", "w2999"]).tolist() == numbers[[0, 1500, 2999]].tolist()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (BINARY[:-3], "binary word vectors that end after 2 of 3 words"),
        (BINARY + b"x", "more follows than the 3 words"),
        (BINARY.replace(NUMBERS[1].tobytes(), b"\0\0\xc0\x7f" * 2), "word 2: .*finite"),
        (b"1 1\n" + b"x" * 1_005 + b" \0\0\0\1", "end after 0 of 1 words"),
    ],
)
def test_bad_binary_vectors_are_refused(tmp_path: Path, content: bytes, message: str) -> None:
    (tmp_path / "bad.bin").write_bytes(content)
    with pytest.raises(ValueError, match=message):
        convert(tmp_path / "bad.bin", tmp_path / "copy")
    assert not (tmp_path / "copy").exists()


def test_truncated_and_missing_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "cut.vec.gz"
    path.write_bytes(gzip.compress(GOOD.encode() * 50)[:-15])
    with pytest.raises(ValueError, match=r"cut\.vec\.gz"):
        convert_text(path, tmp_path / "copy")
    with pytest.raises(ValueError, match=r"none\.vec"):
        convert_text(tmp_path / "none.vec", tmp_path / "copy")
