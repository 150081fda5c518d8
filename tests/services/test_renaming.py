"""Encoders, runs and evaluations are called what the user calls them, and stay so."""

import json
from pathlib import Path

import pytest
from program import called
from toy_workspace import LEXICAL, TRAINED, VECTORS, opened_copy, quiet

from termexplorer.errors import UserError
from termexplorer.services.encoders import find_encoder
from termexplorer.services.evaluation import EvaluationRequest, evaluate, list_evaluations
from termexplorer.services.renaming import rename_evaluation, rename_own_encoder
from termexplorer.services.runs import list_runs
from termexplorer.workers.supervision import Control
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
    (found,) = evaluate(with_run, request, Control(), quiet)
    rename_evaluation(with_run, found, "synonyms of our release")
    (again,) = evaluate(with_run, request, Control(), quiet)
    assert again.name == "synonyms of our release"
    assert [each.name for each in list_evaluations(with_run)] == ["synonyms of our release"]
    rename_evaluation(with_run, found, "")
    assert [each.name for each in list_evaluations(with_run)] == [""]


def test_commands_rename_and_show_the_titles(trained: Path, tmp_path: Path) -> None:
    with opened_copy(trained, tmp_path) as workspace:
        folder = workspace.folder
    assert called("vectors", "rename", VECTORS, "ours", "--workspace", folder).returncode == 0
    assert called("runs", "rename", 1, "third try", "--workspace", folder).returncode == 0
    told = json.loads(called("vectors", "list", "--json", "--workspace", folder).stdout)
    titles = {each["id"]: each["title"] for each in told["encoders"]}
    assert (titles[VECTORS], titles[TRAINED]) == ("ours", "third try")
    refused = called("vectors", "rename", LEXICAL, "ours", "--workspace", folder)
    assert refused.returncode == 1
    assert "TF-IDF" in refused.stderr
