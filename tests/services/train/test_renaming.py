"""Encoders, runs, evaluations and maps are called what the user calls them, and stay so."""

import json
from pathlib import Path

import pytest
from program import called
from toy_workspace import LEXICAL, TRAINED, VECTORS, opened_copy, quiet

from termexplorer.errors import UserError
from termexplorer.services.encoders.encoders import find_encoder
from termexplorer.services.evaluate.evaluation import EvaluationRequest, evaluate, list_evaluations
from termexplorer.services.map.kept_maps import KeptMap, list_maps
from termexplorer.services.map.projection import ProjectionRequest, project
from termexplorer.services.train.renaming import rename_evaluation, rename_map, rename_own_encoder
from termexplorer.services.train.runs import list_runs
from termexplorer.workers.process.supervision import JobControl
from termexplorer.workspace import Workspace


def test_an_encoder_is_renamed_with_its_run(with_run: Workspace) -> None:
    assert rename_own_encoder(with_run, VECTORS, "  our\nwords ").label == f"our words #{VECTORS}"
    rename_own_encoder(with_run, TRAINED, "the one we like")
    assert list_runs(with_run)[0].title == "the one we like"
    assert find_encoder(with_run, TRAINED).title == "the one we like"


@pytest.mark.parametrize(
    ("encoder", "title"), [(LEXICAL, "mine"), (VECTORS, " "), (VECTORS, "x" * 201)]
)
def test_what_is_no_name_is_refused(with_run: Workspace, encoder: int, title: str) -> None:
    before = find_encoder(with_run, encoder).title
    with pytest.raises(UserError):
        rename_own_encoder(with_run, encoder, title)
    assert find_encoder(with_run, encoder).title == before


def test_an_evaluation_keeps_its_name_when_it_is_measured_again(with_run: Workspace) -> None:
    request = EvaluationRequest(with_run.folder, "coverage", (VECTORS,), ontology_id=1)
    (evaluated,) = evaluate(with_run, request, JobControl(), quiet)
    rename_evaluation(with_run, evaluated, "synonyms of our release")
    (again,) = evaluate(with_run, request, JobControl(), quiet)
    assert again.name == "synonyms of our release"
    assert [evaluation.name for evaluation in list_evaluations(with_run)] == [
        "synonyms of our release"
    ]
    rename_evaluation(with_run, evaluated, "")
    assert [evaluation.name for evaluation in list_evaluations(with_run)] == [""]


def test_commands_rename_and_show_the_titles(trained: Path, tmp_path: Path) -> None:
    with opened_copy(trained, tmp_path) as workspace:
        folder = workspace.folder
    assert called("encoder", "rename", VECTORS, "ours", "--workspace", folder).returncode == 0
    assert called("run", "rename", 1, "third try", "--workspace", folder).returncode == 0
    answer = json.loads(called("encoder", "list", "--json", "--workspace", folder).stdout)
    titles = {encoder["encoder"]: encoder["title"] for encoder in answer["encoders"]}
    assert (titles[VECTORS], titles[TRAINED]) == ("ours", "third try")
    refused = called("encoder", "rename", LEXICAL, "ours", "--workspace", folder)
    assert refused.returncode == 1
    assert "TF-IDF" in refused.stderr


def draw(workspace: Workspace, **options: object) -> KeptMap:
    """Draw a map of some names, and find it among those that are kept."""
    request = ProjectionRequest(workspace.folder, 1, VECTORS, method="pca", **options)  # type: ignore[arg-type]
    name_map = project(workspace, request, JobControl(), quiet)
    return next(
        m for m in list_maps(workspace) if m.info.content_hash == name_map.info.content_hash
    )


def test_a_map_is_called_by_what_it_is_of(workspace: Workspace) -> None:
    drawn = draw(workspace, root="TOY:1", seed=3)
    encoder = find_encoder(workspace, VECTORS).label
    for part in ("PCA", "toy 2026-01-01", "lung disease", encoder, drawn.info.made_at[:10]):
        assert part in drawn.title
    assert drawn.request == ProjectionRequest(
        workspace.folder, 1, VECTORS, root="TOY:1", method="pca", seed=3
    )
    rename_own_encoder(workspace, VECTORS, "ours")
    assert "ours" in list_maps(workspace)[0].title
    assert list_maps(workspace, ontology_id=2) == []


def test_a_map_keeps_its_title_when_it_is_drawn_again(workspace: Workspace) -> None:
    drawn = draw(workspace)
    rename_map(workspace, drawn.info, "  all that\nwe have ")
    (workspace.folder / drawn.info.path).write_bytes(b"damaged")
    assert draw(workspace).title == "all that we have"
    rename_map(workspace, drawn.info, "")
    assert list_maps(workspace)[0].title == drawn.subject
    with pytest.raises(UserError):
        rename_map(workspace, drawn.info, "x" * 201)


def test_commands_list_and_rename_maps_and_evaluations(toy: Path, tmp_path: Path) -> None:
    with opened_copy(toy, tmp_path) as workspace:
        folder = workspace.folder
        drawn = draw(workspace)
        request = EvaluationRequest(folder, "coverage", (VECTORS,), ontology_id=1)
        (evaluated,) = evaluate(workspace, request, JobControl(), quiet)
    for key, id_ in (("maps", drawn.id), ("evaluations", evaluated.data_hash[:8])):
        noun = key[:-1]
        done = called(noun, "rename", id_, "the first", "--workspace", folder)
        assert (done.returncode, "the first" in done.stdout) == (0, True)
        (entry,) = json.loads(called(noun, "list", "--json", "--workspace", folder).stdout)[key]
        assert (entry[noun], entry["title"]) == (id_, "the first")
        assert "the first" in called(noun, "list", "--workspace", folder).stdout
        for wrong in ("nowhere", ""):
            refused = called(noun, "rename", wrong, "the first", "--workspace", folder)
            assert refused.returncode == 1
            assert f"termexplorer {noun} list" in refused.stderr
