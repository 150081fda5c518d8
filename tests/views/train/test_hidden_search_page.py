"""The search for a number of hidden units on the Train page: runs one after the other."""

from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot
from toy_window import idle
from train_page_steps import Opened, begin, make_long, open_train, set_value

from termexplorer.desk import WindowController
from termexplorer.replicate.search.attended import list_left_series
from termexplorer.replicate.search.hidden import SearchRequest, begin_search, work_on_search
from termexplorer.services.recipes.presets import RECIPES, recipes
from termexplorer.services.recipes.run_requests import RunRequest
from termexplorer.services.train.hidden_search import Tried, best_run, tried
from termexplorer.services.train.runs import find_run, list_runs
from termexplorer.views.explore.page import ExplorePage
from termexplorer.views.train.hidden_search import found_text
from termexplorer.workspace import Workspace


@pytest.fixture
def opened(
    qtbot: QtBot, open_desk: Callable[[Path], WindowController], toy: Path, tmp_path: Path
) -> Opened:
    desk, page = open_train(qtbot, open_desk, toy, tmp_path)
    page.form.held_out.shots.setValue(4)
    page.form.search.search.setChecked(True)
    return desk, page


def test_the_field_is_closed_while_the_number_is_searched(opened: Opened) -> None:
    _, page = opened
    form, choice = page.form, page.form.search
    choice.search.setChecked(False)
    assert not choice.largest.isVisible()
    set_value(page, "hidden", "16")
    choice.search.setChecked(True)
    hidden = form.hyperparameters.editor("hidden")
    assert not hidden.isEnabled()
    assert "Set by the search" in hidden.toolTip()
    assert isinstance(hidden, QLineEdit)
    assert hidden.text() == "searched"
    assert choice.largest.isVisible()
    choice.search.setChecked(False)
    assert hidden.text() == "16"
    choice.search.setChecked(True)
    assert form.request().hyperparameters == {}
    for recipe in RECIPES:
        form.recipe.choose(recipe)
        has_hidden = any(hyperparameter.name == "hidden" for hyperparameter in recipes()[recipe])
        assert choice.isVisible() == choice.on == has_hidden
        if not form.recipe.needs_verdicts:  # there is no study here
            form.request()
    form.recipe.choose("dan")
    form.preset.setCurrentIndex(1)
    assert not form.hyperparameters.editor("hidden").isEnabled()
    choice.search.setChecked(False)
    hidden = form.hyperparameters.editor("hidden")
    assert isinstance(hidden, QLineEdit)
    assert hidden.isEnabled()
    assert "search" not in hidden.toolTip()
    hidden.setText("16")
    assert form.request().hyperparameters == {"hidden": 16}


def test_runs_follow_each_other_and_the_best_is_told(qtbot: QtBot, opened: Opened) -> None:
    desk, page = opened
    for name in ("maximum_epochs", "minimum_epochs"):
        set_value(page, name, "1")
    page.form.search.largest.setValue(1_200)
    page.form.train.click()
    idle(qtbot, desk)
    workspace = desk.shared.workspace
    second, first = list_runs(workspace)
    assert [run.request["hyperparameters"]["hidden"] for run in (first, second)] == [600, 1_200]
    assert {run.status for run in (first, second)} == {"finished"}
    done = tried(workspace, [first.id, second.id])
    metric = first.card["validation_metric"]
    message = f"The search for hidden units is over: {found_text(done, metric)}"
    if best_run(done).run == second.id:
        message += "; no larger number was allowed"
    assert desk.window.notice.text == message
    qtbot.wait(1_500)  # the store was looked at
    assert desk.window.notice.text == message
    best = find_run(workspace, best_run(done).run)
    desk.window.notice._act.click()
    explore = desk.window.page("explore")
    assert isinstance(explore, ExplorePage)
    assert explore.isVisible()
    assert explore.rankings.encoders.ids == (best.input_id, best.encoder_id)


def test_the_words_name_the_best_and_the_others() -> None:
    done = [Tried(7, 600, 0.5, False), Tried(8, 1200, 0.25, False), Tried(9, 2400, None, False)]
    assert found_text(done, "validation loss") == (
        "1,200 came out ahead, untested, validation loss 0.250 (600: 0.500, 2,400: none), run 8"
    )
    assert found_text(done[:1], "mAP") == "only 600 came to a figure, mAP 0.500, run 7"


