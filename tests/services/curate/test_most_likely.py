"""What is left out beyond the most likely suggestions is told."""

import json
from collections.abc import Callable
from multiprocessing import Pipe
from pathlib import Path
from typing import Any

import pytest
from toy_workspace import LEXICAL, VECTORS, opened_copy
from typer.testing import CliRunner

from termexplorer.cli.commands import app
from termexplorer.services.curate.found import MOST, FinderRequest, FoundSuggestions
from termexplorer.services.curate.suggesting import keep_found
from termexplorer.services.curate.suggestion_lists import find_list
from termexplorer.services.explore.concept_labels import concept_labels
from termexplorer.services.explore.ontologies import find_ontology
from termexplorer.workers.curate import finder
from termexplorer.workers.curate.duplicates import run_duplicates
from termexplorer.workers.curate.misplaced_names import run_misplaced_names
from termexplorer.workers.curate.misplacement import run_misplacement
from termexplorer.workers.process.child import Channel
from termexplorer.workspace import Workspace

KINDS = {
    "duplicates": (run_duplicates, "pairs"),
    "misplaced": (run_misplacement, "doubts"),
    "names": (run_misplaced_names, "doubts"),
}
ENCODERS = {"duplicates": LEXICAL, "misplaced": VECTORS, "names": LEXICAL}


def answer_of(run: Callable[[FinderRequest, Channel], Any], request: FinderRequest) -> Any:
    parent_end, child_end = Pipe()
    with parent_end, child_end:
        return run(request, Channel(parent_end))


@pytest.mark.parametrize("kind", KINDS)
def test_a_list_tells_how_many_less_likely_ones_it_lacks(
    toy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    run, suggestions = KINDS[kind]
    with opened_copy(toy, tmp_path) as workspace:
        request = FinderRequest(workspace.folder, 1, (ENCODERS[kind],), level=2, share=0.05)
        whole = answer_of(run, request)
        monkeypatch.setattr(finder, "MOST", 2)
        cut = answer_of(run, request)
        all_suggestions = getattr(whole, suggestions)
        assert getattr(cut, suggestions) == all_suggestions[:2]
        assert cut.left_out == len(all_suggestions) - 2 > 0
        assert whole.left_out == 0
        message = f"{cut.left_out:,} more"
        assert any(message in fact for fact in kept_facts(workspace, kind, cut, request))
        assert not any(" more " in fact for fact in kept_facts(workspace, kind, whole, request))


def kept_facts(workspace: Workspace, kind: str, answer: Any, request: FinderRequest) -> list[str]:
    ontology = find_ontology(workspace, "1")
    labels = concept_labels(workspace, ontology)
    suggestions = FoundSuggestions(ontology, request.encoder_ids, answer, labels)
    kept_search = keep_found(workspace, kind, suggestions, request)
    return list(find_list(workspace, kept_search.list_id).head.facts)


def test_a_command_tells_it_too(toy: Path, tmp_path: Path) -> None:
    with opened_copy(toy, tmp_path) as workspace:
        words = ["suggest", "duplicates", "--ontology", "1", "--share", "0.05"]
        words += ["--workspace", str(workspace.folder), "--limit", "1"]
        for encoder_id in (LEXICAL, LEXICAL + 1, VECTORS):
            words += ["--encoder", str(encoder_id)]
        shown = CliRunner().invoke(app, words).stdout
        answer = json.loads(CliRunner().invoke(app, [*words, "--json"]).stdout)
    assert len(answer["suggestions"]) == answer["count"] == MOST
    assert answer["left_out"] > 0
    assert f"{answer['left_out']:,} more are left out" in shown


@pytest.mark.parametrize("kind", KINDS)
def test_the_help_tells_how_many_are_kept(kind: str) -> None:
    output = CliRunner().invoke(app, ["suggest", kind, "--help"], env={"COLUMNS": "200"}).stdout
    assert f"{MOST:,}" in output
