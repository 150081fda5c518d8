"""Clocks that are wrong: answers are merged whatever they say, and no later ones are silenced."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from study_packs_steps import linked, rewritten
from toy_studies import ANNA, SEEN, answer_all, at_work, make, opened, sent

from termexplorer.services.studies.answers import merge_answers, write_answers
from termexplorer.services.studies.judging import Judging
from termexplorer.services.studies.status import judgements
from termexplorer.services.studies.verdict_files import write_verdicts
from termexplorer.services.studies.verdict_import import import_verdicts
from termexplorer.services.verdicts.log import now
from termexplorer.workspace import Workspace


def answers_of_clock(author: Workspace, folder: Path, moment: str) -> Path:
    """What comes back of somebody whose clock stands still."""
    path = folder / "anna"
    with opened(folder / "clinic") as workspace:
        judging = at_work(workspace, sent(author, 1, ANNA, folder))
        answer_all(judging)
        judging.judge(judging.turns[0], "not same", SEEN)
        write_answers(workspace, 1, ANNA, path)

    def change(content: dict[str, Any]) -> None:
        for row in content["rows"]:
            row |= {"answered_at": moment, "shown_at": moment}
        first, *other_rows, last = content["rows"]
        last["answered_at"] = f"{moment[:11]}23:59:59.999+00:00"
        content["rows"] = [first, *other_rows, last]
        linked(content)

    return rewritten(path, change)


def ahead(**by: float) -> str:
    moment = datetime.now(UTC) + timedelta(**by)
    return f"{moment.date()}T00:00:00.000+00:00"


@pytest.mark.parametrize("moment", [ahead(days=3), "2999-01-01T10:00:00.000+00:00"])
def test_answers_of_a_far_day_have_the_time_of_their_receipt(
    empty: Workspace, tmp_path: Path, moment: str
) -> None:
    make(empty)
    path, before = answers_of_clock(empty, tmp_path, moment), now()
    (merged,) = merge_answers(empty, [path])
    assert (merged.new_rows, merged.received, merged.ahead) == (12, 12, 0)
    assert len(list(merged.list_remarks())) == 1
    stored_judgements = judgements(empty, 1)
    assert all(before <= judgement.answer.answered_at <= now() for judgement in stored_judgements)
    assert sorted(judgement.answer.answer for judgement in stored_judgements) == [
        "not same",
        *["same"] * 10,
    ]
    (again,) = merge_answers(empty, [path])
    assert again.new_rows == 0
    # what is said later counts
    judging = Judging(empty, 1, ANNA)
    judging.judge(judging.turns[0], "don't know", SEEN)
    assert {judgement.answer.answer for judgement in judgements(empty, 1)} == {"don't know", "same"}
    # and what the clock said goes along
    write_answers(empty, 1, ANNA, tmp_path / "again")
    (same,) = merge_answers(empty, [tmp_path / "again"])
    assert same.new_rows == 0
    assert moment in (tmp_path / "again").read_text("utf-8")


def test_a_table_of_such_answers_comes_back(empty: Workspace, tmp_path: Path) -> None:
    make(empty)
    merge_answers(empty, [answers_of_clock(empty, tmp_path, "2999-01-01T10:00:00.000+00:00")])
    table, key = tmp_path / "verdicts.csv", Judging(empty, 1, ANNA).study.head.key
    write_verdicts(empty, table, key)
    with opened(tmp_path / "other") as other:
        make(other)
        result = import_verdicts(other, table, 1)
        assert (result.new, result.unfit) == (11, ())


def test_answers_of_tomorrow_are_merged_as_they_are_and_told(
    empty: Workspace, tmp_path: Path
) -> None:
    make(empty)
    moment = (datetime.now(UTC) + timedelta(hours=12)).isoformat(timespec="milliseconds")
    path = tmp_path / "anna"
    with opened(tmp_path / "clinic") as workspace:
        answer_all(at_work(workspace, sent(empty, 1, ANNA, tmp_path)))
        write_answers(workspace, 1, ANNA, path)

    def change(content: dict[str, Any]) -> None:
        content["rows"][0]["answered_at"] = moment
        linked(content)

    (merged,) = merge_answers(empty, [rewritten(path, change)])
    assert (merged.new_rows, merged.received, merged.ahead) == (11, 0, 1)
    assert moment in {judgement.answer.answered_at for judgement in judgements(empty, 1)}
