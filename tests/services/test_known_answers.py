"""Right answers are told after practice, and known pairs mixed in that count in no figure."""

import json
from pathlib import Path

import pytest
from toy_studies import ANNA, BEN, SEEN, at_work, opened, pool, sent
from typer.testing import CliRunner

from termexplorer.cli.commands import app
from termexplorer.errors import UserError
from termexplorer.services.judging import SKIPPED, Judging, Turn
from termexplorer.services.studies import StudyPlan, find_study, new_study
from termexplorer.services.study_answers import merge_answers, write_answers
from termexplorer.services.study_changes import add_annotator
from termexplorer.services.study_packs import open_pack
from termexplorer.services.study_presets import find_scale
from termexplorer.services.study_status import study_status
from termexplorer.services.study_truth import judged_study
from termexplorer.services.study_verdicts import verdict_table
from termexplorer.views.judging_steps import judge
from termexplorer.workspace import Workspace

POOLS = (pool("one", 6, 6), pool("two", 6, 6))


def make(workspace: Workspace, *, checks: int = 2, scale: str = "same", tell: bool = True) -> int:
    """A study of 8 pairs, 4 to practise, and as many similar checks as dissimilar ones."""
    plan = StudyPlan("T", [ANNA, BEN], find_scale(scale), 2, 4, overlap=1, tell_practice=tell)
    return new_study(workspace, plan, POOLS, [pool("check", checks, checks)]).id


def test_what_was_right_is_told_after_practice_alone(tmp_path: Path) -> None:
    with opened(tmp_path / "author") as author, opened(tmp_path / "clinic") as clinic:
        pack = sent(author, make(author), ANNA, tmp_path)
        whole = json.loads(pack.read_text("utf-8"))
        assert whole["version"] == 2  # older programs say that it is newer than they
        assert all("right_answer" in each for each in whole["content"]["practice"])
        assert not any("right_answer" in each for each in whole["content"]["pairs"])
        judging = at_work(clinic, pack)
        first, second, *_ = judging.turns
        assert first.right_answer == ("same" if " s" in first.left else "not same")
        assert "✓" in feedback(judging, first, first.right_answer)
        other = {"same": "not same", "not same": "same"}[second.right_answer]
        told = feedback(judging, second, other)
        assert "✗" in told
        assert f"{second.right_answer} is right, not {other}" in told
        assert not feedback(judging, judging.turns[2], SKIPPED)
        assert not feedback(judging, judging.turns[4], "same")
        assert open_pack(clinic, pack).new is False
        write_answers(clinic, 1, ANNA, tmp_path / "answers")
        assert merge_answers(author, [tmp_path / "answers"])[0].new_rows == 4


def feedback(judging: Judging, turn: Turn, answer: str) -> str:
    """Judge a pair, and return what is told of it."""
    told = judge(judging, turn, answer, SEEN, "").feedback
    return f"{told.heading}\n{told.text}" if told else ""


def test_packs_that_tell_nothing_are_those_of_before(tmp_path: Path) -> None:
    with opened(tmp_path) as workspace:
        pack = sent(workspace, make(workspace, tell=False), ANNA, tmp_path)
        assert json.loads(pack.read_text("utf-8"))["version"] == 1
        assert "right_answer" not in pack.read_text("utf-8")


def test_known_pairs_are_for_everybody_and_count_in_no_figure(tmp_path: Path) -> None:
    with opened(tmp_path / "workspace") as workspace:
        study_id = make(workspace)
        pack = sent(workspace, study_id, ANNA, tmp_path).read_text("utf-8")
        assert "known" not in pack
        for annotator in (ANNA, BEN):
            judging = Judging(workspace, study_id, annotator)
            checks = [turn for turn in judging.turns if turn.left.startswith("check")]
            assert len(checks) == 4
            for turn in judging.turns:
                wrong = annotator == BEN and turn.left.startswith("check d")
                judging.judge(turn, "same" if wrong or " s" in turn.left else "not same", SEEN)
        status = study_status(workspace, study_id)
        assert (status.pairs, status.askers) == (8, ((1, 8),))
        told = [(s.checks.asked, s.checks.answered, s.checks.right) for s in status.seats]
        assert told == [(4, 4, 4), (4, 4, 2)]
        judged = judged_study(workspace, study_id)
        assert len(judged.truth.pairs) == 8
        assert not any(pair.known for pair in judged.truth.pairs)
        assert len(verdict_table(workspace, study_id).pairs) == 8
        assert add_annotator(workspace, study_id, "Cleo") == 4 + 4 + 4
    place = ["--workspace", str(tmp_path / "workspace")]
    text = CliRunner().invoke(app, ["study", "status", "1", *place]).stdout
    assert "checks right" in text
    out = tmp_path / "report.html"
    done = CliRunner().invoke(app, ["study", "report", "1", "--out", str(out), *place])
    assert done.exit_code == 0, done.output
    assert "checks of attention" in out.read_text("utf-8")


def test_right_answers_need_a_question_with_two(tmp_path: Path) -> None:
    with opened(tmp_path) as workspace:
        with pytest.raises(UserError, match="two answers"):
            make(workspace, scale="relatedness")
        with pytest.raises(UserError, match="two answers"):
            make(workspace, scale="relatedness", tell=False)
        with pytest.raises(UserError, match="no such study"):
            find_study(workspace, 1)


def test_by_command(tmp_path: Path) -> None:
    sets = {"pairs": POOLS[0], "known": pool("known", 1, 1)}
    for name, made in sets.items():
        lines = [
            f"{left}\t{right}\t{score:.0f}"
            for left, right, score in zip(made.left, made.right, made.scores, strict=True)
            if score is not None
        ]
        (tmp_path / f"{name}.tsv").write_text("\n".join(("left\tright\tlabel", *lines)), "utf-8")
    words = ["study", "new", "--pairs", str(tmp_path / "pairs.tsv"), "--title", "T"]
    words += ["--annotator", ANNA, "--each", "2", "--practice", "1", "--tell-practice"]
    words += ["--checks", str(tmp_path / "known.tsv"), "--workspace", str(tmp_path / "w")]
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 0, done.output
    assert "study 1: 4 pairs, and 1 to practise" in done.stdout
    assert "2 pairs with a known answer" in done.stdout
