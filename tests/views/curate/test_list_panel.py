"""A list of codes mapped in the window: chosen, its columns told, and shown for review."""

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot
from toy_window import LONG, show
from toy_workspace import opened_copy

from termexplorer.desk import WindowController
from termexplorer.views.curate.list_panel import ListPanel
from termexplorer.views.curate.page import CuratePage


@pytest.fixture
def folder(toy: Path, tmp_path: Path) -> Path:
    with opened_copy(toy, tmp_path) as workspace:
        return workspace.folder


def open_panel(qtbot: QtBot, desk: WindowController, path: Path) -> ListPanel:
    show(desk, "curate").suggestions.map_list.click()
    panel = desk.window.findChild(ListPanel)
    assert isinstance(panel, ListPanel)
    panel.choose(path)
    qtbot.waitUntil(lambda: panel.columns["code"].count() > 1 or "line" in panel.hint.text())
    return panel


def test_columns_are_guessed_and_can_be_chosen(
    qtbot: QtBot, desk: WindowController, tmp_path: Path
) -> None:
    path = tmp_path / "codes.csv"
    path.write_text("what,local code,name,n\nx,L1,lung disease,4\ny,L2,heart tumour,9\n", "utf-8")
    panel = open_panel(qtbot, desk, path)
    chosen = {field: box.currentData() for field, box in panel.columns.items()}
    assert chosen == {"code": 2, "name": 3, "frequency": 4, "known": 0}
    assert panel.preview.model().rowCount() == 2
    assert panel.start.isEnabled()  # the one ontology is ticked
    panel.columns["name"].setCurrentIndex(panel.columns["name"].findData(2))
    panel.columns["name"].activated.emit(2)
    assert not panel.start.isEnabled()
    assert panel.hint.text()


def test_a_list_is_mapped_and_reviewed_the_most_frequent_first(
    qtbot: QtBot, desk: WindowController, tmp_path: Path
) -> None:
    path = tmp_path / "codes.csv"
    path.write_text("code,name,n\nL1,lung disease,4\nL2,heart tumour,9\n", "utf-8")
    panel = open_panel(qtbot, desk, path)
    with qtbot.waitSignal(desk.shared.notices.notice_shown, timeout=LONG) as shown:
        panel.start.click()
    (notice,) = shown.args
    assert not notice.error, notice.text
    notice.act()
    page = desk.window.page("curate")
    assert isinstance(page, CuratePage)
    qtbot.waitUntil(lambda: page.suggestions.desk.review is not None)
    review = page.suggestions.desk.review
    assert review is not None
    assert [suggestion.cells[0] for suggestion in review.suggestions] == ["L2", "L1"]
