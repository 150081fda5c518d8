"""Concepts of the toy that stand below the wrong organ, found."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from scipy.stats import binomtest
from toy_ontology import toy_obo
from toy_workspace import LEXICAL, VECTORS, load, opened_copy, quiet
from typer.testing import CliRunner

from termexplorer.cli.commands import app
from termexplorer.errors import UserError
from termexplorer.services.curate.found import FinderRequest
from termexplorer.services.curate.misplacement import (
    Misplaced,
    check_by_newer,
    suggest_misplaced,
)
from termexplorer.services.curate.misplacement_rows import misplacement_file
from termexplorer.services.curate.suggestion_files import write_suggestions
from termexplorer.services.curate.suggestion_lists import find_list, kept_lists
from termexplorer.services.explore.ontologies import Ontology, find_ontology
from termexplorer.texts import interval_text
from termexplorer.workers.process.supervision import JobControl
from termexplorer.workspace import Workspace

Found = tuple[Workspace, Misplaced]


@pytest.fixture(scope="module")
def misplaced(toy: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Found]:
    """An older release of the toy (1), in which one concept of the lung is below the heart."""
    folder = tmp_path_factory.mktemp("misplaced")
    path = folder / "older.obo"
    stanzas = toy_obo().split("\n\n")
    position = next(
        i for i, text in enumerate(stanzas) if "name: bacterial lung infection\n" in text
    )
    heart = next(text for text in stanzas if "name: heart infection\n" in text)
    parent = heart.partition("id: ")[2].partition("\n")[0]
    lines = stanzas[position].splitlines()
    stanzas[position] = "\n".join(f"is_a: {parent}" if x.startswith("is_a") else x for x in lines)
    path.write_text("\n\n".join(stanzas), encoding="utf-8")
    with opened_copy(toy, folder) as workspace:
        ontology = load(workspace, path)
        yield workspace, found_in(workspace, ontology, VECTORS, LEXICAL)


def found_in(
    workspace: Workspace, ontology: Ontology, *encoders: int, level: int = 1, share: float = 0.05
) -> Misplaced:
    request = FinderRequest(workspace.folder, ontology.id, encoders, "", level, share)
    return suggest_misplaced(workspace, ontology, request, JobControl(), quiet)


def test_what_stands_below_the_wrong_class_comes_first(
    misplaced: Found,
) -> None:
    _, suggestions = misplaced
    first = suggestions.answer.doubts[:4]
    names = [suggestions.labels[doubt.concept] for doubt in first]
    assert all("bacterial infection of the" in name and "lung" in name for name in names)
    assert {suggestions.labels[doubt.better_class] for doubt in first} == {"lung disease"}
    parents = {suggestions.labels[doubt.better] for doubt in first}
    assert all("lung" in parent and parent != "lung disease" for parent in parents), parents
    assert {tuple(suggestions.labels[c] for c in doubt.classes) for doubt in first} == {
        ("heart disease",)
    }
    assert all(1 <= doubt.agree <= 2 for doubt in first)
    likely = [doubt.likelihood for doubt in suggestions.answer.doubts]
    assert likely == sorted(likely, reverse=True)
    assert all(0 <= likelihood <= 1 for likelihood in likely)


def test_moved_ones_are_found_more_often_than_by_chance(misplaced: Found) -> None:
    _, suggestions = misplaced
    assert len(suggestions.answer.all_classes) == 4
    assert suggestions.answer.moved == round(0.05 * len(suggestions.answer.all_concepts))
    trial = suggestions.answer.trial
    assert trial.chance == pytest.approx(0.05, abs=0.002)
    assert {k: len(values) for k, values in trial.precision.items()} == {50: 3, 100: 3, 200: 3}
    most = suggestions.answer.moved / 50  # no more can be found
    assert min(trial.precision[50]) > 0.8 * most
    assert sum(calibration_bin.n for calibration_bin in trial.calibration.bins) == 3 * len(
        suggestions.answer.all_concepts
    )
    assert trial.calibration.brier < trial.calibration.brier_of_chance


def test_a_newer_release_tells_what_was_carried_out(misplaced: Found) -> None:
    workspace, suggestions = misplaced
    check = check_by_newer(workspace, suggestions, find_ontology(workspace, "1"))
    assert check.looked == len(suggestions.answer.all_concepts)
    assert check.changed_chance == check.carried_out_chance
    assert (check.changed_chance.value * check.looked, check.changed_chance.n) == (5, check.looked)
    exact = binomtest(5, check.looked).proportion_ci(method="exact")
    assert (check.changed_chance.low, check.changed_chance.high) == pytest.approx(exact)
    first = [suggestions.labels[doubt.concept] for doubt in suggestions.answer.doubts[:50]]
    was_wrong = [name for name in first if "bacterial" in name and "lung" in name]
    infections = [name for name in was_wrong if "infection" in name]
    assert check.carried_out[len(first)].value * len(first) == pytest.approx(len(infections))
    assert len(infections) >= 4
    assert list(check.changed) == list(check.carried_out) == [len(first)]  # no more are doubted


def test_what_cannot_be_asked_is_refused(workspace: Workspace) -> None:
    toy = find_ontology(workspace, "1")
    with pytest.raises(UserError, match="cannot be moved"):
        found_in(workspace, toy, VECTORS, share=0)
    with pytest.raises(UserError, match="level 9"):
        found_in(workspace, toy, VECTORS, level=9)
    with pytest.raises(UserError, match="no encoder 99"):
        found_in(workspace, toy, 99)


def test_a_newer_release_that_is_not_there_is_told_before_the_search(misplaced: Found) -> None:
    workspace, suggestions = misplaced
    words = ["suggest", "misplaced", "--ontology", str(suggestions.ontology.id), "--newer", "99"]
    words += ["--encoder", str(VECTORS), "--workspace", str(workspace.folder)]
    list_count = len(kept_lists(workspace))
    assert "99" in str(CliRunner().invoke(app, words).exception)
    assert len(kept_lists(workspace)) == list_count  # nothing was looked for, so nothing is kept


def test_suggestions_are_broad_matches_in_sssom(misplaced: Found, tmp_path: Path) -> None:
    workspace, suggestions = misplaced
    out = tmp_path / "doubts.sssom.tsv"
    write_suggestions(workspace, out, misplacement_file(suggestions))
    lines = out.read_text(encoding="utf-8").splitlines()
    rows = [line.split("\t") for line in lines if not line.startswith("#")]
    assert len(rows) == 1 + len(suggestions.answer.doubts)
    assert {row[3] for row in rows[1:]} == {"skos:broadMatch"}
    best = suggestions.answer.doubts[0]
    assert (best.concept in rows[1], best.better in rows[1]) == (True, True)
    assert best.better_class not in rows[1]  # the parent is what is suggested
    assert float(rows[1][7]) == pytest.approx(suggestions.answer.doubts[0].likelihood, abs=1e-4)
    assert "may be misplaced below" in rows[1][8]


def test_the_command_finds_the_same_again(misplaced: Found, tmp_path: Path) -> None:
    workspace, suggestions = misplaced
    words = ["suggest", "misplaced", "--ontology", str(suggestions.ontology.id), "--newer", "1"]
    words += ["--encoder", str(VECTORS), "--encoder", str(LEXICAL), "--share", ".05"]
    words += ["--level", "1"]
    words += ["--workspace", str(workspace.folder)]
    answer = json.loads(CliRunner().invoke(app, [*words, "--json"]).stdout)
    suggestion_list = find_list(workspace, answer["list"])
    assert (suggestion_list.head.kind, suggestion_list.count) == (
        "misplaced",
        len(suggestions.answer.doubts),
    )
    likely = [suggestion["likelihood"] for suggestion in answer["suggestions"]]
    assert likely == [doubt.likelihood for doubt in suggestions.answer.doubts]
    first = answer["suggestions"][0]
    assert first["other_concept"] == suggestions.answer.doubts[0].better
    assert first["class"].endswith("lung disease")
    assert {
        int(k): tuple(v) for k, v in answer["precision"].items()
    } == suggestions.answer.trial.precision
    assert answer["calibration"]["calibration_error"] == suggestions.answer.trial.calibration.error
    assert answer["newer"]["ontology"] == 1
    most = str(min(50, len(suggestions.answer.doubts)))
    for k, shares in ((most, answer["newer"]["carried_out"]), ("50", answer["precision_figures"])):
        assert 0 <= shares[k]["low"] < shares[k]["value"] < shares[k]["high"] <= 1
    assert answer["newer"]["carried_out"][most]["n"] == int(most)
    assert answer["precision_figures"]["50"]["n"] == 150  # of three copies
    chance = answer["chance_figure"]
    assert chance["low"] < chance["value"] == answer["chance"] < chance["high"]
    assert chance["n"] == 3 * len(suggestions.answer.all_concepts)
    assert sum(row["came_true"]["n"] for row in answer["calibration"]["bins"]) == 3 * len(
        suggestions.answer.all_concepts
    )
    shown = CliRunner().invoke(app, [*words, "--limit", "3", "--out", str(tmp_path / "a.csv")])
    assert "below the suggested one" in shown.stdout
    carried_out = answer["newer"]["carried_out"][most]
    assert (
        interval_text(carried_out["value"], carried_out["low"], carried_out["high"]) in shown.stdout
    )
    assert "expected calibration error" in shown.stdout
    assert (tmp_path / "a.csv").exists()
