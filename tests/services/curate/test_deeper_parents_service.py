"""Concepts of the toy that stand a parent too high, found."""

import json
from collections.abc import Iterator
from multiprocessing import Pipe
from pathlib import Path

import pytest
from toy_ontology import LIFTED, write_older_toy
from toy_workspace import LEXICAL, VECTORS, load, opened_copy, quiet
from typer.testing import CliRunner

from termexplorer.cli.commands import app
from termexplorer.errors import UserError
from termexplorer.services.curate.deeper.parents import (
    DeeperParents,
    check_deeper_by_newer,
    deeper_file,
    suggest_deeper,
)
from termexplorer.services.curate.found import FinderRequest
from termexplorer.services.curate.suggestion_files import write_suggestions
from termexplorer.services.curate.suggestion_lists import find_list
from termexplorer.services.explore.ontologies import Ontology, find_ontology
from termexplorer.workers.curate import finder
from termexplorer.workers.curate.deeper_parents import run_deeper_parents
from termexplorer.workers.process.child import Channel
from termexplorer.workers.process.supervision import JobControl
from termexplorer.workspace import Workspace

Found = tuple[Workspace, DeeperParents]


@pytest.fixture(scope="module")
def deeper(toy: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Found]:
    """An older release of the toy (1), in which three concepts stand a parent too high."""
    folder = tmp_path_factory.mktemp("deeper")
    with opened_copy(toy, folder) as workspace:
        ontology = load(workspace, write_older_toy(folder))
        yield workspace, find_deeper_in(workspace, ontology, VECTORS, LEXICAL)


def find_deeper_in(
    workspace: Workspace,
    ontology: Ontology,
    *encoders: int,
    root: str = "",
    share: float = 0.05,
) -> DeeperParents:
    request = FinderRequest(workspace.folder, ontology.id, encoders, root, 1, share)
    return suggest_deeper(workspace, ontology, request, JobControl(), quiet)


def test_what_stands_too_high_comes_first_with_its_parent(deeper: Found) -> None:
    _, suggestions = deeper
    labels = suggestions.labels
    first = {labels[d.concept]: d for d in suggestions.answer.doubts[:5]}
    assert set(LIFTED) <= set(first)
    for name in LIFTED:
        _cause, organ, kind = name.split()
        assert labels[first[name].parent] == f"{organ} disease"
        assert labels[first[name].better] == f"{organ} {kind}"
        assert 1 <= first[name].agree <= 2
    likely = [doubt.likelihood for doubt in suggestions.answer.doubts]
    assert likely == sorted(likely, reverse=True)
    assert all(0 <= likelihood <= 1 for likelihood in likely)
    assert len({doubt.concept for doubt in suggestions.answer.doubts}) == len(likely)


def test_lifted_ones_are_found_more_often_than_by_chance(deeper: Found) -> None:
    _, suggestions = deeper
    trial = suggestions.answer.trial
    assert suggestions.answer.lifted == 19  # of 377, a twentieth
    assert min(trial.precision[50]) > 1.5 * trial.chance
    assert trial.calibration.brier < trial.calibration.brier_of_chance


def test_a_newer_release_tells_what_was_moved_deeper(deeper: Found) -> None:
    workspace, suggestions = deeper
    check = check_deeper_by_newer(workspace, suggestions, find_ontology(workspace, "1"))
    assert check.looked == len(suggestions.answer.all_concepts)
    assert check.changed_chance.value * check.looked == pytest.approx(3)
    assert check.carried_out_chance == check.changed_chance
    k = min(check.changed)
    assert check.carried_out[k].value * k == pytest.approx(3)


def test_it_may_look_below_one_concept_alone(deeper: Found) -> None:
    workspace, suggestions = deeper
    heart = next(c for c, label in suggestions.labels.items() if label == "heart disease")
    some = find_deeper_in(workspace, suggestions.ontology, LEXICAL, root=heart, share=0.1)
    labels = {some.labels[concept] for concept in some.answer.all_concepts}
    assert labels
    assert all("heart" in label for label in labels)
    with pytest.raises(UserError, match="nothing:1"):
        find_deeper_in(workspace, suggestions.ontology, LEXICAL, root="nothing:1")


def test_what_cannot_be_asked_is_refused(deeper: Found) -> None:
    workspace, suggestions = deeper
    with pytest.raises(UserError, match="cannot be lifted"):
        find_deeper_in(workspace, suggestions.ontology, LEXICAL, share=0)
    leaf = suggestions.answer.doubts[-1].concept
    organ = next(c for c, label in suggestions.labels.items() if label.startswith("sequel of"))
    assert leaf
    with pytest.raises(UserError, match="too high"):
        find_deeper_in(workspace, suggestions.ontology, LEXICAL, root=organ)


def test_suggestions_are_broad_matches_in_sssom(deeper: Found, tmp_path: Path) -> None:
    workspace, suggestions = deeper
    out = tmp_path / "deeper.sssom.tsv"
    write_suggestions(workspace, out, deeper_file(suggestions))
    lines = out.read_text(encoding="utf-8").splitlines()
    rows = [line.split("\t") for line in lines if not line.startswith("#")]
    assert len(rows) == 1 + len(suggestions.answer.doubts)
    assert {row[3] for row in rows[1:]} == {"skos:broadMatch"}
    best = suggestions.answer.doubts[0]
    assert (best.concept in rows[1], best.better in rows[1]) == (True, True)
    assert "may stand too high" in rows[1][8]


def test_the_command_finds_the_same_again(deeper: Found) -> None:
    workspace, suggestions = deeper
    words = ["suggest", "deeper", "--ontology", str(suggestions.ontology.id), "--newer", "1"]
    words += ["--encoder", str(VECTORS), "--encoder", str(LEXICAL), "--share", ".05"]
    words += ["--workspace", str(workspace.folder)]
    answer = json.loads(CliRunner().invoke(app, [*words, "--json"]).stdout)
    suggestion_list = find_list(workspace, answer["list"])
    assert suggestion_list.head.kind == "deeper"
    assert suggestion_list.count == len(suggestions.answer.doubts)
    first, best = answer["suggestions"][0], suggestions.answer.doubts[0]
    assert (first["concept"], first["parent"]) == (best.concept, best.parent)
    assert first["other_concept"] == best.better
    assert first["likelihood"] == best.likelihood
    assert answer["lifted"] == suggestions.answer.lifted
    assert answer["newer"]["ontology"] == 1
    shown = CliRunner().invoke(app, [*words, "--limit", "3"])
    assert "moved below something there" in shown.stdout


def test_what_is_left_out_beyond_the_most_likely_is_told(
    deeper: Found, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace, suggestions = deeper
    request = FinderRequest(
        workspace.folder, suggestions.ontology.id, (VECTORS, LEXICAL), share=0.05
    )
    monkeypatch.setattr(finder, "MOST", 2)
    parent_end, child_end = Pipe()
    with parent_end, child_end:
        cut = run_deeper_parents(request, Channel(parent_end))
    assert cut.doubts == suggestions.answer.doubts[:2]
    assert cut.left_out == len(suggestions.answer.doubts) - 2 > 0
