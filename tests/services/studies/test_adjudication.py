"""Pairs without a majority are decided beside what annotators said."""

import json
from pathlib import Path

import pytest
from toy_studies import ANNA, BEN, SEEN, at_work, make, opened, sent
from typer.testing import CliRunner

from termexplorer.cli.commands import app
from termexplorer.errors import UserError
from termexplorer.services.agreement.agreement import Reckoning, report_agreement
from termexplorer.services.studies.adjudication.adjudicating import Adjudicating
from termexplorer.services.studies.adjudication.deciding import decide
from termexplorer.services.studies.adjudication.decisions import Decision, undo_decision
from termexplorer.services.studies.adjudication.disputed_pairs import (
    DISAGREEMENT,
    DONT_KNOW,
    JUDGED,
    PairChoice,
    disputed,
    next_open,
)
from termexplorer.services.studies.answers import merge_answers, write_answers
from termexplorer.services.studies.judging import SKIPPED, Judging
from termexplorer.services.studies.ratings import rated_study
from termexplorer.services.studies.truth import judged_study, measure_study
from termexplorer.services.studies.work import study_reports
from termexplorer.services.verdicts.log import check_log
from termexplorer.trainer.evaluation.shares import share_interval
from termexplorer.workers.process.supervision import JobControl
from termexplorer.workspace import Workspace

CLEO, DORA = "Cleo", "Dora"
TRUE = Decision(DORA, "same", "a synonym", "", False)


def split(workspace: Workspace, study_id: int) -> None:
    """Three annotators who disagree on all that is dissimilar, each in their own way."""
    for annotator, other in ((ANNA, "same"), (BEN, "not same"), (CLEO, "don't know")):
        judging = Judging(workspace, study_id, annotator)
        for turn in judging.turns:
            judging.judge(
                turn, "same" if " s" in turn.left else other, SEEN, note=f"by {annotator}"
            )


def three(workspace: Workspace) -> int:
    return make(workspace, annotators=[ANNA, BEN, CLEO], repeat=0)


def test_a_decision_stands_beside_the_verdicts_and_is_taken_back(tmp_path: Path) -> None:
    with opened(tmp_path) as workspace:
        study_id = three(workspace)
        split(workspace, study_id)
        before = report_agreement(rated_study(workspace, study_id), Reckoning(resamples=10))
        disputed_pairs = disputed(workspace, study_id)
        assert len(disputed_pairs) == 4
        assert all(" d" in disputed_pair.pair.subject for disputed_pair in disputed_pairs)
        assert {judgement.answer.answer for judgement in disputed_pairs[0].judgements} == {
            "same",
            "not same",
            "don't know",
        }
        assert (
            disputed(workspace, study_id, dont_know_votes=False) == disputed_pairs
        )  # one vote each
        first = disputed_pairs[0]
        assert next_open(disputed_pairs) == first
        decide(workspace, study_id, first.number, TRUE)
        decide(workspace, study_id, first.number, Decision("Eve", "not same", "", "", True))
        after = disputed(workspace, study_id)
        assert [disputed_pair.number for disputed_pair in after] == [
            disputed_pair.number for disputed_pair in disputed_pairs
        ]
        assert next_open(after) == disputed_pairs[1]
        decision = after[0].decision
        assert decision is not None
        assert (decision.adjudicator, decision.answer, decision.verdicts_shown) == (
            "Eve", "not same", True,
        )  # fmt: skip
        report = report_agreement(rated_study(workspace, study_id), Reckoning(resamples=10))
        assert repr(report) == repr(before)
        for taken, left in (("Eve", "same"), (DORA, None)):
            assert undo_decision(workspace, study_id, taken) is not None
            remaining = disputed(workspace, study_id)[0].decision
            assert (remaining and remaining.answer) == left
        assert undo_decision(workspace, study_id, DORA) is None
        assert check_log(workspace) == 3 * 10 + 4


def test_decisions_outlive_merging_and_an_annotator_takes_back_only_their_own(
    tmp_path: Path,
) -> None:
    with opened(tmp_path / "author") as author, opened(tmp_path / "clinic") as clinic:
        study_id = three(author)
        split(author, study_id)
        first, second, *_ = disputed(author, study_id)
        decide(author, study_id, first.number, TRUE)
        decide(author, study_id, second.number, Decision(ANNA, "same", "", "", False))
        judging = at_work(clinic, sent(author, study_id, BEN, tmp_path))
        for turn in judging.turns:
            terms = {turn.left, turn.right}
            now_alike = terms == {first.pair.subject, first.pair.object}
            judging.judge(turn, "same" if now_alike or " s" in turn.left else "not same", SEEN)
        answers = tmp_path / "answers"
        write_answers(clinic, 1, BEN, answers)
        merge_answers(author, [answers])
        numbers = [disputed_pair.number for disputed_pair in disputed(author, study_id)]
        assert first.number not in numbers  # the merged answer brought a majority
        different = disputed(author, study_id, PairChoice(DISAGREEMENT))
        (still,) = [
            disputed_pair for disputed_pair in different if disputed_pair.number == first.number
        ]
        assert still.decision is not None  # which counts, all the same
        Judging(author, study_id, BEN).undo()
        Judging(author, study_id, ANNA).undo()
        decision_by_number = {
            disputed_pair.number: disputed_pair.decision
            for disputed_pair in disputed(author, study_id)
        }
        decision = decision_by_number[second.number]
        assert decision is not None
        assert decision.adjudicator == ANNA


