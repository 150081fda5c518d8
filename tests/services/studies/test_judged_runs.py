"""From verdicts to a run that learns them, and what it changed on held-out pairs."""

import json
from dataclasses import replace
from math import isnan
from pathlib import Path

import pytest
from toy_judged import QUEUE, RANDOM, judge_all, queued_study, truth
from toy_studies import ANNA, BEN, at_work, make, opened, rated, sent
from toy_workspace import FEW_SHOT, VECTORS, train
from typer.testing import CliRunner

from termexplorer.cli.commands import app
from termexplorer.errors import UserError
from termexplorer.services.recipes.run_requests import RunRequest, SplitRule, add_run
from termexplorer.services.studies.adjudication.deciding import decide
from termexplorer.services.studies.adjudication.decisions import Decision
from termexplorer.services.studies.adjudication.disputed_pairs import disputed
from termexplorer.services.studies.answers import merge_answers, write_answers
from termexplorer.services.studies.judged_pairs import judged_in_file, judged_in_study
from termexplorer.services.studies.judged_runs import before_after, runs_on_study
from termexplorer.services.studies.judging import Judging
from termexplorer.services.studies.studies import find_study
from termexplorer.services.train.run_cards import card_text, run_card
from termexplorer.services.train.runs import find_run, list_runs, run_details
from termexplorer.trainer.evaluation.comparison import holm
from termexplorer.workers.data.trained_names import trained_texts
from termexplorer.workspace import Workspace

JUDGED = replace(
    FEW_SHOT,
    recipe="judged",
    choice=None,
    rule=SplitRule("judged"),
    hyperparameters={"hidden": 32, "maximum_epochs": 6, "learning_rate": 0.002},
)


def differing(left: str, right: str) -> str:
    """Right but for what is of the kidney, on which it is wrong or unsure."""
    if "kidney" not in left:
        return truth(left, right)
    return "don't know" if "viral" in left else "same"


def test_verdicts_are_merged_learned_and_told_before_and_after(
    workspace: Workspace, tmp_path: Path
) -> None:
    study_id = queued_study(workspace)
    judge_all(workspace, study_id, ANNA)
    with opened(tmp_path / "of Ben") as opened_workspace:
        at_work(opened_workspace, sent(workspace, study_id, BEN, tmp_path))
        judge_all(opened_workspace, 1, BEN, differing)
        write_answers(opened_workspace, 1, BEN, tmp_path / "answers.json")
    merge_answers(workspace, [tmp_path / "answers.json"])
    open_ones = disputed(workspace, study_id)
    first = open_ones[0]
    decide(workspace, study_id, first.number, Decision("Dora", "not same", "", "", True))
    decide(workspace, study_id, open_ones[1].number, Decision("Dora", "don't know", "", "", True))
    chosen = judged_in_study(workspace, study_id)
    assert chosen.left_out == {"without a majority or a decision": len(open_ones) - 1}
    assert len(chosen.pairs) == QUEUE + RANDOM - len(open_ones) + 1
    is_similar_by_terms = {pair[:2]: pair.similar for pair in chosen.pairs}
    terms = first.pair.subject, first.pair.object
    assert is_similar_by_terms.pop(terms) is False
    assert all(similar == (truth(*pair) == "same") for pair, similar in is_similar_by_terms.items())
    without = judged_in_study(workspace, study_id, dont_know_votes=False)
    assert len(without.pairs) > len(chosen.pairs)

    run = train(workspace, replace(JUDGED, judged=chosen))
    assert run.title == f"judged, study {study_id}, Sides"
    card = run_card(workspace, run.id)
    parts = ("to train on", "to stop by", "held out")
    assert sum(sum(card["judged"][part].values()) for part in parts) == len(chosen.pairs)
    at_random = sum(pair.drawn == "random" for pair in chosen.pairs)
    assert sum(card["judged"]["held out, random"].values()) == at_random
    assert card["judged"]["sha256"] == chosen.digest
    assert "  from: study 1, Sides\n" in card_text(card)
    rows = before_after(workspace, run.id)
    assert [(row.pairs, row.after.metric) for row in rows[:2]] == [
        ("all held out", "AUC"),
        ("all held out", "accuracy"),
    ]
    assert {row.pairs for row in rows} == {"all held out", "random"}
    assert rows == runs_on_study(workspace, find_study(workspace, study_id).head.key)
    assert runs_on_study(workspace, "another") == []
    tested = [row for row in rows if row.after.n >= 10]
    corrected = holm([test.raw_p for test in tested]).tolist()
    assert [(test.p, test.family) for test in tested] == [(p, len(tested)) for p in corrected]
    assert all(isnan(row.p) for row in rows if row.after.n < 10)
    differences = run_card(workspace, run.id)["differences"]
    assert [
        difference["p_corrected"] for difference in differences if difference["n"] >= 10
    ] == corrected
    assert {difference["p_corrected"] for difference in differences if difference["n"] < 10} <= {
        None
    }
    for row in rows:
        assert row.difference == pytest.approx(row.after.value - row.before.value)
        assert row.low <= row.difference <= row.high
        assert (row.before.encoder_id, row.after.encoder_id) == (VECTORS, run.encoder_id)
    measured = {f.task for f in run_details(workspace, run.id).figures}
    assert {"judged pairs", "judged pairs, random", "synonyms, test"} <= measured
    terms = {term for pair in chosen.pairs for term in pair[:2]}
    with workspace.store.reading() as connection:
        beneath = trained_texts(connection, [VECTORS])
        assert trained_texts(connection, [run.encoder_id or 0]) >= terms > beneath

    undo = Judging(workspace, study_id, ANNA)  # the study goes on; the run stays what it was
    while undo.undo():
        pass
    again = train(workspace, RunRequest.read(find_run(workspace, run.id).request))
    assert again.card["data_hash"] == run.card["data_hash"]
    assert again.card["differences"] == run.card["differences"]
    first_time, second = (
        run_details(workspace, trained_run.id).epochs for trained_run in (run, again)
    )
    assert [epoch.validation for epoch in first_time] == [epoch.validation for epoch in second]


