"""The Levels page as a user drives it, on a small ontology."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QApplication, QFileDialog, QLabel, QToolTip
from pytestqt.qtbot import QtBot
from toy_ontology import toy_obo
from toy_window import idle, open_page
from toy_workspace import load, make_imported

from termexplorer.desk import WindowController
from termexplorer.models.class_table import CODE, LABEL, NAMES, REASON
from termexplorer.services.importing.releases import ImportRequest, import_release
from termexplorer.services.levels.lens import LevelChoice, open_lens
from termexplorer.views.levels.chosen import TRAIN, kept_choice
from termexplorer.views.levels.figures import LevelFigures
from termexplorer.views.levels.page import LevelsPage
from termexplorer.views.levels.words import classes_text
from termexplorer.workers.process.supervision import JobControl
from termexplorer.workspace import Workspace

Opened = tuple[WindowController, LevelsPage]


@pytest.fixture
def opened(
    qtbot: QtBot, open_desk: Callable[[Path], WindowController], toy: Path, tmp_path: Path
) -> Opened:
    desk, page = open_page(open_desk, toy, tmp_path, "levels")
    assert isinstance(page, LevelsPage)
    qtbot.waitUntil(lambda: page.summary is not None)
    return desk, page


def slide(qtbot: QtBot, page: LevelsPage, level: int) -> None:
    page.content.slider.slider.setValue(level)
    qtbot.waitUntil(lambda: page.summary is not None and page.summary.level == level)


def cells(page: LevelsPage, column: int) -> list[str]:
    model = page.content.classes
    return [model.index(row, column).data() for row in range(model.rowCount())]


def test_the_slider_shows_each_level_as_the_service_tells_it(qtbot: QtBot, opened: Opened) -> None:
    desk, page = opened
    lens = open_lens(desk.shared.workspace, 1, LevelChoice())
    assert page.content.slider.slider.maximum() == lens.levels
    for level in range(lens.levels, 0, -1):
        slide(qtbot, page, level)
        summary = lens.summary(LevelChoice(level=level))
        figures = page.content.figures
        assert figures.value("Classes") == f"{summary.classes:,}"
        assert figures.value("Names") == f"{summary.names:,}"
        assert figures.value("Largest") == f"{summary.max:,}"
        assert page.content.chart.bars == summary.classes
        assert page.content.classes.rowCount() >= summary.classes


def test_the_keyboard_moves_the_slider(qtbot: QtBot, opened: Opened) -> None:
    _, page = opened
    slider = page.content.slider.slider
    qtbot.keyClick(slider, Qt.Key.Key_Right)
    qtbot.waitUntil(lambda: page.summary is not None and page.summary.level == 2)
    qtbot.keyClick(slider, Qt.Key.Key_Home)
    qtbot.waitUntil(lambda: page.summary is not None and page.summary.level == 1)


def test_the_strip_counts_every_level(qtbot: QtBot, opened: Opened) -> None:
    desk, page = opened
    lens = open_lens(desk.shared.workspace, 1, LevelChoice())
    strip = page.content.slider.strip
    qtbot.waitUntil(lambda: len(strip.counts) == lens.levels)
    for level, (classes, names) in strip.counts.items():
        summary = lens.summary(LevelChoice(level=level))
        assert (classes, names) == (summary.classes, summary.names)
    corner = QPoint(strip.width() - 8, 8)
    classes, names = strip.counts[lens.levels]
    tip = QHelpEvent(QEvent.Type.ToolTip, corner, strip.mapToGlobal(corner))
    QApplication.sendEvent(strip, tip)
    summary = f"Level {lens.levels}: {classes:,} classes, {names:,} names"
    assert QToolTip.text().splitlines() == [summary, "Click to go to a level"]
    qtbot.mouseClick(strip, Qt.MouseButton.LeftButton, pos=corner)
    qtbot.waitUntil(lambda: page.summary is not None and page.summary.level == lens.levels)


def test_the_strip_of_another_ontology_counts_that_one(
    qtbot: QtBot, opened: Opened, tmp_path: Path
) -> None:
    desk, page = opened
    strip, workspace = page.content.slider.strip, desk.shared.workspace
    lens = open_lens(workspace, 1, LevelChoice())
    qtbot.waitUntil(lambda: len(strip.counts) == lens.levels)
    fewer = tmp_path / "fewer.obo"
    fewer.write_text(re.sub(r"\nsynonym: .*", "", toy_obo()), encoding="utf-8")
    other = load(workspace, fewer)
    desk.shared.selection.go(other.id)
    lens = open_lens(workspace, other.id, LevelChoice())
    expected = {
        level: (summary.classes, summary.names)
        for level in range(1, lens.levels + 1)
        for summary in [lens.summary(LevelChoice(level=level))]
    }
    qtbot.waitUntil(lambda: strip.counts == expected, timeout=10_000)


def test_one_class_and_one_name_are_called_so(qtbot: QtBot, opened: Opened) -> None:
    desk, page = opened
    summary = open_lens(desk.shared.workspace, 1, LevelChoice()).summary(LevelChoice(largest=1))
    assert classes_text(summary).startswith("1 class, ")
    slider = page.content.slider
    slider.show_counts({slider.level: (1, 1)})
    assert slider.slider.accessibleDescription() == f"Level {slider.level}: 1 class, 1 name"


def test_an_unticked_class_is_left_out_and_listed_below(qtbot: QtBot, opened: Opened) -> None:
    _, page = opened
    model = page.content.classes
    assert page.summary is not None
    names, classes = page.summary.names, page.summary.classes
    first = model.index(0, CODE)
    label = model.index(0, LABEL).data()
    model.setData(first, Qt.CheckState.Unchecked, Qt.ItemDataRole.CheckStateRole)
    qtbot.waitUntil(lambda: page.summary is not None and page.summary.classes == classes - 1)
    assert page.summary.names < names
    assert cells(page, LABEL)[-1] == label
    assert "left out by hand" in cells(page, REASON)[-1]
    last = model.index(model.rowCount() - 1, CODE)
    model.setData(last, Qt.CheckState.Checked, Qt.ItemDataRole.CheckStateRole)
    qtbot.waitUntil(lambda: page.summary is not None and page.summary.classes == classes)
    assert page.summary.names == names


@pytest.mark.parametrize("recipe", ["few-shot", "dan"])
def test_each_preset_shows_the_rules_of_its_paper(
    qtbot: QtBot, opened: Opened, recipe: str
) -> None:
    desk, page = opened
    page.side.rules.lowest.setValue(3)
    (page.side.rules.few_shot if recipe == "few-shot" else page.side.rules.dan).click()
    choice = LevelChoice.for_recipe(recipe, level=page.choice.level, depth=3)
    summary = open_lens(desk.shared.workspace, 1, choice).summary(choice)
    qtbot.waitUntil(lambda: page.summary is not None and page.summary.names == summary.names)
    assert page.choice == choice


def test_a_rule_that_keeps_the_largest_says_why_others_are_out(
    qtbot: QtBot, opened: Opened
) -> None:
    _, page = opened
    page.side.rules.largest_count.setValue(3)
    page.side.rules.largest.setChecked(True)
    qtbot.waitUntil(lambda: page.summary is not None and page.summary.classes == 3)
    assert any("not among the 3 largest" in why for why in cells(page, REASON))


def test_a_depth_that_leaves_nothing_says_so_and_goes_back(qtbot: QtBot, opened: Opened) -> None:
    _, page = opened
    page.side.rules.lowest.setValue(40)
    qtbot.waitUntil(page.message.reset.isVisible)
    assert "depth" in page.message.text.text()
    page.message.reset.click()
    qtbot.waitUntil(page.content.isVisible)
    assert page.choice == LevelChoice()


def test_the_table_sorts_and_filters(qtbot: QtBot, opened: Opened) -> None:
    _, page = opened
    slide(qtbot, page, 2)
    table = page.content.table
    table.sortByColumn(LABEL, Qt.SortOrder.AscendingOrder)
    assert cells(page, LABEL) == sorted(cells(page, LABEL))
    table.sortByColumn(NAMES, Qt.SortOrder.DescendingOrder)
    sizes = [int(text.replace(",", "")) for text in cells(page, NAMES)]
    assert sizes == sorted(sizes, reverse=True)
    page.content.filter.setText("tumour")
    assert len(cells(page, LABEL)) == 4
    assert all("tumour" in label for label in cells(page, LABEL))


def test_a_class_that_is_clicked_is_selected_everywhere(qtbot: QtBot, opened: Opened) -> None:
    desk, page = opened
    model, table = page.content.classes, page.content.table
    point = table.visualRect(model.index(1, LABEL)).center()
    qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=point)
    assert desk.shared.selection.concept_id == model.row(1).concept_id
    desk.shared.selection.go_to_concept(model.row(2).concept_id)
    assert table.currentIndex().row() == 2
    page.content.chart.chosen.emit(model.row(0).concept_id)
    assert desk.shared.selection.concept_id == model.row(0).concept_id


def test_the_current_concept_becomes_the_root(qtbot: QtBot, opened: Opened) -> None:
    desk, page = opened
    slide(qtbot, page, 1)
    page.side.rules.lowest.setValue(2)
    desk.shared.selection.go_to_concept(page.content.classes.row(0).concept_id)
    page.side.root.current.click()
    qtbot.waitUntil(lambda: page.summary is not None and page.summary.classes == 3)
    assert page.choice.root.startswith("TOY:")
    page.side.root.all_roots.click()
    qtbot.waitUntil(lambda: page.summary is not None and page.summary.classes == 4)


def test_train_on_this_level_takes_the_choice_along(qtbot: QtBot, opened: Opened) -> None:
    desk, page = opened
    slide(qtbot, page, 2)
    page.content.train.click()
    assert desk.window.stack.currentWidget() is desk.window.page("train")
    assert kept_choice(desk.shared.session, TRAIN, 1) == page.choice
    idle(qtbot, desk)


def test_the_class_table_is_exported(
    qtbot: QtBot, opened: Opened, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, page = opened
    path = tmp_path / "classes.csv"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_args: (str(path), ""))
    page.content.export.click()
    lines = path.read_text("utf-8").splitlines()
    assert lines[0] == "code,concept,class,names,share,left out"
    everything = page.content.classes.rowCount()
    assert len(lines) == everything + 1
    page.content.filter.setText(page.content.classes.row(0).label)
    shown = page.content.classes.rowCount()
    assert 0 < shown < everything
    page.content.export.click()
    assert len(path.read_text("utf-8").splitlines()) == shown + 1
    page.content.export.other_formats.menu().actions()[1].trigger()
    assert len(path.read_text("utf-8").splitlines()) == everything + 1


def test_without_links_the_page_says_what_can_be_done(
    qtbot: QtBot, open_desk: Callable[[Path], WindowController], tmp_path: Path
) -> None:
    file = tmp_path / "flat.txt"
    file.write_text("A:1||fever|pyrexia\nA:2||cough\n", "utf-8")
    workspace = Workspace(tmp_path / "flat")
    request = ImportRequest(workspace.folder, str(file), format="dictionary")
    import_release(workspace, request, JobControl(), lambda _message: None)
    workspace.close()
    desk = open_desk(tmp_path / "flat")
    desk.shared.errands.show_page.emit("levels")
    page = desk.window.page("levels")
    assert isinstance(page, LevelsPage)
    assert "no levels" in page.message.title.text()
    assert page.message.explore.isVisible()


def test_codes_are_read_whole_beside_their_ticks(
    qtbot: QtBot, open_desk: Callable[[Path], WindowController], tmp_path: Path
) -> None:
    file = tmp_path / "toy.obo"
    file.write_text(toy_obo().replace("TOY:", "DISEASES:00146"), encoding="utf-8")
    page = open_page(open_desk, make_imported(tmp_path, file), tmp_path, "levels")[1]
    qtbot.waitUntil(lambda: page.content.classes.rowCount() > 0)
    table = page.content.table
    index = page.content.classes.index(0, CODE)
    assert index.data().startswith("DISEASES:00146")
    tick, edges = 24, 12  # pixels
    letters = table.fontMetrics().horizontalAdvance(index.data())
    assert table.columnWidth(CODE) >= letters + tick + edges
    table.horizontalHeader().resizeSection(CODE, 50)  # by the mouse
    page.content.filter.setText("disease")
    assert table.columnWidth(CODE) == 50


def test_the_rules_have_the_room_that_their_font_needs(qtbot: QtBot, opened: Opened) -> None:
    side = opened[1].side
    side.rules.few_shot.setText("Few-shot in letters that are much wider")
    needed = side.widget().minimumSizeHint
    qtbot.waitUntil(lambda: side.viewport().width() >= needed().width() > 264)


def test_a_low_window_scrolls_to_some_rows_and_a_high_one_does_not(
    qtbot: QtBot, opened: Opened
) -> None:
    desk, page = opened
    halves, table = page.content.halves, page.content.table
    window = desk.window
    window.resize(window.width(), window.minimumSizeHint().height())
    around = halves.parentWidget()
    assert around is not None
    qtbot.waitUntil(lambda: halves.height() > around.height())
    four = 4 * table.verticalHeader().defaultSectionSize()
    assert table.viewport().height() >= four
    window.resize(window.width(), 800)
    qtbot.waitUntil(lambda: halves.height() == around.height())


def test_figures_keep_their_places_under_other_titles(qtbot: QtBot) -> None:
    row = LevelFigures()
    qtbot.addWidget(row)
    for title in ("Names", "Bezeichnungen"):
        row.show_figures([(title, "3", "How many")])
    assert {label.text() for label in row.findChildren(QLabel)} == {"3", "Bezeichnungen"}
