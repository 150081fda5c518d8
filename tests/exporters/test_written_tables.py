"""A place that cannot be written to is told in one line, whatever the format."""

import gc
from pathlib import Path

import pytest

from termexplorer.errors import UserError
from termexplorer.exporters.tables import write_table


@pytest.mark.parametrize("ending", ["csv", "tsv", "xlsx", "jsonl"])
def test_a_folder_that_is_not_there_is_told(ending: str, tmp_path: Path) -> None:
    path = tmp_path / "gone" / f"table.{ending}"
    with pytest.raises(UserError, match="cannot be written"):
        write_table(path, ["name"], [["asthma"]])
    gc.collect()  # what a workbook leaves open would fail here
    assert not path.parent.exists()
