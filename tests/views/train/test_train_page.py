"""The Train page as a user drives it: vectors, runs in real children, cards, and their ends."""

import json
import multiprocessing
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot
from tiny_transformer import write_bert
from toy_ontology import write_vectors
from toy_window import LONG, idle, show
from toy_workspace import TRAINED, VECTORS
from train_page_steps import Opened, begin, make_long, make_small, open_train, set_value

from termexplorer.desk import WindowController
from termexplorer.models.runs_table import LEVEL as LEVEL_COLUMN
from termexplorer.models.runs_table import MAP, NOTES, STATUS, TITLE
from termexplorer.services.encoders.encoders import list_encoders
from termexplorer.services.encoders.made_encoders import join_encoders
from termexplorer.services.encoders.vectors import METHODS, release_vectors_missing
from termexplorer.services.explore.ontologies import list_ontologies
from termexplorer.services.levels.lens import LevelChoice
from termexplorer.services.recipes.presets import JUDGED, LEVEL, RECIPES, SHOTS, SYNONYMS, recipes
from termexplorer.services.train.run_cards import said
from termexplorer.services.train.runs import RunInfo, find_run, list_runs, run_details
from termexplorer.spoken import speak
from termexplorer.store.kept_messages import read_message
from termexplorer.views.levels.chosen import TRAIN, keep_choice
from termexplorer.views.train.page import TrainPage


@pytest.fixture
def opened(
    qtbot: QtBot, open_desk: Callable[[Path], WindowController], toy: Path, tmp_path: Path
) -> Opened:
    return open_train(qtbot, open_desk, toy, tmp_path)


@pytest.fixture
def with_run(
    qtbot: QtBot, open_desk: Callable[[Path], WindowController], trained: Path, tmp_path: Path
) -> Opened:
    """Run 1 is trained already."""
    desk, page = open_train(qtbot, open_desk, trained, tmp_path)
    qtbot.waitUntil(lambda: listed(page, STATUS) == ["finished"])
    return desk, page


def train(qtbot: QtBot, desk: WindowController, page: TrainPage) -> RunInfo:
    """Trains what the form asks for, to its end."""
    page.form.train.click()
    idle(qtbot, desk)
    return list_runs(desk.shared.workspace)[0]


def listed(page: TrainPage, column: int) -> list[str]:
    return [page.model.index(row, column).data() for row in range(page.model.rowCount())]


def test_a_run_is_trained_drawn_listed_indexed_and_has_a_card(qtbot: QtBot, opened: Opened) -> None:
    desk, page = opened
    make_small(page)
    run = train(qtbot, desk, page)
    assert run.status == "finished", run.error
    epochs = len(run_details(desk.shared.workspace, run.id).epochs)
    loss = page.live.curves.loss
    qtbot.waitUntil(lambda: bool(loss.names) and loss.points(loss.names[0]) == epochs)
    qtbot.waitUntil(lambda: listed(page, STATUS) == ["finished"])
    assert "(" in listed(page, MAP)[0]
    assert run.encoder_id is not None
    assert not release_vectors_missing(desk.shared.workspace, run.encoder_id, 1)
    page.runs.choose(run.id)
    qtbot.waitUntil(page.card.copy_json.isEnabled)
    page.card.copy_json.click()
    card = json.loads(page.card.json)
    assert card["run"] == run.id
    assert card["hyperparameters"]["hidden"] == 16
    assert card["data_hash"] == run.card["data_hash"]
    assert {figure["trained"] for figure in card["figures"]} == {True, False}
    assert run.card["data_hash"] in page.card.text.toPlainText()


