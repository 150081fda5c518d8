"""What is painted is finished when the painting returns, whoever still looks at its frame."""

import sys
from collections.abc import Iterator
from types import FrameType

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from termexplorer.desk import WindowController
from termexplorer.services.map.points import PointGroup
from termexplorer.views.map.legend import MapLegend
from termexplorer.views.widgets.elided_box import ElidedBox
from termexplorer.views.widgets.elided_label import ElidedLabel


@pytest.fixture
def held() -> Iterator[list[FrameType]]:
    """Frames that paint, kept as a profiler or the traceback of an error keeps them."""
    frames: list[FrameType] = []

    def hold(frame: FrameType, _event: str, _argument: object) -> None:
        if frame.f_code.co_name == "paintEvent":
            frames.append(frame)

    sys.setprofile(hold)
    yield frames
    sys.setprofile(None)


def test_pages_are_painted_to_the_end(
    qtbot: QtBot, desk: WindowController, held: list[FrameType]
) -> None:
    for page in ("explore", "levels", "train", "evaluate", "compare", "map", "judge", "curate"):
        desk.shared.errands.show_page.emit(page)
        qtbot.waitUntil(desk.window.page(page).isVisible)
        desk.window.repaint()
    painted = {type(frame.f_locals["self"]).__name__ for frame in held}
    assert {"ElidedBox", "ElidedLabel"} < painted


def test_small_parts_are_painted_to_the_end(qtbot: QtBot, held: list[FrameType]) -> None:
    legend, box, label = MapLegend(), ElidedBox(), ElidedLabel()
    box.addItem("a long text " * 9)
    label.setText("a long text " * 9)
    groups = [
        PointGroup("one", "#0072B2", "1", np.arange(3)),
        PointGroup("", "#999", "", np.arange(2)),
    ]
    legend.show_groups("Classes", [(group, group.colour) for group in groups])
    for widget in (legend, box, label):
        qtbot.addWidget(widget)
        before = len(held)
        with qtbot.waitExposed(widget):
            widget.show()
        widget.repaint()
        assert len(held) > before
