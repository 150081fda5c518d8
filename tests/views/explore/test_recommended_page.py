"""The recommended encoder on the Train page: a few runs at one press, and what they came to."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from lopsided_ontology import write_lopsided
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot
from toy_window import LONG, idle, show
from toy_workspace import TRAINED, VECTORS, import_synonyms, load, opened_copy
from train_page_steps import Opened

from termexplorer.desk import WindowController
from termexplorer.services.encoders.built_in import ensure_built_in
from termexplorer.services.encoders.encoders import list_encoders
from termexplorer.services.train.recommended import Recommended
from termexplorer.services.train.runs import list_runs
from termexplorer.views.explore.page import ExplorePage
from termexplorer.views.train.run_jobs import RunJob
from termexplorer.workers.train.training_messages import EpochDone

TOY, SYNONYMS = 1, 2


@pytest.fixture
def opened(
    qtbot: QtBot, open_desk: Callable[[Path], WindowController], trained: Path, tmp_path: Path
) -> Opened:
    """The page, with an ontology of synonym sets on show beside the toy with its classes."""
    with opened_copy(trained, tmp_path) as workspace:
        import_synonyms(workspace, tmp_path)
    desk = open_desk(tmp_path / "workspace")
    desk.shared.selection.go(SYNONYMS)
    page = show(desk, "train")
    desk.window.activateWindow()
    qtbot.waitUntil(desk.window.isActiveWindow)
    qtbot.waitUntil(page.form.recommended.opener.isEnabled)
    for job in desk.shared.jobs.running() + desk.shared.jobs.waiting():
        desk.shared.jobs.cancel(job)  # it looks for devices
    idle(qtbot, desk)
    page.form.recommended.opener.click()
    qtbot.waitUntil(lambda: page.form.recommended.vectors.count() > 1, timeout=LONG)
    page.form.recommended.level.setValue(1)  # of the fewest classes
    return desk, page


def test_what_it_is_made_of_is_asked(opened: Opened) -> None:
    _, page = opened
    form = page.form.recommended
    assert form.built_in.isHidden()  # windows of tests go without it
    assert form.vectors.currentData() == VECTORS
    assert [form.transformer.itemData(row) for row in range(form.transformer.count())] == [
        0, TRAINED,
    ]  # fmt: skip
    assert form.transformer.currentText() == "None"
    assert form.classes.currentData() == TOY
    assert form.train.text() == "Train its 3 runs"
    form.samples.setValue(2)
    form.level.setValue(3)
    form.also.tick((TOY,))
    assert form.train.text() == "Train its 4 runs"
    assert form.recommended() == Recommended(
        SYNONYMS, (VECTORS,), also=(TOY,), classes_id=TOY, level=3, samples=2
    )
    form.classes.setCurrentIndex(form.classes.findText("None"))
    assert not form.level.isVisible()
    assert not form.samples.isVisible()
    assert form.train.text() == "Train its 2 runs"


def test_its_runs_follow_each_other_and_its_rankings_are_shown(
    qtbot: QtBot, opened: Opened
) -> None:
    desk, page = opened
    page.form.seed.setValue(4)
    page.form.recommended.train.click()
    assert not page.form.recommended.vectors.isVisible()
    idle(qtbot, desk)
    workspace = desk.shared.workspace
    few_shot, contrast, words, _ = list_runs(workspace)
    runs = (words, contrast, few_shot)
    assert [run.recipe for run in runs] == ["sif", "contrastive", "few-shot"]
    assert [run.request["seed"] for run in runs] == [4, 4, 4]
    newest_encoder = list_encoders(workspace)[-1]
    assert newest_encoder.part_ids == (contrast.encoder_id, few_shot.encoder_id, words.encoder_id)
    assert desk.window.notice.text == f"The recommended encoder is #{newest_encoder.id}"
    desk.window.notice._act.click()
    explore = desk.window.page("explore")
    assert isinstance(explore, ExplorePage)
    assert explore.isVisible()
    assert explore.rankings.encoders.ids == (VECTORS, newest_encoder.id)


def test_a_run_that_is_cancelled_ends_it(qtbot: QtBot, opened: Opened) -> None:
    desk, page = opened
    qtbot.keyClick(page.form.recommended.train, Qt.Key.Key_Space)
    run = list_runs(desk.shared.workspace)[0]
    job = page.jobs.of(run.id)
    assert job is not None
    page.jobs.cancel(job)
    message = f"The recommended encoder is not there, as run {run.id} was cancelled"
    assert desk.window.notice.text.startswith(message)
    idle(qtbot, desk)
    assert list_runs(desk.shared.workspace)[0].id == run.id


def second_run(qtbot: QtBot, opened: Opened) -> RunJob:
    desk, page = opened
    page.form.recommended.train.click()
    qtbot.waitUntil(lambda: len(list_runs(desk.shared.workspace)) == 3, timeout=LONG)
    job = page.jobs.of(list_runs(desk.shared.workspace)[0].id)
    assert job is not None
    return job


def test_a_run_that_is_stopped_ends_it_and_that_stays_on_show(qtbot: QtBot, opened: Opened) -> None:
    desk, page = opened
    job = second_run(qtbot, opened)
    assert job.job is not None
    job.job.reported.connect(
        lambda message: page.jobs.stop(job) if isinstance(message, EpochDone) else None
    )
    idle(qtbot, desk)
    run = list_runs(desk.shared.workspace)[0]
    assert (run.id, run.status) == (job.run.id, "stopped")
    assert run.encoder_id is not None
    message = f"The recommended encoder is not there, as run {run.id} was stopped"
    assert desk.window.notice.text.startswith(message)


def test_a_run_stopped_before_its_first_epoch_ends_it(qtbot: QtBot, opened: Opened) -> None:
    desk, page = opened
    job = second_run(qtbot, opened)
    page.jobs.stop(job)
    idle(qtbot, desk)
    run = list_runs(desk.shared.workspace)[0]
    assert (run.id, run.status, run.encoder_id) == (job.run.id, "interrupted", None)
    message = (
        f"The recommended encoder is not there, as run {run.id} stopped before its first epoch"
    )
    assert desk.window.notice.text.startswith(message)


def test_the_first_transformer_is_chosen_and_none_stays_none(opened: Opened) -> None:
    desk, page = opened
    form = page.form.recommended
    encoders = [encoder for encoder in list_encoders(desk.shared.workspace) if encoder.has_vectors]
    like_one = replace(encoders[0], id=90, method="transformer")
    form.show_encoders(encoders[:1])
    form.show_encoders([*encoders[:1], like_one])
    assert form.transformer.currentData() == 90
    form.transformer.setCurrentIndex(0)
    form.show_encoders([*encoders[:1], like_one])
    assert form.transformer.currentText() == "None"


def test_the_narrower_of_two_transformers_is_trained_and_the_other_joined_at_the_end(
    opened: Opened,
) -> None:
    desk, page = opened
    form = page.form.recommended
    words = next(encoder for encoder in list_encoders(desk.shared.workspace) if encoder.has_vectors)
    wide = replace(words, id=90, method="transformer", dimension=768)
    narrow = replace(wide, id=91, dimension=384)
    form.show_encoders([words])
    form.show_encoders([words, wide, narrow])
    wanted = form.recommended()
    assert (wanted.transformer_id, wanted.tuned, wanted.at_end_ids) == (91, True, (90,))
    assert not wanted.over_all
    assert not form.over_all.isHidden()
    form.over_all.click()
    assert form.recommended().over_all
    form.at_end.setCurrentIndex(form.at_end.findData(91))
    assert form.recommended().at_end_ids == ()
    form.transformer.setCurrentIndex(0)
    wanted = form.recommended()
    assert (wanted.transformer_id, wanted.tuned, wanted.at_end_ids) == (0, False, (91,))
    assert form.tune.isHidden()
    form.at_end.setCurrentIndex(0)
    assert form.over_all.isHidden()


def test_counted_words_come_second_though_they_were_made_first(opened: Opened) -> None:
    desk, page = opened
    form = page.form.recommended
    words = next(
        encoder for encoder in list_encoders(desk.shared.workspace) if encoder.id == VECTORS
    )
    form.show_encoders([])
    counted, pieces = replace(words, id=90), replace(words, id=91, method="fasttext")
    assert counted.method == "words"
    form.show_encoders([counted, pieces])
    assert form.recommended().vectors_ids == (91, 90)


def test_it_starts_from_the_built_in_encoder_and_needs_no_words(opened: Opened) -> None:
    desk, page = opened
    form, workspace = page.form.recommended, desk.shared.workspace
    built_in = ensure_built_in(workspace)
    assert built_in is not None
    form.show_encoders([built_in])
    assert not form.built_in.isHidden()
    wanted = form.recommended()
    assert (wanted.built_in_id, wanted.vectors_ids) == (built_in.id, ())
    assert form.opener.isEnabled()
    assert form.train.isEnabled()
    form.built_in.click()
    assert form.recommended().built_in_id == 0
    assert not form.train.isEnabled()


def test_a_one_sided_level_is_warned_of(qtbot: QtBot, opened: Opened, tmp_path: Path) -> None:
    desk, page = opened
    form, workspace = page.form.recommended, desk.shared.workspace
    lopsided = load(workspace, write_lopsided(tmp_path))
    form.show_ontologies([lopsided], lopsided.id)
    form.level.setValue(2)
    form.classes.setCurrentIndex(form.classes.findData(lopsided.id))
    form.level.setValue(1)
    qtbot.waitUntil(lambda: "99%" in form.warning.text())
    assert not form.warning.isHidden()
    form.level.setValue(2)
    qtbot.waitUntil(form.warning.isHidden)


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Enter])
def test_the_keys_of_the_form_press_its_own_button_while_they_are_in_it(
    qtbot: QtBot, opened: Opened, key: Qt.Key
) -> None:
    _, page = opened
    form = page.form.recommended
    page.form.recipe.choose("contrastive")
    wanted: list[object] = []
    form.wanted.disconnect()
    page.form.wanted.disconnect()
    form.wanted.connect(wanted.append)
    page.form.wanted.connect(wanted.append)
    for field in (form.vectors, form.samples):
        field.setFocus()
        qtbot.keyClick(field, key, Qt.KeyboardModifier.ControlModifier)
    assert wanted == [form.recommended()] * 2
    page.form.preset.setFocus()
    qtbot.keyClick(page.form.preset, key, Qt.KeyboardModifier.ControlModifier)
    assert wanted[2:] == [page.form.request()]


def test_a_request_that_cannot_be_made_is_said_beside_the_form(opened: Opened) -> None:
    desk, page = opened
    form = page.form.recommended
    form.also.add(99, "gone", "gone meanwhile")
    form.also.tick((99,))
    form.train.click()
    assert "99" in page.form.error.text()
    assert len(list_runs(desk.shared.workspace)) == 1
