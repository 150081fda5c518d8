"""The level of hypernyms and its root: chosen beside the rankings or on Levels, one for both."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from pytestqt.qtbot import QtBot
from view_fakes import FakeRanker
from window_steps import concept_id, go, page_of

from termexplorer.desk import WindowController
from termexplorer.models.class_table import LABEL
from termexplorer.services.compare.rankings import Task
from termexplorer.services.levels.lens import LevelChoice
from termexplorer.views.levels.page import LevelsPage
from termexplorer.views.widgets.level_boxes import LevelBoxes
from termexplorer.views.window.page import RankingsToShow


def choose(boxes: LevelBoxes, level: int, root: str) -> None:
    """As a user does: first the root, then the level."""
    boxes.root.setCurrentText(root)
    boxes.root.activated.emit(boxes.root.currentIndex())
    boxes.level.setCurrentIndex(level - 1)
    boxes.level.activated.emit(level - 1)


def open_levels(qtbot: QtBot, desk: WindowController) -> LevelsPage:
    desk.shared.errands.show_page.emit("levels")
    page = desk.window.page("levels")
    assert isinstance(page, LevelsPage)
    page.side.rules.few_shot.click()
    qtbot.waitUntil(lambda: page.summary is not None)
    return page


def labels(page: LevelsPage) -> set[str]:
    model = page.content.classes
    return {model.index(row, LABEL).data() for row in range(model.rowCount())}


def test_levels_of_hypernyms_count_from_a_root_of_their_own(
    qtbot: QtBot, desk: WindowController, ranker: FakeRanker
) -> None:
    go(qtbot, desk, "TOY:4")
    area = page_of(desk).rankings
    assert not area.among.level_choice.isVisible()
    area.tabs.setCurrentIndex(1)
    boxes = area.among.level_choice
    assert boxes.isVisible()
    assert not area.among.level.isVisible()
    offered = [boxes.root.itemText(row) for row in range(boxes.root.count())]
    assert offered[0] == "all roots"
    assert "disease  TOY:1" in offered
    assert "viral pneumonia  TOY:4" in offered
    area.among.subtree.setCurrentIndex(1)
    choose(boxes, 1, "lung disease  TOY:2")
    qtbot.waitUntil(lambda: ranker.requests[-1].among.root_id == concept_id(desk, "TOY:2"))
    asked = ranker.requests[-1]
    assert asked.task is Task.HYPERNYMS
    assert asked.among.level == 1
    assert asked.among.subtree_id == area.among.subtree.currentData()
    go(qtbot, desk, "TOY:3")
    assert boxes.root.currentText() == "lung disease  TOY:2"
    area.tabs.setCurrentIndex(0)
    qtbot.waitUntil(lambda: ranker.requests[-1].task is Task.NEIGHBOURS)
    assert (ranker.requests[-1].among.level, ranker.requests[-1].among.root_id) == (None, None)


def test_a_list_of_terms_is_not_held_to_the_level_of_hypernyms(
    qtbot: QtBot, desk: WindowController
) -> None:
    area = page_of(desk).rankings
    area.tabs.setCurrentIndex(1)
    assert area.among.among().level == 1
    area.tabs.setCurrentIndex(2)
    assert area.among.among().level is None
    assert area.among.level.isVisible()


def test_rankings_of_an_encoder_without_classes_are_neighbours_and_leave_the_level(
    qtbot: QtBot, desk: WindowController, ranker: FakeRanker
) -> None:
    """After training on synonyms; those of a level are hypernyms on it."""
    go(qtbot, desk, "TOY:4")
    area = page_of(desk).rankings
    area.tabs.setCurrentIndex(1)
    choose(area.among.level_choice, 2, "all roots")
    ontology = desk.shared.selection.ontology_id
    assert ontology is not None
    look = RankingsToShow(ontology, tuple(area.encoders.ids), None, None)
    desk.shared.errands.look_at.emit(look)
    assert area.tabs.currentIndex() == 0
    qtbot.waitUntil(lambda: ranker.requests[-1].task is Task.NEIGHBOURS)
    assert area.among.level_choice.chosen_level == 2
    desk.shared.errands.look_at.emit(replace(look, level=1))
    assert area.tabs.currentIndex() == 1
    assert area.among.level_choice.chosen_level == 1


def test_the_level_is_one_for_all_pages_and_comes_back(
    qtbot: QtBot, open_desk: Callable[[Path], WindowController], folder: Path
) -> None:
    desk = open_desk(folder)
    area = page_of(desk).rankings
    levels = open_levels(qtbot, desk)
    levels.content.slider.slider.setValue(2)
    assert area.tabs.tabText(1) == "Hypernyms on level 2"
    go(qtbot, desk, "TOY:2")
    levels.side.root.current.click()
    qtbot.waitUntil(lambda: area.among.level_choice.root.currentText() == "lung disease  TOY:2")
    desk.shared.errands.show_page.emit("explore")
    choose(area.among.level_choice, 1, "all roots")
    assert (levels.choice.level, levels.choice.root) == (1, "")
    assert levels.side.root.label.text() == "Below all roots"
    choose(area.among.level_choice, 1, "lung disease  TOY:2")
    desk.shared.errands.show_page.emit("levels")
    qtbot.waitUntil(lambda: labels(levels) == {"viral pneumonia", "bacterial pneumonia"})
    desk.close()
    again = open_desk(folder)
    assert open_levels(qtbot, again).choice.root == "TOY:2"
    again.shared.errands.show_page.emit("explore")
    level_boxes = page_of(again).rankings.among.level_choice
    assert level_boxes.root.currentText() == "lung disease  TOY:2"


def test_a_shallow_ontology_is_shown_by_rules_that_need_no_depth(
    qtbot: QtBot, desk: WindowController
) -> None:
    desk.shared.errands.show_page.emit("levels")
    page = desk.window.page("levels")
    assert isinstance(page, LevelsPage)
    qtbot.waitUntil(page.message.reset.isVisible)
    assert "few-shot" in page.message.reset.text()
    page.message.reset.click()
    qtbot.waitUntil(page.content.isVisible)
    assert page.choice == LevelChoice.for_recipe("few-shot")
    assert not page.side.rules.dead_ends.isChecked()
    page.side.rules.lowest.setValue(40)
    page.side.rules.dead_ends.setChecked(True)
    qtbot.waitUntil(page.message.reset.isVisible)
    assert "Reset root and rules" in page.message.reset.text()
