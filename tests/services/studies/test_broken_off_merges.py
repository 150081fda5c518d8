"""Merging that was broken off leaves a log that is whole, and is done again for the rest."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from sqlalchemy.exc import IntegrityError
from toy_studies import ANNA, BEN, SEEN, answer_all, at_work, make, opened, sent

from termexplorer.errors import UserError
from termexplorer.services.studies.answer_doubts import AnswersInDoubtError
from termexplorer.services.studies.answers import merge_answers, write_answers
from termexplorer.services.studies.judging import Judging
from termexplorer.services.studies.merge_results import AnswersChoice
from termexplorer.services.studies.set_aside import list_doubtful, list_study_keys
from termexplorer.services.studies.status import judgements, study_status
from termexplorer.services.studies.studies import find_study
from termexplorer.services.verdicts.log import check_log
from termexplorer.workspace import Workspace

ROUNDS, TURNS = 12, 11  # more rows than a batch has


def write_many(author: Workspace, folder: Path, say: str) -> Path:
    """What somebody sends back who thought again and again."""
    path = folder / "many.termanswers"
    with opened(folder / "clinic") as workspace:
        judging = at_work(workspace, sent(author, 1, ANNA, folder))
        for _round in range(ROUNDS):
            for turn in judging.turns:
                judging.judge(turn, say, SEEN)
        write_answers(workspace, 1, ANNA, path)
    return path


def write_few(author: Workspace, folder: Path, say: str) -> Path:
    path = folder / "few.termanswers"
    with opened(folder / "elsewhere") as workspace:
        answer_all(at_work(workspace, sent(author, 1, ANNA, folder)), lambda _place: say)
        write_answers(workspace, 1, ANNA, path)
    return path


@contextmanager
def broken_at(workspace: Workspace, row: int) -> Iterator[None]:
    """Have the store take no row of the log from one on."""
    with workspace.store.writing() as connection:
        connection.exec_driver_sql(
            f"CREATE TRIGGER stop BEFORE INSERT ON verdict WHEN NEW.id >= {row} "
            "BEGIN SELECT RAISE(ABORT, 'no more'); END"
        )
    try:
        with pytest.raises(IntegrityError, match="no more"):
            yield
    finally:
        with workspace.store.writing() as connection:
            connection.exec_driver_sql("DROP TRIGGER stop")


def said(author: Workspace) -> list[str]:
    return [
        judgement.answer.answer
        for judgement in judgements(author, 1)
        if judgement.annotator == ANNA
    ]


def test_a_merge_that_was_broken_off_is_done_again_for_the_rest(
    empty: Workspace, tmp_path: Path
) -> None:
    make(empty)
    path = write_many(empty, tmp_path, "same")
    with broken_at(empty, ROUNDS * TURNS):
        merge_answers(empty, [path])
    row_count = check_log(empty)
    assert 0 < row_count < ROUNDS * TURNS
    judging = Judging(empty, 1, BEN)  # who judges here meanwhile
    judging.judge(judging.turns[0], "not same", SEEN)
    (merged,) = merge_answers(empty, [path])
    assert (merged.new_rows, merged.differing) == (ROUNDS * TURNS - row_count, ())
    assert check_log(empty) == ROUNDS * TURNS + 1
    assert said(empty) == ["same"] * 11
    assert merge_answers(empty, [path])[0].new_rows == 0


@pytest.mark.parametrize(
    ("choice", "row"),
    [
        (AnswersChoice.ADD, 130),
        (AnswersChoice.ACCEPT, 130),
        (AnswersChoice.ACCEPT, TURNS + ROUNDS * TURNS + 3),  # where others are taken back
    ],
)
def test_a_choice_that_was_broken_off_is_carried_out_by_the_next_merge(
    empty: Workspace, tmp_path: Path, choice: AnswersChoice, row: int
) -> None:
    make(empty)
    merge_answers(empty, [write_few(empty, tmp_path, "don't know")])
    path = write_many(empty, tmp_path, "same")
    with pytest.raises(AnswersInDoubtError):
        merge_answers(empty, [path])
    with broken_at(empty, row):
        merge_answers(empty, [path], choice)
    study = find_study(empty, 1)
    assert [doubtful.annotator for doubtful in list_doubtful(empty, study)] == [ANNA]
    assert study_status(empty, 1).seats[0].signed == "doubtful"
    (merged,) = merge_answers(empty, [path])  # as it was chosen
    assert merged.choice == choice.value
    assert said(empty) == ["same"] * 11
    keys = [key.trusted for key in list_study_keys(empty, study).keys if key.annotator == ANNA]
    assert keys == ([False, True] if choice is AnswersChoice.ACCEPT else [True, True])
    assert [file.choice for file, _ in list_study_keys(empty, study).files] == [choice.value]
    taken_back = TURNS if choice is AnswersChoice.ACCEPT else 0
    assert check_log(empty) == TURNS + ROUNDS * TURNS + taken_back
    (again,) = merge_answers(empty, [path])
    assert (again.new_rows, again.choice) == (0, "")


def test_nothing_of_a_call_is_added_where_its_files_are_of_two_machines(
    empty: Workspace, tmp_path: Path
) -> None:
    make(empty)
    few, many = write_few(empty, tmp_path, "don't know"), write_many(empty, tmp_path, "same")
    with pytest.raises(AnswersInDoubtError) as error:
        merge_answers(empty, [few, many])
    assert error.value.answers.file == str(many)
    assert check_log(empty) == 0
    many.write_text("{", "utf-8")
    with pytest.raises(UserError):
        merge_answers(empty, [few, many])
    assert check_log(empty) == 0
