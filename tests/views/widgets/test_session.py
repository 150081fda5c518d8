import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QMargins, QRect, QSize
from PySide6.QtGui import QGuiApplication, QScreen
from PySide6.QtWidgets import QSplitter, QWidget
from pytestqt.qtbot import QtBot

from termexplorer.views.widgets.ui_state import UiState
from termexplorer.views.widgets.window_place import WindowPlace, fit_inside

FRAME = QMargins(1, 20, 1, 5)
DESK, LAPTOP = QRect(0, 0, 1920, 1080), QRect(1920, 0, 1280, 720)
KEPT = "window/place"


def screen(name: str) -> QScreen:
    return next(display for display in QGuiApplication.screens() if display.name() == name)


def window_on(name: str, qtbot: QtBot, folder: Path) -> QWidget:
    widget = QWidget()
    qtbot.addWidget(widget)
    widget.setScreen(screen(name))
    UiState(folder / "user.ini", folder).place_window(widget)
    widget.show()
    return widget


def test_the_first_window_is_large_where_there_is_room(qtbot: QtBot, tmp_path: Path) -> None:
    window = window_on("desk", qtbot, tmp_path)
    assert window.size() == QSize(1440, 900)
    assert not window.isMaximized()


def test_the_first_window_fills_a_small_screen(qtbot: QtBot, tmp_path: Path) -> None:
    window = window_on("laptop", qtbot, tmp_path)
    assert window.isMaximized()
    room = screen("laptop").availableGeometry().size()
    normal = window.normalGeometry().size() + QSize(2, 25)  # with the frame that openbox draws
    assert normal.boundedTo(room) == normal


def test_a_screen_with_room_for_the_window_but_not_for_its_frame_is_filled(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QScreen, "availableGeometry", lambda _screen: QRect(0, 0, 1440, 900))
    assert window_on("desk", qtbot, tmp_path).isMaximized()


def test_a_window_comes_back_as_it_was_left(qtbot: QtBot, tmp_path: Path) -> None:
    window = window_on("desk", qtbot, tmp_path)
    window.resize(900, 700)
    session = UiState(tmp_path / "user.ini", tmp_path)
    session.keep_window(window)
    other = QWidget()
    qtbot.addWidget(other)
    session.place_window(other)
    assert other.size() == QSize(900, 700)


def test_a_maximized_window_comes_back_so_with_the_size_it_had_before(
    qtbot: QtBot, tmp_path: Path
) -> None:
    session = UiState(tmp_path / "user.ini", tmp_path)
    rectangle = QRect(40, 60, 900, 700)
    session.keep_look(KEPT, str(WindowPlace(rectangle, FRAME, "maximized")))
    window = window_on("desk", qtbot, tmp_path)
    assert window.isMaximized()
    assert window.normalGeometry() == rectangle


@pytest.mark.parametrize(
    "text",
    ["", "normal", "normal 1 2 3", "normal a b c d 1 2 3 4", "no 1 2 3 4 1 2 3 4",
     "normal 0 0 -5 9 1 1 1 1", "normal 5 5 0 0 1 1 1 1"],
)  # fmt: skip
def test_a_place_that_cannot_be_read_is_none(text: str, qtbot: QtBot, tmp_path: Path) -> None:
    assert WindowPlace.parse(text) is None
    UiState(tmp_path / "user.ini", tmp_path).keep_look(KEPT, text)
    assert window_on("desk", qtbot, tmp_path).size() == QSize(1440, 900)


def test_a_window_of_a_monitor_that_is_gone_comes_to_one_that_is_there() -> None:
    left = QRect(2500, 100, 900, 600)  # on the laptop, which stood beside the desk's screen
    assert fit_inside(left, FRAME, [DESK, LAPTOP]) == QRect(2299, 100, 900, 600)
    assert fit_inside(left, FRAME, [DESK]) == QRect(1019, 100, 900, 600)


def test_a_window_across_two_screens_stays_there() -> None:
    across = QRect(1800, 100, 900, 600)
    assert fit_inside(across, FRAME, [DESK, LAPTOP]) == across


