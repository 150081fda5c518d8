"""The Train page in three lines: what to learn from, how long, and Train."""

import shutil
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot
from toy_window import idle, pick
from train_page_steps import Opened

from termexplorer.desk import WindowController
from termexplorer.views.train.page import TrainPage
from termexplorer.views.train.three_lines import LEVEL, OTHER, RECIPE_OF, SYNONYMS, TEXT, THOROUGH


@pytest.fixture
def opened(
    qtbot: QtBot, open_desk: Callable[[Path], WindowController], toy: Path, tmp_path: Path
) -> Opened:
    desk = open_desk(shutil.copytree(toy, tmp_path / "copy"))
    desk.shared.errands.show_page.emit("train")
    page = desk.window.page("train")
    qtbot.waitUntil(page.form.train.isEnabled)
    return desk, page


def primary(page: TrainPage) -> list[QPushButton]:
    buttons = page.findChildren(QPushButton)
    return [button for button in buttons if button.property("primary") and button.isVisible()]


def test_two_choices_stand_for_a_recipe_and_one_button_trains_it(
    qtbot: QtBot, opened: Opened
) -> None:
    _, page = opened
    form, lines = page.form, page.form.three_lines
    assert form.folded.isHidden()
    for (source, length), recipe in RECIPE_OF.items():
        pick(qtbot, lines.source, source)
        pick(qtbot, lines.length, length)
        lines.length.activated.emit(lines.length.currentIndex())
        assert form.request().recipe == recipe
        assert (lines.source.currentData(), lines.length.currentData()) == (source, length)
        assert "minute" in lines.length.currentText()
        assert primary(page) == [form.train]
    pick(qtbot, lines.source, LEVEL)
    qtbot.waitUntil(lambda: form.learned.level.summary.text() in lines.about.text())
    assert form.beneath.chosen_label in lines.about.text()


def test_another_recipe_is_named_until_one_of_the_lines_is_chosen(
    qtbot: QtBot, opened: Opened
) -> None:
    _, page = opened
    lines = page.form.three_lines
    page.form.recipe.choose("cca")
    assert lines.source.currentData() == OTHER
    assert "CCA" in lines.source.currentText()
    assert not lines.length.isVisible()
    pick(qtbot, lines.source, SYNONYMS)
    assert page.form.recipe.currentData() == RECIPE_OF[SYNONYMS, "quick"]
    assert lines.source.findData(OTHER) < 0


def test_the_lines_are_of_the_quick_preset(qtbot: QtBot, opened: Opened) -> None:
    _, page = opened
    form, lines = page.form, page.form.three_lines
    pick(qtbot, lines.source, SYNONYMS)
    form.preset.setCurrentIndex(form.preset.findData("paper"))
    assert lines.source.currentData() == OTHER
    pick(qtbot, lines.source, SYNONYMS)
    assert form.request().preset == "quick"


def test_for_text_the_button_trains_vectors_and_their_form_is_shown(
    qtbot: QtBot, opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk, page = opened
    form = page.form
    pick(qtbot, form.three_lines.source, TEXT)
    assert form.beneath.form.add_text.isVisible()
    assert form.train.text() == form.beneath.form.train.text() == "Train vectors"
    assert primary(page) == [form.train]
    begun: list[str] = []
    monkeypatch.setattr(
        desk.shared.jobs, "add", lambda title, *_, **__: begun.append(title) or _NoJob()
    )
    form.train.click()
    assert begun == ["fastText on toy 2026-01-01"]
    pick(qtbot, form.three_lines.source, SYNONYMS)
    assert form.train.text() == "Train"


class _NoJob:
    """What a job is asked for by the form of vectors."""

    class succeeded:  # noqa: N801
        connect = staticmethod(lambda _slot: None)


def test_what_is_folded_is_shown_again_at_the_next_start(
    qtbot: QtBot, opened: Opened, open_desk: Callable[[Path], WindowController]
) -> None:
    desk, page = opened
    qtbot.keyClick(page.form.everything, Qt.Key.Key_Space)
    assert page.form.folded.isVisible()
    folder = desk.shared.workspace.folder
    desk.close()
    desk = open_desk(folder)
    desk.shared.errands.show_page.emit("train")
    assert desk.window.page("train").form.folded.isVisible()


def test_nothing_is_said_to_rest_while_vectors_are_trained(qtbot: QtBot, opened: Opened) -> None:
    desk, page = opened
    idle(qtbot, desk)
    assert page.live.title.text() == "Nothing trains"
    end = threading.Event()
    job = desk.shared.jobs.add("fastText on toy", lambda _control, _hear: end.wait(60), "vectors")
    qtbot.waitUntil(lambda: page.live.title.text() == job.title)
    end.set()
    qtbot.waitUntil(lambda: page.live.title.text() == "Nothing trains")


def test_thorough_is_longer_than_quick() -> None:
    assert {length for _source, length in RECIPE_OF} == {"quick", THOROUGH}
