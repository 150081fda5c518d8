"""The candidates of a mapping: chosen by keys or by a search, answered by one key a predicate."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QItemSelectionModel, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot
from suggestions_page_steps import read
from toy_window import show
from toy_workspace import VECTORS, opened_copy

from termexplorer.desk import WindowController
from termexplorer.mapping_terms import BROAD, CANDIDATES, EXACT, NARROW, NO_TERM
from termexplorer.models.suggestion_table import REJECTED
from termexplorer.services.curate.review import read_review
from termexplorer.services.curate.suggestion_files import SssomRow, SuggestionSheet
from termexplorer.services.curate.suggestion_lists import keep_suggestions
from termexplorer.services.explore.ontologies import find_ontology
from termexplorer.services.verdicts.log import Answer, Judge, give_verdict, judged
from termexplorer.services.verdicts.mapping_answers import find_chosen
from termexplorer.services.verdicts.people import add_person
from termexplorer.views.curate.candidate_html import CHOSEN_SIGN
from termexplorer.views.curate.candidates import CandidateBrowser
from termexplorer.views.curate.page import CuratePage
from termexplorer.views.curate.review import SuggestionReview

OTHERS = [["TOY:2", "exact", 0.9], ["TOY:15", "broad", 0.4], ["TOY:3", "narrow", 0.1]]
SUBJECTS = ("L:1", "L:2", "L:3")


@pytest.fixture
def desk(
    qtbot: QtBot, open_desk: Callable[[Path], WindowController], toy: Path, tmp_path: Path
) -> SuggestionReview:
    """The review of three codes, the last of which nothing matches, and Anna, who judges."""
    with opened_copy(toy, tmp_path) as workspace:
        add_person(workspace, "Anna", "")
        ontology = find_ontology(workspace, "1")
        further = {CANDIDATES: json.dumps(OTHERS)}
        mappings = [
            SssomRow(code, "cardiac trouble", EXACT, "TOY:2", "x", "semapv:X", 0.9, "", "", further)
            for code in SUBJECTS[:2]
        ]
        mappings.append(
            SssomRow("L:3", "left shoe", EXACT, NO_TERM, "", "semapv:X", 0.8, "", "", further)
        )
        rows = [[row.subject_id, row.subject_label, 7] for row in mappings]
        header = ("code", "name", "frequency")
        sheet = SuggestionSheet(ontology, ontology, (VECTORS,), header, rows, mappings)
        keep_suggestions(workspace, "mappings", sheet, {}, [])
        folder = workspace.folder
    controller = open_desk(folder)
    page = show(controller, "curate")
    assert isinstance(page, CuratePage)
    controller.window.activateWindow()
    qtbot.waitUntil(controller.window.isActiveWindow)
    part = page.suggestions
    qtbot.waitUntil(lambda: part.desk.review is not None and part.judge.judge is not None)
    read(qtbot, part)
    part.desk.table.setFocus()
    part.desk.guard._session.keep_look("judging/pause", "0")
    return part.desk


def type_key(qtbot: QtBot, desk: SuggestionReview, key: str) -> None:
    """Press a key of an answer and wait until it is written and the next pair is on show."""
    with qtbot.waitSignal(desk.written):
        QTest.keyClick(desk.table, key)  # type: ignore[call-overload]
    qtbot.waitUntil(lambda: desk.pair.has_shown(desk.table.current))  # type: ignore[arg-type]


def read_answers(desk: SuggestionReview) -> dict[str, tuple[str, str]]:
    logged = judged(desk._shared.workspace)
    chosen = {str(v.subject.subject): find_chosen(v.subject, v.answer) for v in logged}
    return {subject: (c.predicate, c.object) for subject, c in chosen.items() if c}


def test_candidates_are_chosen_by_numbers_and_arrows_and_answered_by_predicates(
    qtbot: QtBot, desk: SuggestionReview
) -> None:
    candidates = desk.pair.candidates
    assert [c.object for c in candidates.candidates] == ["TOY:2", "TOY:15", "TOY:3"]
    text = candidates.toPlainText()
    assert all(c.context and c.context.concept.label in text for c in candidates.candidates)
    assert "0.90" in text
    assert "7" in desk.pair.subject.toPlainText()  # what else the list says of the code
    QTest.keyClick(desk.table, "2")  # type: ignore[call-overload]
    assert candidates.chosen == 1
    QTest.keyClick(candidates, Qt.Key.Key_Down)
    assert candidates.chosen == 2
    QTest.keyClick(candidates, Qt.Key.Key_Up)
    chosen = candidates.current
    type_key(qtbot, desk, "b")
    assert chosen is not None
    assert desk.model.index(0, 0).data() == f"→ broader: {chosen.label}"
    assert desk.table.current is not None
    assert desk.table.current.about.subject == "L:2"
    type_key(qtbot, desk, "0")
    assert candidates.current is None  # nothing is suggested of the third
    QTest.keyClick(desk.table, "e")  # type: ignore[call-overload]
    assert "L:3" not in read_answers(desk)
    type_key(qtbot, desk, "0")
    assert read_answers(desk) == {
        "L:1": (BROAD, "TOY:15"), "L:2": (EXACT, NO_TERM), "L:3": (EXACT, NO_TERM),
    }  # fmt: skip
    with qtbot.waitSignal(desk.written):
        desk.bar.undo.click()
    assert list(read_answers(desk)) == ["L:1", "L:2"]


def test_a_search_goes_on_while_its_list_is_filtered(qtbot: QtBot, desk: SuggestionReview) -> None:
    """Else the keys went to the button *Exact*, and a space would have been an answer."""
    pair = desk.pair
    QTest.keyClick(desk.table, Qt.Key.Key_Slash)
    QTest.keyClicks(pair.search.text, "TOY")
    shown = pair.pair
    desk.shown.text.setText("cardiac")
    qtbot.waitUntil(lambda: pair.pair is not shown and len(desk.model.rows) == 2)
    assert pair.search.text.hasFocus()
    assert pair.search.text.text() == "TOY"
    assert not pair.candidates.isVisible()
    desk.shown.text.setText("shoe")
    qtbot.waitUntil(lambda: len(desk.model.rows) == 1 and desk.pair.has_shown(desk.model.rows[0]))
    assert not pair.search.isVisible()
    assert desk.table.hasFocus()


def test_another_concept_is_searched_for_chosen_and_shown_again(
    qtbot: QtBot, desk: SuggestionReview
) -> None:
    pair, first = desk.pair, desk.table.current
    QTest.keyClick(desk.table, "/")  # type: ignore[call-overload]
    assert pair.search.isVisible()
    QTest.keyClicks(pair.search.text, "TOY:5")
    qtbot.waitUntil(lambda: pair.search.hits.count() > 0)
    QTest.keyClick(pair.search.text, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: pair.candidates.current is not None and pair.candidates.chosen == 3)
    assert pair.candidates.current is not None
    assert pair.candidates.current.by_curator
    assert "chosen by you" in pair.candidates.toPlainText()
    type_key(qtbot, desk, "o")
    assert read_answers(desk) == {"L:1": (NARROW, "TOY:5")}
    desk.table.go_to(first)
    qtbot.waitUntil(lambda: desk.pair.has_shown(first))  # type: ignore[arg-type]
    assert pair.candidates.current.object == "TOY:5"
    QTest.keyClick(desk.table, "/")  # type: ignore[call-overload]
    QTest.keyClick(pair.search.text, Qt.Key.Key_Escape)
    assert not pair.search.isVisible()
    assert pair.candidates.isVisible()


def test_what_is_chosen_is_in_sight_and_stated_above(qtbot: QtBot, desk: SuggestionReview) -> None:
    pair = desk.pair
    suggested = pair.question.text()
    desk.table.go_to(desk.model.rows[2])
    qtbot.waitUntil(lambda: desk.pair.has_shown(desk.model.rows[2]))
    assert pair.question.text().startswith("Nothing means the same as")
    pair.candidates.setFixedHeight(60)
    qtbot.waitUntil(lambda: pair.candidates.height() == 60)
    QTest.keyClick(desk.table, "/")  # type: ignore[call-overload]
    QTest.keyClicks(pair.search.text, "TOY:5")
    qtbot.waitUntil(lambda: pair.search.hits.count() > 0)
    QTest.keyClick(pair.search.text, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: pair.candidates.chosen == 3)
    assert is_chosen_in_sight(pair.candidates)
    assert pair.candidates.current is not None
    assert "left shoe" in pair.question.text()
    assert pair.candidates.current.label in pair.question.text()
    for key in ("3", "1"):
        QTest.keyClick(desk.table, key)  # type: ignore[call-overload]
        assert is_chosen_in_sight(pair.candidates)
        assert pair.candidates.current.label in pair.question.text()
    desk.table.go_to(desk.model.rows[0])
    qtbot.waitUntil(lambda: desk.pair.has_shown(desk.model.rows[0]))
    assert pair.question.text() == suggested


def is_chosen_in_sight(candidates: CandidateBrowser) -> bool:
    line = candidates.cursorRect(candidates.document().find(CHOSEN_SIGN))
    return line.top() >= 0 and line.bottom() <= candidates.viewport().height()


def test_several_rows_get_one_predicate_each_of_what_is_suggested(
    qtbot: QtBot, desk: SuggestionReview
) -> None:
    flag = QItemSelectionModel.SelectionFlag
    for row in (1, 2):
        desk.table.selectionModel().select(desk.model.index(row, 0), flag.Select | flag.Rows)
    type_key(qtbot, desk, "b")
    assert read_answers(desk) == {"L:1": (BROAD, "TOY:2"), "L:2": (BROAD, "TOY:2")}
    with qtbot.waitSignal(desk.written):
        desk.bar.undo.click()
    assert read_answers(desk) == {}


def test_filters_combine_are_counted_and_cleared_by_one_press(
    qtbot: QtBot, desk: SuggestionReview
) -> None:
    def codes() -> list[str]:
        return [str(row.about.subject) for row in desk.model.rows]

    shown = desk.shown
    assert shown.clear.isHidden()
    shown.more.setChecked(True)
    fields = shown._fields
    fields.least.setValue(85)
    assert codes() == ["L:1", "L:2"]
    assert "2 of 3 shown" in shown.progress.text()
    fields.predicate.setCurrentIndex(fields.predicate.findData(NO_TERM))
    assert codes() == []
    type_before = fields.least.value()
    desk.show_review(desk.review)  # as when it is read again
    assert fields.least.value() == type_before
    assert codes() == []
    shown.clear.click()
    assert codes() == list(SUBJECTS)
    assert shown.clear.isHidden()


def test_what_was_rejected_before_is_not_open_and_can_be_opened_again(
    qtbot: QtBot, desk: SuggestionReview
) -> None:
    workspace, first = desk._shared.workspace, desk.table.current
    assert first is not None
    assert desk.review is not None
    give_verdict(
        workspace, Judge("Ben"), first.about, Answer("wrong", "a shoe", "", "2020-01-01T00:00:00Z")
    )
    desk.show_review(read_review(workspace, desk.review.suggestion_list.id))
    current = desk.model.next_open(-1)
    assert current is not None
    assert current.about.subject == "L:2"
    row = desk.model.rows[0]
    desk.table.go_to(row)
    qtbot.waitUntil(lambda: desk.pair.has_shown(row))
    text = desk.pair.past.text()
    assert all(part in text for part in ("Ben", "2020-01-01", "a shoe"))
    answer = desk.shown.answer
    answer.setCurrentIndex(answer.findData(REJECTED))
    assert desk.model.rows == [row]
    answer.setCurrentIndex(0)
    qtbot.waitUntil(lambda: desk.pair.has_shown(row))
    type_key(qtbot, desk, "l")
    assert desk.model.rejection(row) is None
    assert desk.model.count_rejected() == 0
