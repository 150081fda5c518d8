from pathlib import Path

import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QGuiApplication, QScreen
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from termexplorer.views.session import Session


def screen(name: str) -> QScreen:
    return next(each for each in QGuiApplication.screens() if each.name() == name)


def window_on(name: str, qtbot: QtBot, folder: Path) -> QWidget:
    widget = QWidget()
    qtbot.addWidget(widget)
    widget.setScreen(screen(name))
    Session(folder / "user.ini", folder).place_window(widget)
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
    monkeypatch.setattr(QScreen, "availableSize", lambda _screen: QSize(1440, 900))
    assert window_on("desk", qtbot, tmp_path).isMaximized()


def test_a_window_comes_back_as_it_was_left(qtbot: QtBot, tmp_path: Path) -> None:
    window = window_on("desk", qtbot, tmp_path)
    window.resize(900, 700)
    session = Session(tmp_path / "user.ini", tmp_path)
    session.keep_window(window)
    other = QWidget()
    qtbot.addWidget(other)
    session.place_window(other)
    assert other.size() == QSize(900, 700)
