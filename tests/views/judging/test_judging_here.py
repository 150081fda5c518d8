"""A study that is in the workspace is judged there, without a file."""

from pathlib import Path

import pytest
from judging_windows import press, set_pause
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from toy_studies import ANNA, BEN, make, opened
from typer.testing import CliRunner

from termexplorer.cli.commands import app
from termexplorer.errors import UserError
from termexplorer.judging_app import StudySeat, judging_window
from termexplorer.services.studies.status import study_status


def test_verdicts_of_a_study_that_is_here_go_to_its_workspace(
    qtbot: QtBot, qapp: QApplication, tmp_path: Path
) -> None:
    with opened(tmp_path / "clinic") as author:
        make(author, practice=0)
    set_pause(tmp_path, 0)
    seat, settings = StudySeat(1, ANNA), tmp_path / "settings"
    with judging_window(qapp, seat, tmp_path / "clinic", settings) as window:
        window.show()
        press(qtbot, window.judging, Qt.Key.Key_Return)
        press(qtbot, window.judging, "s")
    with opened(tmp_path / "clinic") as author:
        judged = {row.annotator: row.judged for row in study_status(author, 1).seats}
    assert judged[ANNA] == 1
    assert not judged[BEN]


def test_who_is_not_asked_in_a_study_cannot_judge_it(qapp: QApplication, tmp_path: Path) -> None:
    with opened(tmp_path / "clinic") as author:
        make(author)
    for seat in (StudySeat(1, "Nobody"), StudySeat(2, ANNA)):
        with (
            pytest.raises(UserError),
            judging_window(qapp, seat, tmp_path / "clinic", tmp_path / "settings"),
        ):
            pass


@pytest.mark.parametrize(
    "words", [[], ["a.termstudy", "--study", "1"], ["--study", "1"], ["--as", ANNA]]
)
def test_what_to_judge_is_named_once_and_whole(words: list[str]) -> None:
    done = CliRunner().invoke(app, ["judge", *words])
    assert done.exit_code == 2
    assert "--study" in done.output
