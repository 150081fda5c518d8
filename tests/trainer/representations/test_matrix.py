from __future__ import annotations

import pickle
import unicodedata
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from termexplorer.trainer import representations
from termexplorer.trainer.files.folders import read_meta
from termexplorer.trainer.representations import matrix
from termexplorer.trainer.representations.matrix import MatrixNames, convert_matrix

LINES = "Viral pneumonia\n  Fever \nFEVER\nStraße\n"


def write(folder: Path, rows: np.ndarray, lines: str) -> tuple[Path, Path]:
    np.save(folder / "rows.npy", rows)
    (folder / "rows.txt").write_text(lines, encoding="utf-8")
    return folder / "rows.npy", folder / "rows.txt"


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_whole_names_are_found_whatever_their_case(
    tmp_path: Path, dtype: type, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(matrix, "_BLOCK_VALUES", 5)  # blocks of a row
    rows = np.asfortranarray(np.arange(1, 13, dtype=dtype).reshape(4, 3))
    convert_matrix(*write(tmp_path, rows, LINES), tmp_path / "copy")
    names = representations.load(tmp_path / "copy")
    assert isinstance(names, MatrixNames)
    assert read_meta(tmp_path / "copy")["repeated"] == 1
    assert (names.dimension, names.names[1]) == (3, "Fever")
    asked = ["VIRAL pneumonia", "fever ", "viral", "", "STRASSE"]
    encoded = names.encode(asked)
    assert encoded.dtype == np.float32
    assert encoded.tolist() == [[1, 2, 3], [4, 5, 6], [0, 0, 0], [0, 0, 0], [10, 11, 12]]
    assert names.known(asked).tolist() == [True, True, False, False, True]
    assert names.encode([]).shape == (0, 3)
    assert MatrixNames(np.ones((1, 2)), ["Sjo\u0308gren"]).known(["SJ\u00d6GREN"]).all()


@given(st.lists(st.text(max_size=4), max_size=20), st.lists(st.text(max_size=4), min_size=1))
def test_it_is_a_look_up(asked: list[str], listed: list[str]) -> None:
    rows = np.arange(1, 2 * len(listed) + 1, dtype=np.float32).reshape(-1, 2)
    result = MatrixNames(rows, listed).encode(asked)
    for name, vector in zip(asked, result, strict=True):
        same = [
            row
            for row, listed_name in zip(rows, listed, strict=True)
            if folded(listed_name) == folded(name)
        ]
        assert vector.tolist() == (same[0].tolist() if same else [0, 0])


def folded(name: str) -> str:
    return unicodedata.normalize("NFC", name).strip().casefold()


BAD_ROWS = [
    (np.zeros((4, 3), dtype=np.int64), r"whole numbers; convert them with \.astype\(.float32.\)"),
    (np.zeros((4, 3), dtype=np.uint8), r"rows\.npy holds whole numbers"),
    (np.zeros((4, 3), dtype=np.complex64), r"rows\.npy is no matrix of floating-point numbers"),
    (np.zeros(4), r"rows\.npy is no matrix of floating-point numbers"),
    (np.zeros((4, 0)), r"rows\.npy is empty"),
    (np.zeros((3, 2)), r"has 3 rows and .*rows\.txt has 4 lines"),
    (np.array([[1, 2], [3, np.nan], [1, 1], [np.inf, 1]]), r"rows\.npy, row 2: a value"),
    (np.full((4, 2), 1e300), r"rows\.npy, row 1: a value"),
    (np.zeros((4, 2)), r"rows\.npy: every value is 0; give vectors"),
]


@pytest.mark.parametrize(("rows", "message"), BAD_ROWS)
def test_a_bad_matrix_is_refused(tmp_path: Path, rows: np.ndarray, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        convert_matrix(*write(tmp_path, rows, LINES), tmp_path / "copy")
    assert not (tmp_path / "copy").exists()


def test_a_name_may_be_there_twice_but_with_one_vector(tmp_path: Path) -> None:
    rows, lines = write(tmp_path, np.array([[1, 2], [0, 0], [1, 2]]) / 3, "cold\nfever\n cold\n")
    convert_matrix(rows, lines, tmp_path / "copy")
    assert MatrixNames.load(tmp_path / "copy").known(["cold"]).all()
    write(tmp_path, np.array([[1, 2], [0, 0], [2, 1]]) / 3, "cold\nfever\n cold\n")
    with pytest.raises(ValueError, match=r"rows\.txt, lines 1 and 3: the same name has two diff"):
        convert_matrix(rows, lines, tmp_path / "other")
    assert not (tmp_path / "other").exists()


def test_bad_files_are_refused(tmp_path: Path) -> None:
    rows, lines = write(tmp_path, np.zeros((4, 2)), LINES)
    lines.write_text("fever\n\npneumonia\ncold\n")
    with pytest.raises(ValueError, match=r"rows\.txt, line 2: it is empty"):
        convert_matrix(rows, lines, tmp_path / "copy")
    lines.write_bytes(b"\xff\xfe\n" * 4)
    with pytest.raises(ValueError, match=r"rows\.txt cannot be read"):
        convert_matrix(rows, lines, tmp_path / "copy")
    lines.write_text(LINES)
    whole = rows.read_bytes()
    unclosed = whole.replace(b"{'descr'", b"(((((((")
    endless = whole.replace(b"(4, 2), }" + b" " * 31, b"(" + b"9" * 32 + b", 2), }")
    contents = (
        b"",
        b"no matrix",
        whole[:-9],
        pickle.dumps([1.0]),
        b"PK\x03\x04",
        unclosed,
        endless,
    )
    for content in contents:
        rows.write_bytes(content)
        with pytest.raises(ValueError, match=r"rows\.npy cannot be read"):
            convert_matrix(rows, lines, tmp_path / "copy")
    np.savez(tmp_path / "rows.npz", rows=np.zeros((4, 2)))
    with pytest.raises(ValueError, match=r"rows\.npz cannot be read"):
        convert_matrix(tmp_path / "rows.npz", lines, tmp_path / "copy")
    with pytest.raises(ValueError, match=r"none\.npy cannot be read"):
        convert_matrix(tmp_path / "none.npy", lines, tmp_path / "copy")
