"""Lists in parts: dealt out, answered blind, compared, decided, and exported with reviewers."""

import csv
from collections.abc import Iterator
from pathlib import Path

import pytest
from toy_reviews import keep, suggested
from toy_workspace import opened_copy

from termexplorer.errors import UserError
from termexplorer.importers.sssom.sssom import read_sssom
from termexplorer.services.curate.answers.blind_answers import find_blind_answers
from termexplorer.services.curate.answers.list_outcomes import AGREED, DECIDED, DIFFER, WAITING
from termexplorer.services.curate.answers.list_parts import (
    ListParts,
    measure_parts,
    read_parts,
    split_list,
)
from termexplorer.services.curate.answers.parts_table import list_outcome_rows, make_outcome_header
from termexplorer.services.curate.answers.suggestion_packs import pack_suggestions
from termexplorer.services.curate.review import read_review, say, say_all, tell_who_may
from termexplorer.services.curate.review_files import OPINIONS, write_review
from termexplorer.services.curate.suggestion_lists import find_list, kept_lists, read_list
from termexplorer.services.curate.suggestion_words import name_list
from termexplorer.services.studies.verdict_files import write_verdicts
from termexplorer.services.verdicts.log import CURATORS, Answer, Judge, now
from termexplorer.workspace import Workspace

ANNA, BEN, CARA, LEA = (Judge(name) for name in ("Anna", "Ben", "Cara", "Lea"))
ROWS = [suggested(f"TOY:{n}", "TOY:1", object_label="lungs") for n in range(2, 12)]


@pytest.fixture
def workspace(toy: Path, tmp_path: Path) -> Iterator[Workspace]:
    with opened_copy(toy, tmp_path) as opened:
        yield opened


@pytest.fixture
def list_id(workspace: Workspace) -> int:
    return keep(workspace, ROWS)


def answer(
    workspace: Workspace, list_id: int, judge: Judge, answers: dict[int, str], note: str = ""
) -> None:
    """Answer rows of the whole list."""
    about = [row.about for row in read_list(workspace, list_id)]
    moment = now()
    given = {about[n]: Answer(word, note, moment, moment) for n, word in answers.items()}
    say_all(workspace, judge, find_list(workspace, list_id), given)


def split(workspace: Workspace, list_id: int, *people: Judge, twice: float = 0) -> ListParts:
    split_list(workspace, list_id, people, twice)
    return read_parts(workspace, list_id)


def test_each_row_goes_to_one_person_in_turn(workspace: Workspace, list_id: int) -> None:
    parts = split(workspace, list_id, ANNA, BEN, CARA).parts
    assert [(part.person, part.count, part.blind) for part in parts] == [
        (ANNA, 4, False), (BEN, 3, False), (CARA, 3, False),
    ]  # fmt: skip
    dealt = [row.about for part in parts for row in read_list(workspace, part.list_id)]
    assert sorted(dealt, key=str) == sorted((row.about for row in ROWS), key=str)


@pytest.mark.parametrize("twice", [0.2, 0.5, 1.0])
def test_a_share_goes_to_two_people(workspace: Workspace, list_id: int, twice: float) -> None:
    parts = split(workspace, list_id, ANNA, BEN, CARA, twice=twice)
    given = [
        (row.about, part.person)
        for part in parts.parts
        for row in read_list(workspace, part.list_id)
    ]
    assert len(given) == len(set(given)) == round(10 * (1 + twice))
    assert all(part.blind for part in parts.parts)


def test_only_what_nobody_judged_is_dealt_out_and_again_in_place_of_it(
    workspace: Workspace, list_id: int
) -> None:
    answer(workspace, list_id, ANNA, {0: "correct", 1: "wrong"})
    split(workspace, list_id, ANNA, BEN)
    parts = split(workspace, list_id, BEN, CARA).parts
    assert [(part.person, part.count) for part in parts] == [(BEN, 4), (CARA, 4)]
    assert len(kept_lists(workspace)) == 3
    answer(workspace, list_id, ANNA, dict.fromkeys(range(10), "correct"))
    with pytest.raises(UserError, match="everything"):
        split_list(workspace, list_id, [ANNA])


