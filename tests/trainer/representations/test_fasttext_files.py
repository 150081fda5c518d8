from __future__ import annotations

import gzip
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from termexplorer.trainer.representations.fasttext_file import read_bin
from termexplorer.trainer.representations.fasttext_fit import LEAST_THREADS
from termexplorer.trainer.representations.fasttext_matrices import convert_bin
from termexplorer.trainer.representations.fasttext_training import write_corpus

WORDS, DIMENSION, BUCKET = [b"ab", "fièvre".encode(), b"c"], 2, 4
DICTIONARY = 8 + 12 * 4 + 8  # where it starts
FIRST_WORD = DICTIONARY + 12 + 16


def model(**changes: Any) -> bytes:
    """Lay out a fastText model by hand; entries are (word, count, type)."""
    part = {"magic": 793712314, "version": 12, "dim": 2, "loss": 2, "model": 2, "bucket": 4}
    part |= {"minn": 3, "maxn": 6, "size": 3, "words": 3, "labels": 0, "pruned": -1}
    part |= {"quantised": 0, "qout": 0, "rows": 7, "columns": 2, "out_rows": 3}
    p: dict[str, Any] = part | {"value": 0.5} | changes
    entries = p.get("entries", [(word, 5, 0) for word in WORDS])
    head = [p["dim"], 5, 5, 1, 5, 1, p["loss"], p["model"], p["bucket"], p["minn"], p["maxn"], 100]
    content = struct.pack("<2i12id", p["magic"], p["version"], *head, 1e-4)
    content += struct.pack("<3i2q", p["size"], p["words"], p["labels"], 15, p["pruned"])
    for word, count, kind in entries:
        content += word + b"\0" + struct.pack("<qb", count, kind)
    content += bytes(8 * max(p["pruned"], 0)) + struct.pack(
        "<?2q", p["quantised"], p["rows"], p["columns"]
    )
    content += np.full(p["rows"] * p["columns"], 0.25, "<f4").tobytes()
    content += struct.pack("<?2q", p["qout"], p["out_rows"], p["columns"])
    return content + np.full(p["out_rows"] * p["columns"], p["value"], "<f4").tobytes()


@pytest.fixture(scope="module")
def fasttext_folder(corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    import fasttext

    path = tmp_path_factory.mktemp("model") / "model.bin"
    trained = fasttext.train_unsupervised(
        str(corpus), dim=10, bucket=60, epoch=1, thread=LEAST_THREADS, verbose=0
    )
    trained.save_model(str(path))
    return path


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"version": 11},
        {"minn": 0, "maxn": 0, "bucket": 0, "rows": 3},
        {"minn": 0, "maxn": 0, "bucket": 4, "rows": 7},
        {
            "model": 3, "loss": 3, "words": 2, "labels": 1, "rows": 6, "out_rows": 1,
            "entries": [(b"a", 2, 0), (b"b", 1, 0), (b"__label__x", 3, 1)],
        },
    ],
)  # fmt: skip
def test_a_sound_file_is_taken_by_the_check_and_by_the_library(
    tmp_path: Path, changes: dict[str, Any]
) -> None:
    path = tmp_path / "model.bin"
    path.write_bytes(model(**changes))
    read_bin(path)
    convert_bin(path, tmp_path / "copy")
    assert np.load(tmp_path / "copy" / "input.npy").shape[0] == changes.get("rows", 7)


@pytest.mark.parametrize(
    "options",
    [
        {"model": "skipgram", "minn": 3, "maxn": 6, "bucket": 50},
        {"model": "cbow", "minn": 0, "maxn": 0, "bucket": 50},
        {"model": "skipgram", "minn": 0, "maxn": 0, "bucket": 0},
        {"model": "skipgram", "minn": 0, "maxn": 0, "bucket": 50, "wordNgrams": 2},
        {"model": "skipgram", "minn": 2, "maxn": 3, "bucket": 20, "loss": "hs"},
    ],
)
def test_what_the_library_writes_is_sound(
    corpus: Path, tmp_path: Path, options: dict[str, Any]
) -> None:
    import fasttext

    trained = fasttext.train_unsupervised(
        str(corpus), dim=10, epoch=1, thread=LEAST_THREADS, verbose=0, **options
    )
    trained.save_model(str(tmp_path / "model.bin"))
    read = read_bin(tmp_path / "model.bin")
    assert read.words == tuple(trained.get_words())
    assert np.array_equal(read.matrix, trained.get_input_matrix())


def test_a_classifier_is_sound_until_it_is_quantised(tmp_path: Path) -> None:
    import fasttext

    lines = "".join(f"__label__{n % 2} word{n % 7} word{n % 5}\n" for n in range(400))
    (tmp_path / "lines.txt").write_text(lines, encoding="utf-8")
    trained = fasttext.train_supervised(
        str(tmp_path / "lines.txt"), dim=10, epoch=1, minn=2, maxn=3, bucket=300,
        thread=LEAST_THREADS, verbose=0,
    )  # fmt: skip
    trained.save_model(str(tmp_path / "model.bin"))
    read_bin(tmp_path / "model.bin")
    trained.quantize(cutoff=280, verbose=0)
    trained.save_model(str(tmp_path / "small.bin"))
    with pytest.raises(ValueError, match="is quantised; give the model as it was before") as caught:
        convert_bin(tmp_path / "small.bin", tmp_path / "copy")
    assert "fetch" not in str(caught.value)


