"""The tiles of the levels say what their numbers are, however many levels there are."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from termexplorer.desk import WindowController
from termexplorer.views.levels.strip import LevelSlider
from termexplorer.views.widgets.language import Language, set_language

_NARROW, _WIDE = 700, 1100  # what windows of 1,024 and 1,440 pixels leave
_CLASSES = {Language.ENGLISH: "class", Language.GERMAN: "Klasse"}
_NAMES = {Language.ENGLISH: "name", Language.GERMAN: "Bezeichnung"}


@pytest.fixture(params=[Language.ENGLISH, Language.GERMAN])
def language(request: pytest.FixtureRequest, qapp: QApplication) -> Iterator[Language]:
    spoken: Language = request.param
    set_language(qapp, spoken)
    yield spoken
    set_language(qapp, Language.ENGLISH)


def show_levels(
    qtbot: QtBot, desk: WindowController, width: int, levels: int, level: int
) -> LevelSlider:
    slider = LevelSlider(desk.shared.theme)
    qtbot.addWidget(slider)
    slider.resize(width, slider.sizeHint().height())
    slider.show_levels(levels, level)
    counts = {n: (1 + 4321 * (n % 7), 12 + 31_234 * (n % 5)) for n in range(1, levels + 1)}
    slider.show_counts(counts)
    slider.show()
    return slider


@pytest.mark.parametrize("width", [_NARROW, _WIDE])
@pytest.mark.parametrize(("levels", "level"), [(12, 6), (14, 1), (14, 14), (30, 17)])
def test_tiles_have_room_for_their_captions(
    qtbot: QtBot, desk: WindowController, language: Language, width: int, levels: int, level: int
) -> None:
    slider = show_levels(qtbot, desk, width, levels, level)
    strip = slider.strip
    assert level in strip.levels
    for shown in strip.levels:
        title, classes, names = strip.lines(shown)
        assert title.endswith(f" {shown}")
        assert _CLASSES[language] in classes
        assert _NAMES[language] in names
        tile = strip.tile(shown)
        assert 0 <= tile.left() < tile.right() <= strip.width()
        for text in (title, classes, names):
            assert strip.fontMetrics().horizontalAdvance(text) <= tile.width()


def test_tiles_scroll_with_the_level_that_is_chosen(qtbot: QtBot, desk: WindowController) -> None:
    slider = show_levels(qtbot, desk, _NARROW, 30, 1)
    seen = set()
    for level in range(1, 31):
        slider.slider.setValue(level)
        assert slider.strip.tile(level).right() <= slider.strip.width()
        seen.update(slider.strip.levels)
    assert seen == set(range(1, 31))


def test_arrows_lead_to_the_levels_beside_those_on_show(
    qtbot: QtBot, desk: WindowController
) -> None:
    slider = show_levels(qtbot, desk, _NARROW, 30, 1)
    strip = slider.strip
    middle = strip.rect().center()
    beyond = strip.levels.stop
    middle.setX(strip.width() - 2)
    qtbot.mouseClick(strip, Qt.MouseButton.LeftButton, pos=middle)
    assert slider.level == beyond
    assert beyond in strip.levels
    beyond = strip.levels.start - 1
    middle.setX(2)
    qtbot.mouseClick(strip, Qt.MouseButton.LeftButton, pos=middle)
    assert slider.level == beyond


def test_levels_that_have_room_stand_over_the_slider(qtbot: QtBot, desk: WindowController) -> None:
    slider = show_levels(qtbot, desk, _WIDE, 7, 3)
    strip = slider.strip
    assert list(strip.levels) == list(range(1, 8))
    assert strip.tile(7).right() > strip.width() - 8