def test_a_window_that_is_too_large_for_a_smaller_screen_becomes_smaller() -> None:
    inside = fit_inside(QRect(200, 100, 1600, 900), FRAME, [QRect(0, 30, 1280, 690)])
    assert inside.marginsAdded(FRAME) == QRect(0, 30, 1280, 690)


@given(
    x=st.integers(-4000, 4000),
    y=st.integers(-4000, 4000),
    width=st.integers(1, 3000),
    height=st.integers(1, 3000),
    frame=st.tuples(*[st.integers(0, 40)] * 4),
)
def test_a_frame_is_inside_wherever_its_window_was(
    x: int, y: int, width: int, height: int, frame: tuple[int, int, int, int]
) -> None:
    rectangle, margins = QRect(x, y, width, height), QMargins(*frame)
    inside = fit_inside(rectangle, margins, [LAPTOP])
    assert LAPTOP.contains(inside.marginsAdded(margins))
    assert fit_inside(inside, margins, [LAPTOP]) == inside
    if LAPTOP.contains(rectangle.marginsAdded(margins)):
        assert inside == rectangle


def test_a_kept_place_outside_all_screens_is_opened_inside(qtbot: QtBot, tmp_path: Path) -> None:
    session = UiState(tmp_path / "user.ini", tmp_path)
    session.keep_look(KEPT, str(WindowPlace(QRect(9000, -500, 5000, 700), FRAME, "normal")))
    window = window_on("desk", qtbot, tmp_path)
    frame = window.geometry().marginsAdded(FRAME)
    assert DESK.contains(frame) or LAPTOP.contains(frame)


def test_what_names_files_is_kept_for_the_user_alone(tmp_path: Path) -> None:
    mine, theirs = tmp_path / "mine", tmp_path / "theirs"
    for folder in (mine, theirs):
        folder.mkdir()
    session = UiState(tmp_path / "user.ini", mine)
    session.keep_files("files", [tmp_path])
    session.sync()
    assert UiState(tmp_path / "user.ini", mine).files("files") == [tmp_path]
    assert UiState(tmp_path / "user.ini", theirs).files("files") == []  # of another workspace
    assert not (mine / "window.ini").exists()
    session.keep_place("files", str(tmp_path))  # as somebody else's window.ini may say
    session.keep_files("files", [])
    assert session.files("files") == []


@pytest.mark.parametrize(
    "change", [(b"hello", b"hellq"), (b"[texts]", b"[tex\xffs]"), (b"more", b"")]
)
def test_a_damaged_value_is_as_if_it_were_not_there_and_is_told(
    tmp_path: Path, change: tuple[bytes, bytes]
) -> None:
    session = UiState(tmp_path / "user.ini", tmp_path)
    session.keep_place("texts/a", "hello, = \n é")
    session.keep_place("texts/more", "kept")
    session.sync()
    again = UiState(tmp_path / "user.ini", tmp_path)
    assert (again.damaged, again.place("texts/a")) == ([], "hello, = \n é")
    file = tmp_path / "window.ini"
    file.write_bytes(file.read_bytes().replace(*change, 1))
    os.utime(file, (0, 0))  # Qt reads a file again that is of another moment
    damaged = UiState(tmp_path / "user.ini", tmp_path)
    assert damaged.damaged == [file]
    assert damaged.place("texts/a") in ("", "hello, = \n é")
    assert damaged.place("texts/more") in ("", "kept")


def test_sizes_come_back_and_files_of_before_checksums_are_believed(
    qtbot: QtBot, tmp_path: Path
) -> None:
    (tmp_path / "window.ini").write_text("[texts]\na=before\n", "utf-8")
    session = UiState(tmp_path / "user.ini", tmp_path)
    splitter = QSplitter()
    qtbot.addWidget(splitter)
    session.keep_state("splitter", splitter)
    session.sync()
    again = UiState(tmp_path / "user.ini", tmp_path)
    assert (again.damaged, again.place("texts/a")) == ([], "before")
    assert again.restore_state("splitter", splitter)
