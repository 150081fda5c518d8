"""Who judges: chosen, or entered."""

from pytestqt.qtbot import QtBot

from termexplorer.desk import WindowController
from termexplorer.services.verdicts.people import Judge
from termexplorer.views.judging.judge_box import JudgeBox


def test_a_name_that_was_cancelled_is_not_there_again(qtbot: QtBot, desk: WindowController) -> None:
    box = JudgeBox(desk.shared)
    qtbot.addWidget(box)
    box.show_people([Judge("Anna")])
    box.box.setCurrentIndex(1)
    box.box.activated.emit(1)
    box.name.setText("Be")
    box.orcid.setText("0000")
    box.back.click()
    assert box.judge == Judge("Anna")
    assert (box.name.text(), box.orcid.text()) == ("", "")
    box.close_box()