def test_run_again_gives_identical_figures_and_overlaid_curves(
    qtbot: QtBot, with_run: Opened
) -> None:
    desk, page = with_run
    first = find_run(desk.shared.workspace, 1)
    page.runs.choose(first.id)
    page.runs.again_button.click()
    idle(qtbot, desk)
    second = list_runs(desk.shared.workspace)[0]
    assert second.id != first.id
    figures = [
        {
            (f.task, f.metric): f.value
            for f in run_details(desk.shared.workspace, run.id).figures
            if f.encoder_id == run.encoder_id
        }
        for run in (first, second)
    ]
    assert figures[0] == figures[1] != {}
    qtbot.waitUntil(lambda: listed(page, STATUS) == ["finished", "finished"])
    page.runs.choose(first.id, second.id)
    names = [f"run {second.id}", f"run {first.id}"]
    qtbot.waitUntil(lambda: page.curves.validation.names == names)
    epochs = len(run_details(desk.shared.workspace, first.id).epochs)
    assert [page.curves.loss.points(name) for name in names] == [epochs, epochs]


def test_the_smallest_window_shows_curves_below_a_notice(qtbot: QtBot, opened: Opened) -> None:
    desk, page = opened
    make_long(page)
    begin(qtbot, page)
    desk.shared.notices.tell("It trains. " * 20)
    qtbot.waitUntil(desk.window.notice.isVisible)
    desk.window.resize(desk.window.minimumSizeHint())
    qtbot.waitUntil(lambda: desk.window.height() < 720)
    live = page.live
    assert min(live.curves.loss.height(), live.curves.validation.height()) >= 90
    assert live.log.viewport().height() >= live.log.fontMetrics().lineSpacing()
    before = live.log.height()
    desk.window.resize(desk.window.width(), 800)
    qtbot.waitUntil(lambda: live.log.height() > before)


def test_the_time_left_is_told_as_the_least(qtbot: QtBot, opened: Opened) -> None:
    desk, page = opened
    make_long(page)
    begin(qtbot, page)
    qtbot.waitUntil(lambda: page.live.figures.value("Time left").startswith("at least "))
    bar = desk.window.job_bar.text
    qtbot.waitUntil(lambda: " · at least " in bar.toolTip() or " · at least " in bar.text())


def test_pause_holds_the_run_and_stop_keeps_the_best(qtbot: QtBot, opened: Opened) -> None:
    desk, page = opened
    make_long(page)
    run_id = begin(qtbot, page)
    run = page.live.run
    assert run is not None
    page.live.pause.click()
    assert find_run(desk.shared.workspace, run_id).status == "paused"
    assert page.live.pause.text() == "Resume"
    qtbot.wait(500)  # epochs that were under way
    held = len(run.curves)
    qtbot.wait(500)
    assert len(run.curves) == held
    page.live.pause.click()
    assert find_run(desk.shared.workspace, run_id).status == "running"
    qtbot.waitUntil(lambda: len(run.curves) > held, timeout=LONG)
    page.live.stop.click()
    idle(qtbot, desk)
    ended = find_run(desk.shared.workspace, run_id)
    assert ended.status == "stopped"
    assert ended.encoder_id is not None


def test_cancel_keeps_nothing_and_runs_wait_for_each_other(qtbot: QtBot, opened: Opened) -> None:
    desk, page = opened
    make_long(page)
    first = begin(qtbot, page)
    page.form.train.click()
    second = list_runs(desk.shared.workspace)[0].id
    waiting = page.jobs.of(second)
    assert waiting is not None
    assert not waiting.running
    page.jobs.cancel(waiting)
    assert find_run(desk.shared.workspace, second).status == "cancelled"
    page.live.cancel.click()
    discard, go_on = page.live.cancel.question.actions()
    go_on.trigger()
    assert find_run(desk.shared.workspace, first).status == "running"
    discard.trigger()
    idle(qtbot, desk)
    ended = find_run(desk.shared.workspace, first)
    assert ended.status == "cancelled"
    assert ended.encoder_id is None


