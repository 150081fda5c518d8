"""The commands about kept lists of suggestions, and about the log of verdicts."""

import json
import sqlite3
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from termexplorer.cli.main import run
from termexplorer.errors import UserError

MAPPINGS = """\
subject_id\tsubject_label\tpredicate_id\tobject_id\tmapping_justification\tauthor_label\tcomment
A:1\tone\tskos:exactMatch\tB:1\tsemapv:LexicalMatching\t\t
A:2\ttwo\tskos:exactMatch\tB:2\tsemapv:ManualMappingCuration\tAnna\t=yes
"""
Command = Callable[..., str]


@pytest.fixture
def command(command: Command, tmp_path: Path) -> Command:
    """Runs a command on a workspace with a list of two mappings."""
    assert "No suggestions are kept yet" in command("suggestion", "list")
    source = tmp_path / "m.sssom.tsv"
    source.write_text(MAPPINGS)
    answer = json.loads(command("suggestion", "import", str(source), "--json"))
    assert answer == {
        "list": 1,
        "suggestions": 2,
        "verdicts": 1,
        "new_verdicts": 1,
        "older_verdicts": 0,
        "was_there": False,
        "doubled": 0,
        "unknown_ids": 4,
        "first_unknown_ids": ["A:1", "B:1", "A:2", "B:2"],
        "part_of_list": None,
        "new_suggestions": 0,
    }
    return command


def test_lists_are_imported_listed_and_exported(command: Command, tmp_path: Path) -> None:
    (suggestion_list,) = json.loads(command("suggestion", "list", "--json"))["lists"]
    keys = ("list", "kind", "title", "suggestions", "judged")
    assert {key: suggestion_list[key] for key in keys} == {
        "list": 1, "kind": "imported", "title": "m.sssom.tsv", "suggestions": 2, "judged": 1,
    }  # fmt: skip
    assert "m.sssom.tsv" in command("suggestion", "list")
    again = command("suggestion", "import", str(tmp_path / "m.sssom.tsv"))
    assert again.startswith("list 1 is there already: 2 suggestions; 1 verdict, 0 of them new\n")
    assert "A:1, B:1, A:2, B:2; the mappings are kept" in again
    out = tmp_path / "out.jsonl"
    assert "2 rows are in" in command("suggestion", "export", "1", "--out", str(out))
    rows = [json.loads(line) for line in out.read_text().splitlines()]
    assert [(row["concept"], row["answer"], row["note"]) for row in rows] == [
        ("A:1", "", ""), ("A:2", "correct", "=yes"),
    ]  # fmt: skip
    for ending in ("jsonl", "sssom.tsv"):
        out = tmp_path / f"judged.{ending}"
        answer = json.loads(
            command("suggestion", "export", "1", "--judged", "--out", str(out), "--json")
        )
        assert answer["rows"] == 1
        assert "A:2" in out.read_text()
        assert "A:1" not in out.read_text()
    changes = tmp_path / "changes.robot.tsv"
    answer = json.loads(command("suggestion", "export", "1", "--out", str(changes), "--json"))
    assert answer == {
        "rows": 1, "conflicts": 0, "left_out": 0, "reason": "", "file": str(changes),
            "loss": "Only what was judged correct is in it, as changes",
    }  # fmt: skip
    assert "oboInOwl:hasDbXref" in changes.read_text()


def test_an_export_is_filtered_as_a_review_is(command: Command, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"

    def export(*options: str) -> list[str]:
        command("suggestion", "export", "1", "--out", str(out), *options)
        return [json.loads(line)["concept"] for line in out.read_text().splitlines()]

    assert export("--evidence", "synonym") == ["A:1"]
    assert export("--evidence", "similar", "--predicate", "exact") == ["A:2"]
    assert export("--predicate", "broad") == []
    assert export("--least", "0.5") == []  # none has a probability


def test_a_list_is_removed_and_its_verdicts_stay(command: Command) -> None:
    with pytest.raises(SystemExit):  # nobody is there to say yes
        command("suggestion", "remove", "1")
    assert "No suggestions" not in command("suggestion", "list")
    output = command("suggestion", "remove", "1", "--yes")
    assert output == "Removed the list “m.sssom.tsv”; 1 verdict on it stays in the log\n"
    assert "No suggestions are kept yet" in command("suggestion", "list")
    assert command("verdicts", "check") == "the log is whole: 1 row\n"
    with pytest.raises(UserError, match=r"7: no such list of suggestions"):
        command("suggestion", "remove", "7")


def test_verdicts_are_checked_and_exported(command: Command, tmp_path: Path) -> None:
    assert command("verdicts", "check") == "the log is whole: 1 row\n"
    assert json.loads(command("verdicts", "check", "--json")) == {"rows": 1}
    out = tmp_path / "v.jsonl"
    assert "1 verdict is in" in command("verdicts", "export", "--out", str(out))
    row = json.loads(out.read_text())
    assert (row["annotator"], row["subject"], row["answer"], row["note"]) == (
        "Anna", "A:2", "correct", "=yes",
    )  # fmt: skip
    with pytest.raises(UserError, match="7: no such study"):
        command("verdicts", "export", "--study", "7", "--out", str(out))


def test_a_log_that_was_changed_is_one_line_and_exits_1(
    command: Command,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    workspace_folder = tmp_path / "workspace"
    with closing(sqlite3.connect(workspace_folder / "workspace.sqlite")) as raw, raw:
        raw.execute("DROP TRIGGER verdict_no_update")
        raw.execute("UPDATE verdict SET note = 'no' WHERE id = 1")
    words = ["termexplorer", "verdicts", "check", "--workspace", str(workspace_folder)]
    monkeypatch.setattr(sys, "argv", words)
    with pytest.raises(SystemExit) as left:
        run()
    assert left.value.code == 1
    output = capsys.readouterr().err
    assert "broken at row 1:" in output
    assert len(output.splitlines()) == 1
