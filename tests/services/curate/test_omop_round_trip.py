"""Mappings to vocabularies of OMOP: imported, judged, written as its table, and read back."""

import csv
from pathlib import Path

import pytest
from toy_reviews import ANNA, keep, say, suggested
from toy_workspace import load

from termexplorer.importers.omop.files import LAYOUT
from termexplorer.services.curate.review_files import write_review
from termexplorer.services.curate.sssom_import import import_sssom
from termexplorer.services.curate.suggestion_lists import read_list
from termexplorer.store.releases import concepts
from termexplorer.workspace import Workspace

FILES = {
    "CONCEPT.csv": "concepts",
    "CONCEPT_SYNONYM.csv": "synonyms",
    "CONCEPT_RELATIONSHIP.csv": "relations",
}
DATES = ("20020131", "20991231")
CONCEPTS = [
    (number, name, "Condition", "SNOMED", "Clinical Finding", "S", code, *DATES, "")
    for number, name, code in (
        (434621, "Disorder", "64572001"),
        (255848, "Pneumonia", "233604007"),
        (4273391, "Suicidal thoughts", "6471006"),
    )
]


@pytest.fixture
def workspace(empty: Workspace, tmp_path: Path) -> Workspace:
    folder = tmp_path / "athena"
    folder.mkdir()
    for name, role in FILES.items():
        rows = [LAYOUT.columns[role], *(CONCEPTS if role == "concepts" else [])]
        text = "".join("\t".join(map(str, row)) + "\n" for row in rows)
        (folder / name).write_text(text, "utf-8")
    load(empty, folder)
    return empty


def read_table(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_a_table_of_omop_goes_out_and_comes_in_again(workspace: Workspace, tmp_path: Path) -> None:
    with workspace.store.looking() as connection:
        page = concepts.find(connection, 1, "SNOMEDCT:233604007")
    assert page is not None
    rows = [
        suggested("clinic:K1", "SNOMEDCT:233604007", "skos:exactMatch", subject_label="=lung, ill"),
        suggested("clinic:K2", "sssom:NoTermFound", "skos:exactMatch", subject_label="shoe"),
        suggested("clinic:K3", "SNOMEDCT:64572001", "skos:relatedMatch", subject_label="ill"),
    ]
    list_id = keep(workspace, rows, releases=(None, 1))
    for row in rows:
        say(workspace, ANNA, row, "correct")
    path, again = tmp_path / "clinic.stcm.csv", tmp_path / "again.stcm.csv"
    written = write_review(workspace, path, list_id)
    assert (written.rows, written.left_out) == (2, 1)
    assert written.loss
    table = read_table(path)
    assert [row["target_concept_id"] for row in table] == ["255848", "0"]
    assert [row["source_code"] for row in table] == ["K1", "K2"]
    imported = import_sssom(workspace, path)
    objects = [row.about.object for row in read_list(workspace, imported.list_id)]
    assert objects == ["OMOP:255848", "sssom:NoTermFound"]
    assert imported.first_unknown_ids == ["clinic:K1", "clinic:K2"]  # OMOP's are known
    write_review(workspace, again, imported.list_id)
    assert read_table(again) == table