def test_runs_are_renamed_noted_and_deleted_after_a_question(
    qtbot: QtBot, with_run: Opened
) -> None:
    desk, page = with_run
    run = find_run(desk.shared.workspace, 1)
    edit = Qt.ItemDataRole.EditRole
    page.model.setData(page.model.index(0, TITLE), "organs", edit)
    encoder_id = page.model.run(0).encoder_id  # as it is called on other pages
    qtbot.waitUntil(lambda: listed(page, TITLE) == [f"organs #{encoder_id}"])
    page.model.setData(page.model.index(0, NOTES), "the first", edit)
    qtbot.waitUntil(lambda: listed(page, NOTES) == ["the first"])
    titles = {encoder.id: encoder.title for encoder in list_encoders(desk.shared.workspace)}
    assert titles[run.encoder_id or 0] == "organs"
    page.runs.choose(run.id)
    page.runs.delete_button.click()
    assert page.runs.question.text().startswith("Delete run 1, “organs”, with encoder")
    page.runs.keep.click()
    assert page.model.rowCount() == 1
    page.runs.delete_button.click()
    page.runs.really.click()
    qtbot.waitUntil(lambda: page.model.rowCount() == 0, timeout=LONG)
    assert list_runs(desk.shared.workspace) == []
    (copy,) = (desk.shared.workspace.folder / "backups").glob("automatic-removal-*.sqlite")
    with closing(sqlite3.connect(copy)) as connection:
        ((title,),) = connection.execute("SELECT title FROM run").fetchall()
    assert read_message(title) == "organs"
    assert run.encoder_id not in [e.id for e in list_encoders(desk.shared.workspace)]


def test_a_run_that_trains_or_waits_cannot_be_deleted_from_its_first_row_on(
    qtbot: QtBot, with_run: Opened
) -> None:
    desk, page = with_run
    make_long(page)
    for row in range(2):
        page.form.train.click()
        qtbot.waitUntil(lambda n=row + 2: page.model.rowCount() == n, timeout=LONG)
        page.runs.choose(page.model.run(0).id)
        assert not page.runs.delete_button.isEnabled()
        assert "Cancel the running training first" in page.runs.delete_button.toolTip()
    for run in [page.jobs.of(page.model.run(row).id) for row in range(2)]:
        assert run is not None
        page.jobs.cancel(run)
    qtbot.waitUntil(page.runs.delete_button.isEnabled, timeout=LONG)
    idle(qtbot, desk)


def test_esc_closes_the_question_and_keeps_the_run(qtbot: QtBot, with_run: Opened) -> None:
    desk, page = with_run
    desk.window.activateWindow()
    page.runs.choose(1)
    page.runs.delete_button.click()
    qtbot.waitUntil(page.runs.keep.hasFocus)
    qtbot.keyClick(page.runs.keep, Qt.Key.Key_Escape)
    assert page.runs.confirm.isHidden()
    assert len(list_runs(desk.shared.workspace)) == 1


def test_why_a_run_cannot_be_deleted_is_said_before_anything_is_asked(
    qtbot: QtBot, with_run: Opened
) -> None:
    desk, page = with_run
    joined = join_encoders(desk.shared.workspace, [VECTORS, TRAINED])
    page.runs.choose(1)
    with qtbot.waitSignal(desk.shared.notices.notice_shown) as signal:
        page.runs.delete_button.click()
    assert f"is a part of encoder {joined.id}" in str(signal.args)
    assert page.runs.confirm.isHidden()
    assert len(list_runs(desk.shared.workspace)) == 1


