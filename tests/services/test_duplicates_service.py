"""Concepts of an ontology that is written here, two of which are the same."""

import json
from pathlib import Path

import pytest
from toy_ontology import HEADER, stanza
from toy_workspace import LEXICAL, VECTORS, load
from typer.testing import CliRunner

from termexplorer.cli.commands import app
from termexplorer.workspace import Workspace

TERMS = (
    stanza("D:0", "disease"),
    stanza("D:1", "lung tumour", "D:0", "tumour of the lung"),
    stanza("D:2", "Tumour of the  lung", "D:0"),
    stanza("D:3", "severe lung tumour", "D:1", "severe tumour of the lung"),
    stanza("D:4", "heart injury", "D:0", "injury of the heart"),
    stanza("D:5", "viral kidney infection", "D:0", "viral infection of the kidney"),
)


def test_the_command_finds_the_same_concept_twice(workspace: Workspace, tmp_path: Path) -> None:
    path = tmp_path / "twice.obo"
    path.write_text(HEADER.replace("toy", "twice") + "\n" + "\n".join(TERMS), encoding="utf-8")
    ontology = load(workspace, path).id
    words = ["suggest", "duplicates", "--ontology", str(ontology), "--encoder", str(VECTORS)]
    words += ["--encoder", str(LEXICAL), "--workspace", str(workspace.folder), "--share", ".5"]
    answer = json.loads(CliRunner().invoke(app, [*words, "--json"]).stdout)
    first = answer["suggestions"][0]
    assert (first["first"], first["second"]) == ("D:1", "D:2")
    assert first["similarity"] == pytest.approx(1, abs=1e-3)
    assert (first["agree"], first["relation"]) == (2, "sibling")
    relations = {(p["first"], p["second"]): p["relation"] for p in answer["suggestions"]}
    assert relations["D:1", "D:3"] == "child"
    assert relations["D:2", "D:3"] == ""
    assert (answer["concepts"], answer["split"]) == (6, 2)
    assert set(answer["recall"]) == {str(VECTORS), str(LEXICAL)}
    assert 0 <= answer["recall"][str(VECTORS)]["1"] <= answer["recall"][str(VECTORS)]["5"] == 1
    out = tmp_path / "pairs.sssom.tsv"
    shown = CliRunner().invoke(app, [*words, "--limit", "1", "--out", str(out)]).stdout
    assert "suggestions are in" in shown
    rows = [x.split("\t") for x in out.read_text("utf-8").splitlines() if x[0] != "#"]
    assert rows[1][:5] == ["D:1", "lung tumour", "skos:closeMatch", "D:2", "Tumour of the lung"]
    refused = CliRunner().invoke(app, [*words, "--share", "0"])
    assert "cannot be split" in str(refused.exception)
