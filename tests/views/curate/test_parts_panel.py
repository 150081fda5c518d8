"""A list dealt out to two people in the window, answered blind, compared and decided."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot
from suggestions_page_steps import ROWS, keep, read
from toy_window import LONG, show
from toy_workspace import opened_copy

from termexplorer.desk import WindowController
from termexplorer.services.curate.answers.list_outcomes import DIFFER
from termexplorer.services.curate.answers.list_parts import read_parts
from termexplorer.services.curate.suggestion_lists import kept_lists
from termexplorer.services.verdicts.people import Judge, add_person
from termexplorer.views.curate.page import CuratePage
from termexplorer.views.curate.parts_panel import PartsPanel
from termexplorer.views.curate.suggestions import SuggestionsPart

ANNA, BEN, LEA = Judge("Anna"), Judge("Ben"), Judge("Lea")


@pytest.fixture
def opened(
    open_desk: Callable[[Path], WindowController], trained: Path, tmp_path: Path
) -> WindowController:
    with opened_copy(trained, tmp_path) as workspace:
        keep(workspace)
        for person in (ANNA, LEA):
            add_person(workspace, person.name)
    return open_desk(workspace.folder)


def review_of(qtbot: QtBot, desk: WindowController) -> SuggestionsPart:
    page = desk.window.page("curate")
    assert isinstance(page, CuratePage)
    desk.window.activateWindow()
    qtbot.waitUntil(lambda: page.suggestions.desk.review is not None)
    return page.suggestions


def open_panel(qtbot: QtBot, desk: WindowController) -> PartsPanel:
    page = show(desk, "curate")
    page.show_part("Misplaced")
    part = review_of(qtbot, desk)
    part.parts.click()
    panel = desk.window.stack.currentWidget()
    assert isinstance(panel, PartsPanel)
    qtbot.waitUntil(lambda: bool(panel.title.text()))
    return panel


def deal_out(qtbot: QtBot, desk: WindowController) -> PartsPanel:
    """Deal the list out to Anna and Ben, all of it to both."""
    panel = open_panel(qtbot, desk)
    panel.people.item(0).setCheckState(Qt.CheckState.Checked)
    panel.name.setText("Ben")
    qtbot.keyClick(panel.name, Qt.Key.Key_Return)
    panel.twice.setValue(100)
    panel.start.click()
    qtbot.waitUntil(lambda: panel.table.model().rowCount() == 2)
    return panel


def answer_part(
    qtbot: QtBot, desk: WindowController, row: int, judge: Judge, keys: str
) -> SuggestionsPart:
    """Open a part from the panel, and answer its suggestions by keys."""
    panel = open_panel_of(qtbot, desk, find_list_id(desk))
    panel.table.selectRow(row)
    panel.open.click()
    part = review_of(qtbot, desk)
    qtbot.waitUntil(lambda: judge.name in shown_title(part))
    choose_judge(desk, part, judge)
    for key in keys:
        read(qtbot, part)
        answer_row(qtbot, part, key)
    return part


def answer_row(qtbot: QtBot, part: SuggestionsPart, key: str) -> None:
    """Press a key on the current row until it counts: the list may be read anew meanwhile."""
    current = part.desk.table.current
    assert current is not None

    def is_answered() -> bool:
        shown = part.desk.table.current
        answered = part.desk.model.mine(current) is not None
        if not answered and shown and shown.about == current.about:
            part.desk.table.setFocus()
            qtbot.keyClick(part.desk.table, key)
        return answered

    qtbot.waitUntil(is_answered, timeout=LONG)


def choose_judge(desk: WindowController, part: SuggestionsPart, judge: Judge) -> None:
    """Have somebody judge, also after people are read anew."""
    desk.shared.session.keep_place("judge", f"{judge.name}\t{judge.orcid}")
    part.judge.show_people([judge])


def shown_title(part: SuggestionsPart) -> str:
    review = part.desk.review
    return review.suggestion_list.head.title if review else ""


def find_list_id(desk: WindowController) -> int:
    """Return the whole list."""
    lists = kept_lists(desk.shared.workspace)
    (whole,) = (known for known in lists if "part of" not in known.head.title)
    return whole.id


def open_panel_of(qtbot: QtBot, desk: WindowController, list_id: int) -> PartsPanel:
    """Open the panel of a list, also of one that is not on show."""
    desk.shared.errands.split_list.emit(list_id)
    panel = desk.window.stack.currentWidget()
    assert isinstance(panel, PartsPanel)
    qtbot.waitUntil(lambda: bool(panel.title.text()))
    return panel


def test_nothing_is_dealt_out_before_somebody_is_ticked(
    qtbot: QtBot, opened: WindowController
) -> None:
    panel = open_panel(qtbot, opened)
    assert not panel.start.isEnabled()
    panel.people.item(0).setCheckState(Qt.CheckState.Checked)
    assert panel.start.isEnabled()
    panel.twice.setValue(50)
    assert not panel.start.isEnabled()


def test_two_answer_blind_and_a_third_decides(qtbot: QtBot, opened: WindowController) -> None:
    deal_out(qtbot, opened)
    workspace = opened.shared.workspace
    whole = find_list_id(opened)
    part = answer_part(qtbot, opened, 0, ANNA, "ccc")
    part = answer_part(qtbot, opened, 1, BEN, "ccw")
    assert not any(part.desk.model.others(row) for row in part.desk.model.rows)
    assert read_parts(workspace, whole).outcomes.counts[DIFFER] == 1
    panel = open_panel_of(qtbot, opened, whole)
    qtbot.waitUntil(lambda: "kappa" in panel.agreement.text(), timeout=LONG)
    panel.differing.click()
    part = review_of(qtbot, opened)
    qtbot.waitUntil(lambda: part.desk.shown.answer.currentData() == DIFFER)
    assert len(part.desk.model.rows) == 1
    choose_judge(opened, part, LEA)
    assert len(part.desk.model.others(part.desk.model.rows[0])) == 2
    read(qtbot, part)
    answer_row(qtbot, part, "w")
    qtbot.waitUntil(lambda: not read_parts(workspace, whole).outcomes.counts.get(DIFFER))
    qtbot.waitUntil(lambda: len(part.desk.model.parts()["outcome"]) == len(ROWS))


def test_anothers_answers_are_hidden_from_who_answers_the_same_rows_blind(
    qtbot: QtBot, opened: WindowController, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    deal_out(qtbot, opened)
    part = answer_part(qtbot, opened, 0, ANNA, "ccc")
    model = part.desk.model
    qtbot.waitUntil(lambda: bool(part.desk.review and part.desk.review.blind == {BEN}))
    choose_judge(opened, part, BEN)
    assert "Anna" in shown_title(part)
    assert len(model.rows) == len(ROWS)
    assert not any(model.others(row) for row in model.rows)
    cells = [model.index(row, column) for row in range(len(ROWS)) for column in (0, 1)]
    assert not any("correct" in cell.data() for cell in cells)
    assert "Anna" not in part.desk.pair.past.text()
    assert model.parts()["judged"] == []
    path = tmp_path / "bens.csv"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))
    part.files.write.click()
    qtbot.waitUntil(path.exists)
    text = path.read_text(encoding="utf-8-sig")
    assert "TOY:2" in text
    assert "Anna" not in text


def test_anothers_part_cannot_be_answered(qtbot: QtBot, opened: WindowController) -> None:
    panel = deal_out(qtbot, opened)
    panel.table.selectRow(1)
    panel.open.click()
    part = review_of(qtbot, opened)
    qtbot.waitUntil(lambda: "Ben" in shown_title(part))
    assert opened.window.focusWidget() is part.desk.table
    choose_judge(opened, part, ANNA)
    qtbot.waitUntil(lambda: not part.desk.bar.buttons["correct"].isEnabled())
    assert "Ben" in part.desk.bar.buttons["correct"].toolTip()