def test_a_wrong_value_is_said_beside_the_form(qtbot: QtBot, opened: Opened) -> None:
    desk, page = opened
    set_value(page, "hidden", "many")
    page.form.train.click()
    assert page.form.error.isVisible()
    assert "whole number" in page.form.error.text()
    editor = page.form.hyperparameters.editor("hidden")
    qtbot.keyClicks(editor, "0")
    assert page.form.error.isHidden()
    set_value(page, "hidden", "16")
    usual = page.form.hyperparameters.editor("maximum_epochs").text()
    set_value(page, "maximum_epochs", "0")
    page.form.train.click()
    assert page.form.error.text().startswith("Maximum epochs is 0; choose a number from 1")
    set_value(page, "maximum_epochs", usual)
    set_value(page, "hidden", "16")
    page.form.learned.level.root.setText("NO:1")
    page.form.train.click()
    assert page.form.error.text() == (
        "toy 2026-01-01 has no concept 'NO:1'; give its id or code, as a search shows it"
    )
    qtbot.keyClicks(page.form.learned.level.root, "0")
    assert page.form.error.isHidden()
    assert list_runs(desk.shared.workspace) == []


def test_a_level_that_is_not_there_is_refused_in_words(qtbot: QtBot, opened: Opened) -> None:
    desk, page = opened
    make_small(page)
    level = page.form.learned.level
    qtbot.waitUntil(lambda: level.level.value() == 2)
    usual = level.summary.text()
    level.level.setValue(9)
    qtbot.waitUntil(lambda: level.summary.text().startswith("There is no level 9 here"))
    page.form.train.click()
    assert page.form.error.isVisible()
    assert page.form.error.text() == level.summary.text()
    assert list_runs(desk.shared.workspace) == []
    level.level.setValue(2)
    assert level.summary.text() == usual


def test_why_there_are_no_levels_is_said_before_anything_is_trained(
    qtbot: QtBot, opened: Opened
) -> None:
    desk, page = opened
    page.form.recipe.choose("dan")
    level = page.form.learned.level
    level.root.setText("TOY:1")
    level.root.textEdited.emit("TOY:1")  # nothing below it is four levels deep
    qtbot.waitUntil(lambda: level.summary.text().startswith("nothing is below level 4, and"))
    page.form.train.click()
    assert page.form.error.text() == level.summary.text()
    assert list_runs(desk.shared.workspace) == []


def test_only_a_transformer_is_tuned(opened: Opened) -> None:
    desk, page = opened
    page.form.recipe.choose("tuned")
    page.form.beneath.choose(VECTORS)
    page.form.train.click()
    assert page.form.error.isVisible()
    assert "is no transformer; choose one" in page.form.error.text()
    assert list_runs(desk.shared.workspace) == []


def test_what_was_wrong_goes_with_another_choice(qtbot: QtBot, opened: Opened) -> None:
    _, page = opened
    form = page.form
    form.recipe.choose("tuned")
    form.beneath.choose(VECTORS)
    form.train.click()
    assert form.error.isVisible()
    form.recipe.setFocus()
    qtbot.keyClick(form.recipe, Qt.Key.Key_Up)
    assert form.recipe.currentData() != "tuned"
    assert form.error.isHidden()


def test_changed_values_are_marked_and_a_preset_takes_them_back(opened: Opened) -> None:
    _, page = opened
    form = page.form.hyperparameters
    set_value(page, "margin", "0.2")
    assert form.changes() == {"margin": 0.2}
    page.form.preset.setCurrentIndex(1)
    assert form.changes() == {}
    page.form.recipe.choose("dan")
    assert page.form.held_out.test_passes.isVisible()
    assert not page.form.held_out.shots.isVisible()
    assert page.form.request().choice == LevelChoice.for_recipe("dan", level=2)
    assert page.form.request().preset == "paper"