def test_the_command_tells_before_and_after(workspace: Workspace, tmp_path: Path) -> None:
    study_id = queued_study(workspace, [ANNA])
    judge_all(workspace, study_id, ANNA)
    workspace.close()
    words = ["train", "judged", "--workspace", str(workspace.folder), "--ontology", "1"]
    words += ["--vectors", str(VECTORS), "--set", "hidden=16", "--set", "maximum_epochs=1"]
    done = CliRunner().invoke(app, [*words, "--study", str(study_id)])
    assert done.exit_code == 0, done.output
    assert "after − before" in done.output
    assert "all held out" in done.output
    pairs = tmp_path / "pairs.tsv"
    rows = [f"{c} {s} lung\t{s} lung {c}\t{int(c < 'c')}" for c in "abcd" for s in "0123456789"]
    pairs.write_text("\n".join(("left\tright\tlabel", *rows, "x\ty\t", "")), encoding="utf-8")
    done = CliRunner().invoke(app, [*words, "--pairs", str(pairs), "--json"])
    assert done.exit_code == 0, done.output
    answer = json.loads(done.stdout)
    assert answer["request"]["judged"]["left_out"] == {"without a label": 1}
    assert {difference["task"] for difference in answer["card"]["differences"]} == {"judged pairs"}
    for wrong in ([], ["--study", "1", "--pairs", str(pairs)]):
        assert CliRunner().invoke(app, [*words, *wrong]).exit_code == 2


def test_what_cannot_be_learned_is_said_in_a_line(workspace: Workspace, tmp_path: Path) -> None:
    study_id = queued_study(workspace)
    with pytest.raises(UserError, match="nobody has judged a pair of study 1"):
        judged_in_study(workspace, study_id)
    judge_all(workspace, study_id, ANNA, lambda *_: "same")
    with pytest.raises(UserError, match=r"Sides: 72 judged pairs are similar and 0 are not, and"):
        judged_in_study(workspace, study_id)
    judge_all(workspace, study_id, BEN, lambda *_: "not same")
    with pytest.raises(UserError, match=r"0 judged .* 0 are not \(72 without a majority or a dec"):
        judged_in_study(workspace, study_id)
    few = make(workspace)
    judge_all(workspace, few, ANNA, lambda left, _: "same" if " s" in left else "not same")
    with pytest.raises(UserError, match="4 judged pairs are similar and 4 are not, and at least"):
        judged_in_study(workspace, few)
    with pytest.raises(UserError, match="has not asked whether two terms are the same"):
        judged_in_study(workspace, rated(workspace))
    file = tmp_path / "scores.tsv"
    file.write_text("left\tright\tlabel\na\tb\t3\n", encoding="utf-8")
    with pytest.raises(UserError, match=r"scores.tsv: a label is 3; give 1 for similar pairs"):
        judged_in_file(file)
    rows = [f"a{n}\tb{n}\t{n % 2}" for n in range(20)]
    rows += ["A1\tB1\t1", "b2\ta2\t1", "c\tC\t1"]
    file.write_text("\n".join(("left\tright\tlabel", *rows, "")), encoding="utf-8")
    with pytest.raises(
        UserError,
        match=r"10 .* 9 are not \(1 .*; 2 judged both ways; 1 judged alike",
    ):
        judged_in_file(file)
    with pytest.raises(UserError, match="judged learns from judged pairs; choose a study"):
        add_run(workspace, JUDGED)
    file.write_text("\n".join(("left\tright\tlabel", *rows[:20], "")), encoding="utf-8")
    chosen = judged_in_file(file)
    with pytest.raises(UserError, match="few-shot does not learn from judged pairs"):
        add_run(workspace, replace(FEW_SHOT, judged=chosen))
    assert list_runs(workspace) == []
    with pytest.raises(UserError, match="0 similar and 0 dissimilar pairs are too few"):
        train(workspace, replace(JUDGED, judged=chosen))  # no term of theirs is known
    (run,) = list_runs(workspace)
    assert run.status == "failed"
