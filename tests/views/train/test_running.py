"""A real run in a real child, seen from the window's parts: one pause, and keys that stay safe."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot
from toy_window import LONG, idle
from train_page_steps import begin, make_long, open_train

from termexplorer.desk import WindowController
from termexplorer.jobs import Job, JobProgress
from termexplorer.models.epochs import EpochCurves
from termexplorer.services.train.runs import EpochInfo, find_run, list_runs
from termexplorer.views.train.page import TrainPage
from termexplorer.views.train.run_jobs import RunJob

Opened = tuple[WindowController, TrainPage]


@pytest.fixture
def opened(
    qtbot: QtBot, open_desk: Callable[[Path], WindowController], toy: Path, tmp_path: Path
) -> Opened:
    desk, page = open_train(qtbot, open_desk, toy, tmp_path)
    desk.window.activateWindow()
    qtbot.waitUntil(desk.window.isActiveWindow)
    make_long(page)
    return desk, page


def paused(qtbot: QtBot, page: TrainPage) -> tuple[RunJob, Job]:
    """A run that rests after some epochs."""
    begin(qtbot, page)
    run = page.live.run
    assert run is not None
    assert run.job is not None
    qtbot.waitUntil(lambda: len(run.curves) > 0, timeout=LONG)
    run.job.pause(True)
    held = -1
    while held < len(run.curves):  # until the epoch that was under way has told of itself
        held = len(run.curves)
        qtbot.wait(500)
    return run, run.job


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


def test_what_is_only_scored_can_no_more_be_paused_or_stopped(qtbot: QtBot, opened: Opened) -> None:
    desk, page = opened
    bar, run, job = desk.window.job_bar, *paused(qtbot, page)
    page.live.log.setFocus()
    bar.pause.setFocus()
    assert bar.pause.hasFocus()
    job._hear(JobProgress(None, "Scoring held-out names", ending=True))
    qtbot.waitUntil(lambda: page.live.state.text().startswith("being scored"))
    assert not bar.pause.isVisible()
    assert not bar.stop.isVisible()
    assert bar.cancel.isVisible()
    assert page.live.log.hasFocus()
    assert [button.isEnabled() for button in (page.live.pause, page.live.stop)] == [False] * 2
    assert page.live.pause.toolTip() == "Being evaluated"
    page.jobs.cancel(run)
    idle(qtbot, desk)


def test_the_title_of_a_job_keeps_room_beside_a_long_text(qtbot: QtBot, opened: Opened) -> None:
    desk, page = opened
    bar, run, job = desk.window.job_bar, *paused(qtbot, page)
    job._hear(JobProgress(0.5, "epoch 3: " + "a part of the loss 0.123, " * 9))
    qtbot.waitUntil(lambda: bar.text.shown != bar.text.text())
    assert bar.title.width() >= min(bar.title.sizeHint().width(), 200)
    page.jobs.cancel(run)
    idle(qtbot, desk)


def test_a_run_that_begins_has_the_axes_of_none_before_it(opened: Opened) -> None:
    _, page = opened
    pair, long = page.live.curves, EpochCurves()
    for number in range(1, 41):
        long.add(EpochInfo(number, {"triplet": 50.0 / number}, number / 40, 1.0, 100.0))
    pair.show_run(long, "")
    assert pair.validation.names == ["Validation"]  # its metric is told with the next epoch
    pair.loss.item.vb.updateAutoRange()  # as the next picture would
    assert pair.loss.item.viewRange()[0][1] >= 40
    pair.show_run(EpochCurves(), "")
    assert pair.loss.item.viewRange() == pair.validation.item.viewRange() == [[0, 10], [0, 1]]