def test_what_waits_for_answers_comes_last_and_says_so(tmp_path: Path) -> None:
    with opened(tmp_path) as workspace:
        study_id = three(workspace)
        split(workspace, study_id)
        first = disputed(workspace, study_id)[0]
        judging = Judging(workspace, study_id, CLEO)
        turn = next(t for t in judging.turns if first.pair.subject in (t.left, t.right))
        judging.judge(turn, SKIPPED, SEEN)
        disputed_pairs = disputed(workspace, study_id)
        assert [disputed_pair.waiting for disputed_pair in disputed_pairs] == [0, 0, 0, 1]
        assert disputed_pairs[-1].pair == first.pair


@pytest.mark.parametrize(
    ("number", "decision", "message"),
    [
        (99, TRUE, "pair 99 of study 1 has no answer yet"),
        (0, Decision(DORA, "maybe", "", "", False), "'maybe' is no answer of study 1; same, not"),
        (0, Decision("  ", "same", "", "", False), "name the adjudicator"),
        (0, Decision(DORA, "same", "x" * 20_001, "", False), "more than 20,000 characters"),
    ],
)
def test_what_is_no_decision_is_refused(
    tmp_path: Path, number: int, decision: Decision, message: str
) -> None:
    with opened(tmp_path) as workspace:
        study_id = three(workspace)
        with pytest.raises(UserError, match="nobody has judged"):
            disputed(workspace, study_id)
        split(workspace, study_id)
        rows = check_log(workspace)
        number = number or disputed(workspace, study_id)[0].number
        with pytest.raises(UserError, match=message):
            decide(workspace, study_id, number, decision)
        assert check_log(workspace) == rows


def two_to_one(workspace: Workspace) -> int:
    """Three annotators of whom one sees a dissimilar pair of set one otherwise, and one skips."""
    study_id = three(workspace)
    for annotator in (ANNA, BEN, CLEO):
        judging = Judging(workspace, study_id, annotator)
        for turn in judging.turns:
            alone = annotator == CLEO and turn.left.startswith("one d")
            unsure = annotator == BEN and turn.left.startswith("two d")
            answer = "same" if alone or " s" in turn.left else "not same"
            judging.judge(turn, "don't know" if unsure else answer, SEEN)
    return study_id


@pytest.mark.parametrize(
    ("choice", "starts", "count"),
    [
        (PairChoice(), "", 0),
        (PairChoice(DISAGREEMENT), ("one d", "two d"), 4),
        (PairChoice(DISAGREEMENT, "one"), "one d", 2),
        (PairChoice(DONT_KNOW), "two d", 2),
        (PairChoice(JUDGED), "", 8),
        (PairChoice(JUDGED, "two"), "two", 4),
    ],
)
def test_pairs_to_decide_are_chosen_two_to_one_too(
    tmp_path: Path, choice: PairChoice, starts: str | tuple[str, ...], count: int
) -> None:
    with opened(tmp_path) as workspace:
        disputed_pairs = disputed(workspace, two_to_one(workspace), choice)
        assert len(disputed_pairs) == count
        assert all(
            disputed_pair.pair.subject.startswith(starts) for disputed_pair in disputed_pairs
        )
        with pytest.raises(UserError, match="no set 'three'; there are one, two"):
            disputed(workspace, 1, PairChoice(JUDGED, "three"))


def test_a_decision_over_a_majority_is_the_truth_for_all_who_tell_one(tmp_path: Path) -> None:
    folder = tmp_path / "workspace"
    with opened(folder) as workspace:
        study_id = two_to_one(workspace)
        before = measure_study(judged_study(workspace, study_id), Reckoning(resamples=10))
        (first, *_) = disputed(workspace, study_id, PairChoice(DISAGREEMENT, "one"))
        decide(workspace, study_id, first.number, TRUE)
        judged = judged_study(workspace, study_id)
        page = measure_study(judged, Reckoning(resamples=10))
        stored_report = study_reports(workspace, [study_id], JobControl())[study_id]
    assert (judged.truth.decided_over, page.decided) == (1, 1)
    alpha = before.overall.figures[0].value
    assert page.overall.figures[0].value == alpha  # agreement is the annotators' alone
    assert before.sets[0].votes[1].value == 1
    assert page.sets[0].votes[1].value == 0.75  # one of four labels is another one now
    assert not isinstance(stored_report, str)
    assert stored_report.sets[0].votes == page.sets[0].votes
    runner, workspace_option = CliRunner(), ["--workspace", str(folder), "--json"]
    shown = json.loads(runner.invoke(app, ["study", "agreement", "1", *workspace_option]).stdout)
    out = ["--out", str(tmp_path / "report.html")]
    report = json.loads(
        runner.invoke(app, ["study", "report", "1", *out, *workspace_option]).stdout
    )
    for name in ("accuracy", "recall", "precision"):
        (value,) = {
            figure["value"]
            for figures in (shown["sets"][0]["votes"], report["labels"][0]["sets"][0]["figures"])
            for figure in figures
            if figure["metric"] == name
        }
        assert value is not None
    page_text = (tmp_path / "report.html").read_text("utf-8")
    titles = page_text.index("no majority</th>")
    row = page_text[titles:].split("</tr>")[1]  # all pairs, of which none is without a truth
    low, high = share_interval(0, page.items)
    assert f"0.000<small>{low:.3f} – {high:.3f} (" in row  # and by which method
    text = runner.invoke(app, ["study", "agreement", "1", *workspace_option[:2]]).output
    assert "decision on 1 pair" in " ".join(text.split())


