"""The log of verdicts: what counts, what is taken back, and that nothing is ever changed."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule
from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

from termexplorer.errors import UserError
from termexplorer.store.database.engine import Store
from termexplorer.store.judging import verdicts
from termexplorer.store.judging.log_batches import AddedVerdicts, append_in_batches
from termexplorer.store.judging.suggestions import ListHead, Suggestion, keep
from termexplorer.store.judging.verdicts import Answer, Judge, VerdictSubject
from termexplorer.store.opening import open_store

ANNA, OTHER_ANNA = Judge("Anna", "0000-0002-1825-0097"), Judge("Anna")
BROAD = VerdictSubject("skos:broadMatch", "DOID:1", "DOID:2")
CLOSE = VerdictSubject("skos:closeMatch", "DOID:1", "DOID:2")
SUBJECTS = [BROAD, CLOSE, VerdictSubject("skos:broadMatch", "DOID:3", "DOID:2", "a name")]
STUDIES = [verdicts.CURATORS, "a study"]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = open_store(tmp_path / "store.sqlite")
    yield store
    store.close()


def say(answer: str, at: str = "2026-01-01T00:00:00.000+00:00") -> Answer:
    return Answer(answer, "a note", at, at, "hash of a release", {"active": 1.5})


def judge(store: Store, who: Judge, subject: VerdictSubject, answer: str) -> int:
    with store.writing() as connection:
        return verdicts.append(connection, who, subject, say(answer))


def undo(store: Store, who: Judge, study: str = "") -> verdicts.LoggedVerdict | None:
    with store.writing() as connection:
        return verdicts.undo(connection, who, study, "later")


def redo(store: Store, who: Judge, study: str = "") -> verdicts.LoggedVerdict | None:
    with store.writing() as connection:
        return verdicts.redo(connection, who, study, "later still")


def answers(store: Store, study: str = "") -> dict[tuple[Judge, VerdictSubject], str]:
    with store.reading() as connection:
        verdict_rows = verdicts.judged(connection, study)
    return {(verdict.judge, verdict.subject): verdict.answer.answer for verdict in verdict_rows}


def test_the_last_verdict_on_a_subject_counts_and_comes_back_whole(store: Store) -> None:
    judge(store, ANNA, BROAD, "wrong")
    judge(store, ANNA, CLOSE, "unsure")
    judge(store, ANNA, BROAD, "correct")
    with store.reading() as connection:
        close, broad = verdicts.judged(connection)
    assert (close.subject, broad.subject) == (CLOSE, BROAD)
    assert broad.judge == ANNA
    assert broad.answer == say("correct")


def test_people_of_one_name_stay_apart(store: Store) -> None:
    judge(store, ANNA, BROAD, "wrong")
    judge(store, OTHER_ANNA, BROAD, "correct")
    assert answers(store) == {(ANNA, BROAD): "wrong", (OTHER_ANNA, BROAD): "correct"}
    assert undo(store, ANNA) is not None
    assert answers(store) == {(OTHER_ANNA, BROAD): "correct"}


def test_undo_and_redo_go_through_all_verdicts_also_after_a_restart(store: Store) -> None:
    for answer in ("wrong", "correct"):
        judge(store, ANNA, BROAD, answer)
    taken = undo(store, ANNA)
    assert taken is not None
    assert taken.answer.answer == "correct"
    assert answers(store) == {(ANNA, BROAD): "wrong"}
    undo(store, ANNA)
    assert undo(store, ANNA) is None
    store.close()
    again = open_store(store.path)
    brought = [redo(again, ANNA), redo(again, ANNA), redo(again, ANNA)]
    assert [verdict and verdict.answer.answer for verdict in brought] == ["wrong", "correct", None]
    assert answers(again) == {(ANNA, BROAD): "correct"}
    again.close()


def test_a_verdict_ends_what_could_be_brought_back(store: Store) -> None:
    judge(store, ANNA, BROAD, "wrong")
    undo(store, ANNA)
    judge(store, ANNA, CLOSE, "correct")
    assert redo(store, ANNA) is None


def test_verdicts_from_elsewhere_are_added_once(store: Store) -> None:
    given = [
        (ANNA, BROAD, say("wrong")),
        (OTHER_ANNA, BROAD, say("wrong")),
        (ANNA, BROAD, say("wrong")),
    ]
    assert append_in_batches(store, given) == AddedVerdicts(new=2, older=0)
    assert append_in_batches(store, given) == AddedVerdicts(new=0, older=0)
    assert len(answers(store)) == 2


def test_what_counts_of_one_subject_or_of_a_list_is_read_without_the_rest(store: Store) -> None:
    other = VerdictSubject("skos:broadMatch", "DOID:9", "DOID:2")
    for who, subject, answer in (
        (ANNA, BROAD, "wrong"), (ANNA, BROAD, "correct"), (OTHER_ANNA, BROAD, "unsure"),
        (ANNA, CLOSE, "wrong"), (ANNA, other, "wrong"),
    ):  # fmt: skip
        judge(store, who, subject, answer)
    head = ListHead("misplaced", "A list", None, None, [], {}, [], [], {}, "now")
    with store.writing() as connection:
        rows = [Suggestion(verdict_subject, []) for verdict_subject in (CLOSE, BROAD, BROAD)]
        list_id = keep(connection, head, rows).list_id
    with store.reading() as connection:
        on = [verdict.answer.answer for verdict in verdicts.judged_on(connection, BROAD)]
        of_list = list(verdicts.judged_in_list(connection, list_id))
        assert verdicts.count_judged_of(connection, "hash of a release") == 4
        assert verdicts.count_judged_of(connection, "another") == 0
        counting = verdicts.judged(connection)
    assert on == ["correct", "unsure"]
    assert of_list == [verdict for verdict in counting if verdict.subject != other]


def test_queries_on_one_judge_or_subject_read_no_other_rows(store: Store) -> None:
    def work() -> list[int]:
        seen = []
        for query in (
            lambda connection: verdicts.judged_on(connection, BROAD),
            lambda connection: verdicts.counting(connection, "a study", ANNA),
            lambda connection: verdicts.given(connection, "a study"),
            lambda connection: verdicts.undo(connection, ANNA, "a study", "later"),
            lambda connection: verdicts.redo(connection, ANNA, "a study", "later still"),
        ):
            with store.writing() as connection:
                seen.append(count_steps(connection, query))
        return seen

    in_study = VerdictSubject("Same?", "one", "two", study="a study")
    for who in (ANNA, OTHER_ANNA):
        judge(store, who, BROAD, "wrong")
        judge(store, who, in_study, "same")
    work()
    short = work()
    subjects = (VerdictSubject("q", f"A:{n}", "B:1") for n in range(300))
    append_in_batches(store, [(ANNA, subject, say("wrong")) for subject in subjects])
    assert max(long - before for long, before in zip(work(), short, strict=True)) < 100


def count_steps(connection: Connection, query: Callable[[Connection], object]) -> int:
    """Return how many steps SQLite takes for a query."""
    steps = 0

    def count() -> None:
        nonlocal steps
        steps += 1

    raw = connection.connection.driver_connection
    assert isinstance(raw, sqlite3.Connection)
    raw.set_progress_handler(count, 1)
    query(connection)
    raw.set_progress_handler(None, 0)
    return steps


@pytest.mark.parametrize("change", ["UPDATE verdict SET answer = 'wrong'", "DELETE FROM verdict"])
def test_the_store_refuses_to_change_the_log(store: Store, change: str) -> None:
    judge(store, ANNA, BROAD, "correct")
    with pytest.raises(IntegrityError, match="only ever added to"), store.writing() as connection:
        connection.exec_driver_sql(change)
    assert answers(store) == {(ANNA, BROAD): "correct"}


@pytest.mark.parametrize(
    ("change", "row"),
    [
        ("UPDATE verdict SET note = 'b note' WHERE id = 2", 2),
        ("UPDATE verdict SET details = '{\"active\": 2.5}' WHERE id = 1", 1),
        ("UPDATE verdict SET undoes = 1 WHERE id = 3", 3),
        ("DELETE FROM verdict WHERE id = 2", 3),
    ],
)
def test_what_was_changed_behind_its_back_is_found_and_named(
    store: Store, change: str, row: int
) -> None:
    for answer in ("wrong", "correct", "unsure"):
        judge(store, ANNA, BROAD, answer)
    with store.reading() as connection:
        assert verdicts.check_log(connection) == 3
    store.close()
    with closing(sqlite3.connect(store.path)) as raw, raw:
        for guard in ("verdict_no_update", "verdict_no_delete"):
            raw.execute(f"DROP TRIGGER {guard}")
        raw.execute(change)
    with store.reading() as connection, pytest.raises(UserError, match=f"broken at row {row}:"):
        verdicts.check_log(connection)


class Log(RuleBasedStateMachine):
    """The log against lists of what each judge said, and could bring back, in each study."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = TemporaryDirectory()
        self.store = open_store(Path(self.folder.name) / "store.sqlite")
        keys = [(who, study) for who in (ANNA, OTHER_ANNA) for study in STUDIES]
        self.answers: dict[tuple[Judge, str], list[tuple[VerdictSubject, str]]] = {
            key: [] for key in keys
        }
        self.taken: dict[tuple[Judge, str], list[tuple[VerdictSubject, str]]] = {
            key: [] for key in keys
        }
        self.rows = 0

    @rule(
        who=st.sampled_from([ANNA, OTHER_ANNA]),
        study=st.sampled_from(STUDIES),
        subject=st.sampled_from(SUBJECTS),
        answer=st.text(max_size=5),
    )
    def judges(self, who: Judge, study: str, subject: VerdictSubject, answer: str) -> None:
        subject = VerdictSubject(
            subject.question, subject.subject, subject.object, subject.term, study
        )
        judge(self.store, who, subject, answer)
        self.answers[who, study].append((subject, answer))
        self.taken[who, study].clear()
        self.rows += 1

    @rule(who=st.sampled_from([ANNA, OTHER_ANNA]), study=st.sampled_from(STUDIES))
    def undoes(self, who: Judge, study: str) -> None:
        self.moved(undo(self.store, who, study), self.answers[who, study], self.taken[who, study])

    @rule(who=st.sampled_from([ANNA, OTHER_ANNA]), study=st.sampled_from(STUDIES))
    def redoes(self, who: Judge, study: str) -> None:
        self.moved(redo(self.store, who, study), self.taken[who, study], self.answers[who, study])

    @rule()
    def starts_anew(self) -> None:
        self.store.close()
        self.store = open_store(self.store.path)

    def moved(
        self,
        logged_verdict: verdicts.LoggedVerdict | None,
        here: list[tuple[VerdictSubject, str]],
        target: list[tuple[VerdictSubject, str]],
    ) -> None:
        if not here:
            assert logged_verdict is None
            return
        assert logged_verdict is not None
        target.append(here.pop())
        self.rows += 1
        assert (logged_verdict.subject, logged_verdict.answer.answer) == target[-1]

    @invariant()
    def counts_the_same(self) -> None:
        for study in STUDIES:
            wanted = {
                (who, subject): answer
                for (who, of), given_answers in self.answers.items()
                if of == study
                for subject, answer in given_answers
            }
            assert answers(self.store, study) == wanted

    def teardown(self) -> None:
        with self.store.reading() as connection:
            assert verdicts.check_log(connection) == self.rows
        self.store.close()
        self.folder.cleanup()


TestLog = Log.TestCase
TestLog.settings = settings(max_examples=15, stateful_step_count=25)  # each row goes to the disk
