"""Judging: what comes next, what is taken back, and that all of it is in the log at once."""

import atexit
import shutil
import sqlite3
from contextlib import closing
from dataclasses import replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule
from toy_studies import ANNA, BEN, SEEN, at_work, make, sent

from termexplorer.errors import UserError
from termexplorer.services.studies.adjudication.deciding import decide
from termexplorer.services.studies.adjudication.decisions import Decision, decisions, undo_decision
from termexplorer.services.studies.adjudication.disputed_pairs import disputed
from termexplorer.services.studies.answers import merge_answers, write_answers
from termexplorer.services.studies.judging import SKIPPED, Judging, Turn
from termexplorer.services.studies.status import judgements, study_status
from termexplorer.services.verdicts.log import check_log
from termexplorer.store.judging.studies import StudyPair
from termexplorer.workspace import Workspace


@pytest.fixture
def judging(empty: Workspace) -> Judging:
    make(empty)
    return Judging(empty, 1, ANNA)


def asked(judging: Judging) -> Turn:
    turn = judging.current()
    assert turn is not None
    return turn


def test_practice_comes_first_and_what_was_skipped_last(judging: Judging) -> None:
    order = []
    for number in range(len(judging.turns)):
        turn = asked(judging)
        order.append(turn.place)
        if number in (3, 5):
            judging.skip(turn, SEEN)
        else:
            judging.judge(turn, "same", SEEN)
    assert order == list(range(11))
    assert [turn.practice for turn in judging.turns] == [True] * 2 + [False] * 9
    assert asked(judging).place == 3
    judging.skip(asked(judging), SEEN, "hard")
    assert asked(judging).place == 5
    judging.judge(asked(judging), "don't know", SEEN)
    assert asked(judging).place == 3
    assert judging.judge(asked(judging), "same", SEEN) is None
    assert judging.current() is None


def test_undo_goes_back_to_the_start_and_redo_to_the_end(judging: Judging) -> None:
    places = []
    while turn := judging.current():
        places.append(turn.place)
        if turn.place == 4 and len(places) == 5:
            judging.skip(turn, SEEN)
        else:
            judging.judge(turn, "same", SEEN)
    for position in reversed(places):
        turn = judging.undo()
        assert turn is not None
        assert turn.place == position
        assert judging.current() == turn
    assert judging.undo() is None
    assert not judging.said
    assert [turn.place for turn in iter(judging.redo, None)] == places
    assert judging.current() is None


def test_a_program_that_starts_again_stands_where_it_stood(
    judging: Judging, empty: Workspace
) -> None:
    judging.skip(asked(judging), SEEN)
    judging.judge(asked(judging), "same", SEEN, "why")
    again = Judging(empty, 1, ANNA)
    assert (again.current(), dict(again.said)) == (judging.current(), dict(judging.said))
    assert judging.turns[1] == again.undo()


def test_a_comment_goes_with_the_answer_and_an_answer_can_be_changed(judging: Judging) -> None:
    turn = asked(judging)
    with pytest.raises(UserError, match="no answer yet that a comment could go with"):
        judging.comment(turn, "why")
    judging.judge(turn, "same", replace(SEEN, looked_up=True), "one\0 \ud800")
    assert judging.said[turn].note == "one ?"
    judging.comment(turn, "two")
    answer = judging.said[turn]
    assert (answer.answer, answer.note, answer.details["looked_up"]) == ("same", "two", True)
    judging.judge(turn, "not same", SEEN)
    for note in ("two", "one ?"):
        assert judging.undo() == turn
        assert judging.said[turn].note == note
    assert judging.undo() == turn == judging.current()
    with pytest.raises(UserError, match="more than 20,000 characters"):
        judging.judge(turn, "same", SEEN, "a" * 20_001)
    with pytest.raises(UserError, match="'yes' is no answer of this study; same, not same, don't"):
        judging.judge(turn, "yes", SEEN)
    assert not judging.said


def test_the_pace_is_that_of_the_pairs_since_practice(judging: Judging) -> None:
    assert judging.progress().seconds_left is None
    for active_ms in (9_000, 11_000):
        judging.judge(asked(judging), "same", replace(SEEN, active_ms=active_ms))
    progress = judging.progress()
    assert (progress.practised, progress.practice, progress.judged, progress.asked) == (2, 2, 0, 9)
    assert (progress.seconds_a_pair, progress.seconds_left) == (10, 90)
    judging.judge(asked(judging), "same", replace(SEEN, active_ms=2_000))
    judging.skip(asked(judging), replace(SEEN, active_ms=60_000))
    judging.judge(asked(judging), "same", replace(SEEN, active_ms=4_000))
    progress = judging.progress()
    assert (progress.judged, progress.skipped) == (2, 1)
    assert (progress.seconds_a_pair, progress.seconds_left) == (3, 21)


