"""The command `check`: exit codes, files, and the workspace where it is asked for."""

import json
from pathlib import Path

import pytest
from checked_terms import list_known_terms, make_term, write_obo
from program import called
from toy_workspace import load

from termexplorer.workspace import Workspace

LEARNED = ("duplicate", "doubtful-parent", "doubtful-definition")
WITHOUT = [word for rule in LEARNED for word in ("--without", rule)]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An ontology, the same with a term that is there already, and no workspace."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TERMEXPLORER_WORKSPACE", str(tmp_path / "workspace"))
    known = list_known_terms()
    (tmp_path / "old.obo").write_text(write_obo(known), "utf-8")
    new = make_term("N:1", "kidney cyst", parents=["T:1"])
    (tmp_path / "new.obo").write_text(write_obo([*known, new]), "utf-8")
    return tmp_path


def test_a_finding_above_the_threshold_is_exit_code_1_and_one_line(folder: Path) -> None:
    files = ("--out", "f.csv", "--markdown", "c.md", "--sarif", "s.sarif", "--junit", "j.xml")
    ended = called("check", "new.obo", "--against", "old.obo", *files, *WITHOUT)
    assert ended.returncode == 1
    assert ended.stderr == "termexplorer: 1 finding reaches --fail-at 0.8\n"
    assert "name-taken" in ended.stdout
    assert all("N:1" in (folder / name).read_text("utf-8") for name in files[1::2])
    assert not (folder / "workspace").exists()


def test_findings_below_the_threshold_are_told_and_pass(folder: Path) -> None:
    known = list_known_terms()
    new = make_term("N:1", "kidney scar", parents=["T:1"])
    (folder / "new.obo").write_text(write_obo([*known, new]), "utf-8")
    ended = called("check", "new.obo", "--against", "old.obo", "--json", *WITHOUT)
    assert (ended.returncode, ended.stderr) == (0, "")
    report = json.loads(ended.stdout)
    assert (report["new_terms"], report["failing"]) == (1, 0)
    assert [finding["rule"] for finding in report["findings"]] == ["missing-synonym"]
    assert report["findings"][0]["severity"] == "note"


def test_two_releases_of_the_workspace_are_checked_and_kept_for_review(folder: Path) -> None:
    workspace = Workspace(folder / "workspace")
    for name in ("old.obo", "new.obo"):
        load(workspace, folder / name)
    workspace.close()
    ended = called("check", "2", "--against", "1", "--list", *WITHOUT)
    assert ended.returncode == 1
    assert "New list 1: 1 suggestion" in ended.stdout
    exported = called("suggestion", "export", "1", "--out", "l.sssom.tsv")
    assert exported.returncode == 0, exported.stderr
    assert "N:1\tkidney cyst\tskos:closeMatch\tT:102" in (folder / "l.sssom.tsv").read_text("utf-8")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["absent.obo", "--against", "old.obo"], "absent.obo: there is no such file"),
        (["new.obo", "--against", "old.obo", "--list"], "is a file"),
        (["new.obo", "--against", "empty.obo"], "empty.obo"),
    ],
)
def test_bad_input_is_one_line_that_says_what_to_do(
    folder: Path, words: list[str], message: str
) -> None:
    (folder / "empty.obo").write_text("", "utf-8")
    ended = called("check", *words)
    assert ended.returncode == 1
    assert message in ended.stderr
    assert ended.stderr.count("\n") == 1


def test_an_unknown_rule_is_wrong_usage(folder: Path) -> None:
    ended = called("check", "new.obo", "--against", "old.obo", "--without", "nonsense")
    assert ended.returncode == 2
    assert "name-taken" in ended.stderr
