"""OMOP's table of mappings, of rows that came from such a table."""

import csv
from pathlib import Path

from termexplorer.exporters.mappings.source_to_concept_map import write_source_to_concept_map
from termexplorer.importers.mappings.source_to_concept_map import read_source_to_concept_map
from termexplorer.mapping_terms import OMOP_COLUMNS

CELLS = ("L1", "0", "local", "lung disease", "7", "SNOMED", "1970-01-01", "2099-12-31", "")


def test_another_concept_that_was_chosen_is_written(tmp_path: Path) -> None:
    path = tmp_path / "m.stcm.csv"
    path.write_text(f"{','.join(OMOP_COLUMNS)}\n{','.join(CELLS)}\n", "utf-8")
    head, rows = read_source_to_concept_map(path)
    (row,) = (row for _, row in rows)
    out = tmp_path / "out.stcm.csv"
    written = []
    for object_id in (row["object_id"], "OMOP:9"):
        write_source_to_concept_map(out, head, [{**row, "object_id": object_id}], {"OMOP:9": "9"})
        with out.open(encoding="utf-8") as file:
            written += list(csv.DictReader(file))
    assert [cells["target_concept_id"] for cells in written] == ["7", "9"]
    assert [cells["source_code"] for cells in written] == ["L1", "L1"]
