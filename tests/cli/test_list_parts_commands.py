"""Lists dealt out, answered and compared by commands."""

import csv
import json
from pathlib import Path

import pytest
from program import called
from toy_reviews import keep, suggested
from toy_workspace import opened_copy


@pytest.fixture
def folder(toy: Path, tmp_path: Path) -> Path:
    """A workspace with a list of six suggestions, 1."""
    with opened_copy(toy, tmp_path) as workspace:
        keep(workspace, [suggested(f"TOY:{n}", "TOY:1", object_label="lungs") for n in range(2, 8)])
        return workspace.folder


def run(folder: Path, *words: str) -> dict[str, object]:
    ended = called("suggestion", *words, "--json", "--workspace", str(folder))
    assert (ended.returncode, ended.stderr) == (0, "")
    answer: dict[str, object] = json.loads(ended.stdout)
    return answer


def test_a_list_is_dealt_out_answered_compared_and_exported(folder: Path, tmp_path: Path) -> None:
    split = run(folder, "split", "1", "--to", "Anna", "--to", "Ben", "--twice", "1")
    assert split["parts"] == [
        {"list": n, "annotator": name, "suggestions": 6, "answered": 0, "blind": True}
        for n, name in ((2, "Anna"), (3, "Ben"))
    ]
    rows = [word for n in range(1, 7) for word in ("--row", str(n))]
    answered = run(folder, "answer", "1", "--as", "Anna", *rows, "--answer", "correct")
    assert answered == {"answered": 6}
    table = tmp_path / "answers.csv"
    table.write_text("row,answer,note\n1,wrong,no\n2,correct,\n3,correct,\n", "utf-8")
    run(folder, "answer", "1", "--as", "Ben", "--from", str(table))
    parts = run(folder, "parts", "1", "--out", str(tmp_path / "parts.csv"))
    assert parts["outcomes"] == {
        "agreed": 2, "answered": 0, "decided": 0, "differ": 1, "waiting": 3,
    }  # fmt: skip
    assert parts["agreement"]
    assert "wrong" in (tmp_path / "parts.csv").read_text("utf-8-sig")
    run(folder, "answer", "1", "--as", "Lea", "--row", "1", "--answer", "correct")
    out = tmp_path / "agreed.sssom.tsv"
    export = ("export", "1", "--as", "Lea", "--outcomes", "--out", str(out))
    assert run(folder, *export)["rows"] == 3
    assert run(folder, "answer", "1", "--as", "Lea", "--undo") == {"taken_back": 1}
    assert run(folder, *export)["rows"] == 2
    check_blind_export(folder, tmp_path / "blind.csv")


def check_blind_export(folder: Path, path: Path) -> None:
    """Ben has not answered all, so that by a command too he sees his own verdicts alone."""
    words = ("suggestion", "export", "1", "--out", str(path), "--workspace", str(folder))
    refused = called(*words)
    assert refused.returncode == 1
    assert "still answered blind, by Ben" in refused.stderr
    curators = {}
    for name in ("Ben", "Anna"):
        run(folder, "export", "1", "--as", name, "--out", str(path))
        with path.open(encoding="utf-8", newline="") as file:
            curators[name] = {row["curator"] for row in csv.DictReader(file)}
    assert curators == {"Ben": {"", "Ben"}, "Anna": {"Anna", "Ben"}}


def test_what_is_not_asked_well_is_one_line(folder: Path) -> None:
    for words, text in (
        (("answer", "1", "--as", "Anna"), "--row"),
        (("answer", "1", "--as", "Anna", "--row", "9", "--answer", "wrong"), "rows 1 to 6"),
        (("split", "1", "--to", "Anna", "--twice", "1"), "two people"),
        (("export", "1", "--outcomes", "--out", "o.csv"), "no parts"),
    ):
        ended = called("suggestion", *words, "--workspace", str(folder))
        assert ended.returncode in (1, 2)
        assert text in ended.stderr
        assert "Traceback" not in ended.stderr
