"""A study is renamed, given another annotator, and removed, on the Judge page."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot
from toy_studies import ANNA, BEN, answer_all, make, opened
from toy_window import LONG, show

from termexplorer.desk import WindowController
from termexplorer.services.studies.judging import Judging
from termexplorer.services.verdicts.log import check_log


def test_a_study_is_renamed_given_another_annotator_and_removed(
    qtbot: QtBot, open_desk: Callable[[Path], WindowController], tmp_path: Path
) -> None:
    with opened(tmp_path / "judged") as workspace:
        make(workspace)
        answer_all(Judging(workspace, 1, ANNA))
    desk = open_desk(tmp_path / "judged")
    page = show(desk, "judge")
    page.show_part("Studies")
    part = page.studies
    qtbot.waitUntil(part.later.change.isEnabled, timeout=LONG)
    model, form = part.table.model(), part.change

    def cell(column: int) -> str:
        return str(model.index(0, column).data())

    part.later.change.click()
    assert not form.rename.isEnabled()
    form.name.setText("Another title")
    qtbot.keyClick(form.name, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: cell(1) == "Another title", timeout=LONG)
    assert part.table.isVisible()
    part.later.change.click()
    form.annotator.setText("Cleo")
    form.add.click()
    qtbot.waitUntil(lambda: cell(2) == f"{ANNA}, {BEN}, Cleo", timeout=LONG)
    part.later.change.click()
    form.annotator.setText(BEN)
    form.add.click()
    qtbot.waitUntil(lambda: "judges in study 1 already" in desk.window.notice.text, timeout=LONG)
    assert form.isVisible()
    form.remove.click()
    qtbot.waitUntil(lambda: "11 rows of the log stay" in form.message.text(), timeout=LONG)
    assert BEN in form.message.text()
    form.keep.click()
    assert not form.confirm.isVisible()
    form.remove.click()
    form.confirm.click()
    qtbot.waitUntil(lambda: model.rowCount() == 0, timeout=LONG)
    assert check_log(desk.shared.workspace) == 11
    assert not part.later.change.isEnabled()
