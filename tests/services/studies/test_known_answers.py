"""Right answers are told after practice, and known pairs mixed in that count in no figure."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from study_packs_steps import leave_keys_out
from toy_studies import ANNA, BEN, SEEN, at_work, opened, pool, sent
from typer.testing import CliRunner

from termexplorer.cli.commands import app
from termexplorer.errors import UserError
from termexplorer.services.pairs.files import read_checks
from termexplorer.services.pairs.sampling import PairPool
from termexplorer.services.studies.answer_lines import read_answers
from termexplorer.services.studies.answers import merge_answers, write_answers
from termexplorer.services.studies.changes import add_annotator
from termexplorer.services.studies.judging import SKIPPED, Judging, Turn
from termexplorer.services.studies.packs import open_pack
from termexplorer.services.studies.presets import find_scale
from termexplorer.services.studies.status import study_status
from termexplorer.services.studies.studies import StudyPlan, find_study, new_study
from termexplorer.services.studies.truth import judged_study
from termexplorer.services.studies.verdict_table import verdict_table
from termexplorer.store.judging import studies
from termexplorer.views.judging.steps import judge
from termexplorer.workspace import Workspace

POOLS = (pool("one", 6, 6), pool("two", 6, 6))


def make(workspace: Workspace, *, checks: int = 2, scale: str = "same", tell: bool = True) -> int:
    """A study of 8 pairs, 4 to practise, and as many similar checks as dissimilar ones."""
    plan = StudyPlan("T", [ANNA, BEN], find_scale(scale), 2, 4, overlap=1, tell_practice=tell)
    return new_study(workspace, plan, POOLS, [pool("check", checks, checks)]).id


def test_what_was_right_is_told_after_practice_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    leave_keys_out(monkeypatch)
    with opened(tmp_path / "author") as author, opened(tmp_path / "clinic") as clinic:
        pack = sent(author, make(author), ANNA, tmp_path)
        whole = json.loads(pack.read_text("utf-8"))
        assert whole["version"] == 2  # older programs say that it is newer than they
        assert all("right_answer" in turn for turn in whole["content"]["practice"])
        assert not any("right_answer" in pair for pair in whole["content"]["pairs"])
        judging = at_work(clinic, pack)
        first, second, *_ = judging.turns
        assert first.right_answer == ("same" if " s" in first.left else "not same")
        assert "✓" in feedback(judging, first, first.right_answer)
        other = {"same": "not same", "not same": "same"}[second.right_answer]
        message = feedback(judging, second, other)
        assert "✗" in message
        assert f"{second.right_answer} is right, not {other}" in message
        assert not feedback(judging, judging.turns[2], SKIPPED)
        assert not feedback(judging, judging.turns[4], "same")
        assert open_pack(clinic, pack).new is False
        write_answers(clinic, 1, ANNA, tmp_path / "answers")
        assert merge_answers(author, [tmp_path / "answers"])[0].new_rows == 4


def feedback(judging: Judging, turn: Turn, answer: str) -> str:
    """Judge a pair, and return what is told of it."""
    shown_feedback = judge(judging, turn, answer, SEEN, "").feedback
    return f"{shown_feedback.heading}\n{shown_feedback.text}" if shown_feedback else ""


def test_packs_that_tell_nothing_are_those_of_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    leave_keys_out(monkeypatch)
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
        counts = [(s.checks.asked, s.checks.answered, s.checks.right) for s in status.seats]
        assert counts == [(4, 4, 4), (4, 4, 2)]
        judged = judged_study(workspace, study_id)
        assert len(judged.truth.pairs) == 8
        assert not any(pair.known for pair in judged.truth.pairs)
        assert len(verdict_table(workspace, study_id).pairs) == 8
        assert add_annotator(workspace, study_id, "Cleo") == 4 + 4 + 4
    workspace_option = ["--workspace", str(tmp_path / "workspace")]
    text = CliRunner().invoke(app, ["study", "show", "1", *workspace_option]).stdout
    assert "checks right" in text
    out = tmp_path / "report.html"
    done = CliRunner().invoke(app, ["study", "report", "1", "--out", str(out), *workspace_option])
    assert done.exit_code == 0, done.output
    assert "checks of attention" in out.read_text("utf-8")


def test_labels_of_two_kinds_are_no_answers_on_a_scale(tmp_path: Path) -> None:
    with opened(tmp_path) as workspace:
        with pytest.raises(UserError, match="two answers"):
            make(workspace, scale="relatedness")
        with pytest.raises(UserError, match="two answers"):
            make(workspace, scale="relatedness", tell=False)
        with pytest.raises(UserError, match="no such study"):
            find_study(workspace, 1)


def test_ratings_are_known_answers_of_a_scale(tmp_path: Path) -> None:
    ratings = [0.0, 1.0, 2.0, 3.0, 2.5, 0.0]
    ends = [[f"{side}{n}" for n in range(6)] for side in "ab"]
    rated = PairPool("rated", *ends, ratings)
    checks = PairPool("check", ["c", "d", "e"], ["x", "y", "z"], [3.0, 0.0, 1.5])
    plan = StudyPlan("T", [ANNA], find_scale("relatedness"), 1, 4, tell_practice=True)
    with opened(tmp_path) as workspace:
        study = new_study(workspace, plan, [rated], [checks])
        assert (study.checks, study.checks_left_out) == (2, {"check": {"unanswerable": 1}})
        with workspace.store.reading() as connection:
            pairs = studies.pairs_of(connection, study.id)
        assert [pair.known for pair in pairs if pair.set_name == "check"] == ["3", "0"]
        known_by_score = {pair.score: pair.known for pair in pairs if pair.practice}
        assert known_by_score == {
            score: "" if score == 2.5 else f"{score:g}" for score in known_by_score
        }
        assert at_work(workspace, sent(workspace, study.id, ANNA, tmp_path)).turns


def test_words_are_known_answers_of_several_kinds(tmp_path: Path) -> None:
    file = tmp_path / "known.csv"
    file.write_text("first,second,answer\nflu,illness,Narrower\nflu,grippe,same\n", "utf-8")
    answers = read_answers(["same", "narrower", "broader", "unrelated"], "nominal", "same")
    scale = replace(find_scale("same"), answers=answers)
    checks = list(read_checks([file], [answer.answer for answer in answers]))
    labelled = pool("labelled", 1, 1)
    plan = StudyPlan("T", [ANNA], scale, 2)
    with opened(tmp_path / "w") as workspace:
        study = new_study(workspace, plan, POOLS, [*checks, labelled])
        assert study.checks_left_out == {"labelled": {"unanswerable": 1}}  # 0 may be any other
        with workspace.store.reading() as connection:
            pairs = studies.pairs_of(connection, study.id)
    known = {pair.set_name: [] for pair in pairs if pair.known}
    for pair in pairs:
        if pair.known:
            known[pair.set_name].append(pair.known)
    assert known == {"known": ["narrower", "same"], "labelled": ["same"]}
    file.write_text("first,second,answer\nflu,illness,subtype\n", "utf-8")
    with pytest.raises(UserError, match="score"):
        list(read_checks([file], [answer.answer for answer in answers]))
    file.write_text("first,second,answer\nflu,illness,same\nflu,#N/A,same\n", "utf-8")
    with pytest.raises(UserError, match="line 3: #N/A is an error of a spreadsheet"):
        list(read_checks([file], [answer.answer for answer in answers]))


def test_by_command(tmp_path: Path) -> None:
    sets = {"pairs": POOLS[0], "known": pool("known", 1, 1)}
    for name, pair_set in sets.items():
        lines = [
            f"{left}\t{right}\t{score:.0f}"
            for left, right, score in zip(
                pair_set.left, pair_set.right, pair_set.scores, strict=True
            )
            if score is not None
        ]
        (tmp_path / f"{name}.tsv").write_text("\n".join(("left\tright\tlabel", *lines)), "utf-8")
    words = ["study", "new", "--pairs", str(tmp_path / "pairs.tsv"), "--title", "T"]
    words += ["--annotator", ANNA, "--each", "2", "--practice", "1", "--tell-practice"]
    words += ["--checks", str(tmp_path / "known.tsv"), "--workspace", str(tmp_path / "w")]
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 0, done.output
    assert "study 1: 4 pairs, and 1 to practise" in done.stdout
    assert "2 pairs are mixed in as checks" in done.stdout
