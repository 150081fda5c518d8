"""Titles that the program gave are told in German; a user's own stay as they are."""

import json
from pathlib import Path

import pytest

from termexplorer.store.encoders.infos import encoders
from termexplorer.store.kept_messages import read_message, translate_message
from termexplorer.store.opening import open_store
from termexplorer.store.title_templates import VECTORS
from termexplorer.trainer.representations.methods import METHODS
from tests.helpers.earlier_layouts import earlier_layout

FEW_SHOT = "few-shot, 1,500 names a class, level 1"
LISTED = "dan, level 2 + 3 lists, 64 hidden (2)"
TITLES = {
    FEW_SHOT: "few-shot, 1.500 Bezeichnungen je Klasse, Ebene 1",
    LISTED: "dan, Ebene 2 + 3 Listen, 64 verborgen (2)",
    "fastText mean, ICD-10-CM 2026, with a.txt and b.txt, epochs 2": "fastText-Mittel, "
    "ICD-10-CM 2026, mit a.txt und b.txt, 2 Epochen",
    "encode, synonym sets below DOID:4": "encode, Synonymmengen unter DOID:4",
    "cca, ICD10CM groups": "cca, ICD10CM-Gruppen",
    "toy mean #5 + 0.3 TF-IDF": "toy-Mittel #5 + 0.3 TF-IDF",
    "word mover's distance over #7": "Word Mover’s Distance über #7",
    "Edit distance": "Editierdistanz",
    "the one we like, {n} of it": "the one we like, {n} of it",
}


@pytest.mark.usefixtures("german")
def test_titles_of_an_earlier_workspace_are_told_in_german(tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite"
    note = {"text": "{label} failed", "values": {"label": f"{FEW_SHOT} #3", "why": "x, level 1"}}
    with earlier_layout(path, "0023") as connection:
        for title in TITLES:
            connection.exec_driver_sql(
                """INSERT INTO encoder (kind, method, title, dimension, path, content_hash,
                parameters, created_at) VALUES ('trained', 'm', ?, 2, 'p', '', '{}', '')""",
                (title,),
            )
        connection.exec_driver_sql(
            """INSERT INTO evaluation (task, data_hash, title, metric, differences, seen, notes,
            evaluated_at) VALUES ('synonyms', 'hash', '', 'mAP', '[]', '{}', ?, '')""",
            (json.dumps([note]),),
        )
    store = open_store(path)
    try:
        with store.reading() as connection:
            shown = {info.title: info.shown_title for info in encoders(connection)}
            (notes,) = connection.exec_driver_sql("SELECT notes FROM evaluation").one()
    finally:
        store.close()
    assert shown.items() >= TITLES.items()
    (message,) = json.loads(notes)
    assert translate_message(read_message(json.dumps(message["values"]["label"]))) == (
        "few-shot, 1.500 Bezeichnungen je Klasse, Ebene 1 #3"
    )
    assert message["values"]["why"] == "x, level 1"


def test_vectors_of_each_method_have_a_title_that_is_translated() -> None:
    titles = {method.vectors for method in METHODS.values()}
    assert titles - set(VECTORS) == {"SGS", "SGS.C"}
