"""A page is declared once, and all parts of the window that name pages have it."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtWidgets import QWidget
from termexplorer.resources import FOLDER

from termexplorer.desk import WindowController
from termexplorer.services.workspace import help_topics
from termexplorer.views import pages
from termexplorer.views.help.panel import HelpPanel
from termexplorer.views.window.page import Page, PageTour, PageWidget, Shared


class PlantedPage(PageWidget):
    """The widget of a page that only this test declares."""

    def __init__(self, _shared: Shared, parent: QWidget) -> None:
        super().__init__(parent)


PLANTED = Page(
    key="planted",
    title="Planted",
    icon="stack",
    shortcut="Ctrl+9",
    make=PlantedPage,
    tabs=("Roots",),
    tour=PageTour("See what grows", "It was sown by a test."),
)


@pytest.fixture
def planted(
    open_desk: Callable[[Path], WindowController],
    folder: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> WindowController:
    """A window with a further page, which has its topic of the help."""
    resources = tmp_path / "resources"
    shutil.copytree(FOLDER / "help", resources / "help", ignore=shutil.ignore_patterns("pictures"))
    (resources / "help" / "planted.md").write_text("# Planted\n\nSeeds, soil.\n", "utf-8")
    monkeypatch.setattr(help_topics, "FOLDER", resources)
    monkeypatch.setattr("termexplorer.desk.PAGES", (*pages.PAGES, PLANTED))
    return open_desk(folder)


def trigger(desk: WindowController, keys: str) -> None:
    """Runs the command that has these keys."""
    (command,) = (
        action for action in desk.window.commands.all if action.shortcut().toString() == keys
    )
    command.trigger()


def test_a_declared_page_is_in_the_rail_with_its_keys(planted: WindowController) -> None:
    button = planted.window.rail.button(len(pages.PAGES))
    assert button.text() == "Planted"
    assert "Ctrl+9" in button.toolTip()
    assert not button.icon().isNull()
    button.click()
    assert isinstance(planted.window.page("planted"), PlantedPage)
    planted.window.show_page(0)
    trigger(planted, "Ctrl+9")
    assert planted.window.stack.currentWidget() is planted.window.page("planted")


def test_a_declared_page_is_in_the_palette_with_its_tabs(planted: WindowController) -> None:
    trigger(planted, "Ctrl+Shift+P")
    palette = planted.window.palette_
    palette.line.setText("plant")
    model = palette.view.model()
    shown = {model.index(row, 0).data() for row in range(model.rowCount())}
    assert shown == {"Planted", "Planted: Roots"}
    palette.hide()


def test_a_declared_page_has_its_help_and_its_step_of_the_tour(planted: WindowController) -> None:
    trigger(planted, "Ctrl+9")
    trigger(planted, "F1")
    panel = planted.window.stack.currentWidget()
    assert isinstance(panel, HelpPanel)
    assert "Seeds, soil" in panel.text.toPlainText()
    panel.search.setText("soil seeds")
    assert [panel.list.item(row).text() for row in range(panel.list.count())] == ["Planted"]
    planted.window.start_tour()
    steps = planted.window.tour._steps
    (step,) = (step for step in steps if step.title == "See what grows")
    assert step.target is planted.window.rail.button(len(pages.PAGES))
    planted.window.tour.close()


def test_a_declared_page_that_was_shown_last_comes_back(
    planted: WindowController, open_desk: Callable[[Path], WindowController], folder: Path
) -> None:
    trigger(planted, "Ctrl+9")
    planted.close()
    assert open_desk(folder).window.page("planted") is not None


def test_no_two_pages_share_a_key_of_any_kind() -> None:
    for shared in ("key", "title", "icon", "shortcut"):
        assert len({getattr(page, shared) for page in pages.PAGES}) == len(pages.PAGES)