@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        (lambda content: content[: len(content) // 2], r"it ends after \d+ bytes, within its"),
        (lambda content: content[:-100], "within its output matrix"),
        (lambda content: content + b"\xff" * 40, "40 bytes follow its end"),
        (lambda content: content[: FIRST_WORD + 9], "within its dictionary, at word 1 of"),
        (lambda content: content[:40], "within its head"),
        (lambda _: b"", "empty"),
        (
            lambda content: content[:DICTIONARY] + b"\xff\xff\xff\x7f" + content[DICTIONARY + 4 :],
            "its dictionary of 2147483647 cannot have",
        ),
    ],
)
def test_a_damaged_file_is_refused_before_the_library_sees_it(
    fasttext_folder: Path, tmp_path: Path, damage: Callable[[bytes], bytes], reason: str
) -> None:
    path = tmp_path / "damaged.bin"
    path.write_bytes(damage(fasttext_folder.read_bytes()))
    with pytest.raises(ValueError, match=reason) as caught:
        convert_bin(path, tmp_path / "copy")
    assert str(path) in str(caught.value)
    assert str(caught.value).endswith("; fetch it again")
    assert not (tmp_path / "copy").exists()


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"magic": 1}, "does not start as one does"),
        ({"version": 13}, "its version is 13"),
        ({"dim": 0}, "its dim cannot be 0"),
        ({"loss": 5}, "its loss cannot be 5"),
        ({"model": 0}, "its model cannot be 0"),
        ({"bucket": -1}, "its bucket cannot be -1"),
        ({"maxn": 2**30}, "its maxn cannot be"),
        ({"bucket": 0, "rows": 3}, "n-grams but no bucket"),
        (
            {"size": 2**31 - 1, "words": 2**31 - 1},
            "word 4 of its dictionary is damaged|at word 4 of",
        ),
        ({"words": 0, "labels": 3}, "cannot have 0 words"),
        ({"words": 2, "labels": 1}, "word 3 of its dictionary is damaged"),
        ({"entries": [(b"a", 1, 0), (b"b\nc", 1, 0), (b"d", 1, 0)]}, "word 2 of its dictionary"),
        ({"entries": [(b"a", -1, 0), (b"b", 1, 0), (b"d", 1, 0)]}, "word 1 of its dictionary"),
        ({"rows": 8}, "its input matrix is 8 x 2, not 7 x 2"),
        ({"columns": 3}, "its input matrix is 7 x 3, not 7 x 2"),
        ({"out_rows": 2}, "its output matrix is 2 x 2, not 3 x 2"),
        ({"value": np.nan}, "its output matrix is not all finite"),
        ({"qout": 1}, "output matrix is quantised"),
        ({"pruned": 2}, "its dictionary is pruned"),
        ({"pruned": 2**60 - 1, "skip": True}, "within its dictionary"),
    ],
)
def test_parts_that_do_not_fit_are_named(
    tmp_path: Path, changes: dict[str, Any], reason: str
) -> None:
    content = model(**({} if "skip" in changes else changes))
    if "skip" in changes:
        at = FIRST_WORD - 8
        content = content[:at] + struct.pack("<q", changes["pruned"]) + content[at + 8 :]
    (tmp_path / "model.bin").write_bytes(content)
    with pytest.raises(ValueError, match=reason):
        read_bin(tmp_path / "model.bin")


@settings(max_examples=60, deadline=None)
@given(length=st.integers(0, len(model()) - 1))
def test_no_cut_file_is_sound(tmp_path_factory: pytest.TempPathFactory, length: int) -> None:
    path = tmp_path_factory.getbasetemp() / "cut.bin"
    path.write_bytes(model()[:length])
    with pytest.raises(ValueError, match="fetch it again"):
        read_bin(path)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "holds no text"),
        (b" \n\t\r\n", "holds no text"),
        (b"\xef\xbb\xbf\n", "holds no text"),
        (b"a line\nhalf\0binary\n", "line 2: it is binary"),
        ("a line\n".encode("utf-16-le"), "line 1: it is binary"),
        (b"a line\n\nfi\xe8vre\n", "line 3: byte 3 is not UTF-8"),
    ],
)
@pytest.mark.parametrize("name", ["text.txt", "text.txt.gz"])
def test_a_file_that_is_no_text_is_refused(
    tmp_path: Path, content: bytes, reason: str, name: str
) -> None:
    path = tmp_path / name
    path.write_bytes(gzip.compress(content) if name.endswith("gz") else content)
    with pytest.raises(ValueError, match=reason) as caught:
        write_corpus(["a name"], [path], tmp_path / "corpus.txt")
    assert str(path) in str(caught.value)
    assert not (tmp_path / "corpus.txt").exists()


def test_a_packed_file_with_damage_inside_is_refused(tmp_path: Path) -> None:
    content = bytearray(gzip.compress(bytes(range(32, 127)) * 50))
    content[20:40] = b"\xff" * 20
    (tmp_path / "text.gz").write_bytes(content)
    with pytest.raises(ValueError, match=r"text\.gz cannot be read"):
        write_corpus([], [tmp_path / "text.gz"], tmp_path / "corpus.txt")


def test_replacement_characters_and_a_byte_order_mark_are_text(tmp_path: Path) -> None:
    (tmp_path / "text.txt").write_text("\ufeffacute \ufffd pain\n\nfever\n", encoding="utf-8")
    assert write_corpus(["a name"], [tmp_path / "text.txt"], tmp_path / "corpus.txt") == 3
