"""Concepts of the toy that stand below the wrong organ, found."""

import json
from pathlib import Path

import pytest
from toy_ontology import toy_obo
from toy_workspace import LEXICAL, VECTORS, load, quiet
from typer.testing import CliRunner

from termexplorer.cli.commands import app
from termexplorer.errors import UserError
from termexplorer.services.misplacement import (
    Misplaced,
    MisplacementRequest,
    check_by_newer,
    suggest_misplaced,
)
from termexplorer.services.misplacement_rows import misplacement_file
from termexplorer.services.ontologies import Ontology, find_ontology
from termexplorer.services.suggestion_files import write_suggestions
from termexplorer.workers.supervision import Control
from termexplorer.workspace import Workspace


@pytest.fixture
def misplaced(workspace: Workspace, tmp_path: Path) -> Ontology:
    """An older release of the toy (1), in which one concept of the lung is below the heart."""
    path = tmp_path / "older.obo"
    stanzas = toy_obo().split("\n\n")
    own = next(i for i, text in enumerate(stanzas) if "name: bacterial lung infection\n" in text)
    heart = next(text for text in stanzas if "name: heart infection\n" in text)
    parent = heart.partition("id: ")[2].partition("\n")[0]
    lines = stanzas[own].splitlines()
    stanzas[own] = "\n".join(f"is_a: {parent}" if x.startswith("is_a") else x for x in lines)
    path.write_text("\n\n".join(stanzas), encoding="utf-8")
    return load(workspace, path)


def found_in(
    workspace: Workspace, ontology: Ontology, *encoders: int, level: int = 1, share: float = 0.05
) -> Misplaced:
    request = MisplacementRequest(workspace.folder, ontology.id, encoders, "", level, share)
    return suggest_misplaced(workspace, ontology, request, Control(), quiet)


def test_what_stands_below_the_wrong_class_comes_first(
    workspace: Workspace, misplaced: Ontology
) -> None:
    found = found_in(workspace, misplaced, VECTORS, LEXICAL)
    first = found.found.doubts[:4]
    names = [found.labels[each.concept] for each in first]
    assert all("bacterial infection of the" in name and "lung" in name for name in names)
    assert {found.labels[each.better] for each in first} == {"lung disease"}
    assert {tuple(found.labels[c] for c in each.classes) for each in first} == {("heart disease",)}
    assert all(1 <= each.agree <= 2 for each in first)
    likely = [each.likelihood for each in found.found.doubts]
    assert likely == sorted(likely, reverse=True)
    assert all(0 <= each <= 1 for each in likely)


def test_moved_ones_are_found_more_often_than_by_chance(
    workspace: Workspace, misplaced: Ontology
) -> None:
    found = found_in(workspace, misplaced, VECTORS)
    assert len(found.found.all_classes) == 4
    assert found.found.moved == round(0.05 * len(found.found.all_concepts))
    assert found.chance == pytest.approx(0.05, abs=0.002)
    assert {k: len(values) for k, values in found.found.precision.items()} == {
        50: 3,
        100: 3,
        200: 3,
    }
    most = found.found.moved / 50  # no more can be found
    assert min(found.found.precision[50]) > 0.8 * most
    again = found_in(workspace, misplaced, VECTORS)
    assert again.found == found.found


def test_a_newer_release_tells_what_was_carried_out(
    workspace: Workspace, misplaced: Ontology
) -> None:
    found = found_in(workspace, misplaced, VECTORS)
    check = check_by_newer(workspace, found, find_ontology(workspace, "1"))
    assert check.concepts == len(found.found.all_concepts)
    assert check.changed_chance == check.carried_out_chance == pytest.approx(5 / check.concepts)
    first = [found.labels[each.concept] for each in found.found.doubts[:50]]
    was_wrong = [name for name in first if "bacterial" in name and "lung" in name]
    infections = [name for name in was_wrong if "infection" in name]
    assert check.carried_out[50] * len(first) == pytest.approx(len(infections))
    assert len(infections) >= 4


def test_what_cannot_be_asked_is_refused(workspace: Workspace) -> None:
    toy = find_ontology(workspace, "1")
    with pytest.raises(UserError, match="cannot be moved"):
        found_in(workspace, toy, VECTORS, share=0)
    with pytest.raises(UserError, match="level 9"):
        found_in(workspace, toy, VECTORS, level=9)
    with pytest.raises(UserError, match="no encoder 99"):
        found_in(workspace, toy, 99)


def test_suggestions_are_broad_matches_in_sssom(
    workspace: Workspace, misplaced: Ontology, tmp_path: Path
) -> None:
    found = found_in(workspace, misplaced, VECTORS)
    out = tmp_path / "doubts.sssom.tsv"
    write_suggestions(workspace, out, misplacement_file(found))
    lines = out.read_text(encoding="utf-8").splitlines()
    rows = [line.split("\t") for line in lines if not line.startswith("#")]
    assert len(rows) == 1 + len(found.found.doubts)
    assert {row[2] for row in rows[1:]} == {"skos:broadMatch"}
    assert float(rows[1][6]) == pytest.approx(found.found.doubts[0].likelihood, abs=1e-4)
    assert "may be misplaced below" in rows[1][7]


def test_the_command(workspace: Workspace, misplaced: Ontology, tmp_path: Path) -> None:
    words = ["suggest", "misplaced", "--ontology", str(misplaced.id), "--encoder", str(VECTORS)]
    words += ["--newer", "1", "--workspace", str(workspace.folder)]
    answer = json.loads(CliRunner().invoke(app, [*words, "--json"]).stdout)
    assert answer["suggestions"][0]["better_name"] == "lung disease"
    assert set(answer["precision"]) == {"50", "100", "200"}
    assert answer["newer"]["newer"] == 1
    shown = CliRunner().invoke(app, [*words, "--limit", "3", "--out", str(tmp_path / "a.csv")])
    assert "below the suggested one" in shown.stdout
    assert (tmp_path / "a.csv").exists()
