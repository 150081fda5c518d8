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


@pytest.mark.parametrize(
    ("text", "columns", "first"),
    [
        ("Code,Name,Cases\nA1,gout,12\nA2,flu,4\n", "code name frequency", ("A1", "gout", 12)),
        ("Nr;Diagnose;Anzahl Fälle\n1;Gicht;12\n", "code name frequency", ("1", "Gicht", 12)),
        ("code;name;N (2025)\nA1;gout;12,5\n", "code name frequency", ("A1", "gout", 12.5)),
        ("\ufeffCode\tTerm\tfreq\r\nA1\tgout\t3\r\n", "code name frequency", ("A1", "gout", 3)),
        ("Ward 3b,,\n,,\nCode,Name,n\nA1,gout,1\n", "code name frequency", ("A1", "gout", 1)),
        ("Diagnosis,Count\ngout,12\nflu,4\n", "name frequency", ("2", "gout", 12)),
        ("n;Diagnose\n12;Gicht\n", "frequency name", ("2", "Gicht", 12)),
        ("name\ngout\nflu\n", "name", ("2", "gout", None)),
        ("gout\nflu\nheart attack, acute\n", "name", ("1", "gout", None)),
        ("gout\nheart attack\n", "name", ("1", "gout", None)),
    ],
)  # fmt: skip
def test_lists_are_read_as_people_have_them(
    tmp_path: Path, text: str, columns: str, first: tuple[str, str, float | None]
) -> None:
    path = tmp_path / "list.csv"
    path.write_text(text, encoding="utf-8")
    listed = read_list(path)
    assert set(listed.columns) == set(columns.split())
    row = listed.rows[0]
    assert (row.code, row.name, row.frequency) == first
    assert listed.fields[:2] == ("code", "name")


def test_a_workbook_may_have_names_alone(tmp_path: Path) -> None:
    book = Workbook()
    for row in (["Diagnosis"], ["gout"], ["heart attack, acute"]):
        book.worksheets[0].append(row)
    book.save(tmp_path / "names.xlsx")
    listed = read_list(tmp_path / "names.xlsx")
    assert [(row.code, row.name) for row in listed.rows] == [
        ("2", "gout"),
        ("3", "heart attack, acute"),
    ]


def test_a_frequency_that_is_no_number_is_none_and_told(tmp_path: Path) -> None:
    rows = [["code", "name", "n"], ["A1", "gout", "12"], ["A2", "flu", "n/a"], ["A3", "pain", " "]]
    listed = read_list(write_rows(tmp_path / "list.csv", rows))
    assert [row.frequency for row in listed.rows] == [12, None, None]
    assert listed.unread == ((3, "n/a"),)


def test_a_column_can_be_said_to_be_none(tmp_path: Path) -> None:
    rows = [["code", "name", "n"], ["A1", "gout", "often"]]
    path = write_rows(tmp_path / "list.csv", rows)
    listed = read_list(path, code="0", frequency="0")
    assert listed.columns == {"name": 2}
    assert (listed.rows[0].code, listed.rows[0].frequency) == ("2", None)
