"""Maps side by side while they are made: the one that moves, and those that are done or wait."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from map_window import drag
from PySide6.QtCore import QPoint, Qt
from pytestqt.qtbot import QtBot
from scipy.linalg import orthogonal_procrustes
from toy_window import LONG, idle, open_page, show
from toy_workspace import TRAINED, VECTORS, opened_copy, quiet

from termexplorer.desk import WindowController
from termexplorer.services.encoders.vectors import add_vectors
from termexplorer.services.map.projection import ProjectionRequest, project
from termexplorer.views.map.page import MapPage
from termexplorer.views.map.plot import MapPlot
from termexplorer.workers.process.supervision import JobControl

FEW = 7


@dataclass
class Driven:
    """A window whose maps are t-SNEs of all names: of few they would be over before a click."""

    qtbot: QtBot
    desk: WindowController
    page: MapPage

    @property
    def plots(self) -> list[MapPlot]:
        return self.page.area.panels.plots

    def draw(self, *beside: int) -> None:
        self.page.form.beside.tick(beside)
        self.qtbot.waitUntil(lambda: "No such map" in self.plots[-1].hint, timeout=LONG)
        self.page.form.draw.click()

    def wait_for(self, number: int) -> None:
        """Waits until one of the maps moves."""
        message = f"Map {number + 1} of "
        self.qtbot.waitUntil(
            lambda: (
                self.page.live.message.text().startswith(message)
                and len(self.plots[number].positions) > 0
            ),
            timeout=LONG,
        )

    def wait_for_maps(self, count: int) -> None:
        """Waits until nothing is made, and so many maps are there."""
        idle(self.qtbot, self.desk)
        area = self.page.area
        self.qtbot.waitUntil(
            lambda: (
                area.shown is not None
                and area.shown.moving is None
                and len(area.shown.maps) == count
            ),
            timeout=LONG,
        )


@pytest.fixture(scope="module")
def several(trained: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The toy with a first map, and a third encoder, which knows few names."""
    folder = tmp_path_factory.mktemp("several")
    with opened_copy(trained, folder) as workspace:
        path = folder / "few.vec"
        rows = "viral 0 1 0\nleft 0 0 1\nmild 1 2 0\ninfection 0 1 3\n"
        path.write_text(f"4 3\n{rows}", encoding="utf-8")
        assert add_vectors(workspace, path, JobControl(), quiet).id == FEW
        request = ProjectionRequest(workspace.folder, 1, VECTORS, names="all")
        project(workspace, request, JobControl(), quiet)
        choices = "[map]\nmethod=tsne\nnames=all\nlabels=0\n"
        (workspace.folder / "window.ini").write_text(choices, encoding="utf-8")
    return folder / "workspace"


@pytest.fixture
def driven(
    qtbot: QtBot, open_desk: Callable[[Path], WindowController], several: Path, tmp_path: Path
) -> Driven:
    desk, page = open_page(open_desk, several, tmp_path, "map")
    form = page.form
    qtbot.waitUntil(lambda: form.encoder.count() == 3, timeout=LONG)
    form.encoder.setCurrentIndex(form.encoder.findData(VECTORS))
    return Driven(qtbot, desk, page)


def test_the_second_moves_over_the_first_which_stays(driven: Driven) -> None:
    page = driven.page
    driven.draw(TRAINED)
    driven.wait_for(1)
    first, view = driven.plots[0].positions, driven.plots[0].view
    page.live.pause.click()
    assert page.live.pause.text() == "Resume"
    assert "Paused" in page.live.message.text()
    assert page.area.head.export.toolTip().startswith("It is being drawn")
    positions = driven.plots[1].positions
    assert page.area.panels.panels[1].facts.text().startswith("disparity 0.")
    onto, over = first - first.mean(axis=0), positions - positions.mean(axis=0)
    turn, fit = orthogonal_procrustes(over.astype(float), onto.astype(float))
    np.testing.assert_allclose(turn, np.eye(2), atol=1e-3)  # it lies as well as it can
    assert fit == pytest.approx((over**2).sum(), rel=1e-3)
    np.testing.assert_allclose(positions.mean(axis=0), first.mean(axis=0), atol=1e-3)
    page.live.pause.click()
    driven.qtbot.waitUntil(lambda: driven.plots[1].positions is not positions, timeout=LONG)
    assert driven.plots[0].positions is first
    assert driven.plots[0].view.scale <= view.scale
    page.live.stop.click()
    driven.wait_for_maps(2)
    np.testing.assert_array_equal(driven.plots[0].positions, first)
    assert not page.live.isVisible()
    assert page.form.draw.isEnabled()  # there is more to be drawn of it


