"""Saved representations and encoders that are not what they say: refused, never a traceback."""

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from termexplorer import trainer
from termexplorer.trainer.files.folders import META, replacing, sha256
from termexplorer.trainer.representations.fasttext_matrices import MATRIX, VOCABULARY
from termexplorer.trainer.representations.tfidf import TfidfNames

SOUND = {"dimension": 2, "minn": 1, "maxn": 2, "bucket": 1, "words": 1}
DEEP = "[" * 100_000
NOTHING = float("nan")


def folder_of(
    folder: Path, meta: dict[str, object], matrix: object = None, words: str = "a\n"
) -> Path:
    """A folder whose hashes are right, whatever it holds."""
    array = np.ones((2, 2), np.float32) if matrix is None else matrix
    with replacing(folder / "made", meta) as part:
        (part / VOCABULARY).write_text(words)
        if isinstance(array, bytes):
            (part / MATRIX).write_bytes(array)
        else:
            np.save(part / MATRIX, array)
    return folder / "made"


def test_the_folder_that_is_changed_below_is_sound(tmp_path: Path) -> None:
    representation = trainer.load(folder_of(tmp_path, {"kind": "fasttext", **SOUND}), device="cpu")
    assert representation.encode(["a"]).shape == (1, 2)


@pytest.mark.parametrize(
    "changed",
    [
        {"maxn": 10**9}, {"minn": -1}, {"bucket": -1}, {"maxn": "3"}, {"dimension": 0},
        {"dimension": 3}, {"bucket": 10**30}, {"maxn": 1e300}, {"minn": None}, {"kind": []},
        {"kind": {}}, {"kind": "words"}, {"kind": "transformer"}, {"kind": "tfidf"},
        {"kind": "chained"}, {"kind": "joined"}, {"kind": "dan"},
        {"kind": "few-shot"}, {"kind": "spelled"}, {"kind": "whitening"}, {"kind": "sif"},
        {"kind": "matrix"}, {"kind": "ppmi"},
    ],
    ids=str,
)  # fmt: skip
def test_what_cannot_be_is_refused(tmp_path: Path, changed: dict[str, object]) -> None:
    folder = folder_of(tmp_path, {"kind": "fasttext", **SOUND, **changed})
    with pytest.raises(ValueError, match=r"\w"):
        trainer.load(folder, device="cpu")


@pytest.mark.parametrize(
    "matrix",
    [
        np.array([[1, NOTHING], [1, 1]], np.float32), np.ones((2, 2)), np.ones(4, np.float32),
        np.ones((9, 2), np.float32), b"", b"\x93NUMPY",
        b"\x93NUMPY\x01\x00v\x00{'descr': '<f4', 'fortran_order': False, "
        b"'shape': (99999999999, 9)}",
    ],
)  # fmt: skip
def test_a_matrix_that_is_none_is_refused(tmp_path: Path, matrix: object) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        trainer.load(folder_of(tmp_path, {"kind": "fasttext", **SOUND}, matrix), device="cpu")


@pytest.mark.parametrize("text", [DEEP, "[1]", "1", '{"files": 3}', "9" * 5_000, '{"files": {}}'])
def test_a_record_that_is_none_is_refused(tmp_path: Path, text: str) -> None:
    folder = folder_of(tmp_path, {"kind": "fasttext", **SOUND})
    (folder / META).write_text(text)
    with pytest.raises(ValueError, match=r"meta\.json|unknown kind"):
        trainer.load(folder, device="cpu")


@pytest.mark.parametrize("change", [lambda text: DEEP, lambda text: json.dumps([text])])
def test_a_deep_or_other_record_of_a_state_is_refused(
    tmp_path: Path, change: Callable[[str], str]
) -> None:
    from termexplorer.trainer.training.state import RECORD, read_state

    (tmp_path / RECORD).write_text(change("{}"))
    with pytest.raises(ValueError, match="start the run anew"):
        read_state(tmp_path)


def test_a_header_that_does_not_end_is_refused(tmp_path: Path) -> None:
    header = b"\x93NUMPY\x01\x00v\x00" + b"{'descr': '<f4', 'shape': (2, 2".ljust(118)
    folder = folder_of(tmp_path, {"kind": "fasttext", **SOUND}, header + bytes(16))
    with pytest.raises(ValueError, match="is damaged"):
        trainer.load(folder, device="cpu")


@pytest.mark.parametrize("name", ["a" * 5_000, "a\0b"])
def test_a_file_that_no_file_can_be_called_is_refused(tmp_path: Path, name: str) -> None:
    folder = folder_of(tmp_path, {"kind": "fasttext", **SOUND})
    meta = json.loads((folder / META).read_text())
    (folder / META).write_text(json.dumps({**meta, "files": {name: "0" * 64}}))
    with pytest.raises(ValueError, match="is missing"):
        trainer.load(folder, device="cpu")


@pytest.mark.parametrize(
    ("array", "changed"),
    [
        ("indices", np.array([10**6], np.int32)), ("indices", np.array([-1], np.int32)),
        ("indptr", np.array([5], np.int32)), ("indptr", np.array([-3], np.int32)),
        ("idf", np.array([1 + 1j])), ("data", np.array(["x"])),
    ],
    ids=str,
)  # fmt: skip
def test_an_index_of_ngrams_that_leads_beside_its_arrays_is_refused(
    tmp_path: Path, array: str, changed: np.ndarray
) -> None:
    folder = tmp_path / "tfidf"
    TfidfNames.fit(["viral fever", "fever"]).save(folder)
    path = folder / f"{array}.npy"
    sound = np.load(path)
    spoiled = sound.astype(changed.dtype)
    spoiled[len(spoiled) // 2] = changed[0]
    np.save(path, spoiled)
    meta = json.loads((folder / META).read_text())
    (folder / META).write_text(
        json.dumps({**meta, "files": {**meta["files"], path.name: sha256(path)}})
    )
    with pytest.raises(ValueError, match=r"is damaged|no matrix of numbers"):
        trainer.load(folder, device="cpu")
