"""The note on a terminology's licence goes with what is exported of it."""

from pathlib import Path

import pytest
from toy_workspace import load

from termexplorer.bench.releases.rf2_release import Rf2Size, write_release
from termexplorer.exporters.robot import write_template
from termexplorer.exporters.sssom import write_sssom
from termexplorer.licences import licence_notes
from termexplorer.services.curate.release_diff import DIFF_HEADER, compare_releases, diff_rows
from termexplorer.services.files.exports import ENDINGS, write_table
from termexplorer.workspace import Workspace

NOTE = licence_notes()["SNOMEDCT"]


def note_of(path: Path) -> str:
    beside = path.with_name(f"{path.name}.licence.txt")
    return beside.read_text("utf-8").strip() if beside.exists() else ""


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_table_has_the_note_of_the_concepts_in_it(tmp_path: Path, ending: str) -> None:
    ours, other = tmp_path / f"ours{ending}", tmp_path / f"other{ending}"
    write_table(ours, ["n", "concept"], [[1, "TOY:1"], [2, "SNOMEDCT:138875005"]])
    write_table(other, ["n", "concept"], [[1, "TOY:1"], [2, "SNOMEDCT, some words"], [3, None]])
    assert note_of(ours) == NOTE
    assert note_of(other) == ""


def test_mappings_and_changes_have_it_too(tmp_path: Path) -> None:
    mapping = {
        "subject_id": "TOY:1", "predicate_id": "skos:exactMatch", "object_id": "SNOMEDCT:22298006",
        "mapping_justification": "semapv:ManualMappingCuration",
    }  # fmt: skip
    write_sssom(tmp_path / "m.sssom.tsv", {"mapping_set_id": "https://example.org/m"}, [mapping])
    assert note_of(tmp_path / "m.sssom.tsv") == NOTE
    write_template(tmp_path / "c.robot.tsv", {"ID": "ID"}, [{"ID": "SNOMEDCT:22298006"}])
    assert note_of(tmp_path / "c.robot.tsv") == NOTE
    write_template(tmp_path / "d.robot.tsv", {"ID": "ID"}, [{"ID": "TOY:1"}])
    assert note_of(tmp_path / "d.robot.tsv") == ""


def test_it_goes_with_a_comparison_of_releases(empty: Workspace, tmp_path: Path) -> None:
    old = load(empty, write_release(tmp_path / "old", Rf2Size(40, 160, 120, seed=1)))
    new = load(empty, write_release(tmp_path / "new", Rf2Size(44, 160, 120, seed=2)))
    assert old.licence == new.licence == NOTE
    path = tmp_path / "diff.csv"
    write_table(path, DIFF_HEADER, diff_rows(compare_releases(empty, old, new).changes))
    assert note_of(path) == NOTE
