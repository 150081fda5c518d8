"""Tables as files: a place that cannot be written to is told in one line, whatever the format."""

import gc
import json
from contextlib import closing
from pathlib import Path

import pytest
from openpyxl import load_workbook
from pyarrow import parquet

from termexplorer.errors import UserError
from termexplorer.exporters.tables import ENDINGS, write_table

ROWS: list[list[str | float | None]] = [["=asthma", 0.5, None], ["flu", float("nan"), 2]]


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_folder_that_is_not_there_is_told(ending: str, tmp_path: Path) -> None:
    path = tmp_path / "gone" / f"table{ending}"
    with pytest.raises(UserError, match="cannot be written"):
        write_table(path, ["name"], [["asthma"]])
    gc.collect()  # what a workbook leaves open would fail here
    assert not path.parent.exists()


def test_json_is_a_list_of_the_rows_by_their_titles(tmp_path: Path) -> None:
    path = tmp_path / "table.json"
    write_table(path, ["name", "value", "n"], ROWS)
    assert json.loads(path.read_text("utf-8")) == [
        {"name": "=asthma", "value": 0.5, "n": None},
        {"name": "flu", "value": None, "n": 2},
    ]
    write_table(path, ["name"], [])
    assert json.loads(path.read_text("utf-8")) == []


def test_parquet_has_columns_of_one_type(tmp_path: Path) -> None:
    path = tmp_path / "table.parquet"
    write_table(path, ["name", "value", "n"], [ROWS[0], ["flu", "none", 2]])
    table = parquet.read_table(path)
    assert table.column("name").to_pylist() == ["=asthma", "flu"]
    assert table.column("value").to_pylist() == ["0.5", "none"]
    assert table.column("n").to_pylist() == [None, 2]


def test_a_workbook_keeps_its_titles_on_show_and_columns_fit_what_they_hold(tmp_path: Path) -> None:
    path = tmp_path / "table.xlsx"
    name = "carcinoma of lung"
    write_table(path, ["name", "n", "", "note"], [[name, 1, None, "x" * 500], ["flu", 2, None, ""]])
    with closing(load_workbook(path)) as book:
        assert book.active is not None
        assert book.active.freeze_panes == "A2"
        widths = {letter: book.active.column_dimensions[letter].width for letter in "ABCD"}
        assert [row[0].value for row in book.active.rows] == ["name", name, "flu"]
    assert widths["A"] > len(name) > widths["B"]
    assert len(name) < widths["D"] < 100
