"""The list of jobs goes on telling of them while it is open."""

from collections.abc import Callable

import pytest
from PySide6.QtCore import QPoint
from pytestqt.qtbot import QtBot

from termexplorer.desk import WindowController
from termexplorer.jobs import JobProgress
from termexplorer.views.window.job_list import JobListMenu
from termexplorer.workers.process.supervision import Cancelled, JobControl


def work_until_cancelled(control: JobControl, hear: Callable[[object], None]) -> None:
    hear(JobProgress(0.25, "epoch 3", 120))
    while not control.cancelled():
        control.take()
    raise Cancelled


@pytest.fixture
def opened(qtbot: QtBot, desk: WindowController) -> JobListMenu:
    """The list, open over a job that runs and one that waits."""
    for title in ("first", "second"):
        desk.shared.jobs.add(title, work_until_cancelled, "lane", can_pause=True)
    bar = desk.window.job_bar
    qtbot.waitUntil(lambda: bar.text.text().startswith("epoch 3"))
    bar.job_list.popup(bar.mapToGlobal(QPoint(0, -200)))
    qtbot.waitUntil(bar.job_list.isVisible)
    return bar.job_list


def told(menu: JobListMenu) -> list[tuple[str, str]]:
    return [(row.title.text(), row.progress.text()) for row in menu.rows]


def test_an_open_list_follows_progress_and_pauses(
    qtbot: QtBot, desk: WindowController, opened: JobListMenu
) -> None:
    assert told(opened) == [("first", "epoch 3 · 2 min left"), ("second", "waits")]
    job, bottom = desk.shared.jobs.running()[0], opened.geometry().bottom()
    job._hear(JobProgress(0.5, "epoch 40, with a far longer text than there was before it", 60))
    qtbot.waitUntil(lambda: told(opened)[0][1].startswith("epoch 40"))
    label = opened.rows[0].progress
    qtbot.waitUntil(lambda: label.width() >= label.sizeHint().width())
    assert opened.geometry().bottom() == bottom
    job.pause(True)
    assert told(opened)[0][1].endswith("paused")


def test_an_open_list_takes_jobs_in_and_out_and_closes_with_the_last(
    qtbot: QtBot, desk: WindowController, opened: JobListMenu
) -> None:
    jobs = desk.shared.jobs
    jobs.add("third", work_until_cancelled, "lane")
    assert [title for title, _ in told(opened)] == ["first", "second", "third"]
    cancel_button = opened.rows[1].cancel
    opened.rows[2].cancel.click()
    opened.rows[0].cancel.click()
    qtbot.waitUntil(lambda: told(opened) == [("second", "epoch 3 · 2 min left")])
    assert opened.isVisible()
    assert opened.rows[0].cancel is cancel_button
    cancel_button.click()
    qtbot.waitUntil(lambda: not opened.isVisible())
