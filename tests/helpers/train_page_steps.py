"""Steps that tests of train page share with others."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot
from toy_window import LONG, idle, open_page

from termexplorer.desk import WindowController
from termexplorer.views.train.page import TrainPage

Opened = tuple[WindowController, TrainPage]


def open_train(
    qtbot: QtBot, open_desk: Callable[[Path], WindowController], made_workspace: Path, folder: Path
) -> Opened:
    desk, page = open_page(open_desk, made_workspace, folder, "train")
    assert isinstance(page, TrainPage)
    qtbot.waitUntil(page.form.train.isEnabled)
    for job in desk.shared.jobs.running() + desk.shared.jobs.waiting():
        desk.shared.jobs.cancel(job)  # it looks for devices
    idle(qtbot, desk)
    return desk, page


def set_value(page: TrainPage, name: str, value: str) -> None:
    editor = page.form.hyperparameters.editor(name)
    assert isinstance(editor, QLineEdit)
    editor.setText(value)
    page.form.hyperparameters.on_edited()


def make_small(page: TrainPage, epochs: int = 12) -> None:
    """A run of a second."""
    page.form.held_out.shots.setValue(4)
    set_value(page, "hidden", "16")
    set_value(page, "maximum_epochs", str(epochs))


def make_long(page: TrainPage) -> None:
    """A run that does not end by itself in time."""
    make_small(page, 100_000)
    set_value(page, "minimum_epochs", "100000")


def begin(qtbot: QtBot, page: TrainPage) -> int:
    """Begins a run; returns its id when it has epochs."""
    page.form.train.click()
    qtbot.waitUntil(
        lambda: page.live.run is not None and len(page.live.run.curves) > 2, timeout=LONG
    )
    assert page.live.run is not None
    return page.live.run.run.id
