"""Suggestions on the Curate page: found, judged by keys, taken back and brought back."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QShortcut
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QPushButton, QStyleOptionViewItem, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot
from suggestions_page_steps import Opened, keep, open_part, read
from toy_window import LONG, show
from toy_workspace import LEXICAL, VECTORS, import_synonyms, opened_copy

from termexplorer.desk import WindowController
from termexplorer.errors import UserError
from termexplorer.models.suggestion_table import OPEN
from termexplorer.services.curate import (
    duplicates,
    mapping_rows,
    misplaced_names_rows,
    misplacement_rows,
)
from termexplorer.services.curate.suggestion_files import SssomRow
from termexplorer.services.curate.suggestion_files import SuggestionSheet as Found
from termexplorer.services.curate.suggestion_lists import keep_suggestions, kept_lists
from termexplorer.services.explore.ontologies import find_ontology
from termexplorer.services.studies.studies import studies_of
from termexplorer.services.verdicts.log import Answer, give_verdict, judged, now
from termexplorer.services.verdicts.people import Judge, add_person
from termexplorer.views.curate import review as page_module
from termexplorer.views.curate.suggestions import SuggestionsPart
from termexplorer.views.widgets.keys import add_key
from termexplorer.views.widgets.notices import Notice

ANNA, BEN = Judge("Anna", "0000-0002-1825-0097"), Judge("Ben")


@pytest.fixture
def folder(toy: Path, tmp_path: Path) -> Path:
    """The toy with a list of three suggestions, and Anna, who judges."""
    with opened_copy(toy, tmp_path) as workspace:
        add_person(workspace, ANNA.name, ANNA.orcid)
        keep(workspace)
        return workspace.folder


@pytest.fixture
def opened(qtbot: QtBot, open_desk: Callable[[Path], WindowController], folder: Path) -> Opened:
    return open_part(qtbot, open_desk(folder))


def press(qtbot: QtBot, part: SuggestionsPart, key: str, control: bool = False) -> None:
    """Presses a key in the table and waits for what it writes."""
    modifier = Qt.KeyboardModifier.ControlModifier if control else Qt.KeyboardModifier.NoModifier
    with qtbot.waitSignal(part.desk.writer.written):
        QTest.keyClick(part.desk.table, key, modifier)  # type: ignore[call-overload]
    read(qtbot, part)


def verdicts(desk: WindowController) -> list[tuple[str, str, str]]:
    return [
        (verdict.judge.name, verdict.subject.subject, verdict.answer.answer)
        for verdict in judged(desk.shared.workspace)
    ]


def shown(part: SuggestionsPart) -> int:
    assert part.desk.review is not None
    return part.desk.review.suggestion_list.id


def current(part: SuggestionsPart) -> str:
    assert part.desk.table.current is not None
    return part.desk.table.current.about.subject


def test_each_key_is_a_verdict_on_the_disk_and_goes_on(qtbot: QtBot, opened: Opened) -> None:
    desk, part = opened
    assert "name of TOY:2 belongs below lungs" in part.desk.pair.question.text()
    press(qtbot, part, "c")
    assert current(part) == "TOY:3"
    press(qtbot, part, "w")
    press(qtbot, part, "u")
    assert verdicts(desk) == [
        ("Anna", "TOY:2", "correct"), ("Anna", "TOY:3", "wrong"), ("Anna", "TOY:4", "unsure"),
    ]  # fmt: skip
    assert part.desk.shown.progress.text() == "3 of 3 judged: 1 correct, 1 wrong, 1 unsure"
    hashes = {verdict.answer.release_hash for verdict in judged(desk.shared.workspace)}
    assert hashes == {find_ontology(desk.shared.workspace, "1").content_hash}


def test_a_name_that_is_entered_gives_the_keys_to_the_suggestion(
    qtbot: QtBot, open_desk: Callable[[Path], WindowController], toy: Path, tmp_path: Path
) -> None:
    with opened_copy(toy, tmp_path) as workspace:
        keep(workspace)
        folder = workspace.folder
    desk, part = open_part(qtbot, open_desk(folder))
    part.judge.name.setFocus()
    QTest.keyClicks(part.judge.name, "Dora")
    QTest.keyClick(part.judge.name, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: part.desk.judge is not None)
    read(qtbot, part)
    with qtbot.waitSignal(part.desk.writer.written):
        QTest.keyClick(desk.window.focusWidget(), "c")  # type: ignore[call-overload]
    assert verdicts(desk) == [("Dora", "TOY:2", "correct")]
    part.judge.box.setFocus()
    part.judge.box.activated.emit(part.judge.box.currentIndex())  # chosen anew
    assert desk.window.focusWidget() is part.desk.table


def test_no_key_changes_who_judges_before_the_choice_is_opened(
    qtbot: QtBot, opened: Opened
) -> None:
    _, part = opened
    part.judge.show_people([Judge("Anna"), Judge("Ben")])
    box = part.judge.box
    box.setFocus()
    QTest.keyClicks(box, "bs")
    for key in (Qt.Key.Key_End, Qt.Key.Key_PageDown):
        QTest.keyClick(box, key)
    assert part.judge.judge == part.desk.judge == Judge("Anna")
    QTest.keyClick(box, Qt.Key.Key_Down)
    qtbot.waitUntil(box.view().isVisible)
    assert part.judge.judge == Judge("Anna")
    QTest.keyClick(box.view(), Qt.Key.Key_Down)
    QTest.keyClick(box.view(), Qt.Key.Key_Return)
    assert part.judge.judge == part.desk.judge == Judge("Ben")


def test_a_key_goes_to_what_is_on_show_or_to_nothing(qtbot: QtBot, opened: Opened) -> None:
    desk, part = opened
    with qtbot.waitSignal(part.desk.writer.written):
        for key in "cwcwcw":
            QTest.keyClick(part.desk.table, key)  # type: ignore[call-overload]
    assert verdicts(desk) == [("Anna", "TOY:2", "correct")]
    assert "Wrong not counted" in part.desk.shown.progress.text()
    part.desk.pair.setUpdatesEnabled(False)  # the next is there, but nobody can have seen it
    qtbot.waitUntil(lambda: part.desk.pair.pair is not None and part.desk.table.current is not None)
    qtbot.waitUntil(lambda: part.desk.pair.pair.suggestion is part.desk.table.current)
    QTest.keyClick(part.desk.table, "u")
    assert not part.desk.writer.writing
    part.desk.pair.setUpdatesEnabled(True)
    read(qtbot, part)
    press(qtbot, part, "l")
    assert verdicts(desk)[1:] == [("Anna", "TOY:3", "later")]
    assert part.desk.shown.progress.text() == "1 of 3 judged: 1 correct, 1 later"


def test_a_concept_with_two_places_also_belongs_where_it_was_suggested(
    qtbot: QtBot, opened: Opened
) -> None:
    desk, part = opened
    press(qtbot, part, "a")
    assert verdicts(desk) == [("Anna", "TOY:2", "also")]
    assert current(part) == "TOY:3"
    assert part.desk.bar.buttons["also"].isVisible()


def test_what_was_put_off_is_not_judged_and_comes_last(qtbot: QtBot, opened: Opened) -> None:
    _, part = opened
    for key in "lcc":
        press(qtbot, part, key)
    assert current(part) == "TOY:2"
    shown_filter = part.desk.shown
    shown_filter.answer.setCurrentIndex(shown_filter.answer.findData(OPEN))
    assert [row.about.subject for row in part.desk.model.rows] == ["TOY:2"]
    assert part.desk.model.parts()["judged"] == [1, 2]


def test_keys_that_are_held_down_are_one_verdict(opened: Opened) -> None:
    _, part = opened
    keys = {"C", "A", "W", "U", "L", "Ctrl+Z", "Ctrl+Shift+Z"}
    shortcuts = [
        shortcut for shortcut in part.findChildren(QShortcut) if shortcut.key().toString() in keys
    ]
    assert {shortcut.key().toString() for shortcut in shortcuts} == keys
    assert not any(shortcut.autoRepeat() for shortcut in shortcuts)


def test_who_reviews_what_has_a_verdict_goes_on_at_the_same_place(
    qtbot: QtBot, opened: Opened
) -> None:
    desk, part = opened
    for key in "ccc":
        press(qtbot, part, key)
    part.desk.shown.answer.setCurrentIndex(part.desk.shown.answer.findData("correct"))
    part.desk.table.selectRow(1)
    read(qtbot, part)
    press(qtbot, part, "w")
    assert ([row.about.subject for row in part.desk.model.rows]) == ["TOY:2", "TOY:4"]
    assert current(part) == "TOY:4"
    press(qtbot, part, "z", control=True)
    assert (current(part), part.desk.shown.wanted.answer) == ("TOY:3", "correct")
    press(qtbot, part, "z", control=True)  # and what it does not show is shown among all
    assert (current(part), part.desk.shown.wanted.answer) == ("TOY:4", "")
    assert len(verdicts(desk)) == 2


def test_a_list_that_is_chosen_while_a_verdict_is_written_is_opened_then(
    qtbot: QtBot, opened: Opened
) -> None:
    desk, part = opened
    keep(desk.shared.workspace, level=2)
    qtbot.waitUntil(lambda: part.list.count() == 2)
    other = next(
        suggestion_list.id
        for suggestion_list in kept_lists(desk.shared.workspace)
        if suggestion_list.id != shown(part)
    )
    read(qtbot, part)
    with qtbot.waitSignal(part.desk.writer.written):
        QTest.keyClick(part.desk.table, "c")
        part.list.setCurrentIndex(part.list.findData(other))
        part.list.activated.emit(part.list.currentIndex())
    qtbot.waitUntil(lambda: shown(part) == other)
    assert verdicts(desk) == [("Anna", "TOY:2", "correct")]


def test_a_list_is_removed_and_brought_back_and_its_verdicts_stay(
    qtbot: QtBot, opened: Opened
) -> None:
    desk, part = opened
    press(qtbot, part, "c")
    keep(desk.shared.workspace, level=2)
    qtbot.waitUntil(lambda: part.list.count() == 2)
    before, title = shown(part), part.list.currentText()
    qtbot.mouseClick(part.files.remove, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: shown(part) != before)
    assert part.list.count() == 1
    assert "1 verdict on it stays in the log" in desk.window.notice.text
    assert verdicts(desk) == [("Anna", "TOY:2", "correct")]
    qtbot.mouseClick(part.files.remove, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: part.desk.review is None)
    assert (part.list.isEnabled(), part.files.remove.isEnabled()) == (False, False)
    assert part.search.isVisible()  # to find others
    qtbot.mouseClick(desk.window.notice._act, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: part.desk.review is not None)
    assert part.list.currentText() == title.replace("level 1", "level 2")
    assert part.desk.shown.progress.text() == "1 of 3 judged: 1 correct"


def test_a_note_that_is_not_kept_yet_outlives_what_others_write(
    qtbot: QtBot, opened: Opened
) -> None:
    desk, part = opened
    QTest.keyClick(part.desk.table, "n")
    QTest.keyClicks(part.desk.bar.note, "wcu")
    QTest.keyClick(part.desk.bar.note, Qt.Key.Key_Escape)
    assert part.desk.table.hasFocus()
    about = part.desk.model.rows[0].about
    give_verdict(desk.shared.workspace, BEN, about, Answer("wrong", "no", now(), now()))
    qtbot.waitUntil(lambda: part.desk.model.index(0, 1).data() == "✗ wrong")
    assert part.desk.bar.note.text() == "wcu"


def test_verdicts_are_taken_and_brought_back_also_after_a_restart(
    qtbot: QtBot, opened: Opened, open_desk: Callable[[Path], WindowController], folder: Path
) -> None:
    desk, part = opened
    press(qtbot, part, "c")
    press(qtbot, part, "l")
    press(qtbot, part, "z", control=True)
    assert (current(part), verdicts(desk)) == ("TOY:3", [("Anna", "TOY:2", "correct")])
    desk.close()
    desk, part = open_part(qtbot, open_desk(folder))
    assert current(part) == "TOY:3"  # the first that is not judged
    part.desk.shown.answer.setFocus()
    with qtbot.waitSignal(part.desk.writer.written):
        QTest.keyClick(
            part.desk.shown.answer,
            Qt.Key.Key_Z,
            Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier,
        )
    assert verdicts(desk)[1:] == [("Anna", "TOY:3", "later")]
    for _ in range(2):
        press(qtbot, part, "z", control=True)
    assert (current(part), verdicts(desk)) == ("TOY:2", [])


def test_a_note_is_kept_with_the_verdict_and_added_to_one(qtbot: QtBot, opened: Opened) -> None:
    desk, part = opened
    QTest.keyClick(part.desk.table, "n")
    assert part.desk.bar.note.hasFocus()
    QTest.keyClicks(part.desk.bar.note, "wcu")
    QTest.keyClick(part.desk.bar.note, Qt.Key.Key_Return)
    assert (part.desk.table.hasFocus(), verdicts(desk)) == (True, [])
    press(qtbot, part, "c")
    assert (part.desk.bar.note.text(), current(part)) == ("", "TOY:3")
    part.desk.table.selectRow(0)
    read(qtbot, part)
    assert part.desk.bar.note.text() == "wcu"
    part.desk.bar.note.setText("better so")
    with qtbot.waitSignal(part.desk.writer.written):
        QTest.keyClick(part.desk.bar.note, Qt.Key.Key_Return)
    (verdict,) = judged(desk.shared.workspace)
    assert (verdict.answer.answer, verdict.answer.note) == ("correct", "better so")
    assert current(part) == "TOY:2"


def test_letters_in_the_filter_are_no_verdicts(qtbot: QtBot, opened: Opened) -> None:
    desk, part = opened
    part.desk.shown.text.setFocus()
    QTest.keyClicks(part.desk.shown.text, "toy:4")
    assert [row.about.subject for row in part.desk.model.rows] == ["TOY:4"]
    QTest.keyClick(part.desk.shown.text, Qt.Key.Key_Return)
    assert part.desk.table.hasFocus()
    part.desk.shown.text.setFocus()
    part.desk.shown.text.end(False)
    QTest.keyClicks(part.desk.shown.text, "cwul")
    assert (part.desk.model.rows, verdicts(desk)) == ([], [])
    assert not part.desk.bar.buttons["correct"].isEnabled()


def test_suggestions_are_filtered_by_verdict_and_sorted(qtbot: QtBot, opened: Opened) -> None:
    _, part = opened
    press(qtbot, part, "w")
    part.desk.shown.answer.setCurrentIndex(part.desk.shown.answer.findData(OPEN))
    assert [row.about.subject for row in part.desk.model.rows] == ["TOY:3", "TOY:4"]
    part.desk.shown.answer.setCurrentIndex(part.desk.shown.answer.findData("wrong"))
    assert [row.about.subject for row in part.desk.model.rows] == ["TOY:2"]
    part.desk.shown.answer.setCurrentIndex(0)
    part.desk.table.sortByColumn(
        part.desk.model.header.index("Likelihood"), Qt.SortOrder.DescendingOrder
    )
    assert [row.about.subject for row in part.desk.model.rows] == ["TOY:4", "TOY:2", "TOY:3"]


def test_keys_sort_by_the_column_that_they_are_in(qtbot: QtBot, opened: Opened) -> None:
    _, part = opened
    control, shift = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
    for _ in range(part.desk.model.header.index("Likelihood")):
        QTest.keyClick(part.desk.table, Qt.Key.Key_Right)
    orders = []
    for _ in range(3):
        QTest.keyClick(part.desk.table, Qt.Key.Key_S, control | shift)
        orders.append([row.about.subject for row in part.desk.model.rows])
    assert orders == [
        ["TOY:3", "TOY:2", "TOY:4"], ["TOY:4", "TOY:2", "TOY:3"], ["TOY:2", "TOY:3", "TOY:4"],
    ]  # fmt: skip
    read(qtbot, part)
    press(qtbot, part, "c")
    assert part.desk.table.currentIndex().column() == part.desk.model.header.index("Likelihood")


def test_what_others_say_stands_apart(qtbot: QtBot, opened: Opened) -> None:
    desk, part = opened
    about = part.desk.model.rows[0].about
    give_verdict(desk.shared.workspace, BEN, about, Answer("wrong", "no", now(), now()))
    qtbot.waitUntil(lambda: part.desk.model.index(0, 1).data() == "✗ wrong")
    assert (part.desk.model.index(0, 0).data(), part.desk.shown.progress.text()) == (
        "",
        "0 of 3 judged",
    )
    assert (
        part.desk.model.index(0, 1).data(Qt.ItemDataRole.ToolTipRole).startswith("Ben · wrong · no")
    )
    part.judge.show_people([ANNA, BEN])
    part.judge.box.setCurrentIndex(1)
    part.judge.box.activated.emit(1)
    assert part.desk.model.index(0, 0).data() == "✗ wrong"
    assert part.desk.shown.progress.text() == "1 of 3 judged: 1 wrong"


def test_a_verdict_that_cannot_be_kept_stays_on_the_screen(
    qtbot: QtBot, opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk, part = opened

    def full(*_args: object) -> None:
        raise UserError("no room left on the disk; make room and try again")

    monkeypatch.setattr(page_module, "say", full)
    with qtbot.waitSignal(part.desk.writer.unwritten):
        QTest.keyClick(part.desk.table, "c")
    assert (current(part), verdicts(desk)) == ("TOY:2", [])
    assert "no room left" in desk.window.notice.text
    monkeypatch.undo()
    press(qtbot, part, "c")
    assert verdicts(desk) == [("Anna", "TOY:2", "correct")]


def test_nobody_judges_until_somebody_is_entered(
    qtbot: QtBot, open_desk: Callable[[Path], WindowController], toy: Path, tmp_path: Path
) -> None:
    with opened_copy(toy, tmp_path) as workspace:
        keep(workspace)
    desk, part = open_part(qtbot, open_desk(workspace.folder))
    assert "First enter the annotator" in part.desk.shown.progress.text()
    correct = part.desk.bar.buttons["correct"]
    for button in (correct, part.desk.bar.undo, part.desk.bar.redo):
        assert not button.isEnabled()
        assert "First enter the annotator" in button.toolTip()
    part.judge.name.setText("Anna")
    part.judge.orcid.setText("0000-0002-1825-0098")
    with qtbot.waitSignal(part.judge._entering.failed):
        part.judge.enter.click()
    assert "is no ORCID" in desk.window.notice.text
    part.judge.orcid.setText(ANNA.orcid)
    with qtbot.waitSignal(part.judge._entering.answered):
        part.judge.enter.click()
    assert part.judge.judge == ANNA
    assert correct.isEnabled()
    assert part.desk.bar.undo.isEnabled()


def test_a_list_goes_out_with_its_verdicts_and_comes_back(
    qtbot: QtBot, opened: Opened, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    desk, part = opened
    press(qtbot, part, "w")
    path = str(tmp_path / "out.sssom.tsv")
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (path, ""))
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (path, ""))
    part.files.write.setFocus()
    with qtbot.waitSignal(part.files._writing.answered):
        part.files.write.click()
    assert desk.window.notice.text == f"Exported 3 rows to {path}"
    assert desk.window.focusWidget() is part.desk.table
    review = part.desk.review
    assert review is not None
    part.files.read.setFocus()
    with qtbot.waitSignal(part.files._reading.answered, timeout=LONG):
        part.files.read.click()
    qtbot.waitUntil(lambda: desk.window.focusWidget() is part.desk.table)
    assert "3 mappings, with 1 verdict, 0 of them new" in desk.window.notice.text
    assert part.desk.review is not None
    assert (
        part.desk.review.suggestion_list.id == review.suggestion_list.id
    )  # no second list is made of one's own
    assert part.desk.shown.progress.text() == "1 of 3 judged: 1 wrong"
    assert verdicts(desk) == [("Anna", "TOY:2", "wrong")]


def test_what_is_exported_is_what_is_shown_unless_told_otherwise(
    qtbot: QtBot, opened: Opened, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    _, part = opened
    press(qtbot, part, "c")
    press(qtbot, part, "w")
    button = part.files.write

    def written(part_of_it: int | None = None) -> list[str]:
        path = tmp_path / f"{part_of_it}.csv"
        monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))
        with qtbot.waitSignal(part.files._writing.answered):
            if part_of_it is None:
                button.click()
            else:
                button.other_formats.menu().actions()[part_of_it].trigger()
        return [line.split(",")[0] for line in path.read_text("utf-8").splitlines()[1:]]

    assert "3" in button.text()
    part.desk.shown.answer.setCurrentIndex(part.desk.shown.answer.findData(OPEN))
    assert "1" in button.text()
    assert written() == ["TOY:4"]
    assert written(1) == ["TOY:2", "TOY:3"]  # judged
    assert written(2) == ["TOY:2", "TOY:3", "TOY:4"]
    part.desk.shown.show_all()
    part.desk.table.sortByColumn(4, Qt.SortOrder.DescendingOrder)  # likelihood
    assert written() == ["TOY:4", "TOY:2", "TOY:3"]


def test_a_pack_is_for_who_judges_and_asks_what_is_open(
    qtbot: QtBot, opened: Opened, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    desk, part = opened
    press(qtbot, part, "w")
    pack = tmp_path / "anna.termstudy"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(pack), ""))
    with qtbot.waitSignal(part.files._packing.answered):
        part.files.pack.click()
    assert f"{pack} asks Anna (0000-0002-1825-0097) about 2" in desk.window.notice.text
    (study,) = studies_of(desk.shared.workspace)
    assert study.head.plan["suggestions"][0][3:5] == ["TOY:2", "TOY:1"]
    part.files.show_judge(None)
    assert not part.files.pack.isEnabled()
    assert "First enter the annotator" in part.files.pack.toolTip()


def test_suggestions_are_found_and_shown(
    qtbot: QtBot, open_desk: Callable[[Path], WindowController], toy: Path, tmp_path: Path
) -> None:
    with opened_copy(toy, tmp_path) as workspace:
        folder = workspace.folder
    page = show(desk := open_desk(folder), "curate")
    page.show_part("Duplicates")
    part = page.suggestions
    assert "Encoders suggest here" in part.desk.table.hint
    qtbot.waitUntil(part.search.look.isEnabled)
    assert "press Find suggestions" in part.desk.table.hint
    assert part.search.kind.currentData() == "duplicates"
    part.search.encoders.choose((LEXICAL, VECTORS))
    desk.window.activateWindow()
    qtbot.waitUntil(desk.window.isActiveWindow)
    seen: list[Notice] = []
    desk.shared.notices.notice_shown.connect(seen.append)
    part.search.look.setFocus()
    part.search.look.click()
    assert "Searching…" in part.desk.table.hint
    qtbot.waitUntil(lambda: part.desk.review is not None, timeout=LONG)
    assert part.desk.table.hasFocus()
    (suggestion_list,) = kept_lists(desk.shared.workspace)
    assert (suggestion_list.head.kind, list(suggestion_list.head.encoder_ids)) == (
        "duplicates",
        [LEXICAL, VECTORS],
    )
    assert part.desk.model.rowCount() == suggestion_list.count > 0
    assert "split in two" in part.facts.text()
    assert not part.search.isVisible()
    assert any(f"New list {suggestion_list.id}" in message.text for message in seen)
    part.fresh.click()
    part.search.look.click()
    again = f"List {suggestion_list.id} had the same settings"
    qtbot.waitUntil(lambda: any(again in message.text for message in seen), timeout=LONG)
    assert [stored_list.id for stored_list in kept_lists(desk.shared.workspace)] == [
        suggestion_list.id
    ]


def test_a_filter_says_how_many_of_all_are_shown(qtbot: QtBot, opened: Opened) -> None:
    _, part = opened
    filtered = part.desk.shown
    assert "shown" not in filtered.progress.text()
    filtered.text.setText("TOY:2")
    assert "1 of 3 shown" in filtered.progress.text()
    filtered.text.clear()
    assert "shown" not in filtered.progress.text()


def test_a_link_leads_to_the_ontology_that_it_is_of(
    qtbot: QtBot, open_desk: Callable[[Path], WindowController], toy: Path, tmp_path: Path
) -> None:
    with opened_copy(toy, tmp_path) as workspace:
        source, target = find_ontology(workspace, "1"), import_synonyms(workspace, tmp_path)
        mapping = SssomRow(
            "TOY:2", "two", "skos:exactMatch", "synonyms:lung-mild", "lung", "semapv:X", 0.9, ""
        )
        suggestion_set = Found(source, target, (VECTORS,), ("concept",), [["TOY:2"]], [mapping])
        keep_suggestions(workspace, "mappings", suggestion_set, {}, [])
    desk, part = open_part(qtbot, open_desk(workspace.folder), "Mappings")
    assert part.desk.pair.pair is not None
    pages = (part.desk.pair.pair.subject, part.desk.pair.pair.object)
    for browser, page in zip((part.desk.pair.subject, part.desk.pair.object), pages, strict=True):
        assert page is not None
        with qtbot.waitSignal(desk.shared.errands.go_to) as gone:
            browser.anchorClicked.emit(QUrl(f"concept:{page.concept.id}"))
        assert gone.args == [page.concept.release_id, page.concept.id]
    assert [page.concept.release_id for page in pages if page] == [source.id, target.id]


def test_a_key_works_in_its_own_part_alone(qtbot: QtBot) -> None:
    window = QWidget()
    column = QVBoxLayout(window)
    parts = [QPushButton(), QPushButton()]
    pressed: list[int] = []
    for number, part in enumerate(parts):
        column.addWidget(part)
        add_key("C", part, lambda number=number: pressed.append(number))  # type: ignore[misc]
    qtbot.addWidget(window)
    window.show()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    for part in parts:
        part.setFocus()
        QTest.keyClick(part, "c")
    assert pressed == [0, 1]


def test_columns_are_as_wide_as_what_is_in_them(qtbot: QtBot, opened: Opened) -> None:
    _, part = opened
    model, table = part.desk.model, part.desk.table
    name, concept = model.header.index("Name"), model.header.index("Concept")
    assert [model.longest(concept), len(model.longest(name))] == ["TOY:2", 13]
    assert table.columns()[concept].share == table.columns()[name].share == 0
    assert table.columnWidth(concept) < table.columnWidth(name)


def test_keys_are_those_that_the_buttons_name_in_each_language(
    qtbot: QtBot, german: None, open_desk: Callable[[Path], WindowController], folder: Path
) -> None:
    desk, part = open_part(qtbot, open_desk(folder))
    named = {answer: button.text() for answer, button in part.desk.bar.buttons.items()}
    assert [text.rpartition("(")[2] for text in named.values()] == ["R)", "A)", "F)", "U)", "S)"]
    assert "F falsch, U unsicher" in part.desk.table.toolTip()
    press(qtbot, part, "r")
    press(qtbot, part, "f")
    press(qtbot, part, "s")
    assert [verdict[2] for verdict in verdicts(desk)] == ["correct", "wrong", "later"]


def test_the_keys_that_an_empty_table_names_look_for_suggestions(
    qtbot: QtBot, open_desk: Callable[[Path], WindowController], toy: Path, tmp_path: Path
) -> None:
    with opened_copy(toy, tmp_path) as workspace:
        workspace_folder = workspace.folder
    desk = open_desk(workspace_folder)
    page = show(desk, "curate")
    page.show_part("Misplaced")
    part = page.suggestions
    qtbot.waitUntil(part.search.look.isEnabled, timeout=LONG)
    part.desk.table.setFocus()
    assert "Ctrl+Enter" in part.desk.table.hint
    desk.window.activateWindow()
    qtbot.waitUntil(desk.window.isActiveWindow)
    with qtbot.waitSignal(part.search.wanted):
        QTest.keyClick(part.desk.table, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    for job in desk.shared.jobs.running() + desk.shared.jobs.waiting():
        desk.shared.jobs.cancel(job)
    qtbot.waitUntil(lambda: not desk.shared.jobs.running(), timeout=LONG)


def test_lists_are_shown_in_the_language_of_the_window(
    qtbot: QtBot,
    german: None,
    open_desk: Callable[[Path], WindowController],
    toy: Path,
    tmp_path: Path,
) -> None:
    with opened_copy(toy, tmp_path) as workspace:
        workspace_folder, ontology = workspace.folder, find_ontology(workspace, "1")
        add_person(workspace, ANNA.name, ANNA.orcid)
        head = {"misplaced": misplacement_rows, "names": misplaced_names_rows}
        head |= {"duplicates": duplicates, "mappings": mapping_rows}
        for kind, module in head.items():
            mapping = SssomRow("TOY:2", "no", "skos:closeMatch", "TOY:1", "yes", "x", 0.5, "")
            words = {"relation": "sibling", "same name": "no", "known": "yes", "name": "no"}
            row = [words.get(column, 0.5) for column in module.HEADER]
            suggestion_set = Found(ontology, ontology, (VECTORS,), module.HEADER, [row], [mapping])
            keep_suggestions(workspace, kind, suggestion_set, {"level": 2, "root": "TOY:1"}, [])
    desk, part = open_part(qtbot, open_desk(workspace_folder))
    page = desk.window.page("curate")
    english = {*misplacement_rows.HEADER, *misplaced_names_rows.HEADER, "yes", "sibling"}
    english |= {*duplicates.HEADER, *mapping_rows.HEADER}
    titles = {"Mappings": "Zuordnungen", "Misplaced": "Falsch eingeordnet"}
    titles |= {"Duplicates": "Dubletten", "Names": "Bezeichnungen"}
    for tab, title in titles.items():
        page.show_part(tab)
        assert part.list.currentText().startswith(f"{title}: ")
        assert ", Ebene 2 unter TOY:1, von #" in part.list.currentText()
        qtbot.waitUntil(lambda: shown(part) == part.list.currentData())
        model = part.desk.model
        cells = {title: model.index(0, column).data() for column, title in enumerate(model.header)}
        assert not english & {*cells, *cells.values()} - {"label"}
        if "Bezeichnung" in cells:
            assert cells["Bezeichnung"] == "no"  # a name is a name
        if "bekannt" in cells:
            assert (cells["bekannt"], cells["gleiche Bezeichnung"]) == ("ja", "nein")


def test_what_was_chosen_instead_is_cut_at_its_end(opened: Opened) -> None:
    _, part = opened
    table = part.desk.table
    option = QStyleOptionViewItem()
    table.itemDelegateForColumn(0).initStyleOption(option, table.model().index(0, 0))
    assert option.textElideMode == Qt.TextElideMode.ElideRight
