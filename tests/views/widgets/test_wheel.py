"""The wheel over forms and curves scrolls the page: it changes only a field that has the keys."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractSlider,
    QAbstractSpinBox,
    QComboBox,
    QHBoxLayout,
    QLineEdit,
    QScrollArea,
    QScrollBar,
    QWidget,
)
from pytestqt.qtbot import QtBot
from toy_window import open_page, show
from toy_workspace import TRAINED, VECTORS, opened_copy, quiet

from termexplorer.desk import WindowController
from termexplorer.services.evaluate.evaluation import EvaluationRequest, evaluate
from termexplorer.views.widgets import inputs
from termexplorer.workers.process.supervision import JobControl

VIEWS = Path(inputs.__file__).parents[1]
FIELDS = (QAbstractSpinBox, QComboBox, QAbstractSlider)
PLAIN = re.compile(r"\b(Q(Double)?SpinBox|Q(Font)?ComboBox|QSlider|QDial|Q(Date|Time)\w*Edit)\(")


def turn(widget: QWidget, notches: int = -1, point: QPoint | None = None) -> None:
    """Turns the wheel over a widget, or a place of it, as a mouse does."""
    window = widget.window()
    at = widget.mapTo(window, point or widget.rect().center())
    QTest.wheelEvent(window.windowHandle(), at, QPoint(0, 120 * notches))


def drag(widget: QWidget, button: Qt.MouseButton, point: QPoint) -> None:
    """Drags up from a place of a widget."""
    window = widget.window().windowHandle()
    start, held = widget.mapTo(widget.window(), point), Qt.KeyboardModifier.NoModifier
    QTest.mousePress(window, button, held, start)
    for step in range(1, 6):
        QTest.mouseMove(window, start - QPoint(0, 8 * step), 20)
    QTest.mouseRelease(window, button, held, start - QPoint(0, 40))


def fields(page: QWidget) -> list[QWidget]:
    found_fields = [widget for widget in page.findChildren(QWidget) if isinstance(widget, FIELDS)]
    return [field for field in found_fields if not isinstance(field, QScrollBar)]


def value(field: QWidget) -> object:
    if isinstance(field, QComboBox):
        return field.currentIndex()
    return field.property("value")


def around(field: QWidget) -> QScrollArea | None:
    parent = field.parentWidget()
    while parent is not None and not isinstance(parent, QScrollArea):
        parent = parent.parentWidget()
    return parent


@pytest.mark.parametrize("key", ["train", "evaluate", "levels", "map"])
def test_fields_without_the_keys_leave_the_wheel_to_the_form(
    qtbot: QtBot, open_desk: Callable[[Path], WindowController], toy: Path, tmp_path: Path, key: str
) -> None:
    desk, page = open_page(open_desk, toy, tmp_path, key)
    desk.window.resize(1280, 480)
    qtbot.wait(300)
    turned = 0
    for field in fields(page):
        desk.window.setFocus()
        form = around(field)
        assert field.focusPolicy() == Qt.FocusPolicy.StrongFocus, field.accessibleName()
        if form is None or not field.isVisible() or not field.isEnabled():
            continue
        form.ensureWidgetVisible(field)
        bar = form.verticalScrollBar()
        before, position = value(field), bar.value()
        down = position < bar.maximum()
        turn(field, -1 if down else 1)
        assert value(field) == before, field.accessibleName()
        assert not field.hasFocus(), field.accessibleName()
        assert bar.maximum() == 0 or bar.value() != position, field.accessibleName()
        turned += 1
    assert turned > 1


def test_curves_leave_the_wheel_to_the_page_and_stay_where_they_are(
    qtbot: QtBot, open_desk: Callable[[Path], WindowController], trained: Path, tmp_path: Path
) -> None:
    with opened_copy(trained, tmp_path) as workspace:
        request = EvaluationRequest(workspace.folder, "coverage", (VECTORS, TRAINED), ontology_id=1)
        evaluate(workspace, request, JobControl(), quiet)
    desk = open_desk(tmp_path / "workspace")
    page = show(desk, "evaluate")
    desk.window.resize(1280, 480)
    curves = page.results.curves.plot
    qtbot.waitUntil(curves.isVisible)
    view, form = curves.plot.viewport(), around(curves)
    assert form is not None
    bar = form.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 0)
    form.ensureWidgetVisible(curves)
    qtbot.wait(100)  # drawn, its axes fitted
    before = curves.item.viewRange()
    for x in (view.width() // 2, 20):  # over the curves, and over the axis
        bar.setValue(bar.maximum())
        turn(view, 1, QPoint(x, view.height() // 2))
        assert bar.value() < bar.maximum()
    bar.setValue(bar.maximum())
    for button in (Qt.MouseButton.MiddleButton, Qt.MouseButton.LeftButton):
        for x in (view.width() // 2, 20):
            drag(view, button, QPoint(x, view.height() // 2))
    qtbot.wait(100)
    assert curves.item.viewRange() == before


@pytest.mark.parametrize("make", [inputs.NumberBox, inputs.ChoiceBox, inputs.Slider])
def test_the_wheel_changes_a_field_once_it_has_the_keys(
    qtbot: QtBot, make: Callable[[], QWidget]
) -> None:
    window, field = QWidget(), make()
    if isinstance(field, QComboBox):
        field.addItems(["one", "two"])
    other = QLineEdit()
    row = QHBoxLayout(window)
    row.addWidget(other)
    row.addWidget(field)
    qtbot.addWidget(window)
    window.show()
    window.activateWindow()
    other.setFocus()
    notches = -1 if isinstance(field, QComboBox) else 1
    before = value(field)
    turn(field, notches)
    assert value(field) == before
    assert not field.hasFocus()
    field.setFocus()
    qtbot.waitUntil(field.hasFocus)
    turn(field, notches)
    assert value(field) != before


def test_no_field_is_made_that_takes_the_wheel_anyway() -> None:
    plain = {path.name for path in VIEWS.rglob("*.py") if PLAIN.search(path.read_text("utf-8"))}
    assert not plain, "make their fields of those in views.inputs"
