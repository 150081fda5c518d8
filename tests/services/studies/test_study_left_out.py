"""Pairs are left out of sets and of studies, which say how many and why."""

import json
from pathlib import Path
from typing import Any

import pytest
from toy_studies import ANNA, BEN, SEEN, answer_all, at_work, make, opened, sent
from typer.testing import CliRunner

from termexplorer.cli.commands import app
from termexplorer.errors import UserError
from termexplorer.services.pairs.filter import PairFilter
from termexplorer.services.studies.answers import merge_answers, write_answers
from termexplorer.services.studies.judging import Judging
from termexplorer.services.studies.left_out import leave_out_pairs, take_in_pairs, why_fixed
from termexplorer.services.studies.status import study_status
from termexplorer.services.studies.verdict_table import verdict_table


@pytest.mark.parametrize(
    ("terms", "reason"),
    [
        (("J12.9", "viral pneumonia"), "codes"),
        (("a fever", "DOID:4"), "codes"),
        (("C0011849", "x fever"), "codes"),
        (("heart attack", "MI"), "abbreviations"),
        (("HbA1C", "glycated"), "abbreviations"),
        (("MIld fever of a child", "pneumonia"), ""),
        (("Fever", "pyrexia 3"), ""),
        (("x" * 31, "fever"), "long"),
        (("ab", "fever"), "short"),
        (("Fever NOS", "fever, unknown"), "text"),
    ],
)
def test_what_a_pair_is_left_out_for(terms: tuple[str, str], reason: str) -> None:
    everything = PairFilter(True, True, 30, 3, " nos")
    assert everything.reason(*terms) == everything.reason(*reversed(terms)) == reason
    assert PairFilter().reason(*terms) == ""


def test_pairs_are_left_out_before_the_first_answer_and_taken_in_again(tmp_path: Path) -> None:
    with opened(tmp_path / "author") as author, opened(tmp_path / "clinic") as clinic:
        study_id = make(author)
        before = sent(author, study_id, ANNA, tmp_path).read_bytes()
        table = verdict_table(author, study_id)
        gone = [pair.number for pair in table.pairs if pair.pair.set_name == "two"][:2]
        assert leave_out_pairs(author, study_id, gone) == 2
        assert leave_out_pairs(author, study_id, gone, "a code") == 0
        status = study_status(author, study_id)
        assert (status.pairs, status.left_out) == (6, {"by hand": 2})
        left = verdict_table(author, study_id, left_out=True).pairs
        assert sorted(pair.number for pair in left) == sorted(gone)
        pair_by_number = {pair.number: pair.pair for pair in verdict_table(author, study_id).pairs}
        assert pair_by_number.keys() == {pair.number for pair in table.pairs} - set(gone)
        assert take_in_pairs(author, study_id, gone) == 2
        assert sent(author, study_id, ANNA, tmp_path).read_bytes() == before
        leave_out_pairs(author, study_id, gone[:1])
        judging = at_work(clinic, sent(author, study_id, ANNA, tmp_path))
        assert [turn.place for turn in judging.turns] == list(range(len(judging.turns)))
        answer_all(judging)
        write_answers(clinic, 1, ANNA, tmp_path / "answers")
        (merged,) = merge_answers(author, [tmp_path / "answers"])
        assert merged.rows == len(judging.turns)
        for change in (leave_out_pairs, take_in_pairs):
            with pytest.raises(UserError, match="has answers already"):
                change(author, study_id, gone)
        assert "not drawn here" in why_fixed(clinic, 1)


def test_somebody_has_to_have_something_to_judge(tmp_path: Path) -> None:
    with opened(tmp_path) as workspace:
        study_id = make(workspace)
        numbers = [pair.number for pair in verdict_table(workspace, study_id).pairs]
        with pytest.raises(UserError, match=f"{ANNA} would have no pair left"):
            leave_out_pairs(workspace, study_id, numbers)
        with pytest.raises(UserError, match="has no pair 99"):
            leave_out_pairs(workspace, study_id, [99])
        assert study_status(workspace, study_id).left_out == {}


def run(folder: Path, *words: str) -> Any:
    command = ["study", *words, "--workspace", str(folder), "--json"]
    done = CliRunner().invoke(app, command)
    if done.exit_code:
        raise done.exception or AssertionError(done.output)
    return json.loads(done.stdout)


def test_by_command_of_the_sets_and_of_the_study(tmp_path: Path) -> None:
    folder, pairs = tmp_path / "workspace", tmp_path / "pairs.tsv"
    rows = [("J12.9", f"pneumonia {n}") for n in range(3)] + [("MI", "heart attack")]
    rows += [(f"fever {n}", f"pyrexia {n}") for n in range(9)]
    lines = [f"{left}\t{right}\t{n % 2}" for n, (left, right) in enumerate(rows)]
    pairs.write_text("\n".join(("left\tright\tlabel", *lines)), "utf-8")
    given = ("--pairs", str(pairs), "--title", "T", "--annotator", ANNA, "--annotator", BEN)
    asked = ("--each", "9", "--practice", "0", "--leave-out", "codes", "--leave-out-longer", "99")
    output = run(folder, "new", *given, *asked)
    assert output["pairs"] == 10
    assert output["sets"][0]["left_out"] == {"codes": 3}
    printed = run(folder, "pairs", "1", "--abbreviations", "--text", "Fever 8")
    assert {pair["reason"]: pair["terms"] for pair in printed["pairs"]} == {
        "abbreviations": ["MI", "heart attack"], "text": ["fever 8", "pyrexia 8"],
    }  # fmt: skip
    assert run(folder, "pairs", "1", "--abbreviations", "--leave-out")["changed"] == 1
    number = str(printed["pairs"][1]["pair"])
    printed_again = run(folder, "pairs", "1", "--pair", number, "--leave-out", "--why", "not ours")
    assert printed_again["left_out"] == {"codes": 3, "abbreviations": 1, "not ours": 1}
    assert [pair["left_out"] for pair in run(folder, "pairs", "1", "--left-out")["pairs"]]
    assert run(folder, "show", "1")["studies"][0]["pairs"] == 8
    with opened(folder) as workspace:
        judging = Judging(workspace, 1, ANNA)
        judging.judge(judging.turns[0], "same", SEEN)
    with pytest.raises(UserError, match="pairs are fixed"):
        run(folder, "pairs", "1", "--pair", number, "--take-in")