def test_a_decision_that_stands_is_not_written_again(tmp_path: Path) -> None:
    with opened(tmp_path) as workspace:
        study_id = three(workspace)
        split(workspace, study_id)
        work = Adjudicating(workspace, study_id, DORA)
        first = work.pairs[0]
        before = check_log(workspace)
        answers = [
            ("same", "why"),
            ("same", "why"),
            ("same", ""),
            ("not same", ""),
            ("not same", ""),
        ]
        stored = [
            work.decide(first, *answer, verdicts_shown=False).stored
            for answer in ((answer, SEEN, note) for answer, note in answers)
        ]
        assert stored == [True, False, True, True, False]
        assert check_log(workspace) == before + 3
        work.adjudicator = "Eve"  # somebody else says the same
        assert work.decide(first, "not same", SEEN, "", verdicts_shown=False).stored
        moved = work.undo()
        assert moved is not None
        assert moved.decision.adjudicator == "Eve"
        assert work.decided[first.number].adjudicator == DORA


def test_one_after_another_by_command(tmp_path: Path) -> None:
    folder = tmp_path / "workspace"
    with opened(folder) as workspace:
        study_id = three(workspace)
        split(workspace, study_id)

    def run(*words: str) -> str:
        command = ["study", "adjudicate", str(study_id), *words, "--workspace", str(folder)]
        done = CliRunner().invoke(app, command)
        assert done.exit_code == 0, done.output
        return done.output

    text = run()
    assert "4 pairs have no majority; 0 of them are decided" in text
    assert ANNA not in text
    assert "by Anna" in run("--verdicts")
    by = ("--adjudicator", DORA)
    for decided in range(4):
        answer = json.loads(run("--next", "--json"))
        assert (answer["which"], answer["found"], answer["decided"]) == ("no-majority", 4, decided)
        number = str(answer["pairs"][0]["pair"])
        assert "verdicts" not in answer["pairs"][0]
        run("--pair", number, "--answer", "same", *by, "--note", "so it is")
        assert f"decided by {DORA}: same" in run("--pair", number)
    assert json.loads(run("--json"))["pairs"] == []
    listed = json.loads(run("--list", "--verdicts", "--json"))["pairs"]
    assert [pair["decision"]["note"] for pair in listed] == ["so it is"] * 4
    assert [len(pair["verdicts"]) for pair in listed] == [3] * 4
    assert run("--list").count("so it is") == 4
    assert json.loads(run("--undo", *by, "--json"))["undone"]["answer"] == "same"
    assert "taken back: same" in run("--undo", *by)
    wrong = CliRunner().invoke(app, ["study", "adjudicate", "1", "--answer", "same"])
    assert wrong.exit_code == 2


def test_the_command_says_what_became_of_a_decision(tmp_path: Path) -> None:
    folder = tmp_path / "workspace"
    with opened(folder) as workspace:
        study_id = two_to_one(workspace)
        (first, *_) = disputed(workspace, study_id, PairChoice(DISAGREEMENT, "one"))
        rows = check_log(workspace)

    def run(adjudicator: str, *words: str) -> str:
        pair = ["--pair", str(first.number), "--adjudicator", adjudicator, *words]
        command = ["study", "adjudicate", str(study_id), *pair, "--workspace", str(folder)]
        done = CliRunner().invoke(app, command)
        assert done.exit_code == 0, done.output
        return " ".join(done.output.split())

    agreed = json.loads(run(DORA, "--answer", "not same", "--json"))["recorded"]
    assert agreed["terms"] == [first.pair.subject, first.pair.object]
    assert (agreed["stored"], agreed["overruled_majority"]) == (True, None)
    text = run(ANNA, "--answer", "same")
    assert f"pair {first.number} (“{first.pair.subject}” and “{first.pair.object}”)" in text
    assert f"{ANNA} decided “same”" in text
    assert "overrules the majority of the annotators, “not same”" in text
    assert f"{ANNA} is also an annotator" in text
    assert "was the decision already" in run(f" {ANNA} ", "--answer", "same")
    again = json.loads(run(ANNA, "--answer", "same", "--json"))["recorded"]
    assert (again["stored"], again["adjudicator_is_annotator"]) == (False, True)
    with opened(folder) as workspace:
        assert check_log(workspace) == rows + 2
    assert json.loads(run(ANNA, "--answer", "same", "--note", "so", "--json"))["recorded"]["stored"]
