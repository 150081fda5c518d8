"""Mappings carried over to a newer release in the window, and what is stale reviewed by keys."""

import shutil
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from carried_mappings import ABSCESS, INTO, NEW_STONE, TUMOR, write_mappings, write_releases
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot
from suggestions_page_steps import read
from toy_window import LONG, show
from toy_workspace import load

from termexplorer.desk import WindowController
from termexplorer.services.curate.mapping_states import STALE
from termexplorer.services.curate.suggestion_lists import kept_lists
from termexplorer.services.verdicts.log import Judge
from termexplorer.services.verdicts.people import add_person
from termexplorer.views.curate.carry_panel import CarryPanel
from termexplorer.views.curate.page import CuratePage
from termexplorer.workspace import Workspace


@pytest.fixture(scope="module")
def both_releases(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("carried")
    with closing(Workspace(folder / "workspace")) as workspace:
        for path in write_releases(folder):
            load(workspace, path)
        add_person(workspace, "Ben")
    return folder / "workspace"


@pytest.fixture
def opened(
    open_desk: Callable[[Path], WindowController], both_releases: Path, tmp_path: Path
) -> WindowController:
    return open_desk(shutil.copytree(both_releases, tmp_path / "workspace"))


def open_panel(qtbot: QtBot, desk: WindowController) -> CarryPanel:
    page = show(desk, "curate")
    page.show_part("Releases")
    qtbot.waitUntil(lambda: page.releases.model.rowCount() > 0)
    page.releases.carry.click()
    panel = desk.window.findChild(CarryPanel)
    assert isinstance(panel, CarryPanel)
    return panel


def carry(qtbot: QtBot, desk: WindowController, path: Path) -> CuratePage:
    """Carry a file's mappings over, and go to their review."""
    panel = open_panel(qtbot, desk)
    panel.mappings.choose_file(path)
    with qtbot.waitSignal(desk.shared.notices.notice_shown, timeout=LONG) as shown:
        qtbot.keyClick(panel, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    (notice,) = shown.args
    assert not notice.error, notice.text
    notice.act()
    page = desk.window.page("curate")
    assert isinstance(page, CuratePage)
    desk.window.activateWindow()
    qtbot.waitUntil(lambda: page.suggestions.desk.review is not None)
    return page


def test_what_could_not_be_carried_over_is_still_chosen(
    qtbot: QtBot, opened: WindowController, tmp_path: Path
) -> None:
    path = tmp_path / "their.sssom.tsv"
    path.write_text("nothing of the kind\n", encoding="utf-8")
    panel = open_panel(qtbot, opened)
    panel.choose_again(str(path), "2", "1")
    with qtbot.waitSignal(opened.shared.notices.notice_shown, timeout=LONG) as shown:
        panel.start.click()
    assert shown.args[0].error
    qtbot.waitUntil(lambda: opened.window.findChild(CarryPanel) is None)
    panel = open_panel(qtbot, opened)
    assert (panel.mappings.key, panel.older.key, panel.newer.key) == (str(path), "2", "1")


def test_both_releases_are_chosen_and_a_file_is_asked_for(
    qtbot: QtBot, opened: WindowController
) -> None:
    panel = open_panel(qtbot, opened)
    assert (panel.older.key, panel.newer.key, panel.mappings.key) == ("1", "2", "")
    assert not panel.start.isEnabled()
    assert panel.hint.text() == panel.missing != ""
    panel.mappings.choose_file(Path("m.sssom.tsv"))
    assert panel.start.isEnabled()
    panel.newer.choose_key("1")
    assert not panel.start.isEnabled()


def test_what_is_stale_is_shown_and_answered_by_keys_and_undone(
    qtbot: QtBot, opened: WindowController, tmp_path: Path
) -> None:
    part = carry(qtbot, opened, write_mappings(tmp_path)).suggestions
    desk = part.desk
    assert [row.about.object for row in desk.model.rows] == [INTO, NEW_STONE, ABSCESS]
    assert desk.shown.state.currentData() == STALE
    qtbot.waitUntil(lambda: part.judge.box.findText("Ben") >= 0)
    assert part.window().focusWidget() is desk.table
    part.judge.show_people([Judge("Ben")])
    read(qtbot, part)
    assert desk.pair.past.text()
    qtbot.keyClick(desk.table, "b")
    qtbot.waitUntil(lambda: desk.table.current is desk.model.rows[1])
    mine = desk.model.mine(desk.model.rows[0])
    assert mine is not None
    assert mine.answer.answer == "changed"
    read(qtbot, part)
    qtbot.keyClick(desk.table, "c")
    qtbot.waitUntil(lambda: desk.model.mine(desk.model.rows[1]) is not None)
    desk.bar.undo.click()
    qtbot.waitUntil(lambda: desk.model.mine(desk.model.rows[1]) is None)
    desk.table.selectRow(2)
    read(qtbot, part)
    assert desk.pair.question.text().endswith("do not mean the same")
    qtbot.keyClick(desk.table, "c")
    qtbot.waitUntil(lambda: desk.model.mine(desk.model.rows[2]) is not None)
    denial = desk.model.mine(desk.model.rows[2])
    assert denial is not None
    assert denial.answer.answer == "wrong"  # of the mapping, as the log keeps it
    assert desk.model.index(2, 0).data() == "✓ correct"
    desk.shown.clear.click()
    assert [row.about.object for row in desk.model.rows][3] == TUMOR
    assert [verdict.judge.name for verdict in desk.model.others(desk.model.rows[3])] == ["Anna"]


def test_a_list_of_the_workspace_is_offered_and_carried(
    qtbot: QtBot, opened: WindowController, tmp_path: Path
) -> None:
    page = carry(qtbot, opened, write_mappings(tmp_path))
    (carried,) = kept_lists(opened.shared.workspace)
    assert page.tabs.tabText(page.tabs.currentIndex()) == "Mappings"
    panel = open_panel(qtbot, opened)
    assert panel.mappings.key == str(carried.id)


def test_it_is_cancelled(qtbot: QtBot, opened: WindowController, tmp_path: Path) -> None:
    panel = open_panel(qtbot, opened)
    panel.mappings.choose_file(write_mappings(tmp_path))
    jobs = opened.shared.jobs
    panel.start.click()
    qtbot.waitUntil(lambda: bool(jobs.running()), timeout=LONG)
    (job,) = jobs.running()
    with qtbot.waitSignal(job.cancelled, timeout=LONG):
        jobs.cancel(job)
    assert kept_lists(opened.shared.workspace) == []