def test_the_form_comes_back_as_it_was_left(
    qtbot: QtBot, open_desk: Callable[[Path], WindowController], trained: Path, tmp_path: Path
) -> None:
    desk, page = open_train(qtbot, open_desk, trained, tmp_path)
    page.form.beneath.choose(TRAINED)
    page.form.recipe.choose("dan")
    page.form.preset.setCurrentIndex(1)
    set_value(page, "hidden", "48")
    set_value(page, "dropout", "much")
    page.form.held_out.test_passes.setValue(2)
    page.form.seed.setValue(7)
    page.form.learned.level.root.setText("TOY:2")
    page.form.learned.level.root.textEdited.emit("TOY:2")
    page.form.learned.level.level.setValue(2)
    folder = desk.shared.workspace.folder
    desk.close()
    desk = open_desk(folder)
    form = show(desk, "train").form
    qtbot.waitUntil(form.train.isEnabled)
    idle(qtbot, desk)
    assert (form.recipe.currentData(), form.preset.currentData()) == ("dan", "paper")
    assert (form.beneath.box.currentData(), form.seed.value()) == (TRAINED, 7)
    assert form.hyperparameters.changes() == {"hidden": 48}  # what was wrong is as usual
    assert form.held_out.test_passes.value() == 2
    assert (form.learned.level.root.text(), form.learned.level.level.value()) == ("TOY:2", 2)


def test_recipes_stand_in_groups_with_a_sentence_each(opened: Opened) -> None:
    _, page = opened
    box, flag = page.form.recipe, Qt.ItemFlag.ItemIsEnabled
    rows = [box.model().index(row, 0) for row in range(box.count())]
    headings = [row.data() for row in rows if not row.flags() & flag]
    assert headings == [SHOTS, LEVEL, SYNONYMS, JUDGED]
    assert [box.itemData(row.row()) for row in rows if row.flags() & flag] == list(RECIPES)
    for name, listed in RECIPES.items():
        box.choose(name)
        assert page.form.when.text() == listed.when
        editors = page.form.hyperparameters.editors
        assert len(editors) == len(recipes()[name])
        assert page.form.learned.level.isVisible() == (listed.group not in (SYNONYMS, JUDGED))
    box.choose("few-shot")
    box.setFocus()
    QTest.keyClick(box, Qt.Key.Key_Down)
    assert box.currentData() == "dan"  # a heading is passed by


def test_synonym_sets_need_no_level_and_say_so(opened: Opened) -> None:
    _, page = opened
    page.form.recipe.choose("bne")
    assert page.form.learned.no_level.isVisible()
    assert "synonyms of each concept" in page.form.learned.no_level.text()
    assert not page.form.held_out.shots.isVisible()
    assert not page.form.held_out.test_passes.isVisible()
    set_value(page, "hidden", "16")
    request = page.form.request()
    assert (request.choice, request.rule.recipe) == (None, "bne")
    assert request.hyperparameters == {"hidden": 16}
    page.form.learned.show_ontology("a list", has_levels=False)
    assert page.form.why_not == ""
    page.form.recipe.choose("dan")
    assert "a list has no is-a links" in page.form.train.toolTip()
    assert page.form.learned.level.isVisible()


def test_synonym_sets_of_other_ontologies_are_learned_besides(
    qtbot: QtBot, open_desk: Callable[[Path], WindowController], opened: Opened
) -> None:
    desk, page = opened
    page.form.recipe.choose("contrastive")
    assert not page.form.learned.further.isVisible()  # there is no other ontology yet
    (toy,) = list_ontologies(desk.shared.workspace)
    page.form.learned.show_further(
        [replace(toy, id=7, title="other"), replace(toy, id=9, title="third")]
    )
    assert page.form.learned.further.isVisible()
    assert page.form.request().also == ()
    page.form.learned.further.setCurrentRow(1)
    QTest.keyClick(page.form.learned.further, Qt.Key.Key_Space)
    assert page.form.request().also == (9,)
    page.form.learned.show_further([replace(toy, id=9, title="third")])
    assert page.form.request().also == (9,)
    page.form.recipe.choose("few-shot")
    assert not page.form.learned.further.isVisible()
    assert page.form.request().also == ()
    folder = desk.shared.workspace.folder
    desk.close()
    form = show(open_desk(folder), "train").form
    qtbot.waitUntil(form.train.isEnabled)
    form.recipe.choose("contrastive")
    form.learned.show_further(
        [replace(toy, id=7, title="other"), replace(toy, id=9, title="third")]
    )
    assert form.request().also == (9,)


