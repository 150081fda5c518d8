"""Folders of pair sets are found again, with how they were made."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from pair_sets_steps import TERMS
from toy_ontology import HEADER
from toy_workspace import load, quiet

from termexplorer.errors import UserError
from termexplorer.services.explore.ontologies import Ontology
from termexplorer.services.pairs.filter import PairFilter
from termexplorer.services.pairs.folders import made_folders, read_made, usual_folder
from termexplorer.services.pairs.sets import PairPlan, count_pairs, make_pair_sets
from termexplorer.workers.process.supervision import JobControl
from termexplorer.workspace import Workspace

PLAN = PairPlan(("preferred_synonym", "replaced_by"), ("random",), 3, siblings=True, seed=4)


@pytest.fixture
def workspace_and_ontology(tmp_path: Path) -> tuple[Workspace, Ontology]:
    path = tmp_path / "x.obo"
    path.write_text(HEADER + TERMS, encoding="utf-8")
    workspace = Workspace(tmp_path / "workspace")
    return workspace, load(workspace, path)


def test_what_was_made_is_read_again(workspace_and_ontology: tuple[Workspace, Ontology]) -> None:
    workspace, ontology = workspace_and_ontology
    assert made_folders(workspace) == []
    folder = usual_folder(workspace, ontology, PLAN)
    pair_sets = make_pair_sets(workspace, ontology, PLAN, folder, JobControl(), quiet)
    assert made_folders(workspace) == [folder]
    pair_folder = read_made(folder)
    assert (pair_folder.plan, pair_folder.content_hash) == (PLAN, ontology.content_hash)
    assert pair_folder.pair_sets == pair_sets
    other = PairPlan(("preferred_synonym", "replaced_by"), ("random",), 4, siblings=True, seed=4)
    assert usual_folder(workspace, ontology, other) != folder


def test_folders_of_before_there_was_a_filter_are_found(
    workspace_and_ontology: tuple[Workspace, Ontology], tmp_path: Path
) -> None:
    workspace, ontology = workspace_and_ontology
    folder = tmp_path / "sets"
    make_pair_sets(workspace, ontology, PLAN, folder, JobControl(), quiet)
    manifest = folder / "pairs.json"
    record = json.loads(manifest.read_text("utf-8"))
    assert "leave_out" not in record
    del record["left_out"]
    manifest.write_text(json.dumps(record), "utf-8")
    assert read_made(folder).plan == PLAN
    filtered = replace(PLAN, leave_out=PairFilter(codes=True))
    assert usual_folder(workspace, ontology, filtered) != usual_folder(workspace, ontology, PLAN)


def test_pairs_are_counted_without_making_sets(
    workspace_and_ontology: tuple[Workspace, Ontology],
) -> None:
    workspace, ontology = workspace_and_ontology
    counted = count_pairs(workspace, ontology, PLAN, JobControl(), quiet)
    folder = usual_folder(workspace, ontology, PLAN)
    assert not folder.exists()
    pair_sets = make_pair_sets(workspace, ontology, PLAN, folder, JobControl(), quiet)
    assert counted.distances == pair_sets.distances
    assert counted.sets == ()


def test_a_folder_that_is_none_or_is_broken_is_told(
    workspace_and_ontology: tuple[Workspace, Ontology], tmp_path: Path
) -> None:
    workspace, ontology = workspace_and_ontology
    with pytest.raises(UserError, match="no pair sets"):
        read_made(tmp_path)
    folder = tmp_path / "sets"
    pair_sets = make_pair_sets(workspace, ontology, PLAN, folder, JobControl(), quiet)
    gone = folder / f"{pair_sets.sets[0].name}.tsv"
    gone.rename(tmp_path / "elsewhere.tsv")
    with pytest.raises(UserError, match=r"random\.tsv is gone"):
        read_made(folder)
    manifest = folder / "pairs.json"
    record = json.loads(manifest.read_text("utf-8"))
    elsewhere = record | {"sets": [record["sets"][0] | {"name": "../elsewhere"}]}
    sets = json.dumps(record | {"sets": [{"name": 1}]})
    for broken in ("", "[]", "{}", sets, json.dumps(elsewhere)):
        manifest.write_text(broken, "utf-8")
        with pytest.raises(UserError, match=r"pairs\.json"):
            read_made(folder)
