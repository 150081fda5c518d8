"""Lists of local codes: which columns hold what, and what each row says."""

import csv
from pathlib import Path

import pytest
from openpyxl import Workbook

from termexplorer.errors import UserError
from termexplorer.importers.tables.code_list import CodeList, guess_list_layout, read_code_list

USAGI = ["sourceCode", "sourceName", "sourceFrequency", "sourceAutoAssignedConceptIds"]


def write_rows(path: Path, rows: list[list[str]], delimiter: str = ",") -> Path:
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, delimiter=delimiter).writerows(rows)
    return path


def read_list(path: Path, **columns: str) -> CodeList:
    return read_code_list(path, guess_list_layout(path, columns))


def test_titles_of_usagi_and_of_people_are_known(tmp_path: Path) -> None:
    usagi = write_rows(tmp_path / "usagi.csv", [USAGI, ["A1", "gout", "12", "4;5"]])
    assert read_list(usagi).columns == {"code": 1, "name": 2, "frequency": 3}
    rows = [["Anzahl", "Kode", "Bezeichnung", "Station"], ["1.204", "K1", "Gicht", "3b"]]
    listed = read_list(write_rows(tmp_path / "liste.csv", rows, ";"))
    assert listed.columns == {"code": 2, "name": 3, "frequency": 1}
    assert repr(listed.rows[0].frequency) == "1204"  # a count, not 1204.0
    assert listed.rows[0].cells == ("1.204", "K1", "Gicht", "3b")
    assert (listed.prefix, listed.rows[0].line) == ("liste", 2)


def test_a_frequency_is_found_by_its_title_alone(tmp_path: Path) -> None:
    rows = [["code", "name", "ward"], ["A1", "gout", "3"]]
    assert read_list(write_rows(tmp_path / "list.csv", rows)).rows[0].frequency is None


def test_columns_can_be_said_and_all_others_stay(tmp_path: Path) -> None:
    rows = [["old", "new", "text", "used"], ["1", "A1", "gout", "7"], ["2", "A2", "flu", ""]]
    listed = read_list(
        write_rows(tmp_path / "list.tsv", rows, "\t"), code="new", name="3", frequency="used"
    )
    assert [(r.code, r.name, r.frequency) for r in listed.rows] == [
        ("A1", "gout", 7.0),
        ("A2", "flu", None),
    ]
    assert listed.header == ("old", "new", "text", "used")


def test_a_workbook_is_a_list_and_rows_without_a_name_stay(tmp_path: Path) -> None:
    book = Workbook()
    for row in (["code", "name", "count"], ["A1", "gout", 12], ["A2", None, 3], [None, "flu", 1]):
        book.worksheets[0].append(row)
    book.save(tmp_path / "2026.xlsx")
    listed = read_list(tmp_path / "2026.xlsx")
    assert [(r.code, r.name, r.frequency) for r in listed.rows] == [
        ("A1", "gout", 12.0),
        ("A2", "", 3.0),
        ("", "flu", 1.0),
    ]
    assert listed.prefix == "list_2026"  # no CURIE begins with a digit


@pytest.mark.parametrize(
    ("rows", "columns", "message"),
    [
        ([["code", "name", "n"], ["A1", "gout", "often"]], {}, r"line 2: the frequency 'often'"),
        ([["code", "name"], ["A1", "gout"]], {"frequency": "3"}, "no column '3'"),
        ([["code", "name"], ["A1", "gout"]], {"label": "1"}, "no field 'label'"),
        ([["code", "name"], ["A1", "gout"]], {"code": "1", "name": "1"}, "which column is the"),
        ([["code", "name"], ["A1", ""], ["A2", ""]], {}, "no row with a code and a name"),
    ],
)
def test_what_cannot_be_read_is_told(
    tmp_path: Path, rows: list[list[str]], columns: dict[str, str], message: str
) -> None:
    path = write_rows(tmp_path / "list.csv", rows)
    with pytest.raises(UserError, match=message):
        read_list(path, **columns)
