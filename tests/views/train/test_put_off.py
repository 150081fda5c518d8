"""Runs that broke off are offered until somebody puts them off."""

from collections.abc import Callable
from pathlib import Path

from keyboard_steps import make_run
from pytestqt.qtbot import QtBot

from termexplorer.desk import WindowController
from termexplorer.services.train.runs import end_run
from termexplorer.views.train.page import TrainPage
from termexplorer.workspace import Workspace


def told(qtbot: QtBot, desk: WindowController) -> str:
    qtbot.wait(900)  # it looks behind the window
    return desk.window.notice.text


def reopened(
    desk: WindowController, open_desk: Callable[[Path], WindowController]
) -> WindowController:
    folder = desk.shared.workspace.folder
    desk.close()
    return open_desk(folder)


def test_a_run_that_was_put_off_is_not_offered_again_at_each_start(
    qtbot: QtBot, open_desk: Callable[[Path], WindowController], folder: Path
) -> None:
    workspace = Workspace(folder)
    first = make_run(workspace, "running")
    workspace.close()
    desk = open_desk(folder)
    assert f"run {first}, was interrupted" in told(qtbot, desk)
    desk = reopened(desk, open_desk)
    assert f"run {first}, was interrupted" in told(qtbot, desk)
    desk.window.notice._dismiss.click()

    desk = reopened(desk, open_desk)
    assert told(qtbot, desk) == ""
    desk.shared.errands.show_page.emit("train")
    page = desk.window.page("train")
    assert isinstance(page, TrainPage)
    qtbot.waitUntil(lambda: page.model.rowCount() == 1)
    page.runs.choose(first)
    assert page.runs.go_on_button.isEnabled()
    jobs = desk.shared.jobs
    qtbot.waitUntil(lambda: not jobs.running() and not jobs.waiting(), timeout=60_000)

    second = make_run(desk.shared.workspace, "running")
    desk = reopened(desk, open_desk)
    assert f"run {second}, was interrupted" in told(qtbot, desk)
    desk.window.notice._dismiss.click()

    end_run(desk.shared.workspace, first, "interrupted", "again")  # as after it went on
    desk = reopened(desk, open_desk)
    assert f"run {first}, was interrupted" in told(qtbot, desk)
