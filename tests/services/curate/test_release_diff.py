"""Two releases of an ontology that is written here, compared."""

import csv
import json
from pathlib import Path

import pytest
from release_files import write
from toy_ontology import stanza, toy_obo
from toy_workspace import load
from typer.testing import CliRunner

from termexplorer.cli.commands import app
from termexplorer.errors import UserError
from termexplorer.services.curate.release_diff import (
    DIFF_HEADER,
    Change,
    ReleaseDiff,
    compare_releases,
    diff_rows,
)
from termexplorer.services.curate.stale import StaleRun, StaleVerdict
from termexplorer.services.explore.ontologies import find_ontology
from termexplorer.services.files.exports import write_table
from termexplorer.services.verdicts.log import Answer, Judge, VerdictSubject, give_verdict
from termexplorer.workspace import Workspace

GONE = "is_obsolete: true\n"
OLD = (
    stanza("T:0", "disease"),
    stanza("T:1", "lung disease", "T:0"),
    stanza("T:2", "heart disease", "T:0"),
    stanza("T:3", "Pneumonia", "T:1"),
    stanza("T:4", "angina", "T:1"),
    stanza("T:5", "replaced", "T:2"),
    stanza("T:6", "merged", "T:2"),
    stanza("T:7", "left out", "T:3"),
    "[Term]\nid: T:8\nname: back again\n" + GONE,
)
NEW = (
    stanza("T:0", "disease"),
    stanza("T:1", "lung disease", "T:0"),
    stanza("T:2", "heart disease", "T:0") + "alt_id: T:6\n",
    stanza("T:3", "pneumonia", "T:1"),
    stanza("T:4", "angina pectoris", "T:2"),
    "[Term]\nid: T:5\nname: obsolete replaced\n" + GONE + "replaced_by: T:3\n",
    stanza("T:8", "back again", "T:1"),
    stanza("T:9", "new one", "T:3"),
    "[Term]\nid: T:10\nname: never lived\n" + GONE,
)


def both(workspace: Workspace, folder: Path) -> tuple[int, int]:
    old = load(workspace, write(folder / "old.obo", *OLD)).id
    return old, load(workspace, write(folder / "new.obo", *NEW)).id


def diff(workspace: Workspace, old: int, new: int) -> ReleaseDiff:
    releases = [find_ontology(workspace, str(number)) for number in (old, new)]
    return compare_releases(workspace, *releases)


def told(change: Change) -> tuple[str, str, tuple[str, ...], tuple[str, ...]]:
    return change.concept, change.name, change.before, change.after


def test_every_kind_of_change_is_found(empty: Workspace, tmp_path: Path) -> None:
    changes = diff(empty, *both(empty, tmp_path))
    assert [told(change) for change in changes.of_kind("added")] == [
        ("T:8", "back again", (), ("T:1 lung disease",)),
        ("T:9", "new one", (), ("T:3 pneumonia",)),
    ]
    assert [told(change) for change in changes.of_kind("retired")] == [
        ("T:5", "replaced", ("T:2 heart disease",), ("T:3 pneumonia",)),
        ("T:6", "merged", ("T:2 heart disease",), ("T:2 heart disease",)),
        ("T:7", "left out", ("T:3 Pneumonia",), ()),
    ]
    assert [told(change) for change in changes.of_kind("moved")] == [
        ("T:4", "angina pectoris", ("T:1 lung disease",), ("T:2 heart disease",)),
    ]
    assert [told(change) for change in changes.of_kind("renamed")] == [
        ("T:3", "pneumonia", ("Pneumonia",), ("pneumonia",)),
        ("T:4", "angina pectoris", ("angina",), ("angina pectoris",)),
    ]
    assert changes.stale == ()


def test_the_other_way_round_what_was_added_is_retired(empty: Workspace, tmp_path: Path) -> None:
    old, new = both(empty, tmp_path)
    forward, back = diff(empty, old, new), diff(empty, new, old)
    for kind, other in (("added", "retired"), ("moved", "moved"), ("renamed", "renamed")):
        for first, second in ((forward, back), (back, forward)):
            changed = {change.concept for change in first.of_kind(kind)}
            assert changed == {change.concept for change in second.of_kind(other)}
    moved = {c.concept: (c.before, c.after) for c in back.of_kind("moved")}
    assert {c.concept: (c.after, c.before) for c in forward.of_kind("moved")} == moved