def test_a_clock_that_goes_back_changes_nothing(
    judging: Judging, empty: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    moments = iter(["2026-03-01T10:00:00.000+00:00", "2026-02-01T10:00:00.000+00:00"])
    monkeypatch.setattr("termexplorer.services.studies.judging.now", moments.__next__)
    turn = asked(judging)
    judging.judge(turn, "same", SEEN)
    judging.judge(turn, "not same", SEEN)
    assert judging.said[turn].answered_at == "2026-03-01T10:00:00.001+00:00"
    assert Judging(empty, 1, ANNA).said[turn].answer == "not same"
    assert [judgement.answer.answer for judgement in judgements(empty, 1)] == ["not same"]


def test_a_verdict_is_in_the_file_when_the_next_pair_is_told(
    judging: Judging, empty: Workspace
) -> None:
    for count in range(1, 4):
        judging.judge(asked(judging), "same", SEEN)
        with closing(sqlite3.connect(empty.store.path)) as other:
            assert other.execute("SELECT count(*) FROM verdict").fetchone() == (count,)


def test_what_cannot_be_written_is_asked_again(judging: Judging, empty: Workspace) -> None:
    judging.judge(asked(judging), "same", SEEN)
    turn = asked(judging)
    with closing(sqlite3.connect(empty.store.path)) as other:
        (pages,) = other.execute("PRAGMA page_count").fetchone()
    note = "a" * 20_000
    with empty.store.reading() as connection:
        connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(UserError, match="no room left on the disk"):
        judging.judge(turn, "same", SEEN, note)
    assert judging.current() == turn
    with empty.store.reading() as connection:
        connection.exec_driver_sql("PRAGMA max_page_count = 1000000")
    judging.judge(turn, "same", SEEN, note)
    assert judging.current() != turn
    assert check_log(empty) == 2


@cache
def prepared_study() -> Path:
    """A study in the workspaces of its author and of two annotators, to be copied."""
    folder = Path(mkdtemp(prefix="study-"))
    atexit.register(shutil.rmtree, folder)
    with closing(Workspace(folder / "author")) as author:
        make(author)
        for name in (ANNA, BEN):
            with closing(Workspace(folder / name)) as workspace:
                at_work(workspace, sent(author, 1, name, folder))
    return folder


class Studies(RuleBasedStateMachine):
    """An author, who adjudicates, and two annotators against lists of what each of them said.

    What the author has of an annotator is the longest of the files that were merged.
    """

    def __init__(self) -> None:
        super().__init__()
        self.temporary = TemporaryDirectory()
        self.folder = Path(shutil.copytree(prepared_study(), f"{self.temporary.name}/study"))
        self.author = Workspace(self.folder / "author")
        self.places = {name: Workspace(self.folder / name) for name in (ANNA, BEN)}
        self.judging = {
            name: Judging(workspace, 1, name) for name, workspace in self.places.items()
        }
        self.answers: dict[str, list[tuple[int, str, str]]] = {ANNA: [], BEN: []}
        self.taken: dict[str, list[tuple[int, str, str]]] = {ANNA: [], BEN: []}
        self.steps = {ANNA: 0, BEN: 0}
        self.files: list[tuple[str, int, dict[int, tuple[str, str]]]] = []
        self.merged: dict[str, tuple[int, dict[int, tuple[str, str]]]] = {
            ANNA: (0, {}), BEN: (0, {}),
        }  # fmt: skip
        self.decided: list[tuple[StudyPair, str]] = []
        self.rows_of_decisions = 0

    def votes(self) -> dict[StudyPair, list[str]]:
        """What was said first of each pair by each annotator, practice aside."""
        votes: dict[StudyPair, list[str]] = {}
        for who, (_, merged) in self.merged.items():
            rated: dict[StudyPair, str] = {}
            for turn in self.judging[who].turns:
                answer, _note = merged.get(turn.place, (SKIPPED, ""))
                if answer != SKIPPED and not turn.practice:
                    rated.setdefault(turn.pair, answer)
            for pair, answer in rated.items():
                votes.setdefault(pair, []).append(answer)
        return votes

    def wanted(self, who: str) -> int | None:
        """The place that is asked for, by the list alone."""
        last = {position: answer for position, answer, _ in self.answers[who]}
        unseen = [index for index in range(11) if index not in last]
        order = {position: number for number, (position, _, _) in enumerate(self.answers[who])}
        skipped = [position for position, answer in last.items() if answer == SKIPPED]
        return next(iter(unseen + sorted(skipped, key=order.__getitem__)), None)

    def does(self, who: str, position: int, answer: str, note: str) -> None:
        self.answers[who].append((position, answer, note))
        self.taken[who].clear()
        self.steps[who] += 1

    people = st.sampled_from([ANNA, BEN])

    @rule(
        who=people,
        answer=st.sampled_from(["same", "not same", "don't know", SKIPPED]),
        note=st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=3),
    )
    def answers(self, who: str, answer: str, note: str) -> None:
        turn = self.judging[who].current()
        assert (turn and turn.place) == self.wanted(who)
        if turn:
            self.judging[who].judge(turn, answer, SEEN, note)
            self.does(who, turn.place, answer, note)

    @rule(who=people, position=st.integers(0, 10))
    def changes(self, who: str, position: int) -> None:
        last = {own_position: answer for own_position, answer, _ in self.answers[who]}
        turn = self.judging[who].turns[position]
        if position in last:
            self.judging[who].comment(turn, "changed")
            self.does(who, position, last[position], "changed")

    @rule(who=people)
    def undoes(self, who: str) -> None:
        self.moved(who, self.judging[who].undo(), self.answers[who], self.taken[who])

    @rule(who=people)
    def redoes(self, who: str) -> None:
        self.moved(who, self.judging[who].redo(), self.taken[who], self.answers[who])

    def moved(
        self,
        who: str,
        turn: Turn | None,
        here: list[tuple[int, str, str]],
        target: list[tuple[int, str, str]],
    ) -> None:
        assert (turn is None) == (not here)
        if turn:
            target.append(here.pop())
            self.steps[who] += 1
            assert turn.place == target[-1][0]

    @rule(who=people)
    def starts_again(self, who: str) -> None:
        self.places[who].close()
        self.places[who] = Workspace(self.folder / who)
        self.judging[who] = Judging(self.places[who], 1, who)

    @rule(who=people)
    def sends(self, who: str) -> None:
        path = self.folder / f"{len(self.files)}.json"
        assert write_answers(self.places[who], 1, who, path).rows == self.steps[who]
        answers = {position: (answer, note) for position, answer, note in self.answers[who]}
        self.files.append((who, self.steps[who], answers))

    @precondition(lambda self: self.files)
    @rule(data=st.data())
    def merges(self, data: st.DataObject) -> None:
        numbers = st.lists(st.integers(0, len(self.files) - 1), min_size=1, max_size=3)
        chosen = data.draw(numbers)
        done = merge_answers(self.author, [self.folder / f"{number}.json" for number in chosen])
        for number, merged in zip(chosen, done, strict=True):
            who, steps, answers = self.files[number]
            before = self.merged[who][0]
            assert (merged.annotator, merged.rows) == (who, steps)
            assert merged.new_rows == max(0, steps - before)
            assert merged.differing == ()
            self.merged[who] = max(self.merged[who], (steps, answers), key=lambda entry: entry[0])

    @precondition(lambda self: any(steps for steps, _ in self.merged.values()))
    @rule(data=st.data(), answer=st.sampled_from(["same", "not same", "don't know"]))
    def adjudicates(self, data: st.DataObject, answer: str) -> None:
        votes = self.votes()
        disputed_pairs = disputed(self.author, 1) if votes else []
        assert {disputed_pair.pair for disputed_pair in disputed_pairs} == {
            pair
            for pair, given in votes.items()
            if max(map(given.count, ("same", "not same"))) * 2 <= len(given)
        }
        if disputed_pairs:
            chosen = data.draw(st.sampled_from(disputed_pairs))
            decision = Decision("Dora", answer, "", "", verdicts_shown=False)
            assert decide(self.author, 1, chosen.number, decision) == chosen.pair
            standing = chosen.decision
            if standing is None or standing.answer != answer:  # the same one is not written again
                self.decided.append((chosen.pair, answer))
                self.rows_of_decisions += 1

    @rule()
    def thinks_better_of_it(self) -> None:
        taken = undo_decision(self.author, 1, "Dora")
        assert (taken is None) == (not self.decided)
        if taken:
            assert taken.answer == self.decided.pop()[1]
            self.rows_of_decisions += 1

    @invariant()
    def everybody_has_what_was_said(self) -> None:
        for who, judging in self.judging.items():
            answers = {position: (answer, note) for position, answer, note in self.answers[who]}
            assert {t.place: (a.answer, a.note) for t, a in judging.said.items()} == answers
        stored_answers = {
            (judgement.annotator, judgement.answer.details["place"]): (
                judgement.answer.answer,
                judgement.answer.note,
            )
            for judgement in judgements(self.author, 1)
        }
        assert stored_answers == {
            (who, position): answer
            for who, (_, merged) in self.merged.items()
            for position, answer in merged.items()
            if answer[0] != SKIPPED
        }
        decided = {pair: decision.answer for pair, decision in decisions(self.author, 1).items()}
        assert decided == dict(self.decided)
        for seat in study_status(self.author, 1).seats:
            merged = self.merged[seat.annotator][1].values()
            assert seat.skipped == sum(answer == SKIPPED for answer, _ in merged)
            assert seat.judged + seat.practised + seat.skipped == len(merged)

    def teardown(self) -> None:
        for who, workspace in self.places.items():
            assert check_log(workspace) == self.steps[who]
            workspace.close()
        merged = sum(steps for steps, _ in self.merged.values())
        assert check_log(self.author) == merged + self.rows_of_decisions
        self.author.close()
        self.temporary.cleanup()


TestStudies = Studies.TestCase
TestStudies.settings = settings(
    max_examples=10, stateful_step_count=30
)  # each row goes to the disk
