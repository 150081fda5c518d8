"""`termexplorer demo` on a real (virtual) screen: ICD-10-CM on every page, light and dark."""

import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtGui import QImage
from x_screen import Screen, picture_folder

from termexplorer.services.explore.ontologies import list_ontologies
from termexplorer.workspace import Workspace

PATIENCE = 180  # seconds for an import on a busy machine
PAGES = {
    "1": "explore", "2": "levels", "3": "train", "4": "evaluate", "5": "compare", "6": "map",
    "7": "judge", "8": "curate",
}  # fmt: skip


class Looked:
    """A screen and what it showed, picture by picture."""

    def __init__(self, screen: Screen, folder: Path) -> None:
        self.screen = screen
        self.folder = folder

    def picture(self, name: str) -> QImage:
        file = self.folder / f"{name}.png"
        self.screen.save_picture(file)
        return QImage(str(file))

    def settled(self, name: str, seconds: float = 1) -> QImage:
        """A picture that is the same as half a second before, if there is one in time.

        There is none while a job is told of below, whose bar moves.
        """
        deadline = time.monotonic() + seconds
        time.sleep(0.5)
        last = self.picture(name)
        while time.monotonic() < deadline:
            time.sleep(0.5)
            before, last = last, self.picture(name)
            if before == last:
                break
        return last


@pytest.fixture
def screen() -> Iterator[Screen]:
    screen = Screen()
    yield screen
    screen.close()


def wait_for(condition: object) -> None:
    deadline = time.monotonic() + PATIENCE
    while not condition():  # type: ignore[operator]
        assert time.monotonic() < deadline, "gave up waiting"
        time.sleep(0.3)


def lightness(picture: QImage) -> float:
    """The mean lightness of a picture, 0 to 255."""
    small = picture.scaled(48, 30)
    grey = [small.pixelColor(x, y).lightness() for x in range(48) for y in range(30)]
    return sum(grey) / len(grey)


def colours(picture: QImage) -> int:
    """How many colours every eighth pixel has."""
    return len(
        {
            picture.pixel(x, y)
            for x in range(0, picture.width(), 8)
            for y in range(0, picture.height(), 8)
        }
    )


def is_imported(workspace: Path) -> bool:
    opened = Workspace(workspace)
    try:
        return bool(list_ontologies(opened))
    finally:
        opened.close()


def test_demo_shows_every_page_in_both_themes(screen: Screen, tmp_path: Path) -> None:
    workspace, looked = tmp_path / "workspace", Looked(screen, picture_folder(tmp_path))
    program = Path(sys.executable).with_name("termexplorer")
    window = subprocess.Popen(
        [program, "demo", "--workspace", str(workspace)], env=screen.environment
    )
    try:
        wait_for(lambda: screen.do("search", "--onlyvisible", "--name", "termexplorer"))
        wait_for(lambda: is_imported(workspace))
        window_id = screen.do("search", "--onlyvisible", "--name", "termexplorer").splitlines()[-1]
        screen.do("windowfocus", "--sync", window_id)
        pictures: dict[str, QImage] = {}
        shown = "explore"
        for theme in ("light", "dark"):
            screen.do("key", "ctrl+shift+p")
            time.sleep(1)
            screen.do("type", "--delay", "40", theme)
            time.sleep(1)
            screen.do("key", "Return")
            dark = theme == "dark"
            wait_for(lambda dark=dark: (lightness(looked.picture("theme")) < 128) is dark)
            for key, page in PAGES.items():
                before = looked.picture("before")
                screen.do("key", f"ctrl+{key}")
                if page != shown:  # on a busy machine it comes late
                    wait_for(lambda before=before: looked.picture("after") != before)
                shown = page
                pictures[f"{page}_{theme}"] = looked.settled(f"{page}_{theme}")
        screen.do("key", "ctrl+q")
        assert window.wait(20) == 0
    finally:
        window.kill()
        window.wait()
    for page in PAGES.values():
        light, dark = pictures[f"{page}_light"], pictures[f"{page}_dark"]
        assert lightness(light) > 200 > 80 > lightness(dark)
        assert colours(light) > 20
        assert colours(dark) > 20
    assert pictures["explore_light"] != pictures["levels_light"] != pictures["train_light"]
