"""Workbooks of scored pairs and of ratings."""

from __future__ import annotations

import zipfile
from collections.abc import Sequence
from datetime import date
from pathlib import Path

import openpyxl
import pytest

from termexplorer.trainer.agreement import measure_agreement, read_ratings
from termexplorer.trainer.files.pairs import read_pairs

PAIRS = [("renal failure", "kidney failure", 4.0), ("heart", "femur, left", 1.25), ("a b", "c", 2)]


def write_book(path: Path, *sheets: Sequence[Sequence[object]]) -> Path:
    book = openpyxl.Workbook()
    book.remove(book.active)  # type: ignore[arg-type]
    for rows in sheets:
        sheet = book.create_sheet()
        for row in rows:
            sheet.append(list(row))
    book.save(path)
    return path


@pytest.mark.parametrize("titles", [[], [("term1", "term2", "score")]])
def test_pairs_of_a_workbook_are_those_of_a_text(
    tmp_path: Path, titles: list[tuple[str, ...]]
) -> None:
    path = write_book(tmp_path / "set.xlsx", [*titles, *PAIRS], [])
    (pair_set,) = read_pairs(path)
    assert pair_set.name == "set"
    assert list(zip(pair_set.left, pair_set.right, pair_set.scores, strict=True)) == PAIRS


def test_a_wrong_size_of_a_sheet_loses_no_pair(tmp_path: Path) -> None:
    path = write_book(tmp_path / "whole.xlsx", [("term1", "term2", "score"), *PAIRS])
    with zipfile.ZipFile(path) as whole, zipfile.ZipFile(tmp_path / "s.xlsx", "w") as stale:
        for part in whole.namelist():
            stale.writestr(part, whole.read(part).replace(b'ref="A1:C4"', b'ref="A1:C2"'))
    (pair_set,) = read_pairs(tmp_path / "s.xlsx")
    assert len(pair_set) == len(PAIRS)


def test_ratings_of_a_workbook_agree_as_those_of_a_text(tmp_path: Path) -> None:
    rows = [("unit", "A", "B"), (1, 1, 1), (2, 2, 3), (3, "*", 3), (4, 3, 3.0), (5, None, 1)]
    text = tmp_path / "r.csv"
    text.write_text("".join(f"{u},{a or ''},{b}\n" for u, a, b in rows).replace("3.0", "3"))
    kinds = [read_ratings(path) for path in (write_book(tmp_path / "r.xlsx", rows), text)]
    assert kinds[0].ratings.labels == kinds[1].ratings.labels
    assert kinds[0].missing == kinds[1].missing == {"*": 1}
    first, second = (measure_agreement(kind.ratings) for kind in kinds)
    assert first == second


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("#N/A", "line 3: #N/A is an error"),
        (date(2024, 1, 2), "line 3: .* is a date"),
        ("=1+1", "line 3: a formula without a stored value"),
    ],
)
def test_what_a_spreadsheet_has_spoiled_is_refused(
    tmp_path: Path, value: object, message: str
) -> None:
    rows = [("term1", "term2", "score"), PAIRS[0], ("heart", "liver", value)]
    with pytest.raises(ValueError, match=message):
        read_pairs(write_book(tmp_path / "set.xlsx", rows))


def test_several_sheets_and_other_zips_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="several sheets with rows, Sheet, Sheet1"):
        read_pairs(write_book(tmp_path / "two.xlsx", PAIRS, PAIRS))
    with zipfile.ZipFile(tmp_path / "other.zip", "w") as archive:
        archive.writestr("pairs.csv", "a,b,1")
    with pytest.raises(ValueError, match="no workbook in XLSX, but another zip"):
        read_pairs(tmp_path / "other.zip")
    (tmp_path / "cut.xlsx").write_bytes(b"PK\x03\x04")
    with pytest.raises(ValueError, match="a workbook or zip that is damaged"):
        read_pairs(tmp_path / "cut.xlsx")
