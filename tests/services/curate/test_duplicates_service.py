"""The toy with one concept twice, found."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from toy_ontology import stanza, toy_obo
from toy_workspace import LEXICAL, VECTORS, load, opened_copy, quiet
from typer.testing import CliRunner

from termexplorer.cli.commands import app
from termexplorer.errors import UserError
from termexplorer.services.curate.duplicates import (
    DuplicatePairs,
    duplicates_file,
    pair_cells,
    suggest_duplicates,
)
from termexplorer.services.curate.found import FinderRequest
from termexplorer.services.curate.suggestion_files import write_suggestions
from termexplorer.services.curate.suggestion_lists import find_list
from termexplorer.services.explore.ontologies import Ontology, find_ontology
from termexplorer.texts import interval_text
from termexplorer.workers.process.supervision import JobControl
from termexplorer.workspace import Workspace

Found = tuple[Workspace, DuplicatePairs]

COPIES = 6
SHARE = 0.05


@pytest.fixture(scope="module")
def twice(toy: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Found]:
    folder = tmp_path_factory.mktemp("twice")
    path = folder / "twice.obo"
    again = stanza("TOY:8000", "Severe  injury of the left lung", "TOY:1")
    path.write_text(f"{toy_obo()}\n{again}\n", encoding="utf-8")
    with opened_copy(toy, folder) as workspace:
        ontology = load(workspace, path)
        yield workspace, found_in(workspace, ontology, VECTORS, LEXICAL)


def found_in(
    workspace: Workspace, ontology: Ontology, *encoders: int, share: float = SHARE
) -> DuplicatePairs:
    request = FinderRequest(workspace.folder, ontology.id, encoders, share=share)
    return suggest_duplicates(workspace, ontology, request, JobControl(), quiet)


def test_the_same_concept_twice_is_suggested(twice: Found) -> None:
    _, suggestions = twice
    pairs = suggestions.answer.pairs
    (same,) = [
        pair for pair in pairs if "TOY:8000" in (pair.first, pair.second) and pair.agree == 2
    ]
    assert "severe injury of the left lung" in {
        suggestions.labels[same.first],
        suggestions.labels[same.second],
    }
    assert same.similarity == pytest.approx(1, abs=1e-3)
    assert all(pair.similarity <= 1 for pair in pairs)
    assert same.relation == ""
    for is_told_apart in (False, True):
        likely = [p.likelihood for p in pairs if bool(p.difference) is is_told_apart]
        assert likely == sorted(likely, reverse=True)
    assert all(0 <= pair.likelihood <= 1 for pair in pairs)
    assert {"child", "sibling"} <= {pair.relation for pair in pairs}


def test_pairs_that_a_word_tells_apart_come_last_with_that_word(twice: Found) -> None:
    pairs = twice[1].answer.pairs
    is_told_apart = [bool(pair.difference) for pair in pairs]
    assert is_told_apart == sorted(is_told_apart)
    assert "left / right" in {pair.difference for pair in pairs}
    assert "TOY:8000" in (pairs[0].first, pairs[0].second)
    cells = pair_cells(twice[1], pairs[-1])
    assert cells[-1] == pairs[-1].difference
    assert duplicates_file(twice[1]).mappings[-1].comment.endswith(f"differ in {cells[-1]}")


def test_halves_are_looked_for_in_copies(twice: Found) -> None:
    _, suggestions = twice
    answer = suggestions.answer
    several = 4 + 144 * 2  # organs, sides and sequelae have a synonym
    assert answer.split == round(SHARE * several)
    assert answer.copies == COPIES
    assert set(answer.recall) == {VECTORS, LEXICAL}
    assert 0 < answer.recall[VECTORS][1] <= answer.recall[VECTORS][5] <= 1
    assert {k: len(values) for k, values in answer.trial.precision.items()} == {
        50: COPIES // 2, 100: COPIES // 2, 200: COPIES // 2,
    }  # fmt: skip
    assert 0 < answer.trial.chance < 0.05


def test_the_command_finds_the_same_again(twice: Found, tmp_path: Path) -> None:
    workspace, suggestions = twice
    words = [
        "suggest",
        "duplicates",
        "--ontology",
        str(suggestions.ontology.id),
        "--share",
        str(SHARE),
    ]
    words += ["--encoder", str(VECTORS), "--encoder", str(LEXICAL)]
    words += ["--workspace", str(workspace.folder)]
    answer = json.loads(CliRunner().invoke(app, [*words, "--json"]).stdout)
    suggestion_list = find_list(workspace, answer["list"])
    assert (suggestion_list.head.kind, suggestion_list.count) == (
        "duplicates",
        len(suggestions.answer.pairs),
    )
    first = suggestions.answer.pairs[0]
    assert answer["suggestions"][0]["likelihood"] == first.likelihood
    assert answer["suggestions"][0]["name"] == suggestions.labels[first.first]
    assert answer["calibration"]["brier"] == suggestions.answer.trial.calibration.brier
    assert answer["split_concepts"] == suggestions.answer.split
    shown = CliRunner().invoke(app, [*words, "--limit", "1", "--out", str(tmp_path / "pairs.csv")])
    assert "suggestions are in" in shown.stdout
    assert "others each time" in shown.stdout
    assert f"Shown: 1 of {suggestion_list.count:,} suggestions" in shown.stdout
    assert answer["left_out"] == 0
    assert "left out" not in shown.stdout
    first = answer["recall_figures"][str(VECTORS)]["1"]
    assert first["low"] < first["value"] == answer["recall"][str(VECTORS)]["1"] < first["high"]
    assert first["n"] == answer["split_concepts"] * answer["copies"]
    assert interval_text(first["value"], first["low"], first["high"]) in shown.stdout
    assert "expected calibration error" in shown.stdout
    assert len((tmp_path / "pairs.csv").read_text("utf-8").splitlines()) == 1 + len(
        suggestions.answer.pairs
    )


def test_pairs_are_close_matches_in_sssom(twice: Found, tmp_path: Path) -> None:
    workspace, suggestions = twice
    out = tmp_path / "pairs.sssom.tsv"
    write_suggestions(workspace, out, duplicates_file(suggestions))
    rows = [x.split("\t") for x in out.read_text("utf-8").splitlines() if x[0] != "#"]
    first = suggestions.answer.pairs[0]
    cells = pair_cells(suggestions, first)
    assert rows[1][1:6] == [cells[0], cells[1], "skos:closeMatch", cells[2], cells[3]]
    assert float(rows[1][7]) == pytest.approx(first.likelihood, abs=1e-4)


def test_what_cannot_be_asked_is_refused(workspace: Workspace, tmp_path: Path) -> None:
    toy = find_ontology(workspace, "1")
    with pytest.raises(UserError, match="cannot be split; give one up to"):
        found_in(workspace, toy, VECTORS, share=0.2)
    path = tmp_path / "few.obo"
    path.write_text(
        f"{toy_obo()[:70]}\n{stanza('D:0', 'lung injury', '', 'injury of lung')}", encoding="utf-8"
    )
    with pytest.raises(UserError, match="would have to be split"):
        found_in(workspace, load(workspace, path), VECTORS)
