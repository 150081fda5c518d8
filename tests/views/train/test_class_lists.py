"""Kept lists as classes besides those of a level, chosen on the Train page."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot
from toy_window import LONG, idle, open_page
from toy_workspace import opened_copy

from termexplorer.desk import WindowController
from termexplorer.services.levels.concept_lists import add_to_list, class_of_list, remove_list
from termexplorer.services.recipes.run_requests import RunRequest
from termexplorer.services.train.run_cards import run_card
from termexplorer.services.train.runs import list_runs
from termexplorer.views.train.page import TrainPage

Opener = Callable[[Path], WindowController]
Opened = tuple[WindowController, TrainPage]


@pytest.fixture(scope="module")
def listed(toy: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The toy with two lists that can be classes, and one that is of another terminology."""
    folder = tmp_path_factory.mktemp("listed")
    with opened_copy(toy, folder) as workspace:
        add_to_list(workspace, "first", 1, [f"TOY:{number}" for number in range(3, 20)])
        add_to_list(workspace, "second", 1, [f"TOY:{number}" for number in range(40, 70)])
        add_to_list(workspace, "elsewhere", 1, ["X:1", "X:2"])
    return folder / "workspace"


@pytest.fixture
def opened(qtbot: QtBot, open_desk: Opener, listed: Path, tmp_path: Path) -> Opened:
    desk, page = open_page(open_desk, listed, tmp_path, "train")
    qtbot.waitUntil(lambda: page.form.learned.level.lists.ticks.count() == 2, timeout=LONG)
    return desk, page


def test_lists_with_names_here_are_ticked_by_key_for_few_shot_alone(opened: Opened) -> None:
    desk, page = opened
    lists = page.form.learned.level.lists
    assert lists.ticks.accessibleName() == "Additional classes"
    assert [lists.ticks.item(row).text().split(" · ")[0] for row in (0, 1)] == ["first", "second"]
    assert lists.isVisible()
    assert page.form.request().class_lists == ()
    lists.ticks.setFocus()
    QTest.keyClick(lists.ticks, Qt.Key.Key_Down)
    QTest.keyClick(lists.ticks, Qt.Key.Key_Space)
    expected = (class_of_list(desk.shared.workspace, "second", 1),)
    assert page.form.request().class_lists == expected
    for recipe in ("dan", "cca"):
        page.form.recipe.choose(recipe)
        assert not lists.isVisible()
        assert page.form.request().class_lists == ()
    page.form.recipe.choose("few-shot")
    assert lists.isVisible()
    assert page.form.request().class_lists == expected


def test_lists_come_and_go_and_a_lost_one_is_said(qtbot: QtBot, opened: Opened) -> None:
    desk, page = opened
    workspace, lists = desk.shared.workspace, page.form.learned.level.lists
    lists.ticks.tick({"first"})
    add_to_list(workspace, "first", 1, ["TOY:30"])
    remove_list(workspace, "second")
    desk.shared.watch.look()
    qtbot.waitUntil(lambda: lists.ticks.count() == 1, timeout=LONG)
    assert lists.ticks.ticked() == ("first",)
    remove_list(workspace, "first")
    page.form.submit()  # before the window has read that it is gone
    assert "no list first" in page.form.error.text()
    desk.shared.watch.look()
    qtbot.waitUntil(lambda: not lists.isVisible(), timeout=LONG)
    assert page.form.request().class_lists == ()


def test_a_wanted_list_is_ticked_with_few_shot_and_trained(qtbot: QtBot, opened: Opened) -> None:
    desk, page = opened
    qtbot.waitUntil(page.form.train.isEnabled, timeout=LONG)
    page.form.learned.level.lists.ticks.tick({"first"})
    page.form.recipe.choose("dan")
    desk.window.activateWindow()
    desk.shared.errands.train_class.emit("second")
    assert page.form.recipe.currentData() == "few-shot"
    assert page.form.learned.level.lists.ticks.ticked() == ("second",)
    assert page.focusWidget() is page.form.learned.level.lists.ticks
    page.form.learned.level.level.setValue(1)
    page.form.held_out.shots.setValue(4)
    for name, value in (("hidden", "16"), ("maximum_epochs", "3"), ("minimum_epochs", "1")):
        page.form.hyperparameters.editor(name).setText(value)
    page.form.hyperparameters.on_edited()
    page.form.train.click()
    idle(qtbot, desk)
    (run,) = list_runs(desk.shared.workspace)
    assert run.status == "finished", run.error
    asked = RunRequest.read(run.request).class_lists
    assert [class_list.title for class_list in asked] == ["second"]
    names = run_card(desk.shared.workspace, run.id)["class_lists"]["second"]["names"]
    page.runs.table.selectRow(0)
    message = f"second {names} names"
    qtbot.waitUntil(lambda: message in page.card.text.toPlainText(), timeout=LONG)
