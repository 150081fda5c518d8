"""Text filters find a text however it is written, as the search does."""

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from termexplorer.models.change_table import ChangeTableModel
from termexplorer.services.curate.release_change import Change
from termexplorer.views.judging.answer_list import AnswerList, GivenAnswer
from termexplorer.views.widgets.ui_state import UiState

WRITTEN = [
    ("beta", "TNF β"), ("B12", "vitamin B₁₂"), ("strasse", "Straße"), ("sjogren", "Sjögren"),
    ("CROHNS", "Crohn’s disease"), ("β", "beta blocker"),
]  # fmt: skip


@pytest.mark.parametrize(("typed", "shown"), WRITTEN)
def test_answers(qtbot: QtBot, tmp_path: Path, typed: str, shown: str) -> None:
    answers = AnswerList("Answers", UiState(tmp_path / "user.ini", tmp_path))
    qtbot.addWidget(answers)
    given = [GivenAnswer(0, shown, "x", "same", ""), GivenAnswer(1, "y", "z", "same", "")]
    answers.show_answers(given)
    answers.text.setText(typed)
    assert answers.table.model().rowCount() == 1


@pytest.mark.parametrize(("typed", "shown"), WRITTEN)
def test_changes(typed: str, shown: str) -> None:
    changes = [
        Change("renamed", f"T:{at}", text, (), (), None, None)
        for at, text in enumerate((shown, "y"))
    ]
    model = ChangeTableModel()
    model.show_changes(changes)
    model.show_text(typed)
    assert [row.name for row in model.rows] == [shown]
