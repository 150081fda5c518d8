"""What was said in a study, as one table: a row a pair, a column an annotator."""

import csv
import json
from pathlib import Path

import pytest
from openpyxl import load_workbook
from toy_studies import ANNA, BEN, SEEN, at_work, make, opened, sent
from typer.testing import CliRunner

from termexplorer.cli.commands import app
from termexplorer.errors import UserError
from termexplorer.services.studies.adjudication.deciding import decide
from termexplorer.services.studies.adjudication.decisions import Decision
from termexplorer.services.studies.adjudication.disputed_pairs import PairChoice, disputed
from termexplorer.services.studies.answers import merge_answers, write_answers
from termexplorer.services.studies.judging import Judging
from termexplorer.services.studies.verdict_table import judging_here, verdict_table
from termexplorer.workspace import Workspace


def judge(workspace: Workspace, annotator: str, most: int = 100) -> None:
    """Says "same" of all but what Ben sees otherwise, and notes it there."""
    judging = Judging(workspace, 1, annotator)
    for turn in judging.turns[:most]:
        other = annotator == BEN and turn.left.startswith("one d")
        judging.judge(turn, "not same" if other else "same", SEEN, "no" if other else "")


def run(folder: Path, *words: str) -> str:
    done = CliRunner().invoke(app, ["study", *words, "--workspace", str(folder)])
    if done.exception is not None:
        raise done.exception
    return done.stdout


def test_the_table_says_all_that_was_said(tmp_path: Path) -> None:
    folder = tmp_path / "workspace"
    with opened(folder) as workspace:
        make(workspace)
        for annotator in (ANNA, BEN):
            judge(workspace, annotator)
        first, *_ = disputed(workspace, 1)
        decide(workspace, 1, first.number, Decision("Dora", "same", "a reason", "", True))
    out = tmp_path / "verdicts.csv"
    output = run(folder, "verdicts", "1", "--out", str(out))
    assert "8 pairs are in" in output
    assert "8 judged, 1 decided" in output
    rows = list(csv.DictReader(out.read_text("utf-8").splitlines()))
    assert len(rows) == 8
    assert {row["set"] for row in rows} == {"one", "two"}
    for row in rows:
        differ = row["term"].startswith("one d")
        assert float(row["label"]) == (" s" in row["term"])
        assert (row[ANNA], row[BEN]) == ("same", "not same" if differ else "same")
        assert row["majority"] == ("" if differ else "same")
        assert row["comments"] == (f"{BEN}: no" if differ else "")
        assert (row[f"comment of {BEN}"], row[f"seconds of {BEN}"]) == (
            "no" if differ else "", "1.5",
        )  # fmt: skip
        assert float(row["seconds"]) == 1.5
    assert any(row[f"{name}, again"] for row in rows for name in (ANNA, BEN))
    (decided,) = [row for row in rows if row["decision"]]
    assert (decided["pair"], decided["truth"]) == (str(first.number), "same")
    assert (decided["adjudicator"], decided["decision note"]) == ("Dora", "a reason")
    assert sorted(row["truth"] for row in rows) == ["", *["same"] * 7]


def test_what_is_said_at_the_second_showing_is_in_its_annotators_columns(tmp_path: Path) -> None:
    folder, out = tmp_path / "workspace", tmp_path / "verdicts.csv"
    with opened(folder) as workspace:
        make(workspace)
        judging = Judging(workspace, 1, ANNA)
        seen: set[tuple[str, str]] = set()
        for turn in judging.turns:
            terms = min(turn.left, turn.right), max(turn.left, turn.right)
            judging.judge(turn, "same", SEEN, "later" if terms in seen else "")
            seen.add(terms)
    run(folder, "verdicts", "1", "--out", str(out), "--not-judging")
    rows = list(csv.DictReader(out.read_text("utf-8").splitlines()))
    repeated = [row for row in rows if row[f"{ANNA}, again"]]
    assert repeated
    assert len(repeated) < len(rows)
    for row in rows:
        again = row in repeated
        assert row[f"comment of {ANNA}"] == ("later" if again else "")
        assert row[f"seconds of {ANNA}, again"] == ("1.5" if again else "")
        assert row["comments"] == (f"{ANNA}: later" if again else "")


@pytest.mark.parametrize("ending", ["tsv", "xlsx", "jsonl"])
def test_it_is_written_as_any_table_and_chosen(tmp_path: Path, ending: str) -> None:
    folder, out = tmp_path / "workspace", tmp_path / f"verdicts.{ending}"
    with opened(folder) as workspace:
        make(workspace, repeat=0)
        for annotator in (ANNA, BEN):
            judge(workspace, annotator)
    words = ("--which", "disagreement", "--set", "one", "--out", str(out), "--json")
    answer = json.loads(run(folder, "verdicts", "1", *words))
    assert (answer["pairs"], answer["annotators"]) == (2, [ANNA, BEN])
    if ending == "xlsx":
        rows = list(load_workbook(out).active.values)
        assert len(rows) == 3
        assert rows[0][5:7] == (ANNA, BEN)
    else:
        assert len(out.read_text("utf-8").splitlines()) == (3 if ending == "tsv" else 2)


def test_the_kind_of_file_is_checked_before_anything_is_done(tmp_path: Path) -> None:
    folder = tmp_path / "none"
    for name, why in (("table.docx", "name the file"), ("no/table.csv", "there is no folder")):
        with pytest.raises(UserError, match=why):
            run(folder, "verdicts", "1", "--out", str(tmp_path / name))
    assert not folder.exists()


def test_pairs_are_listed_before_anybody_judged(tmp_path: Path) -> None:
    with opened(tmp_path) as workspace:
        table = verdict_table(workspace, make(workspace))
        assert len(table.pairs) == 8
        assert all(not pair.answers and not pair.truth for pair in table.pairs)
        assert verdict_table(workspace, 1, PairChoice()).pairs == ()


def test_who_still_judges_does_not_see_what_others_said(tmp_path: Path) -> None:
    with opened(tmp_path / "author") as author, opened(tmp_path / "clinic") as clinic:
        make(author)
        judge(author, BEN)
        judging = at_work(clinic, sent(author, 1, ANNA, tmp_path))
        judging.judge(judging.turns[0], "same", SEEN)
        assert judging_here(clinic, 1) == [ANNA]
        with pytest.raises(UserError, match=f"{ANNA} still judges here"):
            verdict_table(clinic, 1)
        write_answers(clinic, 1, ANNA, tmp_path / "answers")
        merge_answers(author, [tmp_path / "answers"])
        assert judging_here(author, 1) == []  # Anna judges elsewhere
        assert len(verdict_table(author, 1).pairs) == 8
        judge(author, ANNA, 3)
        with pytest.raises(UserError, match="still judges here"):
            verdict_table(author, 1)
        assert len(verdict_table(author, 1, judges_not=True).pairs) == 8
