"""Windows on small workspaces: opened, waited for, and closed."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QApplication, QComboBox
from pytestqt.qtbot import QtBot

from termexplorer.app import last_theme
from termexplorer.desk import WindowController, claimed
from termexplorer.services.compare.rankings import Ranker
from termexplorer.services.encoders import built_in
from termexplorer.views.judging.answer_guard import PAUSE_KEY
from termexplorer.views.widgets.theme import nothing_collected
from termexplorer.views.widgets.ui_state import UiState

LONG = 120_000  # milliseconds that children may take on a busy machine


@contextmanager
def desks(
    application: QApplication,
    settings: Path,
    make_ranker: Callable[[Path], Any] = Ranker,
    *,
    with_built_in: bool = False,
) -> Iterator[Callable[[Path], WindowController]]:
    """What opens a window on a workspace; at the end all are closed, if they were not before.

    Args:
        application: of the tests.
        settings: a folder of their own.
        make_ranker: of the windows.
        with_built_in: whether workspaces get the built-in encoder, some time after the window is
            there, as users' do; else they stay as the test made them.
    """
    with pytest.MonkeyPatch.context() as patch:
        if not with_built_in:
            patch.setattr(built_in, "ensure_built_in", built_in.find_built_in)
        yield from _open_desks(application, settings, make_ranker)


def _open_desks(
    application: QApplication, settings: Path, make_ranker: Callable[[Path], Any]
) -> Iterator[Callable[[Path], WindowController]]:
    opened: list[WindowController] = []

    def open_one(folder: Path) -> WindowController:
        theme = last_theme(application, UiState.of(folder, settings))
        desk = WindowController(theme, claimed(folder), settings, make_ranker)
        desk.shared.session.keep_look(PAUSE_KEY, "0")  # tests answer at once
        desk.window.resize(1280, 800)
        desk.window.show()
        opened.append(desk)
        return desk

    yield open_one
    for desk in opened:
        desk.close()
    application.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    # as a program begins, so that no part of the next window is styled twice
    with nothing_collected():
        application.setStyleSheet("")


def open_page(
    open_desk: Callable[[Path], WindowController], made_workspace: Path, folder: Path, key: str
) -> Any:
    """Opens a window on a copy of a workspace and shows a page of it; returns desk and page."""
    desk = open_desk(shutil.copytree(made_workspace, folder / "copy"))
    return desk, show(desk, key)


def show(desk: WindowController, key: str) -> Any:
    """Shows a page and returns it, with all that can be chosen for a run."""
    desk.shared.errands.show_page.emit(key)
    page = desk.window.page(key)
    if key == "train":
        page.form.everything.setChecked(True)
    return page


def idle(qtbot: QtBot, desk: WindowController) -> None:
    """Waits until no job is left."""
    jobs = desk.shared.jobs
    qtbot.waitUntil(lambda: not jobs.running() and not jobs.waiting(), timeout=LONG)


def pick(qtbot: QtBot, box: QComboBox, data: object) -> None:
    """Chooses a row of a combo box by its data, key by key."""
    box.setFocus()
    qtbot.keyClick(box, Qt.Key.Key_Home)
    while box.currentData() != data:
        assert box.currentIndex() < box.count() - 1, data
        qtbot.keyClick(box, Qt.Key.Key_Down)