def test_a_run_on_synonym_sets_fails_in_words_and_is_listed(qtbot: QtBot, opened: Opened) -> None:
    desk, page = opened
    page.form.recipe.choose("cca")
    run = train(qtbot, desk, page)  # each concept of the toy has two names at most
    assert run.status == "failed"
    assert "no class has two names to train on" in page.form.error.text()
    qtbot.waitUntil(lambda: listed(page, LEVEL_COLUMN) == ["synonym sets"])


def test_the_choice_of_the_page_levels_is_taken(opened: Opened) -> None:
    desk, page = opened
    choice = replace(LevelChoice(), level=2, left_out=("TOY:2",))
    keep_choice(desk.shared.session, TRAIN, 1, choice)
    desk.window.show_page(0)
    desk.shared.errands.show_page.emit("train")
    assert page.form.request().choice == choice
    page.form.recipe.choose("dan")
    assert page.form.request().choice == choice
    page.form.learned.level.usual.click()
    assert page.form.request().choice == LevelChoice.for_recipe("dan", level=2)


def test_an_interrupted_run_goes_on_from_its_last_epoch(qtbot: QtBot, opened: Opened) -> None:
    desk, page = opened
    make_long(page)
    run_id = begin(qtbot, page)
    [child] = multiprocessing.active_children()
    child.kill()
    idle(qtbot, desk)
    assert find_run(desk.shared.workspace, run_id).status == "interrupted"
    before = len(run_details(desk.shared.workspace, run_id).epochs)
    qtbot.waitUntil(lambda: listed(page, STATUS) == ["interrupted"])
    page.runs.choose(run_id)
    page.runs.go_on_button.click()
    run = page.live.run
    assert run is not None
    assert run.run.id == run_id
    assert len(run.curves) == before > 1
    qtbot.waitUntil(lambda: len(run.curves) > before, timeout=LONG)
    assert not any(line.startswith("epoch 1:") for line in run.log)
    page.live.stop.click()
    idle(qtbot, desk)
    assert find_run(desk.shared.workspace, run_id).status == "stopped"
    page.runs.choose(run_id)
    qtbot.waitUntil(lambda: not page.runs.go_on_button.isEnabled())


def test_a_run_that_trains_when_the_window_is_closed_can_go_on(
    qtbot: QtBot, opened: Opened, open_desk: Callable[[Path], WindowController]
) -> None:
    desk, page = opened
    make_long(page)
    run_id = begin(qtbot, page)
    page.form.train.click()
    folder = desk.shared.workspace.folder
    desk.close()
    again = open_desk(folder)
    statuses = {run.id: run.status for run in list_runs(again.shared.workspace)}
    assert statuses == {run_id: "interrupted", run_id + 1: "queued"}
    runs = show(again, "train").model
    qtbot.waitUntil(lambda: runs.rowCount() == 2)
    speak("de")
    try:
        tip = runs.index(1, STATUS).data(Qt.ItemDataRole.ToolTipRole)
        assert tip == said("error", find_run(again.shared.workspace, run_id).error)
        assert tip == "termexplorer wurde geschlossen, während er trainiert wurde"
    finally:
        speak("en")


def test_vectors_are_opened_and_trained_in_the_background(
    qtbot: QtBot, opened: Opened, tmp_path: Path
) -> None:
    desk, page = opened
    form = page.form.beneath.form
    form.opening.open(write_vectors(tmp_path, 8))
    idle(qtbot, desk)
    assert page.form.beneath.box.currentData() == list_encoders(desk.shared.workspace)[-1].id
    form.dimension.setValue(6)
    form.min_count.setValue(1)
    form.epochs.setValue(1)
    form.start_training()
    idle(qtbot, desk)
    newest = list_encoders(desk.shared.workspace)[-1]
    assert (newest.method, newest.dimension) == ("fasttext", 6)
    assert page.form.beneath.box.currentData() == newest.id


