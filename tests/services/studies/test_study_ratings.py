import math
from pathlib import Path

import pytest
from toy_studies import ANNA, BEN, SEEN, make, rated
from toy_studies import opened as opened_at
from typer.testing import CliRunner

from termexplorer.cli.commands import app
from termexplorer.errors import UserError
from termexplorer.services.agreement.agreement import Reckoning, report_agreement
from termexplorer.services.studies.judging import SKIPPED, Judging
from termexplorer.services.studies.ratings import rated_study
from termexplorer.workspace import Workspace


def say(workspace: Workspace, study_id: int, annotator: str, wrong: bool, again: str = "") -> None:
    """Answers what is true, or its contrary, but something else when it comes again."""
    judging = Judging(workspace, study_id, annotator)
    for turn in judging.turns:
        similar = " s" in turn.left
        answer = "same" if similar != wrong else "not same"
        judging.judge(turn, again if again and turn.showing == 2 else answer, SEEN)


def test_two_who_agree_and_what_the_sets_say(tmp_path: Path) -> None:
    with opened_at(tmp_path) as workspace:
        study_id = make(workspace)
        with pytest.raises(UserError, match="nobody has judged a pair of study 1 yet"):
            rated_study(workspace, study_id)
        say(workspace, study_id, ANNA, wrong=False)
        say(workspace, study_id, BEN, wrong=True, again="don't know")
        report = report_agreement(rated_study(workspace, study_id), Reckoning(resamples=10))
    assert (report.raters, report.labels, report.items) == ((ANNA, BEN), ("not same", "same"), 8)
    figures = {figure.metric: figure.value for figure in report.overall.figures}
    assert (figures["agreement"], figures["cohen"]) == (0, -1)
    assert (report.no_majority.value, report.overall.missing.value) == (1, 0)
    anna, ben = report.within
    assert (anna.figures[1].value, anna.figures[1].n) == (1, 1)
    assert "no item has two ratings" in ben.figures[0].undefined
    assert [(pair_set.set, pair_set.items) for pair_set in report.sets] == [("one", 4), ("two", 4)]
    assert all(math.isnan(pair_set.votes[1].value) for pair_set in report.sets)


def test_one_of_three_is_wrong_and_practice_counts_nowhere(tmp_path: Path) -> None:
    with opened_at(tmp_path) as workspace:
        study_id = make(workspace, annotators=[ANNA, BEN, "Cleo"], repeat=0)
        for annotator in (ANNA, BEN, "Cleo"):
            say(workspace, study_id, annotator, wrong=annotator == BEN)
        cleo = Judging(workspace, study_id, "Cleo")
        cleo.judge(next(turn for turn in cleo.turns if not turn.practice), SKIPPED, SEEN)
        report = report_agreement(rated_study(workspace, study_id), Reckoning(resamples=10))
    assert (report.no_majority.value, report.within) == (1 / 8, ())
    assert report.overall.missing.value == pytest.approx(1 / 24)
    votes = [{vote.metric: vote.value for vote in pair_set.votes} for pair_set in report.sets]
    assert sorted(vote["no_majority"] for vote in votes) == [0, 0.25]
    assert [(vote["accuracy"], vote["recall"], vote["precision"]) for vote in votes] == [
        (1, 1, 1), (1, 1, 1),
    ]  # fmt: skip


def test_a_scale_of_numbers_counts_answers_that_nobody_gave(tmp_path: Path) -> None:
    folder = tmp_path / "workspace"
    with opened_at(folder) as workspace:
        study_id = rated(workspace)
        report = report_agreement(rated_study(workspace, study_id), Reckoning(resamples=10))
    assert (report.scale, report.labels) == ("ordinal", ("0", "1", "2", "3"))
    assert [[vote.metric for vote in pair_set.votes] for pair_set in report.sets] == [
        ["no_majority"]
    ] * 2
    command = ["study", "agreement", str(study_id), "--workspace", str(folder)]
    done = CliRunner().invoke(app, command)
    assert done.exit_code == 0, done.output
    assert "8 items, 2 raters (Anna Berg, Ben), 16 ratings on the ordinal scale" in done.output
    assert "Gwet's AC2" in done.output
