"""A synonym of the toy that another concept has, found."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from toy_ontology import HEADER, stanza, toy_obo
from toy_workspace import LEXICAL, VECTORS, load, opened_copy, quiet
from typer.testing import CliRunner

from termexplorer.cli.commands import app
from termexplorer.errors import UserError
from termexplorer.services.curate.found import FinderRequest
from termexplorer.services.curate.misplaced_names import (
    DoubtfulNames,
    check_names_by_newer,
    suggest_names,
)
from termexplorer.services.curate.misplaced_names_rows import name_cells, names_file
from termexplorer.services.curate.suggesting import Search, search
from termexplorer.services.curate.suggestion_files import write_suggestions
from termexplorer.services.curate.suggestion_lists import find_list, read_list
from termexplorer.services.explore.ontologies import Ontology, find_ontology
from termexplorer.workers.process.supervision import JobControl
from termexplorer.workspace import Workspace

Found = tuple[Workspace, DoubtfulNames]

WRONG = "left kidney tumour, chronic"


@pytest.fixture(scope="module")
def doubtful(toy: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Found]:
    """The toy, but the lung's disease has a synonym of one of the kidney."""
    folder = tmp_path_factory.mktemp("names")
    path = folder / "names.obo"
    line = f'synonym: "{WRONG}" EXACT []\n'
    synonym_line = 'synonym: "disease of the lung" EXACT []\n'
    text = toy_obo().replace(line, "").replace(synonym_line, synonym_line + line)
    path.write_text(text, encoding="utf-8")
    with opened_copy(toy, folder) as workspace:
        ontology = load(workspace, path)
        yield workspace, found_in(workspace, ontology, VECTORS, LEXICAL)


def found_in(
    workspace: Workspace, ontology: Ontology, *encoders: int, share: float = 0.05
) -> DoubtfulNames:
    request = FinderRequest(workspace.folder, ontology.id, encoders, share=share)
    return suggest_names(workspace, ontology, request, JobControl(), quiet)


def test_the_name_of_another_concept_is_suggested_for_that_one(doubtful: Found) -> None:
    _, suggestions = doubtful
    likely = [doubt.likelihood for doubt in suggestions.answer.doubts]
    assert likely == sorted(likely, reverse=True)
    assert all(0 <= likelihood <= 1 for likelihood in likely)
    (wrong,) = [doubt for doubt in suggestions.answer.doubts if doubt.name == WRONG]
    assert suggestions.labels[wrong.concept] == "lung disease"
    assert suggestions.labels[wrong.better].endswith("tumour of the left kidney")
    assert "left" in wrong.nearest
    assert wrong.margin > 0.1
    assert 1 <= wrong.agree <= 2
    assert wrong.likelihood > 2 * suggestions.answer.trial.chance


def test_labels_are_not_doubted_and_moved_names_are_found(doubtful: Found) -> None:
    _, suggestions = doubtful
    answer = suggestions.answer
    assert len(answer.all_names) == 4 + 144 * 2  # the synonyms
    assert answer.moved == round(0.05 * len(answer.all_names))
    assert not {doubt.name for doubt in answer.doubts} & set(suggestions.labels.values())
    assert answer.trial.chance == pytest.approx(0.05, abs=0.003)
    most = answer.moved / 50  # no more can be found
    assert min(answer.trial.precision[50]) > 0.6 * most
    assert sum(calibration_bin.n for calibration_bin in answer.trial.calibration.bins) == 3 * len(
        answer.all_names
    )


def test_a_newer_release_tells_which_names_it_gave_to_others(doubtful: Found) -> None:
    workspace, suggestions = doubtful
    check = check_names_by_newer(workspace, suggestions, find_ontology(workspace, "1"))
    doubts = suggestions.answer.doubts
    assert check.looked == len(suggestions.answer.all_names)
    assert check.changed_chance.value == pytest.approx(1 / check.looked)
    (position,) = [index for index, doubt in enumerate(doubts) if doubt.name == WRONG]
    right = suggestions.labels[doubts[position].better] == "chronic tumour of the left kidney"
    assert check.carried_out_chance.value == pytest.approx(right / check.looked)
    for k in (50, 100, 200):
        shown = min(k, len(doubts))
        assert check.changed[k].value * shown == pytest.approx(float(position < k))
        assert check.carried_out[k].value * shown == pytest.approx(float(right and position < k))


