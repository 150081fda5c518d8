"""A study is renamed, given another annotator, and removed, and nothing that was said is lost."""

import json
from pathlib import Path

import pytest
from toy_studies import ANNA, BEN, SEEN, answer_all, at_work, make, opened, sent
from typer.testing import CliRunner

from termexplorer.cli.commands import app
from termexplorer.errors import UserError
from termexplorer.services.studies.answers import merge_answers, write_answers
from termexplorer.services.studies.changes import (
    add_annotator,
    inspect_study_removal,
    remove_study,
    rename_study,
)
from termexplorer.services.studies.judging import Judging
from termexplorer.services.studies.packs import open_pack, write_pack
from termexplorer.services.studies.status import judgements, study_status
from termexplorer.services.studies.studies import find_study, studies_of
from termexplorer.services.verdicts.log import check_log

CLEO = "Cleo"


def test_answers_of_packs_from_before_and_after_a_renaming_are_merged(tmp_path: Path) -> None:
    with opened(tmp_path / "author") as author, opened(tmp_path / "clinic") as clinic:
        study_id = make(author)
        before = sent(author, study_id, ANNA, tmp_path).read_bytes()
        assert rename_study(author, study_id, " Another  title ") == "Another title"
        assert find_study(author, study_id).head.title == "Another title"
        pack = sent(author, study_id, ANNA, tmp_path)
        assert pack.read_bytes() == before
        answer_all(at_work(clinic, pack))
        rename_study(clinic, 1, "At home")
        assert open_pack(clinic, pack).new is False
        write_answers(clinic, 1, ANNA, tmp_path / "answers")
        (merged,) = merge_answers(author, [tmp_path / "answers"])
        assert merged.new_rows == 11
        rename_study(author, study_id, "A study")
        assert find_study(author, study_id).head.sent_title == ""
        with pytest.raises(UserError, match="give the study a title"):
            rename_study(author, study_id, "  ")


def test_who_comes_later_judges_what_all_judge_and_the_others_packs_stay(tmp_path: Path) -> None:
    with opened(tmp_path / "author") as author, opened(tmp_path / "clinic") as clinic:
        study_id = make(author)
        packs = {name: sent(author, study_id, name, tmp_path).read_bytes() for name in (ANNA, BEN)}
        assert add_annotator(author, study_id, f" {CLEO} ") == 2 + 8 + 1
        status = study_status(author, study_id)
        assert [seat.annotator for seat in status.seats] == [ANNA, BEN, CLEO]
        assert (status.pairs, status.askers) == (8, ((3, 8),))
        for name, pack in packs.items():
            assert sent(author, study_id, name, tmp_path).read_bytes() == pack
        answer_all(at_work(clinic, sent(author, study_id, CLEO, tmp_path)))
        write_answers(clinic, 1, CLEO, tmp_path / "answers")
        assert merge_answers(author, [tmp_path / "answers"])[0].new_rows == 11
        added = find_study(author, study_id).head.plan["added"]
        assert [(seat["annotator"], seat["pairs"]) for seat in added] == [(CLEO, 8)]
        with pytest.raises(UserError, match="Cleo judges in study 1 already"):
            add_annotator(author, study_id, CLEO)
        with pytest.raises(UserError, match="name the annotator"):
            add_annotator(author, study_id, " ")
        with pytest.raises(UserError, match="study 1 was not drawn here"):
            add_annotator(clinic, 1, BEN)


def test_who_comes_later_gets_as_many_as_the_others_where_each_has_their_own(
    tmp_path: Path,
) -> None:
    with opened(tmp_path) as workspace:
        study_id = make(workspace, overlap=1, repeat=0)
        add_annotator(workspace, study_id, CLEO)
        add_annotator(workspace, study_id, "Dora", all_pairs=True)
        asked = {seat.annotator: seat.asked for seat in study_status(workspace, study_id).seats}
        assert asked == {ANNA: 4, BEN: 4, CLEO: 4, "Dora": 8}
        assert study_status(workspace, study_id).askers == ((3, 4), (2, 4))


def test_what_was_said_outlives_a_study_and_counts_again(tmp_path: Path) -> None:
    with opened(tmp_path) as workspace:
        study_id = make(workspace)
        answer_all(Judging(workspace, study_id, ANNA))
        pack = sent(workspace, study_id, ANNA, tmp_path)
        removal = inspect_study_removal(workspace, study_id)
        assert (removal.pairs, removal.rows, removal.waiting) == (8, 11, (BEN,))
        assert "11 rows of the log stay" in removal.stays
        with workspace.judging(), pytest.raises(UserError, match="being judged"):
            remove_study(workspace, study_id)
        assert remove_study(workspace, study_id) == ""
        assert list((tmp_path / "backups").glob("*removal*"))
        assert studies_of(workspace) == []
        assert check_log(workspace) == 11
        again = make(workspace)
        assert len(judgements(workspace, again)) == 11
        remove_study(workspace, again)
        opened_again = open_pack(workspace, pack)
        assert len(judgements(workspace, opened_again.study_id)) == 11
        write_pack(workspace, opened_again.study_id, ANNA, tmp_path / "same")
        assert (tmp_path / "same").read_bytes() == pack.read_bytes()


def test_by_command(tmp_path: Path) -> None:
    folder = tmp_path / "workspace"
    with opened(folder) as workspace:
        make(workspace)
        judging = Judging(workspace, 1, BEN)
        judging.judge(judging.turns[0], "same", SEEN)

    def run(*words: str, stdin: str = "") -> str:
        command = ["study", *words, "--workspace", str(folder)]
        done = CliRunner().invoke(app, command, input=stdin)
        if done.exit_code == 0:
            return done.stdout
        raise done.exception or AssertionError(done.output)

    assert json.loads(run("rename", "1", "--title", "New", "--json"))["title"] == "New"
    assert "Cleo is asked 11 questions" in run("add-annotator", "1", "--annotator", CLEO)
    assert "study 1, New: 0 of 8" in run("status")
    with pytest.raises(SystemExit):
        run("remove", "1", stdin="n\n")
    assert "study 1, New" in run("status")
    output = run("remove", "1", "--yes")
    assert "8 pairs, 3 annotators" in output
    assert "answers that are still out" in output
    assert "1 row of the log stays" in " ".join(output.split())
    assert "There are no studies yet" in run("status")
