"""The Map page as a user drives it: maps drawn in a child, kept, looked through, taken along."""

import csv
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from map_window import drag, lone_point, pixel
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtWidgets import QComboBox, QFileDialog
from pytestqt.qtbot import QtBot
from toy_window import LONG, idle, open_page, show
from toy_workspace import LEXICAL, VECTORS, import_synonyms, opened_copy, quiet

from termexplorer.desk import WindowController
from termexplorer.services.compare.comparison import CompareRequest, ComparisonSubject, compare
from termexplorer.services.map.labels import label_map
from termexplorer.services.map.projection import ProjectionRequest, project
from termexplorer.views.map.page import MapPage
from termexplorer.views.map.plot import MapPlot
from termexplorer.workers.process.supervision import JobControl

Opened = tuple[WindowController, MapPage]
POINTS = 377


@pytest.fixture(scope="module")
def mapped(toy: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The toy with a PCA of its concepts, which is what is chosen when the page opens."""
    folder = tmp_path_factory.mktemp("mapped")
    with opened_copy(toy, folder) as workspace:
        request = ProjectionRequest(workspace.folder, 1, VECTORS, method="pca")
        label_map(workspace, project(workspace, request, JobControl(), quiet), JobControl(), quiet)
        (workspace.folder / "window.ini").write_text("[map]\nmethod=pca\n", encoding="utf-8")
    return folder / "workspace"


@pytest.fixture
def opened(
    qtbot: QtBot, open_desk: Callable[[Path], WindowController], mapped: Path, tmp_path: Path
) -> Opened:
    desk, page = open_page(open_desk, mapped, tmp_path, "map")
    desk.window.activateWindow()
    qtbot.waitUntil(lambda: len(page.area.plot.positions) > 0, timeout=LONG)
    return desk, page


def test_a_kept_map_is_there_at_once_with_its_classes(opened: Opened) -> None:
    desk, page = opened
    assert not desk.shared.jobs.running()
    shown = page.area.shown
    assert shown is not None
    np.testing.assert_array_equal(page.area.plot.positions, shown.maps[0].positions)
    labels = [group.label for group in shown.colours.groups]
    assert labels[0].split()[0] in {"lung", "heart", "liver", "kidney"}
    assert labels[-1] == "of no class on level 2"  # which has 12 classes, the first one 4
    assert f"{POINTS} names of {POINTS} concepts" in page.area.facts.text()
    assert "trustworthiness" in page.area.facts.text()
    assert "A map can lie" in page.area.facts.toolTip()
    assert (page.form.draw.isEnabled(), page.form.draw.toolTip()[:8]) == (False, "This map")


def test_a_map_is_renamed_where_it_stands(qtbot: QtBot, opened: Opened) -> None:
    _, page = opened
    stored_maps = page.area.kept_maps
    qtbot.waitUntil(lambda: stored_maps.shown is not None, timeout=LONG)
    assert stored_maps.box.currentText() == stored_maps.shown.subject  # type: ignore[union-attr]
    stored_maps.box.setFocus()
    qtbot.keyClick(stored_maps.box, Qt.Key.Key_F2)
    qtbot.keyClicks(stored_maps.field, "not this")
    qtbot.keyClick(stored_maps.field, Qt.Key.Key_Escape)
    stored_maps.rename.click()
    qtbot.keyClicks(stored_maps.field, "where we began")
    qtbot.keyClick(stored_maps.field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: stored_maps.box.currentText() == "where we began", timeout=LONG)


def test_a_kept_map_is_shown_again(
    qtbot: QtBot, open_desk: Callable[[Path], WindowController], mapped: Path, tmp_path: Path
) -> None:
    with opened_copy(mapped, tmp_path) as workspace:
        request = ProjectionRequest(
            workspace.folder, 1, VECTORS, names="all", root="TOY:1", method="pca", seed=7
        )
        project(workspace, request, JobControl(), quiet)
        by_command = replace(request, method="tsne", parameters={"iterations": 20})
        project(workspace, by_command, JobControl(), quiet)
    page = show(open_desk(tmp_path / "workspace"), "map")
    box, stored_maps = page.area.kept_maps.box, page.area.kept_maps
    qtbot.waitUntil(lambda: box.count() == 3 and stored_maps.shown is not None, timeout=LONG)
    first = stored_maps.shown
    for row in range(box.count()):
        box.activated.emit(row) if "t-SNE" in box.itemText(row) else None
    assert stored_maps.shown is first
    row = next(n for n in range(3) if "PCA" in box.itemText(n) and n != box.currentIndex())
    box.setCurrentIndex(row)
    box.activated.emit(row)
    qtbot.waitUntil(
        lambda: page.area.shown is not None and page.area.shown.request == request, timeout=LONG
    )
    qtbot.waitUntil(
        lambda: stored_maps.shown is not first and stored_maps.shown is not None, timeout=LONG
    )
    assert box.currentIndex() == row


def test_the_search_over_a_map_has_room_in_a_small_window(qtbot: QtBot, opened: Opened) -> None:
    desk, page = opened
    head = page.area.head
    desk.window.resize(1024, 720)
    qtbot.waitUntil(lambda: desk.window.width() == 1024)
    needed = head.filter.fontMetrics().horizontalAdvance("pulmonary")
    qtbot.waitUntil(lambda: head.filter.width() > needed + 40)  # pixels of edges and the cross
    assert head.export.geometry().right() <= head.width()


def test_points_are_in_the_colours_of_their_classes(qtbot: QtBot, opened: Opened) -> None:
    _, page = opened
    plot, shown = page.area.plot, page.area.shown
    assert shown is not None
    group = shown.colours.groups[-1]
    colours = {plot.colour_of(point_group) for point_group in shown.colours.groups}
    assert {0xFF000000 | int(colour[1:], 16) for colour in colours} <= set(plot.picture.flat)
    page.form.level.setCurrentIndex(page.form.level.findData(3))
    qtbot.waitUntil(lambda: page.area.shown is not shown, timeout=LONG)
    now = page.area.shown
    assert now is not None
    assert now.points.level == 3
    assert "level 3" in now.colours.groups[-1].label
    assert len(now.colours.groups[-1].points) > len(group.points)


def test_the_level_stays_while_an_ontology_without_levels_is_on_show(
    qtbot: QtBot, open_desk: Callable[[Path], WindowController], mapped: Path, tmp_path: Path
) -> None:
    with opened_copy(mapped, tmp_path) as workspace:
        flat = import_synonyms(workspace, tmp_path)
    desk = open_desk(tmp_path / "workspace")
    desk.shared.selection.go(1)
    level = show(desk, "map").form.level
    qtbot.waitUntil(lambda: level.count() > 2, timeout=LONG)
    level.setCurrentIndex(level.findData(3))
    desk.shared.selection.go(flat.id)
    qtbot.waitUntil(lambda: level.count() == 1, timeout=LONG)
    desk.shared.selection.go(1)
    qtbot.waitUntil(lambda: level.count() > 2, timeout=LONG)
    assert level.currentData() == 3


def test_points_are_coloured_by_ranks_that_were_kept(qtbot: QtBot, opened: Opened) -> None:
    desk, page = opened
    choose(page.form.colours, "neighbours")
    message = "compare it with another encoder first (Compare, Ctrl+5"
    qtbot.waitUntil(lambda: message in page.area.plot.hint, timeout=LONG)
    workspace = desk.shared.workspace
    subject = ComparisonSubject("neighbours", 1, None, page.form.level.currentData())
    compared = CompareRequest(workspace.folder, subject, (LEXICAL, VECTORS))
    compare(workspace, compared, JobControl(), quiet)
    choose(page.form.colours, "")
    qtbot.waitUntil(lambda: page.area.shown is not None, timeout=LONG)
    choose(page.form.colours, "neighbours")
    qtbot.waitUntil(lambda: not page.area.shown.colours.by_class, timeout=LONG)
    labels = [group.label for group in page.area.shown.colours.groups]  # type: ignore[union-attr]
    assert set(labels) <= {
        "rank 1", "rank 2 to 10", "rank 11 to 100", "rank 101 to 1,000", "no right "
"answer",
    }  # fmt: skip
    assert len(page.area.plot.positions) == POINTS


def test_labels_are_written_unless_they_are_switched_off(
    qtbot: QtBot, opened: Opened, open_desk: Callable[[Path], WindowController]
) -> None:
    desk, page = opened
    plot, shown = page.area.plot, page.area.shown
    assert shown is not None
    assert shown.maps[0].labels
    assert plot.labels == shown.maps[0].labels
    written = plot.grab().toImage()
    page.area.head.labels.click()
    assert plot.labels == ()
    assert plot.grab().toImage() != written
    page.area.head.labels.click()
    assert plot.grab().toImage() == written
    page.area.head.labels.click()
    folder = desk.shared.workspace.folder
    desk.close()
    assert not show(open_desk(folder), "map").area.head.labels.isChecked()


def test_mouse_and_keys_move_and_zoom(qtbot: QtBot, opened: Opened) -> None:
    _, page = opened
    plot = page.area.plot
    first = plot.view
    before = pixel(page.area.plot, 0)
    qtbot.mousePress(plot, Qt.MouseButton.LeftButton, pos=QPoint(50, 50))
    qtbot.mouseMove(plot, QPoint(90, 70))
    qtbot.mouseRelease(plot, Qt.MouseButton.LeftButton, pos=QPoint(90, 70))
    assert pixel(page.area.plot, 0) - before == QPoint(40, 20)
    qtbot.keyClick(plot, Qt.Key.Key_Plus)
    assert plot.view.scale > first.scale
    qtbot.keyClick(plot, Qt.Key.Key_Minus)
    qtbot.keyClick(plot, Qt.Key.Key_Left)
    assert plot.view.scale == pytest.approx(first.scale)
    assert pixel(page.area.plot, 0).x() - before.x() == 80
    qtbot.keyClick(plot, Qt.Key.Key_Home)
    assert plot.view == first


def test_a_click_selects_everywhere_and_enter_shows_it(qtbot: QtBot, opened: Opened) -> None:
    desk, page = opened
    plot, shown = page.area.plot, page.area.shown
    assert shown is not None
    assert not page.area.head.show_concept.isEnabled()
    point = lone_point(page.area.plot)
    concept = int(shown.points.concept_ids[point])
    qtbot.mouseClick(plot, Qt.MouseButton.LeftButton, pos=pixel(page.area.plot, point))
    assert desk.shared.selection.concept_id == concept
    assert plot.marked.tolist() == [point]
    other = int(shown.points.concept_ids[(point + 1) % POINTS])
    desk.shared.selection.go_to_concept(other)
    assert plot.marked.tolist() == [(point + 1) % POINTS]
    plot.setFocus()
    qtbot.keyClick(plot, Qt.Key.Key_Return)
    assert desk.window.page("explore").isVisible()
    assert desk.shared.selection.concept_id == other
    show(desk, "map")
    assert page.area.plot.marked.tolist() == [(point + 1) % POINTS]


def test_a_search_lights_names_up_and_a_lasso_lists_them(
    qtbot: QtBot, opened: Opened, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, page = opened
    plot, shown = page.area.plot, page.area.shown
    assert shown is not None
    qtbot.keyClicks(page.area.head.filter, "LUNG")
    lit = [name for name, on in zip(shown.points.names, plot.lit, strict=True) if on]
    assert lit == [name for name in shown.points.names if "lung" in name]
    assert page.area.head.count.text() == f"{len(lit)} names highlighted"
    page.area.head.filter.clear()
    assert plot.lit is None
    right, bottom = plot.width() // 2, plot.height() - 1
    outline = [QPoint(1, 1), QPoint(right, 1), QPoint(right, bottom), QPoint(1, bottom)]
    drag(qtbot, plot, Qt.KeyboardModifier.ShiftModifier, *outline)
    left, _ = plot.view.pixels(plot.positions)
    assert page.area.enclosed.isVisible()
    inside = np.flatnonzero(left < right - 1).tolist()
    assert set(inside) <= set(page.area.enclosed.rows)
    assert len(page.area.enclosed.rows) < len(inside) + 10
    out = tmp_path / "names.csv"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(out), ""))
    page.area.enclosed.export.click()
    with out.open(encoding="utf-8", newline="") as file:
        names = [row["name"] for row in csv.DictReader(file)]
    assert names == [shown.points.names[row] for row in page.area.enclosed.rows]
    plot.setFocus()
    qtbot.keyClick(plot, Qt.Key.Key_Escape)
    assert plot.lit is None
    assert not page.area.enclosed.isVisible()


def choose(box: QComboBox, key: object) -> None:
    box.setCurrentIndex(box.findData(key))


def test_names_are_chosen_by_search_list_and_class(
    qtbot: QtBot, opened: Opened, open_desk: Callable[[Path], WindowController]
) -> None:
    desk, page = opened
    form, points, area = page.form, page.form.points, page.area
    qtbot.waitUntil(lambda: points.count.text().startswith(f"{POINTS} of "), timeout=LONG)
    choose(points.kind, "search")
    assert form.request is None
    assert area.plot.hint == "Write what to search for first, and press Enter."
    assert form.draw.toolTip() == area.plot.hint.rstrip(".")
    qtbot.keyClicks(points.search, "viral lung")
    qtbot.keyClick(points.search, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: points.count.text().startswith("15 of "), timeout=LONG)
    qtbot.waitUntil(form.draw.isEnabled, timeout=LONG)
    form.draw.click()
    idle(qtbot, desk)
    qtbot.waitUntil(lambda: len(area.plot.positions) == 15, timeout=LONG)
    assert "what 'viral lung' finds" in area.facts.text()
    control, far = Qt.KeyboardModifier.ControlModifier, QPoint(2000, 2000)
    drag(qtbot, area.plot, control, QPoint(1, 1), far)
    keep = area.enclosed.keep
    assert keep.keep.toolTip() == "Write a title first"
    qtbot.keyClicks(keep.title, "viral")
    qtbot.keyClick(keep.title, Qt.Key.Key_Return)
    message = "15 concepts put on the list viral"
    qtbot.waitUntil(lambda: message in desk.window.notice.text, timeout=LONG)
    choose(points.kind, "list")
    qtbot.waitUntil(lambda: points.list.currentText() == "viral (15)", timeout=LONG)
    qtbot.waitUntil(lambda: "the list viral" in area.facts.text(), timeout=LONG)
    assert len(area.plot.positions) == 15  # the same names: the map was there
    points.remove.click()
    qtbot.waitUntil(lambda: points.list.count() == 0, timeout=LONG)
    assert form.request is None
    desk.window.notice._act.click()
    qtbot.waitUntil(lambda: points.list.currentText() == "viral (15)", timeout=LONG)
    choose(points.kind, "class")
    qtbot.waitUntil(lambda: points.class_.count() == 12, timeout=LONG)
    qtbot.waitUntil(lambda: points.count.text().startswith("31 of "), timeout=LONG)
    request = form.request
    assert request is not None
    assert request.root == points.class_.currentData()
    folder = desk.shared.workspace.folder
    desk.close()
    again = show(open_desk(folder), "map")
    qtbot.waitUntil(lambda: again.form.request == request, timeout=LONG)


def test_what_is_enclosed_is_kept_and_goes_to_train_as_a_class(
    qtbot: QtBot, opened: Opened
) -> None:
    desk, page = opened
    drag(qtbot, page.area.plot, Qt.KeyboardModifier.ControlModifier, QPoint(1, 1),
         QPoint(2000, 2000))  # fmt: skip
    keep = page.area.enclosed.keep
    assert (keep.train.isEnabled(), keep.train.toolTip()) == (False, "Write a title first")
    qtbot.keyClicks(keep.title, " all  of it ")
    assert keep.train.isEnabled()
    keep.train.setFocus()
    qtbot.keyClick(keep.train, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: desk.window.page("train") is not None, timeout=LONG)
    form = desk.window.page("train").form
    qtbot.waitUntil(lambda: form.learned.level.lists.ticks.ticked() == ("all of it",), timeout=LONG)
    (class_list,) = form.request().class_lists
    assert len(class_list.subjects) == POINTS
    assert f"{POINTS} concepts put on the list all of it" in desk.window.notice.text
    show(desk, "map")
    qtbot.keyClicks(keep.title, "more")
    qtbot.keyClick(keep.title, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: "on the list more" in desk.window.notice.text, timeout=LONG)
    assert page.isVisible()
    qtbot.keyClicks(keep.title, "more")
    qtbot.keyClick(keep.judge, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: desk.window.page("judge") is not None, timeout=LONG)
    (path,) = desk.window.page("judge").studies.form.pairs.paths
    assert len(path.read_text("utf-8").splitlines()) == 1 + min(100, POINTS * (POINTS - 1) // 2)


def within(plot: MapPlot, first: QPoint, last: QPoint, more: float = 0) -> set[int]:
    """The points between two corners, looked at one by one."""
    left, top = plot.view.pixels(plot.positions)
    return {
        number
        for number, (x, y) in enumerate(zip(left.tolist(), top.tolist(), strict=True))
        if first.x() - more < x < last.x() + more and first.y() - more < y < last.y() + more
    }


def test_a_rectangle_encloses_by_mouse_tool_and_keys(qtbot: QtBot, opened: Opened) -> None:
    _, page = opened
    area, plot = page.area, page.area.plot
    middle, corner = plot.rect().center(), QPoint(3, 3)
    enclosed: list[set[int]] = []
    plot.enclosed.connect(lambda mask: enclosed.append(set(np.flatnonzero(mask).tolist())))
    drag(qtbot, plot, Qt.KeyboardModifier.ControlModifier, middle, QPoint(5, 99), corner)
    assert within(plot, corner, middle, -1) <= enclosed[0] <= within(plot, corner, middle, 1)
    assert 0 < len(enclosed[0]) < POINTS
    assert set(area.enclosed.rows) == enclosed[0]
    view = plot.view
    area.head.tool.setCurrentIndex(area.head.tool.findText("Rectangle"))
    drag(qtbot, plot, Qt.KeyboardModifier.NoModifier, corner, middle)
    assert enclosed[1] == enclosed[0]
    assert plot.view == view
    area.head.tool.setCurrentIndex(area.head.tool.findText("Move"))
    drag(qtbot, plot, Qt.KeyboardModifier.NoModifier, corner, middle)
    assert plot.view != view
    qtbot.keyClick(plot, Qt.Key.Key_Home)
    qtbot.keyClick(plot, Qt.Key.Key_R)
    for key in (Qt.Key.Key_Left, Qt.Key.Key_Up) * (plot.width() // 40):
        qtbot.keyClick(plot, key)
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Down) * (plot.width() // 20):
        qtbot.keyClick(plot, key, Qt.KeyboardModifier.ShiftModifier)
    assert plot.view == view
    qtbot.keyClick(plot, Qt.Key.Key_Return)
    assert plot.outline is None
    assert len(enclosed[2]) == POINTS
    qtbot.keyClick(plot, Qt.Key.Key_R)
    qtbot.keyClick(plot, Qt.Key.Key_Escape)
    assert (plot.outline, len(enclosed)) == (None, 3)


def test_the_map_is_taken_along(
    qtbot: QtBot, opened: Opened, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk, page = opened
    for name, begin in (("map.svg", b"<?xml"), ("map.csv", b"concept,name,x,y,class")):
        out = tmp_path / name
        monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_, out=out: (str(out), ""))
        page.area.head.export.click()
        qtbot.waitUntil(lambda out=out: str(out) in desk.window.notice.text, timeout=LONG)
        assert out.read_bytes().lstrip(b"\xef\xbb\xbf").startswith(begin)


def test_tsne_moves_while_it_is_drawn_and_comes_back_as_far_as_it_came(
    qtbot: QtBot, opened: Opened, open_desk: Callable[[Path], WindowController]
) -> None:
    desk, page = opened
    choose(page.form.points.kind, "below")
    page.form.points.root.changed.emit("TOY:1")
    page.form.method.setCurrentIndex(page.form.method.findData("tsne"))
    qtbot.waitUntil(lambda: "No such map" in page.area.plot.hint, timeout=LONG)
    assert len(page.area.plot.positions) == 0
    seen: list[np.ndarray] = []
    show_live = page.area.show_live

    def look(*arguments: object) -> None:
        show_live(*arguments)  # type: ignore[arg-type]
        seen.append(page.area.plot.positions)

    page.area.show_live = look  # type: ignore[method-assign,assignment]
    page.form.draw.click()
    assert page.live.isVisible()
    assert page.live.stop.toolTip() == "There is nothing to keep yet"
    assert not page.form.draw.isEnabled()
    qtbot.waitUntil(lambda: len(seen) > 0, timeout=LONG)
    page.live.pause.click()
    assert page.live.pause.text() == "Resume"
    page.live.pause.click()
    page.live.stop.click()
    idle(qtbot, desk)
    qtbot.waitUntil(lambda: bool(page.area.plot.labels), timeout=LONG)  # found by a job of its own
    qtbot.waitUntil(lambda: page.area.shown is not None and bool(page.area.shown.maps))
    assert not page.live.isVisible()
    assert page.form.draw.isEnabled() != page.area.shown.whole  # there is more to be drawn of it
    assert "iterations" in page.area.facts.text()
    final = page.area.plot.positions
    folder, request = desk.shared.workspace.folder, page.form.request
    desk.close()
    again = show(open_desk(folder), "map")
    qtbot.waitUntil(lambda: len(again.area.plot.positions) > 0, timeout=LONG)
    np.testing.assert_array_equal(again.area.plot.positions, final)
    assert again.form.request == request


def test_without_vectors_it_says_what_to_do(qtbot: QtBot, desk: WindowController) -> None:
    page = show(desk, "map")
    qtbot.waitUntil(lambda: "train one on the page Train" in page.area.plot.hint)
    assert not page.form.draw.isEnabled()
    assert page.form.draw.toolTip() == page.area.plot.hint.rstrip(".")
    assert not page.area.head.export.isEnabled()
    assert page.area.plot.nearest(QPointF(5, 5)) == -1
