"""The level that pages begin with where the first one is of one class, as that of HPO is."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from lopsided_ontology import write_lopsided
from pytestqt.qtbot import QtBot
from toy_ontology import write_vectors
from toy_window import show
from toy_workspace import make_imported
from window_steps import go, page_of

from termexplorer.desk import WindowController


@pytest.fixture(scope="module")
def lopsided(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("lopsided")
    return make_imported(folder, write_lopsided(folder), write_vectors(folder))


@pytest.fixture
def desk(
    open_desk: Callable[[Path], WindowController], lopsided: Path, tmp_path: Path
) -> WindowController:
    return open_desk(shutil.copytree(lopsided, tmp_path / "copy"))


def test_levels_opens_on_the_level_that_suits_and_warns_of_the_first(
    qtbot: QtBot, desk: WindowController
) -> None:
    page = show(desk, "levels")
    qtbot.waitUntil(lambda: page.summary is not None)
    assert (page.summary.level, page.summary.classes) == (2, 12)
    assert page.content.warning.isHidden()
    assert page.content.train.isEnabled()
    page.content.slider.slider.setValue(1)
    qtbot.waitUntil(lambda: page.summary.level == 1)
    assert "one class" in page.content.warning.text()
    assert "level 2" in page.content.warning.text()
    assert not page.content.train.isEnabled()  # its other class has nothing below level 4


def test_hypernyms_suggestions_and_comparisons_begin_on_it(
    qtbot: QtBot, desk: WindowController
) -> None:
    go(qtbot, desk, "LOP:10")
    area = page_of(desk).rankings
    qtbot.waitUntil(lambda: area.among.level_choice.chosen_level == 2)
    assert area.tabs.tabText(1).endswith("2")
    form = show(desk, "compare").encoders.form
    curate = show(desk, "curate")
    curate.show_part("Misplaced")
    places = (form.level_choice, curate.suggestions.search.level_choice)
    for boxes in places:
        qtbot.waitUntil(lambda boxes=boxes: bool(boxes.levels))
        assert boxes.chosen_level == 2
        assert boxes.warning.isHidden()
    first = places[0]
    first.level.setCurrentIndex(0)
    first.level.activated.emit(0)
    for boxes in (*places, area.among.level_choice):  # what the user chooses is chosen everywhere
        qtbot.waitUntil(lambda boxes=boxes: boxes.chosen_level == 1)
    for boxes in places:
        qtbot.waitUntil(lambda boxes=boxes: "99%" in boxes.warning.toolTip())


def test_the_level_that_was_chosen_stays_whatever_is_shown_between(
    qtbot: QtBot, open_desk: Callable[[Path], WindowController], lopsided: Path, tmp_path: Path
) -> None:
    folder = shutil.copytree(lopsided, tmp_path / "copy")
    desk = open_desk(folder)
    page = show(desk, "levels")
    qtbot.waitUntil(lambda: page.summary is not None)
    page.content.slider.slider.setValue(3)
    qtbot.waitUntil(lambda: page.summary.level == 3)
    desk.shared.selection.go(None)
    desk.shared.selection.go(1)
    qtbot.waitUntil(lambda: page.summary is not None and page.summary.level == 3)
    desk.close()
    again = open_desk(folder)
    boxes = show(again, "explore").rankings.among.level_choice
    qtbot.waitUntil(lambda: boxes.chosen_level == 3)


def test_training_and_maps_begin_on_it_and_one_class_is_refused(
    qtbot: QtBot, desk: WindowController
) -> None:
    level = show(desk, "train").form.learned.level
    qtbot.waitUntil(lambda: level.level.value() == 2)
    assert level.choice().level == 2
    level.use_recipe("dan")
    level.level.setValue(1)
    qtbot.waitUntil(lambda: "one class" in level.summary.text())
    form = show(desk, "map").form
    qtbot.waitUntil(lambda: form.level.count() > 1)
    assert form.colouring.level == 2
    assert form.warning.isHidden()
    form.level.setCurrentIndex(1)
    assert "99%" in form.warning.text()
    form.points.kind.setCurrentIndex(form.points.kind.findData("class"))
    qtbot.waitUntil(lambda: form.points.class_.count() == 13)