def test_one_that_is_stopped_is_kept_and_the_next_goes_on(
    driven: Driven, open_desk: Callable[[Path], WindowController]
) -> None:
    page = driven.page
    driven.draw(TRAINED, FEW)
    driven.wait_for(1)
    plot, names = driven.plots[0], len(driven.plots[0].positions)
    page.live.pause.click()
    drag(
        driven.qtbot,
        plot,
        Qt.KeyboardModifier.ControlModifier,
        QPoint(1, 1),
        plot.rect().bottomRight(),
    )
    driven.qtbot.keyClick(plot, Qt.Key.Key_Plus)
    view, shown = plot.view, page.area.shown
    assert shown is not None
    enclosed = {shown.points.names[row] for row in page.area.enclosed.rows}
    page.live.stop.click()
    driven.wait_for(2)
    assert (plot.view.x, plot.view.y, plot.view.scale) == (view.x, view.y, view.scale)
    fewer = page.area.shown.points.names
    still = {fewer[row] for row in page.area.enclosed.rows}
    assert still == enclosed & set(fewer) != set()
    assert page.area.panels.panels[1].facts.text().startswith("stopped at iteration ")
    stopped = driven.plots[1].positions
    assert len(stopped) == len(driven.plots[0].positions) == len(driven.plots[2].positions)
    assert len(stopped) < names  # the third knows fewer
    assert f"{names - len(stopped)} left out" in page.area.facts.text()
    page.live.cancel.click()
    page.live.cancel.question.actions()[0].trigger()
    driven.wait_for_maps(2)
    assert driven.plots[2].hint.startswith("No such map is kept yet")
    assert [len(plot.positions) for plot in driven.plots] == [names, names, 0]
    assert page.form.draw.isEnabled()
    folder, positions = driven.desk.shared.workspace.folder, driven.plots[1].positions
    driven.desk.close()
    again = show(open_desk(folder), "map")
    driven.qtbot.waitUntil(lambda: len(again.area.panels.plots) == 3, timeout=LONG)
    np.testing.assert_array_equal(again.area.panels.plots[1].positions, positions)
    again.form.draw.click()  # what was stopped is drawn to its end, in its place
    assert again.live.message.text().startswith("Map 2 of 3")


@pytest.mark.parametrize("end", ["stop", "cancel"])
def test_nothing_starts_from_a_first_map_that_was_ended(driven: Driven, end: str) -> None:
    page = driven.page
    page.form.seed.setValue(1)
    driven.draw(TRAINED, FEW)
    driven.wait_for(0)
    assert driven.plots[1].hint == "It is drawn when the one before it is done."
    assert [len(plot.positions) for plot in driven.plots[1:]] == [0, 0]
    assert page.live.stop.toolTip().endswith("maps that start from it are not drawn")
    getattr(page.live, end).click()
    if end == "cancel":
        page.live.cancel.question.actions()[0].trigger()
    idle(driven.qtbot, driven.desk)
    driven.qtbot.waitUntil(lambda: "No such map" in driven.plots[-1].hint, timeout=LONG)
    kept_count = int(end == "stop")
    assert sum(len(plot.positions) > 0 for plot in driven.plots) == kept_count
    maps = driven.desk.shared.workspace.folder / "maps"
    assert len(list(maps.iterdir())) == 1 + kept_count  # one was there before
