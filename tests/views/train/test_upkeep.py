"""What is put in order behind a window that has just opened; one pause for job bar and page."""

from collections.abc import Callable
from pathlib import Path

from new_encoders_steps import make_encoder
from pytestqt.qtbot import QtBot
from toy_window import LONG

from termexplorer.desk import WindowController
from termexplorer.jobs import Jobs
from termexplorer.services.train.runs import end_run, find_run, list_runs
from termexplorer.store.encoders.runs import add_run, update_run
from termexplorer.store.releases.loading import begin_release
from termexplorer.store.removing import unfinished_releases
from termexplorer.views.train.run_jobs import RunJob
from termexplorer.views.widgets.elided_label import ElidedLabel
from termexplorer.views.widgets.notices import Notice
from termexplorer.workers.process.supervision import Cancelled, JobControl
from termexplorer.workspace import Workspace


def make_run(workspace: Workspace, status: str) -> int:
    vectors = make_encoder(workspace, "untrained")
    with workspace.store.writing() as connection:
        run_id = add_run(
            connection,
            title="few-shot, level 1",
            recipe="few-shot",
            preset="quick",
            release_id=1,
            input_id=vectors,
            request={"choice": {"level": 1, "root": ""}},
        )
        update_run(connection, run_id, status=status)
    return run_id


def test_a_run_that_broke_off_is_marked_and_offered(
    qtbot: QtBot, open_desk: Callable[[Path], WindowController], folder: Path
) -> None:
    workspace = Workspace(folder)
    run_id = make_run(workspace, "running")
    workspace.close()
    desk = open_desk(folder)
    message = f"few-shot, level 1, run {run_id}, was interrupted"
    qtbot.waitUntil(lambda: desk.window.notice.text == message, timeout=60_000)
    assert find_run(desk.shared.workspace, run_id).status == "interrupted"
    wanted = []
    desk.shared.errands.go_on.connect(wanted.append)
    desk.window.notice._act.click()
    assert [run.id for run in wanted[0]] == [run_id]
    jobs = desk.shared.jobs
    qtbot.waitUntil(lambda: not jobs.running() and not jobs.waiting(), timeout=60_000)


def test_the_offer_goes_by_what_becomes_of_the_runs(
    qtbot: QtBot, open_desk: Callable[[Path], WindowController], folder: Path
) -> None:
    workspace = Workspace(folder)
    first, second, third = [make_run(workspace, "running") for _ in range(3)]
    workspace.close()
    desk = open_desk(folder)
    notices, workspace = desk.shared.notices, desk.shared.workspace
    offers: list[Notice | None] = []  # another error may take their place in the window
    notices.notice_shown.connect(lambda notice: None if notice.error else offers.append(notice))
    notices.outdated.connect(lambda before, now: offers.append(now if before in offers else before))
    qtbot.waitUntil(lambda: len(offers) == 1, timeout=LONG)
    end_run(workspace, second, "cancelled", "")
    qtbot.waitUntil(lambda: len(offers) == 2, timeout=LONG)
    with workspace.store.writing() as connection:
        update_run(connection, first, status="running")
    qtbot.waitUntil(lambda: len(offers) == 3, timeout=LONG)
    texts = [offer.text if offer else "" for offer in offers]
    assert [text.split(":")[0] for text in texts[:2]] == [
        f"{count} runs have not ended" for count in (3, 2)
    ]
    assert texts[2] == f"few-shot, level 1, run {third}, was interrupted"
    end_run(workspace, third, "cancelled", "")
    qtbot.waitUntil(lambda: len(offers) == 4, timeout=LONG)
    assert offers[3] is None


def test_a_notice_that_is_outdated_makes_room_for_another_or_for_none(
    desk: WindowController,
) -> None:
    notices, panel = desk.shared.notices, desk.window.notice
    first, second = Notice("2 runs"), Notice("1 run")
    notices.notice_shown.emit(first)
    notices.outdated.emit(first, second)
    assert (panel.text, panel.isVisible()) == ("1 run", True)
    notices.outdated.emit(first, None)
    assert panel.isVisible(), "it is not the one on show"
    notices.outdated.emit(second, None)
    assert panel.isHidden()
    notices.outdated.emit(second, first)
    assert panel.isHidden(), "it was read"


def test_what_a_killed_import_left_is_cleared_away(
    qtbot: QtBot, open_desk: Callable[[Path], WindowController], folder: Path
) -> None:
    workspace = Workspace(folder)
    begin_release(workspace.store, "obo", "gone.obo")
    workspace.close()
    desk = open_desk(folder)
    store = desk.shared.workspace.store
    qtbot.waitUntil(lambda: not unfinished_releases(store), timeout=60_000)


def test_a_window_with_nothing_left_over_tells_nothing(
    qtbot: QtBot, desk: WindowController
) -> None:
    qtbot.wait(600)
    assert desk.window.notice.text == ""
    assert not desk.shared.jobs.running()


def test_a_pause_is_one_whoever_asks_for_it(qtbot: QtBot, desk: WindowController) -> None:
    def work(control: JobControl, _hear: Callable[[object], None]) -> None:
        while not control.cancelled():
            control.take()
        raise Cancelled

    run_id = make_run(desk.shared.workspace, "queued")
    jobs: Jobs = desk.shared.jobs
    job = jobs.add("few-shot", work, "training", can_pause=True)
    run = RunJob(find_run(desk.shared.workspace, run_id), job, desk)
    qtbot.waitUntil(lambda: job.begun)
    desk.window.job_bar.pause.click()
    assert run.paused
    assert run.log[-1] == "paused"
    job.pause(False)
    assert desk.window.job_bar.pause.text() == "Pause"
    job.pause(True)
    assert desk.window.job_bar.pause.text() == "Resume"
    job.stop()
    assert not run.paused
    jobs.cancel(job)
    qtbot.waitUntil(lambda: not jobs.running())
    assert len(list_runs(desk.shared.workspace)) == 1


def test_a_long_title_does_not_widen_the_window(qtbot: QtBot, desk: WindowController) -> None:
    def work(control: JobControl, _hear: Callable[[object], None]) -> None:
        while not control.cancelled():
            control.take()
        raise Cancelled

    job = desk.shared.jobs.add("an ontology of a very long name " * 9, work, can_stop=True)
    qtbot.waitUntil(lambda: job.begun)
    assert desk.window.minimumSizeHint().width() <= 1024
    title = desk.window.job_bar.title
    assert isinstance(title, ElidedLabel)
    assert "…" in title.shown
    assert title.toolTip() == job.title