def test_who_cannot_be_dealt_to_is_refused(workspace: Workspace, list_id: int) -> None:
    for people, twice in ([], 0.0), ([ANNA, ANNA], 0.0), ([ANNA], 0.5):
        with pytest.raises(UserError):
            split_list(workspace, list_id, people, twice)
    part = split(workspace, list_id, ANNA).parts[0]
    with pytest.raises(UserError, match="itself a part"):
        split_list(workspace, part.list_id, [BEN])


def test_who_answers_blind_exports_nothing_that_others_said_of_it(
    workspace: Workspace, list_id: int, tmp_path: Path
) -> None:
    def export(name: str) -> tuple[int, int]:
        blind = find_blind_answers(workspace, name)
        return write_verdicts(workspace, tmp_path / "v.csv", CURATORS, blind.hides), blind.left_out

    split(workspace, list_id, ANNA, BEN, twice=1.0)
    answer(workspace, list_id, ANNA, {0: "correct", 1: "wrong"})
    answer(workspace, list_id, BEN, {1: "correct"})
    with pytest.raises(UserError, match="Anna, Ben"):
        find_blind_answers(workspace)
    assert [export(judge.name) for judge in (ANNA, BEN, LEA)] == [(2, 1), (1, 2), (3, 0)]
    answer(workspace, list_id, BEN, dict.fromkeys(range(10), "correct"))
    assert [export(judge.name) for judge in (ANNA, BEN)] == [(2, 10), (12, 0)]


def test_two_are_blind_to_each_other_until_both_are_done(
    workspace: Workspace, list_id: int
) -> None:
    parts = split(workspace, list_id, ANNA, BEN, twice=1.0).parts
    answer(workspace, list_id, ANNA, dict.fromkeys(range(10), "correct"))
    bens = read_review(workspace, parts[1].list_id)
    assert not any(bens.verdicts.values())
    assert tell_who_may(bens, ANNA)
    assert not tell_who_may(bens, BEN)
    assert read_review(workspace, list_id).blind == {BEN}
    first = bens.suggestions[0].about
    given = bens.add_verdicts(say(workspace, BEN, first, Answer("wrong", "", now(), now())))
    assert [verdict.judge for verdict in given.verdicts[first]] == [BEN]
    answer(workspace, list_id, BEN, dict.fromkeys(range(1, 10), "correct"))
    assert read_review(workspace, list_id).blind == frozenset()


def test_anothers_part_shows_no_verdicts_until_all_have_answered(
    workspace: Workspace, list_id: int, tmp_path: Path
) -> None:
    parts = split(workspace, list_id, ANNA, BEN, twice=1.0).parts
    answer(workspace, list_id, ANNA, dict.fromkeys(range(10), "correct"))
    annas = read_review(workspace, parts[0].list_id)
    assert not annas.hides_others(ANNA)
    assert all(annas.hides_others(judge) for judge in (BEN, LEA, None))
    whole = read_review(workspace, list_id)
    assert [whole.hides_others(judge) for judge in (ANNA, BEN, LEA, None)] == [
        False, True, False, True,
    ]  # fmt: skip
    path = tmp_path / "bens.csv"
    write_review(workspace, path, parts[0].list_id, judge=BEN)
    assert "Anna" not in path.read_text(encoding="utf-8-sig")
    answer(workspace, list_id, BEN, dict.fromkeys(range(10), "wrong"))
    assert not read_review(workspace, parts[0].list_id).hides_others(BEN)