@given(st.permutations([0.25, 0.5, 0.75]), st.booleans())
def test_the_words_turn_with_the_figures(figures: list[float], higher: bool) -> None:
    done = [Tried(n, 600 * n, figure, higher) for n, figure in enumerate(figures, 1)]
    best = figures.index((max if higher else min)(figures)) + 1
    assert found_text(done, "mAP").startswith(f"{600 * best:,} came out ahead")
    assert found_text(done, "mAP").endswith(f"run {best}")
    tied = [*done, replace(done[best - 1], run=9, hidden=9600)]
    assert found_text(tied, "mAP").startswith(f"{600 * best:,} is the smallest of equal ones")


def test_stopping_a_run_ends_the_search(qtbot: QtBot, opened: Opened) -> None:
    desk, page = opened
    make_long(page)
    run_id = begin(qtbot, page)
    page.live.stop.click()
    idle(qtbot, desk)
    (run,) = list_runs(desk.shared.workspace)
    assert (run.id, run.status) == (run_id, "stopped")
    begun = f"The search for hidden units is over, as run {run_id} was stopped: only 600 came to "
    assert desk.window.notice.text.startswith(begun)


def test_cancelling_a_run_that_waits_ends_the_search(qtbot: QtBot, opened: Opened) -> None:
    desk, page = opened
    page.form.train.click()
    (run,) = list_runs(desk.shared.workspace)
    job = page.jobs.of(run.id)
    assert job is not None
    page.jobs.cancel(job)
    message = f"The search for hidden units is over, as run {run.id} was cancelled"
    assert desk.window.notice.text == message
    idle(qtbot, desk)
    assert [stored_run.status for stored_run in list_runs(desk.shared.workspace)] == ["cancelled"]


def test_a_search_goes_on_after_its_window_was_closed(
    qtbot: QtBot, opened: Opened, open_desk: Callable[[Path], WindowController]
) -> None:
    desk, page = opened
    assert "closing the window" in page.form.search.search.toolTip()
    for name in ("maximum_epochs", "minimum_epochs"):
        set_value(page, name, "300")
    page.form.search.largest.setValue(1_200)
    run_id = begin(qtbot, page)
    folder = desk.shared.workspace.folder
    desk.close()
    again = open_desk(folder)
    qtbot.waitUntil(lambda: "was interrupted" in again.window.notice.text)
    runs = list_runs(again.shared.workspace)
    assert [(run.id, run.status) for run in runs] == [(run_id, "interrupted")]
    assert [left.runs for left in list_left_series(again.shared.workspace)] == [{run_id}]
    again.window.notice._act.click()
    idle(qtbot, again)
    workspace = again.shared.workspace
    second, first = list_runs(workspace)
    assert (first.id, first.status, second.status) == (run_id, "finished", "finished")
    assert again.window.notice.text.startswith("The search for hidden units is over: ")
    assert list_left_series(workspace) == []
    wanted = SearchRequest(RunRequest.read(first.request), 1_200)
    hyperparameters = dict(wanted.run.hyperparameters)
    del hyperparameters["hidden"]
    wanted = replace(wanted, run=replace(wanted.run, hyperparameters=hyperparameters))
    alone = work_on_search(workspace, begin_search(workspace, wanted), lambda _message: None)
    assert [trial.figure for trial in tried(workspace, alone)] == [
        trial.figure for trial in tried(workspace, [first.id, second.id])
    ]


def test_a_series_that_was_left_between_two_runs_is_offered(
    qtbot: QtBot, opened: Opened, open_desk: Callable[[Path], WindowController]
) -> None:
    desk, page = opened
    for name in ("maximum_epochs", "minimum_epochs"):
        set_value(page, name, "1")
    folder = desk.shared.workspace.folder
    request = page.form.request()
    desk.close()
    with closing(Workspace(folder)) as workspace:
        begin_search(workspace, SearchRequest(request, 600), in_window=True)
    again = open_desk(folder)
    qtbot.waitUntil(lambda: "between two of them" in again.window.notice.text)
    again.window.notice._act.click()
    idle(qtbot, again)
    assert [run.status for run in list_runs(again.shared.workspace)] == ["finished"]


def test_a_wrong_request_is_said_beside_the_form(qtbot: QtBot, opened: Opened) -> None:
    desk, page = opened
    page.form.learned.level.root.setText("NO:1")
    page.form.search.search.setFocus()
    qtbot.keyClick(page.form.search.search, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert "NO:1" in page.form.error.text()
    assert list_runs(desk.shared.workspace) == []
