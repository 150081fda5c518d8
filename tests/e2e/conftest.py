"""With --screen, keys and mouse of the journeys go through an X server."""

from collections.abc import Generator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from x_bot import ScreenBot
from x_screen import SCREEN, picture_folder


@pytest.fixture
def qtbot(qapp: QApplication, request: pytest.FixtureRequest) -> QtBot:
    """The usual one, or with --screen one that types and points as a user does."""
    if SCREEN in request.config.stash:
        return ScreenBot(request, request.config.stash[SCREEN])
    return QtBot(request)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Keeps a picture of the screen on which a test failed."""
    report = yield
    if report.when == "call" and report.failed and SCREEN in item.config.stash:
        folder = picture_folder(Path(item.funcargs["tmp_path"]))  # type: ignore[attr-defined]
        item.config.stash[SCREEN].save_picture(folder / f"{item.name}.png")
        report.sections.append(("the screen", str(folder / f"{item.name}.png")))
    return report
