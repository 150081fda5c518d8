"""A real run in a real child, seen from the window's parts: one pause, and keys that stay safe."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot
from test_train_page import begin, make_long, open_train
from toy_window import LONG, idle

from termexplorer.desk import Desk
from termexplorer.services.runs import find_run, list_runs
from termexplorer.views.train import TrainPage

Opened = tuple[Desk, TrainPage]


@pytest.fixture
def opened(qtbot: QtBot, open_desk: Callable[[Path], Desk], toy: Path, tmp_path: Path) -> Opened:
    desk, page = open_train(qtbot, open_desk, toy, tmp_path)
    desk.window.activateWindow()
    qtbot.waitUntil(desk.window.isActiveWindow)
    make_long(page)
    return desk, page


def test_a_pause_from_the_bar_of_jobs_reaches_run_page_and_store(
    qtbot: QtBot, opened: Opened
) -> None:
    desk, page = opened
    run_id = begin(qtbot, page)
    run, bar = page.live.run, desk.window.job_bar
    assert run is not None

    def status() -> str:
        return find_run(desk.shared.workspace, run_id).status

    qtbot.waitUntil(lambda: bar.title.text() == f"{run.run.title}, run {run_id}", timeout=LONG)
    bar.pause.click()
    assert status() == "paused"
    assert page.live.pause.text() == bar.pause.text() == "Resume"
    qtbot.waitUntil(lambda: page.live.state.text().startswith("paused"))
    qtbot.waitUntil(lambda: page.model.run(0).status == "paused")
    qtbot.wait(500)  # the epoch that was under way
    held = len(run.curves)
    qtbot.wait(500)
    assert len(run.curves) == held
    bar.pause.click()
    assert status() == "running"
    qtbot.waitUntil(lambda: len(run.curves) > held, timeout=LONG)
    bar.stop.click()
    idle(qtbot, desk)
    assert status() == "stopped"


def test_the_keys_leave_a_button_when_another_run_takes_its_place(
    qtbot: QtBot, opened: Opened
) -> None:
    desk, page = opened
    first = begin(qtbot, page)
    page.form.train.click()
    second = list_runs(desk.shared.workspace)[0].id
    page.live.stop.setFocus()
    qtbot.keyClick(page.live.stop, Qt.Key.Key_Return)
    qtbot.waitUntil(
        lambda: page.live.run is not None and page.live.run.run.id == second, timeout=LONG
    )
    qtbot.waitUntil(page.live.log.hasFocus)
    assert find_run(desk.shared.workspace, first).status == "stopped"
    run = page.jobs.of(second)
    assert run is not None
    page.jobs.cancel(run)
    idle(qtbot, desk)
