"""One answer to several suggestions, taken back as one step; and lists on the tab of their kind."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QItemSelectionModel, Qt
from pytestqt.qtbot import QtBot
from suggestions_page_steps import read
from toy_window import show
from toy_workspace import VECTORS, opened_copy

from termexplorer.desk import WindowController
from termexplorer.services.curate.suggestion_files import SssomRow, SuggestionSheet
from termexplorer.services.curate.suggestion_lists import keep_suggestions
from termexplorer.services.explore.ontologies import find_ontology
from termexplorer.services.verdicts.log import check_log, judged
from termexplorer.services.verdicts.people import add_person
from termexplorer.views.curate.page import CuratePage

EXACT, BROAD = "skos:exactMatch", "skos:broadMatch"
ROWS = [  # concept, its name, predicate, probability; all are mapped to "Lungs"
    ("TOY:2", "lungs", EXACT, 0.9),
    ("TOY:3", "lung", EXACT, 0.9),
    ("TOY:4", "Lungs", EXACT, 0.95),
    ("TOY:5", "lungs", BROAD, 0.9),
    ("TOY:6", "lungs", EXACT, 0.65),  # perhaps something else that is called so
]


@pytest.fixture
def page(
    qtbot: QtBot, open_desk: Callable[[Path], WindowController], toy: Path, tmp_path: Path
) -> CuratePage:
    """The page with a list of mappings and one of duplicates, and Anna, who judges."""
    with opened_copy(toy, tmp_path) as workspace:
        add_person(workspace, "Anna", "")
        ontology = find_ontology(workspace, "1")
        for kind in ("mappings", "duplicates"):
            rows = [[subject, name, probability] for subject, name, _, probability in ROWS]
            mappings = [
                SssomRow(subject, name, predicate, "TOY:1", "Lungs", "semapv:X", probability, "")
                for subject, name, predicate, probability in ROWS
            ]
            header = ("concept", "name", "probability")
            sheet = SuggestionSheet(ontology, ontology, (VECTORS,), header, rows, mappings)
            keep_suggestions(workspace, kind, sheet, {}, [])
        folder = workspace.folder
    desk = open_desk(folder)
    page = show(desk, "curate")
    assert isinstance(page, CuratePage)
    desk.window.activateWindow()
    qtbot.waitUntil(desk.window.isActiveWindow)
    part = page.suggestions
    qtbot.waitUntil(lambda: part.desk.review is not None and part.judge.judge is not None)
    read(qtbot, part)
    return page


def answers(page: CuratePage) -> dict[str, str]:
    """What counts, as the table and the log say alike."""
    desk = page.suggestions.desk
    shown = {
        str(row.about.subject): verdict.answer.answer
        for row in desk.model.rows
        if (verdict := desk.model.mine(row))
    }
    logged = judged(desk._shared.workspace)
    assert {verdict.subject.subject: verdict.answer.answer for verdict in logged} == shown
    return shown


def press(qtbot: QtBot, page: CuratePage, key: Qt.Key, *, control: bool = False) -> None:
    """Press a key in the table and wait until it is written."""
    desk = page.suggestions.desk
    modifier = Qt.KeyboardModifier.ControlModifier if control else Qt.KeyboardModifier.NoModifier
    with qtbot.waitSignal(desk.written):
        qtbot.keyClick(desk.table, key, modifier)
    qtbot.keyRelease(desk.table, key, modifier)


def test_selected_rows_get_one_answer_which_is_taken_back_and_brought_back_whole(
    qtbot: QtBot, page: CuratePage
) -> None:
    desk = page.suggestions.desk
    desk.table.setFocus()
    flag = QItemSelectionModel.SelectionFlag
    for row in (1, 3):
        desk.table.selectionModel().select(desk.model.index(row, 0), flag.Select | flag.Rows)
    assert len(desk.table.selected) == 3
    press(qtbot, page, Qt.Key.Key_W)
    assert answers(page) == dict.fromkeys(("TOY:2", "TOY:3", "TOY:5"), "wrong")
    assert desk.table.current is not None
    assert desk.table.current.about.subject == "TOY:4"  # the one that is open
    press(qtbot, page, Qt.Key.Key_Z, control=True)
    assert answers(page) == {}
    redo = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    with qtbot.waitSignal(desk.written):
        qtbot.keyClick(desk.table, Qt.Key.Key_Z, redo)
    assert answers(page) == dict.fromkeys(("TOY:2", "TOY:3", "TOY:5"), "wrong")
    assert check_log(desk._shared.workspace) == 9


def test_exact_mappings_of_equal_preferred_names_are_accepted_by_one_press(
    qtbot: QtBot, page: CuratePage
) -> None:
    desk = page.suggestions.desk
    assert desk.shown.equal_labels.text() == "Accept equal names (2)"
    with qtbot.waitSignal(desk.written):
        desk.shown.equal_labels.click()
    assert answers(page) == {"TOY:2": "correct", "TOY:4": "correct"}
    assert desk.shown.equal_labels.isHidden()
    with qtbot.waitSignal(desk.written):
        desk.bar.undo.click()
    assert answers(page) == {}
    assert desk.shown.equal_labels.isVisible()


def test_each_tab_has_the_lists_and_the_search_of_its_kind(qtbot: QtBot, page: CuratePage) -> None:
    part = page.suggestions
    assert part.list.count() == 1
    assert part.search.kind.count() == 2  # decided ones, and ranked ones
    page.show_part("Duplicates")
    assert [part.search.kind.itemData(row) for row in range(part.search.kind.count())] == [
        "duplicates"
    ]
    qtbot.waitUntil(
        lambda: (
            part.desk.review is not None
            and part.desk.review.suggestion_list.head.kind == "duplicates"
        )
    )
    assert part.desk.shown.equal_labels.isHidden()  # duplicates are looked at one by one
    page.show_part("Misplaced")
    qtbot.waitUntil(lambda: part.desk.review is None)
    assert part.list.count() == 0
