"""A list mapped, reviewed, closed, opened again, and taken along: by keys in a real window."""

import csv
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import openpyxl
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from suggestions_page_steps import read
from toy_window import LONG, show
from toy_workspace import opened_copy

from termexplorer.desk import WindowController
from termexplorer.services.curate.review_files import write_review
from termexplorer.services.curate.sssom_import import import_sssom
from termexplorer.services.verdicts.log import judged
from termexplorer.services.verdicts.mapping_answers import find_chosen
from termexplorer.views.curate.list_panel import ListPanel
from termexplorer.views.curate.suggestions import SuggestionsPart
from termexplorer.workspace import Workspace

CODES = "code,name,n\nL1,lung disease,4\nL2,heart disease,9\nL3,purple shoe,2\nL4,lung,1\n"
TABLES = (".csv", ".tsv", ".xlsx", ".jsonl", ".json", ".parquet")
FORMS = (".sssom.tsv", ".conceptmap.json", ".usagi.csv", *TABLES)
CONTROL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
PLAIN = Qt.KeyboardModifier.NoModifier
Answers = dict[str, tuple[str, str]]


def press(key: str | Qt.Key, modifier: Qt.KeyboardModifier = PLAIN) -> None:
    """Press a key where the focus is."""
    focused = QApplication.focusWidget()
    assert focused is not None
    QTest.keyClick(focused, key, modifier)  # type: ignore[call-overload]


def map_list(qtbot: QtBot, desk: WindowController, path: Path) -> SuggestionsPart:
    """Ctrl+L, the file, Ctrl+Enter; then the list of what came of it."""
    page = show(desk, "curate")
    desk.window.activateWindow()
    qtbot.waitUntil(desk.window.isActiveWindow)
    page.suggestions.map_list.setFocus()
    press(Qt.Key.Key_L, CONTROL)
    panel = desk.window.findChild(ListPanel)
    assert isinstance(panel, ListPanel)
    assert panel.file.hasFocus()
    QTest.keyClicks(panel.file, str(path))
    press(Qt.Key.Key_Return)
    qtbot.waitUntil(panel.start.isEnabled)
    with qtbot.waitSignal(desk.shared.notices.notice_shown, timeout=LONG) as shown:
        press(Qt.Key.Key_Return, CONTROL)
    assert not shown.args[0].error, shown.args[0].text
    shown.args[0].act()
    return wait_for_list(qtbot, page.suggestions)


def wait_for_list(qtbot: QtBot, part: SuggestionsPart) -> SuggestionsPart:
    qtbot.waitUntil(lambda: part.desk.review is not None)
    read(qtbot, part)
    return part


def answer(qtbot: QtBot, part: SuggestionsPart, key: str, modifier: object = PLAIN) -> None:
    """Press a key that writes, and wait until the next pair is on show."""
    with qtbot.waitSignal(part.desk.written):
        press(key, modifier)  # type: ignore[arg-type]
    read(qtbot, part)


def go_to_row(qtbot: QtBot, part: SuggestionsPart, row: int) -> None:
    """Ctrl+Home, and Down as often as need be."""
    press(Qt.Key.Key_Home, CONTROL)
    for _ in range(row):
        press(Qt.Key.Key_Down)
    assert part.desk.table.currentIndex().row() == row
    read(qtbot, part)


def read_answers(workspace: Workspace) -> Answers:
    chosen = {str(v.subject.subject): find_chosen(v.subject, v.answer) for v in judged(workspace)}
    return {code: (c.predicate, c.object) for code, c in chosen.items() if c}


def check_files(workspace: Workspace, list_id: int, folder: Path, answers: Answers) -> None:
    """Every form comes in again with the same answers, and tables hold them."""
    for number, suffix in enumerate(FORMS):
        path = folder / f"list{suffix}"
        write_review(workspace, path, list_id)
        with closing(Workspace(folder / f"other{number}")) as other:
            import_sssom(other, path)
            assert read_answers(other) == answers
    with (folder / "list.csv").open(newline="", encoding="utf-8") as file:
        table = [list(row.values()) for row in csv.DictReader(file)]
    book = openpyxl.load_workbook(folder / "list.xlsx").worksheets[0]
    objects = {object_ for _, object_ in answers.values()}
    assert objects <= {cell for row in table for cell in row}
    assert objects <= {cell for row in book.iter_rows(values_only=True) for cell in row}
    assert (folder / "list.parquet").read_bytes()[:4] == b"PAR1"


def test_a_list_is_mapped_reviewed_and_taken_along_by_keys(
    qtbot: QtBot, open_desk: Callable[[Path], WindowController], toy: Path, tmp_path: Path
) -> None:
    path = tmp_path / "codes.csv"
    path.write_text(CODES, "utf-8")
    with opened_copy(toy, tmp_path) as workspace:
        folder = workspace.folder
    desk = open_desk(folder)
    part = map_list(qtbot, desk, path)
    part.judge.name.setFocus()
    QTest.keyClicks(part.judge.name, "Anna")
    press(Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: part.desk.judge is not None)
    read(qtbot, part)
    assert part.desk.review is not None
    list_id = part.desk.review.suggestion_list.id
    candidates = part.desk.pair.candidates
    assert candidates.candidates
    press("1")
    answer(qtbot, part, "b")
    press("1")
    answer(qtbot, part, "e")
    go_to_row(qtbot, part, 2)
    press(Qt.Key.Key_Down, SHIFT)
    answer(qtbot, part, "0")
    answers = read_answers(desk.shared.workspace)
    assert len(answers) == 4
    answer(qtbot, part, "z", CONTROL)
    answers = read_answers(desk.shared.workspace)
    assert len(answers) == 2
    go_to_row(qtbot, part, 2)
    answer(qtbot, part, "0")
    answers = read_answers(desk.shared.workspace)
    desk.close()

    desk = open_desk(folder)
    part = wait_for_list(qtbot, show(desk, "curate").suggestions)
    qtbot.waitUntil(lambda: part.desk.judge is not None)
    assert part.desk.review is not None
    assert part.desk.review.suggestion_list.id == list_id
    assert read_answers(desk.shared.workspace) == answers
    assert sum(part.desk.model.mine(row) is not None for row in part.desk.model.rows) == 3
    check_files(desk.shared.workspace, list_id, tmp_path, answers)