def test_the_same_content_has_no_changes(empty: Workspace, tmp_path: Path) -> None:
    first = load(empty, write(tmp_path / "one.obo", *OLD)).id
    second = load(empty, write(tmp_path / "two.obo", *OLD)).id
    assert diff(empty, first, second).changes == ()


def test_what_cannot_be_compared_is_refused(empty: Workspace, tmp_path: Path) -> None:
    old = load(empty, write(tmp_path / "old.obo", *OLD)).id
    other = load(empty, write(tmp_path / "other.obo", stanza("X:1", "disease"))).id
    with pytest.raises(UserError, match="is one release; give two"):
        diff(empty, old, old)
    with pytest.raises(UserError, match="share no concept"):
        diff(empty, old, other)


def test_runs_whose_concepts_changed_are_stale(with_run: Workspace, tmp_path: Path) -> None:
    path = tmp_path / "newer.obo"
    text = toy_obo().replace("name: heart tumour", "name: tumour of the heart")
    path.write_text(text + "\n" + stanza("TOY:9100", "new lung disease", "TOY:1"), encoding="utf-8")
    newer = load(with_run, path).id
    (run,) = diff(with_run, 1, newer).stale
    assert run == StaleRun(1, run.title, changed=2)
    assert diff(with_run, newer, 1).stale == ()


def test_verdicts_on_concepts_that_changed_are_stale_until_they_are_given_again(
    empty: Workspace, tmp_path: Path
) -> None:
    old, new = both(empty, tmp_path)
    about = [VerdictSubject("skos:broadMatch", *pair) for pair in (("T:4", "T:2"), ("T:1", "T:0"))]

    def say(subject: VerdictSubject, release: int) -> None:
        source = find_ontology(empty, str(release)).content_hash
        give_verdict(empty, Judge("Anna"), subject, Answer("correct", "", "", "", source))

    for subject in about:
        say(subject, old)
    (stale,) = diff(empty, old, new).stale_verdicts
    assert stale == StaleVerdict(
        "Anna", "T:4", "skos:broadMatch", "T:2", "correct", ("T:4 moved", "T:4 renamed")
    )
    assert diff(empty, new, old).stale_verdicts == ()
    words = ["diff", str(old), str(new), "--workspace", str(empty.folder)]
    assert "is stale: T:4 moved, T:4 renamed" in CliRunner().invoke(app, words).stdout
    say(about[0], new)
    assert diff(empty, old, new).stale_verdicts == ()


def test_changes_are_written_as_a_table(empty: Workspace, tmp_path: Path) -> None:
    changes = diff(empty, *both(empty, tmp_path))
    write_table(tmp_path / "changes.csv", DIFF_HEADER, diff_rows(changes.changes))
    with (tmp_path / "changes.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == len(changes.changes) == 8
    assert rows[-1] == {
        "change": "renamed", "concept": "T:4", "name": "angina pectoris",
        "before": "angina", "after": "angina pectoris",
    }  # fmt: skip


def test_the_command_tells_numbers_lists_and_stale_runs(
    with_run: Workspace, tmp_path: Path
) -> None:
    path = tmp_path / "newer.obo"
    text = toy_obo().replace("name: heart tumour", "name: tumour of the heart")
    path.write_text(text, encoding="utf-8")
    newer = load(with_run, path).id
    words = ["diff", "1", str(newer), "--workspace", str(with_run.folder)]
    answer = json.loads(CliRunner().invoke(app, [*words, "--json"]).stdout)
    assert [answer[kind] for kind in ("added", "retired", "moved", "renamed")] == [0, 0, 0, 1]
    (renamed,) = answer["changes"]
    assert (renamed["before"], renamed["after"]) == (["heart tumour"], ["tumour of the heart"])
    assert [run["run"] for run in answer["stale_runs"]] == [1]
    out = tmp_path / "changes.xlsx"
    shown = CliRunner().invoke(app, [*words, "--out", str(out)]).stdout
    assert "1 renamed\n" in shown
    assert "is stale: 1 of its concepts changed" in shown
    assert out.exists()
    refused = CliRunner().invoke(app, ["diff", "1", "1", "--workspace", str(with_run.folder)])
    assert isinstance(refused.exception, UserError)