def test_another_method_has_its_own_sizes_and_reads_annotated_text(
    qtbot: QtBot, opened: Opened, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk, page = opened
    form = page.form.beneath.form
    assert [form.method.itemData(n) for n in range(form.method.count())] == [*METHODS]
    assert form.method.currentData() == "fasttext"
    for name, listed in METHODS.items():
        form.method.setCurrentIndex(form.method.findData(name))
        assert form.when.text() == listed.when
        sizes = (form.dimension.value(), form.epochs.value(), form.min_count.value())
        assert sizes == (listed.usual.dimension, 0, 0)  # the text, or the method, chooses
    annotated = tmp_path / "annotated.txt"
    mention = "1\t0\t12\tLung disease\tDisease\tTOY:1"
    annotated.write_text(f"1|t|Lung disease\n1|a|A title.\n{mention}\n", encoding="utf-8")
    chosen = [str(annotated)]
    monkeypatch.setattr(QFileDialog, "getOpenFileNames", lambda *_: (chosen, ""))
    form.add_pubtator.click()
    assert form.texts.text().splitlines()[1:] == ["annotated.txt"]
    form.leave_out.click()
    assert (form.texts.text().splitlines()[1:], form.leave_out.isHidden()) == ([], True)
    form.add_pubtator.click()
    form.method.setCurrentIndex(form.method.findData("sgs.c"))
    form.dimension.setValue(6)
    form.min_count.setValue(1)
    form.start_training()
    idle(qtbot, desk)
    newest = list_encoders(desk.shared.workspace)[-1]
    assert (newest.method, newest.parameters["method"]) == ("skipgrams", "sgs.c")
    assert newest.parameters["pubtator"] == chosen
    assert page.form.beneath.box.currentData() == newest.id


def test_word_movers_distance_is_made_of_the_chosen_vectors(qtbot: QtBot, opened: Opened) -> None:
    desk, page = opened
    chosen = page.form.beneath.box.currentData()
    page.form.beneath.form.making.movers.click()
    newest_encoder = list_encoders(desk.shared.workspace)[-1]
    assert (newest_encoder.kind, newest_encoder.method, newest_encoder.part_ids) == (
        "lexical",
        "word_movers",
        (chosen,),
    )
    assert page.form.beneath.box.findData(newest_encoder.id) < 0
    page.form.beneath.box.setCurrentIndex(-1)
    with qtbot.waitSignal(desk.shared.notices.notice_shown) as signal:
        page.form.beneath.form.making.movers.click()
    assert signal.args is not None
    assert signal.args[0].text == "First train or open word vectors"


def test_a_matrix_and_a_transformer_are_opened(
    qtbot: QtBot, opened: Opened, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk, page = opened
    opening = page.form.beneath.form.opening
    np.save(tmp_path / "mine.npy", np.eye(3, 5))
    rows = "lung disease\nheart disease\nLung disease\n"
    (tmp_path / "rows.txt").write_text(rows, encoding="utf-8")
    answers = [tmp_path / "mine.npy", tmp_path / "rows.txt"]
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(answers.pop(0)), ""))
    opening.matrix.click()
    idle(qtbot, desk)
    newest = list_encoders(desk.shared.workspace)[-1]
    assert (newest.method, newest.dimension) == ("matrix", 5)
    assert desk.window.notice.text.endswith("1 row is left out, as an earlier one has its name")
    assert page.form.beneath.box.currentData() == newest.id

    pytest.importorskip("transformers")
    write_bert(tmp_path / "tiny")
    folder = str(tmp_path / "tiny")
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: folder)
    opening.pooling.setCurrentIndex(opening.pooling.findData("first"))
    opening.transformer.click()
    idle(qtbot, desk)
    newest = list_encoders(desk.shared.workspace)[-1]
    assert (newest.method, newest.title) == ("transformer", "tiny first token")
    assert page.form.beneath.box.currentData() == newest.id