def test_what_they_differ_on_is_decided_by_somebody_else(
    workspace: Workspace, list_id: int
) -> None:
    split(workspace, list_id, ANNA, BEN, twice=1.0)
    answer(workspace, list_id, ANNA, {0: "correct", 1: "wrong", 2: "correct", 3: "unsure"})
    answer(workspace, list_id, BEN, {0: "correct", 1: "correct", 3: "unsure", 4: "later"})
    assert read_parts(workspace, list_id).outcomes.counts == {AGREED: 1, DIFFER: 2, WAITING: 7}
    answer(workspace, list_id, LEA, {1: "correct"})
    parts = read_parts(workspace, list_id)
    assert parts.outcomes.counts == {AGREED: 1, DECIDED: 1, DIFFER: 1, WAITING: 7}
    decided = parts.outcomes.by_subject[ROWS[1].about]
    assert decided.verdict is not None
    assert (decided.verdict.judge, decided.verdict.answer.answer) == (LEA, "correct")
    assert [opinion.judge for opinion in decided.opinions] == [ANNA, BEN]
    assert [part.answered for part in parts.parts] == [4, 3]
    header = make_outcome_header([ANNA, BEN])
    rows = [dict(zip(header, row, strict=True)) for row in list_outcome_rows(parts)]
    assert (rows[1]["outcome"], rows[1]["Anna"], rows[1]["Ben"], rows[1]["decided by"]) == (
        DECIDED, "wrong", "correct", "Lea",
    )  # fmt: skip


def test_agreement_is_cohens_kappa_of_what_both_answered(
    workspace: Workspace, list_id: int
) -> None:
    split(workspace, list_id, ANNA, BEN, twice=1.0)
    assert measure_parts(workspace, list_id) is None
    annas = ["correct"] * 6 + ["wrong"] * 4
    bens = ["correct"] * 5 + ["wrong"] * 4 + ["correct"]
    answer(workspace, list_id, ANNA, dict(enumerate(annas)))
    answer(workspace, list_id, BEN, dict(enumerate(bens)))
    report = measure_parts(workspace, list_id)
    assert report is not None
    (couple,) = report.overall.pairs
    (kappa,) = [figure for figure in couple.figures if figure.metric == "cohen"]
    observed, expected = 0.8, 0.6 * 0.6 + 0.4 * 0.4
    assert kappa.value == pytest.approx((observed - expected) / (1 - expected))
    assert kappa.low < kappa.value < kappa.high
    assert kappa.n == 10


def test_outcomes_are_exported_once_with_reviewers_and_opinions(
    workspace: Workspace, list_id: int, tmp_path: Path
) -> None:
    with pytest.raises(UserError, match="no parts"):
        write_review(workspace, tmp_path / "o.csv", list_id, outcomes=True)
    split(workspace, list_id, ANNA, BEN, twice=1.0)
    answer(workspace, list_id, ANNA, {0: "correct", 1: "wrong", 2: "wrong"}, "mine")
    answer(workspace, list_id, BEN, {0: "correct", 1: "correct", 2: "correct"})
    answer(workspace, list_id, LEA, {1: "correct"})
    written = write_review(workspace, tmp_path / "o.sssom.tsv", list_id, outcomes=True)
    assert written.rows == 2
    rows = read_sssom(tmp_path / "o.sssom.tsv").rows
    assert [(row["author_label"], row["reviewer_label"]) for row in rows] == [
        ("Anna", "Ben"), ("Lea", "Anna|Ben"),
    ]  # fmt: skip
    write_review(workspace, tmp_path / "o.csv", list_id, outcomes=True)
    with (tmp_path / "o.csv").open(encoding="utf-8-sig") as file:
        table = list(csv.DictReader(file))
    assert [row["curator"] for row in table] == ["Anna", "Lea"]
    assert "Anna" in table[1][OPINIONS]
    assert "mine" in table[1][OPINIONS]
    assert write_review(workspace, tmp_path / "all.csv", list_id).rows == 7 + 2 + 3 + 2


def test_a_part_is_packed_and_named_like_any_list(
    workspace: Workspace, list_id: int, tmp_path: Path
) -> None:
    parts = split(workspace, list_id, ANNA, BEN).parts
    packed = pack_suggestions(workspace, parts[0].list_id, ANNA, tmp_path / "anna.termstudy")
    assert packed.questions == parts[0].count
    assert "Anna" in name_list(find_list(workspace, parts[0].list_id).head)
