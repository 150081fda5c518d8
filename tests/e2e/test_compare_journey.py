"""The Compare page in the real window with real children, by mouse and keys."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication, QFileDialog, QTableView
from pytestqt.qtbot import QtBot
from toy_window import LONG, desks, idle, open_page
from toy_workspace import TRAINED, VECTORS

from termexplorer.desk import WindowController
from termexplorer.services.verdicts.log import check_log, judged
from termexplorer.views.compare.page import ComparePage
from termexplorer.views.curate.page import CuratePage
from termexplorer.views.curate.suggestions import SuggestionsPart
from termexplorer.views.widgets.theme import Scheme
from termexplorer.views.window.page import PageWidget

CONTROL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
LEFT = Qt.MouseButton.LeftButton
ANNA = "Anna Berg"
Said = tuple[str, str, str, str, str]
Opened = TypeVar("Opened", bound=PageWidget)


@pytest.fixture
def open_desk(qapp: QApplication, tmp_path: Path) -> Iterator[Callable[[Path], WindowController]]:
    with desks(qapp, tmp_path / "settings") as open_one:
        yield open_one


def open_by_key(qtbot: QtBot, desk: WindowController, key: Qt.Key, kind: type[Opened]) -> Opened:
    """Goes to a page by its key."""
    desk.window.activateWindow()
    qtbot.waitUntil(desk.window.isActiveWindow)
    qtbot.keyClick(desk.window, key, CONTROL)
    page = desk.window.page(kind.__name__.removesuffix("Page").lower())
    assert isinstance(page, kind)
    return page


def open_compare(qtbot: QtBot, desk: WindowController) -> ComparePage:
    return open_by_key(qtbot, desk, Qt.Key.Key_5, ComparePage)


def open_curate(qtbot: QtBot, desk: WindowController) -> CuratePage:
    return open_by_key(qtbot, desk, Qt.Key.Key_8, CuratePage)


def click_title(qtbot: QtBot, table: QTableView, column: int) -> None:
    header = table.horizontalHeader()
    middle = header.sectionViewportPosition(column) + header.sectionSize(column) // 2
    point = QPoint(middle, header.height() // 2)
    qtbot.mouseClick(header.viewport(), LEFT, pos=point)


def click_row(qtbot: QtBot, table: QTableView, row: int) -> None:
    index = table.model().index(row, 0)
    table.scrollTo(index)
    point = table.visualRect(index).center()
    qtbot.mouseClick(table.viewport(), LEFT, pos=point)


def press(qtbot: QtBot, part: SuggestionsPart, key: str, *modifiers: Qt.KeyboardModifier) -> None:
    """Presses a key where the keys go, and waits until what follows is on show."""
    here = QApplication.focusWidget()
    modifier = Qt.KeyboardModifier.NoModifier
    for key_modifier in modifiers:
        modifier |= key_modifier
    with qtbot.waitSignal(part.desk.writer.written, timeout=LONG):
        qtbot.keyClick(here, key, modifier)
    read(qtbot, part)


def read(qtbot: QtBot, part: SuggestionsPart) -> None:
    def there() -> bool:
        return part.desk.table.current is not None and part.desk.pair.has_shown(
            part.desk.table.current
        )

    qtbot.waitUntil(there, timeout=LONG)


def verdicts(desk: WindowController) -> list[Said]:
    """What counts, without the times."""
    return [
        (
            verdict.judge.name,
            verdict.subject.subject,
            verdict.subject.object,
            verdict.answer.answer,
            verdict.answer.note,
        )
        for verdict in judged(desk.shared.workspace)
    ]


def take_pictures(desk: WindowController, name: str) -> None:
    """In both themes, to be looked at where somebody says so."""
    folder = os.environ.get("TERMEXPLORER_PICTURES")
    if folder:
        Path(folder).mkdir(parents=True, exist_ok=True)
        for scheme in (Scheme.DARK, Scheme.LIGHT):
            desk.shared.theme.use(scheme)
            QApplication.processEvents()
            desk.window.grab().save(str(Path(folder) / f"{name}_{scheme.name.lower()}.png"))


def test_two_encoders_mention_by_mention(
    qtbot: QtBot, open_desk: Callable[[Path], WindowController], trained: Path, tmp_path: Path
) -> None:
    desk, _ = open_page(open_desk, trained, tmp_path, "explore")
    part = open_compare(qtbot, desk).encoders
    qtbot.waitUntil(lambda: bool(part.form.level_choice.levels), timeout=LONG)
    part.form.encoders.choose((VECTORS, TRAINED))
    qtbot.waitUntil(part.form.compare.isEnabled, timeout=LONG)
    qtbot.keyClick(part.form.task, Qt.Key.Key_Return, CONTROL)
    mentions, side = part.mentions, part.side
    qtbot.waitUntil(lambda: mentions.model.rowCount() > 0, timeout=LONG)
    idle(qtbot, desk)

    # sorted by a click on a title, the highest first, and the other way by another click
    column = mentions.model.header.index("Difference")
    total = mentions.model.rowCount()
    for turn in (-1, 1):
        before = mentions.model.places
        click_title(qtbot, mentions.table, column)
        qtbot.waitUntil(lambda before=before: mentions.model.places is not before, timeout=LONG)
        values = mentions.model.sheet.values[mentions.model.places, column - 1]
        known = values[np.isfinite(values)]
        assert (turn * np.diff(known) >= 0).all()
        assert known.min() < known.max()

    # a mention by the mouse, then all its names
    click_row(qtbot, mentions.table, 2)
    text = mentions.model.index(2, 0).data()
    qtbot.waitUntil(lambda: side.title.text() == text, timeout=LONG)
    qtbot.waitUntil(side.more.isVisible, timeout=LONG)
    rows = side.model.rowCount()
    qtbot.mouseClick(side.more, LEFT)
    qtbot.waitUntil(lambda: not side.more.isVisible(), timeout=LONG)
    assert total > side.model.rowCount() > rows == 100
    take_pictures(desk, "compare_encoders")

    # keys alone find another one and go to its concept
    mentions.filter.setFocus()
    qtbot.keyClicks(mentions.filter, "sequel of viral tumour of the left lung")
    qtbot.waitUntil(lambda: mentions.model.rowCount() == 1, timeout=LONG)
    qtbot.waitUntil(lambda: side.title.text().startswith("sequel of viral"), timeout=LONG)
    mentions.table.setFocus()
    qtbot.keyClick(mentions.table, Qt.Key.Key_Return)
    explore = desk.window.page("explore")
    qtbot.waitUntil(explore.isVisible, timeout=LONG)


def test_find_judge_close_open_and_hand_on(
    qtbot: QtBot,
    open_desk: Callable[[Path], WindowController],
    trained: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    desk, _ = open_page(open_desk, trained, tmp_path / "first", "explore")
    page = open_curate(qtbot, desk)
    page.tabs.setFocus()
    for _ in range(2):
        qtbot.keyClick(page.tabs, Qt.Key.Key_Right)
    part = page.suggestions
    assert part.isVisible()

    # who judges, and what is looked for
    qtbot.keyClicks(part.judge.name, ANNA)
    qtbot.keyClick(part.judge.name, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: part.judge.judge is not None, timeout=LONG)
    qtbot.waitUntil(part.search.look.isEnabled, timeout=LONG)
    part.search.encoders.choose((VECTORS, TRAINED))
    qtbot.waitUntil(part.search.look.isEnabled, timeout=LONG)
    take_pictures(desk, "suggestions_search")
    qtbot.keyClick(part.search.look, Qt.Key.Key_Return, CONTROL)
    qtbot.waitUntil(lambda: part.desk.review is not None, timeout=LONG)
    idle(qtbot, desk)
    read(qtbot, part)
    assert part.desk.table.hasFocus()  # the first verdict is one key away

    # judged one after the other, with a note on one, taken back and brought back
    asked = [row.about for row in part.desk.model.rows[:4]]
    press(qtbot, part, "c")
    press(qtbot, part, "w")
    qtbot.keyClick(part.desk.table, "n")
    qtbot.keyClicks(part.desk.bar.note, "ask the cardiologists")
    qtbot.keyClick(part.desk.bar.note, Qt.Key.Key_Return)
    press(qtbot, part, "u")
    press(qtbot, part, "l")
    press(qtbot, part, "z", CONTROL)
    press(qtbot, part, "z", CONTROL)
    press(qtbot, part, "z", CONTROL, SHIFT)
    answers = (("correct", ""), ("wrong", ""), ("unsure", "ask the cardiologists"))
    expected = [
        (ANNA, about.subject, about.object, answer, note)
        for about, (answer, note) in zip(asked[:3], answers, strict=True)
    ]
    assert verdicts(desk) == expected
    assert ": 1 correct, 1 wrong, 1 unsure" in part.desk.shown.progress.text()
    take_pictures(desk, "suggestions_judged")

    # closed and opened again: at the first that is open, what was said is there
    folder = desk.shared.workspace.folder
    desk.close()
    desk = open_desk(folder)
    part = open_curate(qtbot, desk).suggestions
    qtbot.waitUntil(lambda: part.desk.review is not None, timeout=LONG)
    read(qtbot, part)
    assert part.desk.table.current is not None
    assert part.desk.table.current.about == asked[3]
    words = [part.desk.model.index(row, 0).data() for row in range(4)]
    assert words == ["✓ correct", "✗ wrong", "? unsure", ""]
    click_row(qtbot, part.desk.table, 2)
    assert part.desk.bar.note.text() == "ask the cardiologists"
    assert (verdicts(desk), check_log(desk.shared.workspace)) == (expected, 7)

    # handed on to somebody with a workspace of their own
    path = tmp_path / "reviewed.sssom.tsv"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(path), ""))
    qtbot.mouseClick(part.files.write, LEFT)
    qtbot.waitUntil(lambda: "Exported" in desk.window.notice.text, timeout=LONG)
    desk.close()
    other, _ = open_page(open_desk, trained, tmp_path / "second", "explore")
    page = open_curate(qtbot, other)
    part = page.suggestions
    qtbot.mouseClick(page.tabs, LEFT, pos=page.tabs.tabRect(1).center())
    qtbot.mouseClick(part.files.read, LEFT)
    qtbot.waitUntil(lambda: part.desk.review is not None, timeout=LONG)
    assert "3 verdicts, 3 of them new" in other.window.notice.text
    assert verdicts(other) == expected
    rows = [[part.desk.model.index(row, n).data() for n in (0, 1)] for row in range(4)]
    others_said = [["", word] for word in words]  # by somebody else than who sits here
    others_said[1][0] = "✗ rejected before"  # which is not asked of anybody again
    assert rows == others_said
    assert part.judge.judge is None
    take_pictures(other, "suggestions_imported")