def test_a_name_that_is_left_and_one_that_is_shared_are_told_apart(
    doubtful: Found, tmp_path: Path
) -> None:
    """In the newer release one name is gone, one is at the suggested concept too, in capitals."""
    workspace, suggestions = doubtful
    (wrong,) = [doubt for doubt in suggestions.answer.doubts if doubt.name == WRONG]
    other = next(doubt for doubt in suggestions.answer.doubts if doubt.concept != wrong.concept)
    stanzas = toy_obo().split("\n\n")
    for index, text in enumerate(stanzas):
        lines = text.splitlines()
        if f"id: {other.concept}" in lines:
            lines = [line for line in lines if other.name not in line]
        if f"id: {wrong.better}" in lines:
            lines = [line for line in lines if WRONG not in line]
            lines.insert(3, f'synonym: "{WRONG.upper()}" EXACT []')
        if f"id: {wrong.concept}" in lines:
            lines.insert(3, f'synonym: "{WRONG}" EXACT []')
        stanzas[index] = "\n".join(lines)
    path = tmp_path / "newer.obo"
    path.write_text("\n\n".join(stanzas), encoding="utf-8")
    check = check_names_by_newer(workspace, suggestions, load(workspace, path))
    assert check.changed_chance.value == pytest.approx(2 / check.looked)
    assert check.carried_out_chance.value == pytest.approx(1 / check.looked)


def test_another_terminology_is_no_newer_release(doubtful: Found, tmp_path: Path) -> None:
    workspace, suggestions = doubtful
    path = tmp_path / "burns.obo"
    path.write_text(HEADER.replace("toy", "x") + "\n" + stanza("B:0", "burn"), encoding="utf-8")
    with pytest.raises(UserError, match="has none of these concepts"):
        check_names_by_newer(workspace, suggestions, load(workspace, path))


def test_the_command_finds_the_same_again(doubtful: Found, tmp_path: Path) -> None:
    workspace, suggestions = doubtful
    words = ["suggest", "names", "--ontology", str(suggestions.ontology.id), "--share", ".05"]
    words += ["--encoder", str(VECTORS), "--encoder", str(LEXICAL), "--newer", "1"]
    words += ["--workspace", str(workspace.folder)]
    answer = json.loads(CliRunner().invoke(app, [*words, "--json"]).stdout)
    suggestion_list = find_list(workspace, answer["list"])
    assert (suggestion_list.head.kind, suggestion_list.count) == (
        "names",
        len(suggestions.answer.doubts),
    )
    first = suggestions.answer.doubts[0]
    assert answer["suggestions"][0]["likelihood"] == first.likelihood
    assert answer["suggestions"][0]["other_name"] == suggestions.labels[first.better]
    assert answer["calibration"]["brier"] == suggestions.answer.trial.calibration.brier
    assert answer["newer"]["ontology"] == 1
    assert answer["newer"]["looked"] == answer["names"] == len(suggestions.answer.all_names)
    out = tmp_path / "names.csv"
    shown = CliRunner().invoke(app, [*words, "--limit", "2", "--out", str(out)]).stdout
    assert "expected calibration error" in shown
    assert "given to the suggested one" in " ".join(shown.split())
    assert "suggestions are in" in shown
    count = len(suggestions.answer.doubts)
    assert f"Shown: 2 of {count:,} suggestions" in shown
    assert f"List {suggestion_list.id} had the same settings" in shown
    again = json.loads(CliRunner().invoke(app, [*words, "--json"]).stdout)
    summary = {key: again[key] for key in ("list", "list_is_new", "count", "replaced", "unchanged")}
    assert summary == {
        "list": suggestion_list.id, "list_is_new": False, "count": count, "replaced": count,
        "unchanged": count,
    }  # fmt: skip
    assert len(out.read_text("utf-8").splitlines()) == 1 + len(suggestions.answer.doubts)


def test_names_are_related_matches_in_sssom(doubtful: Found, tmp_path: Path) -> None:
    workspace, suggestions = doubtful
    out = tmp_path / "names.sssom.tsv"
    write_suggestions(workspace, out, names_file(suggestions))
    rows = [x.split("\t") for x in out.read_text("utf-8").splitlines() if x[0] != "#"]
    cells = name_cells(suggestions, suggestions.answer.doubts[0])
    assert rows[1][1:6] == [cells[0], cells[1], "skos:relatedMatch", cells[3], cells[4]]
    assert f"'{cells[2]}'" in rows[1][8]


def test_names_are_kept_for_review(doubtful: Found) -> None:
    workspace, suggestions = doubtful
    wanted = Search("names", suggestions.ontology.id, suggestions.encoder_ids)
    suggestion_list = find_list(workspace, search(workspace, wanted, JobControl(), quiet).list_id)
    assert suggestion_list.head.kind == "names"
    assert any("calibration error" in fact for fact in suggestion_list.head.facts)
    (wrong,) = [
        suggestion
        for suggestion in read_list(workspace, suggestion_list.id)
        if suggestion.about.term == WRONG
    ]
    assert suggestions.labels[wrong.about.subject] == "lung disease"


def test_what_cannot_be_asked_is_refused(workspace: Workspace, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="cannot be moved"):
        found_in(workspace, find_ontology(workspace, "1"), VECTORS, share=0.6)
    path = tmp_path / "bare.obo"
    path.write_text(HEADER.replace("toy", "bare") + "\n" + stanza("D:0", "burn"), encoding="utf-8")
    with pytest.raises(UserError, match="none can be misplaced"):
        found_in(workspace, load(workspace, path), VECTORS)
