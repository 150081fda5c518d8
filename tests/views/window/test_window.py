"""The window as a user drives it: search, tree, concept, history, bookmarks, jobs, closing."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QObject, Qt, QUrl
from PySide6.QtWidgets import QApplication, QToolButton
from pytestqt.qtbot import QtBot
from view_fakes import FakeRanker, write_diseases
from window_steps import concept_id, go, page_of, ranked, shown

from termexplorer.desk import WindowController, claimed
from termexplorer.errors import UserError
from termexplorer.jobs import Job
from termexplorer.services.explore.ontologies import list_ontologies
from termexplorer.store.search import candidates
from termexplorer.views.widgets.theme import Scheme
from termexplorer.workers.process.protocol import JobProgress
from termexplorer.workers.process.supervision import Cancelled, JobControl

CONTROL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


def test_what_is_near_is_shown_as_near_and_not_gone_to_unseen(
    qtbot: QtBot, desk: WindowController
) -> None:
    search, before = desk.window.top_bar.search, desk.shared.selection.concept_id
    search.setText("pnuemonia")
    qtbot.keyClick(search, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: search.popup_shown)
    assert search.near.isVisible()
    assert "pnuemonia" in search.near.text()
    assert search.near.text().endswith("pneumonia")
    assert search.hits.rowCount() == 3
    assert search.list.isVisible()
    assert desk.shared.selection.concept_id == before
    qtbot.keyClick(search, Qt.Key.Key_Return)
    assert desk.shared.selection.concept_id != before
    qtbot.keyClicks(search, "pneumonia")
    qtbot.waitUntil(lambda: search.popup_shown and not search.near.isVisible())


def test_search_by_typing_then_enter_opens_the_tree(qtbot: QtBot, desk: WindowController) -> None:
    search = desk.window.top_bar.search
    qtbot.keyClicks(search, "pneu vir")
    qtbot.waitUntil(lambda: search.popup_shown)
    assert search.hits.rowCount() == 1
    qtbot.keyClick(search, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: shown(desk) == "viral pneumonia")
    assert not search.popup_shown
    tree = page_of(desk).tree
    assert tree.currentIndex().data() == "viral pneumonia"
    assert tree.isExpanded(tree.currentIndex().parent())


def test_arrows_move_in_the_results_and_escape_closes_them(
    qtbot: QtBot, desk: WindowController
) -> None:
    search = desk.window.top_bar.search
    qtbot.keyClicks(search, "pneumonia")
    qtbot.waitUntil(lambda: search.popup_shown)
    assert search.hits.rowCount() == 3
    qtbot.keyClick(search, Qt.Key.Key_Down)
    assert search.list.currentIndex().row() == 1
    qtbot.keyClick(search, Qt.Key.Key_Escape)
    assert not search.popup_shown


def test_a_search_that_was_cut_says_so_below_its_results(
    qtbot: QtBot, desk: WindowController, monkeypatch: pytest.MonkeyPatch
) -> None:
    box = desk.window.top_bar.search
    qtbot.keyClicks(box, "pneumonia")
    qtbot.waitUntil(lambda: box.popup_shown)
    assert not box.more_there.isVisibleTo(desk.window)
    monkeypatch.setattr(candidates, "MOST_CANDIDATES", 2)
    qtbot.keyClick(box, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: box.more_there.isVisibleTo(desk.window))
    assert box.more_there.geometry().bottom() < box.more_there.parentWidget().height()


class _Painted(QObject):
    """Which widgets were painted."""

    def __init__(self) -> None:
        super().__init__()
        self.widgets: list[QObject] = []

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        if event.type() == QEvent.Type.Paint:
            self.widgets.append(watched)
        return False


@pytest.mark.parametrize("scheme", [Scheme.LIGHT, Scheme.DARK])
def test_results_are_drawn_without_what_lies_below_them(
    qtbot: QtBot, desk: WindowController, qapp: QApplication, scheme: Scheme
) -> None:
    desk.shared.theme.use(scheme)
    search = desk.window.top_bar.search
    qtbot.keyClicks(search, "pneumonia")
    qtbot.waitUntil(lambda: search.popup_shown)
    desk.window.repaint()
    painted = _Painted()
    qapp.installEventFilter(painted)
    search.list.viewport().repaint()
    qapp.removeEventFilter(painted)
    assert painted.widgets == [search.list.viewport()]


def test_enter_right_after_typing_waits_for_the_answer(
    qtbot: QtBot, desk: WindowController
) -> None:
    search = desk.window.top_bar.search
    qtbot.keyClicks(search, "bacterial")
    qtbot.keyClick(search, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: shown(desk) == "bacterial pneumonia")


def test_obsolete_concepts_are_found_and_lead_to_their_replacement(
    qtbot: QtBot, desk: WindowController
) -> None:
    search = desk.window.top_bar.search
    qtbot.keyClicks(search, "old")
    qtbot.waitUntil(lambda: search.popup_shown)
    assert search.hits.aside(0) == "obsolete → TOY:4 viral pneumonia"
    qtbot.keyClick(search, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: shown(desk) == "old pneumonia")
    browser = page_of(desk).concept.browser
    assert "Withdrawn; replaced by TOY:4 viral pneumonia" in browser.toPlainText()
    assert not page_of(desk).tree.currentIndex().isValid()
    browser.anchorClicked.emit(QUrl(f"concept:{concept_id(desk, 'TOY:4')}"))
    qtbot.waitUntil(lambda: shown(desk) == "viral pneumonia")


def test_the_concept_pane_tells_everything(qtbot: QtBot, desk: WindowController) -> None:
    go(qtbot, desk, "TOY:4")
    text = page_of(desk).concept.browser.toPlainText().replace("\xa0", " ")
    for part in (
        "0 children",
        "1 sibling",
        "pneumonia due to virus related",
        "An <i>infection</i> of the lung by a virus.",
        "2 PATHS TO THE ROOT",
        "TOY:44",
        "MESH:D011024",
    ):
        assert part in text


def test_back_and_forward(qtbot: QtBot, desk: WindowController) -> None:
    go(qtbot, desk, "TOY:2")
    go(qtbot, desk, "TOY:3")
    qtbot.keyClick(desk.window, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    qtbot.waitUntil(lambda: shown(desk) == "lung disease")
    qtbot.keyClick(desk.window, Qt.Key.Key_Right, Qt.KeyboardModifier.AltModifier)
    qtbot.waitUntil(lambda: shown(desk) == "infection")


def test_choosing_in_the_tree_keeps_the_place_below_that_parent(
    qtbot: QtBot, desk: WindowController
) -> None:
    tree = page_of(desk).tree
    infection = tree.concepts.index_of([concept_id(desk, "TOY:1"), concept_id(desk, "TOY:3")])
    tree.expand(infection)
    tree.setCurrentIndex(tree.concepts.index(0, 0, infection))
    qtbot.waitUntil(lambda: shown(desk) == "viral pneumonia")
    assert tree.currentIndex().parent() == infection


def test_bookmarks_are_set_listed_and_taken_away(qtbot: QtBot, desk: WindowController) -> None:
    go(qtbot, desk, "TOY:3")
    page = page_of(desk)
    qtbot.mouseClick(page.concept.star, Qt.MouseButton.LeftButton)
    assert [page.bookmarks.list.item(0).text()] == ["infection  TOY:3"]
    assert page.concept.star.accessibleName() == "Bookmarked"
    go(qtbot, desk, "TOY:2")
    assert page.concept.star.accessibleName() == "Not bookmarked"
    page.bookmarks.list.itemActivated.emit(page.bookmarks.list.item(0))
    qtbot.waitUntil(lambda: shown(desk) == "infection")
    qtbot.mouseClick(page.concept.star, Qt.MouseButton.LeftButton)
    assert page.concept.star.accessibleName() == "Not bookmarked"


def test_rankings_stand_beside_the_concept_and_enter_goes_there(
    qtbot: QtBot, desk: WindowController, ranker: FakeRanker
) -> None:
    pane = ranked(qtbot, desk, "TOY:4")
    assert pane.model.rowCount() == 5
    assert ranker.requests[-1].query.text == "viral pneumonia"
    assert ranker.requests[-1].query.concept_id == desk.shared.selection.concept_id
    pane.table.setCurrentIndex(pane.model.index(2, 1))
    qtbot.keyClick(pane.table, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: shown(desk) == "infection")


def test_typed_text_is_ranked_as_no_concept(
    qtbot: QtBot, desk: WindowController, ranker: FakeRanker
) -> None:
    go(qtbot, desk, "TOY:4")
    pane = page_of(desk).rankings.pane
    pane.line.setText("something else")
    qtbot.keyClick(pane.line, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: ranker.requests[-1:] and ranker.requests[-1].query.text[:4] == "some")
    assert ranker.requests[-1].query.concept_id is None


def test_hypernyms_ask_for_the_chosen_level(
    qtbot: QtBot, desk: WindowController, ranker: FakeRanker
) -> None:
    go(qtbot, desk, "TOY:4")
    area = page_of(desk).rankings
    area.tabs.setCurrentIndex(1)
    area.among.level_choice.level.setCurrentIndex(1)
    area.among.level_choice.level.activated.emit(1)
    qtbot.waitUntil(lambda: ranker.requests[-1].among.level == 2)
    assert area.tabs.tabText(1) == "Hypernyms on level 2"


def test_a_list_of_terms_gets_one_table(
    qtbot: QtBot, desk: WindowController, tmp_path: Path
) -> None:
    area = page_of(desk).rankings
    area.tabs.setCurrentIndex(2)
    table = tmp_path / "terms.csv"
    table.write_text("id,name\n1,fever\n2,xyzzy\n", encoding="utf-8")
    area.terms.open_file(table)
    qtbot.waitUntil(lambda: area.terms.terms.toPlainText() == "fever\nxyzzy")
    qtbot.mouseClick(area.terms.match, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: area.terms.model.rowCount() == 2)
    assert [row[3] for row in area.terms.model.rows] == ["infection", "none found"]


def test_an_empty_workspace_says_what_to_do_and_imports(
    qtbot: QtBot, open_desk: Callable[[Path], WindowController], tmp_path: Path
) -> None:
    desk = open_desk(tmp_path / "empty")
    page = page_of(desk)
    assert page.welcome.isVisible()
    qtbot.mouseClick(page.welcome.file, Qt.MouseButton.LeftButton)
    panel = desk.window._panel
    panel.choose(write_diseases(tmp_path))
    qtbot.waitUntil(panel.start.isEnabled)
    assert panel.file_label.text() == "OBO"
    qtbot.mouseClick(panel.start, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: "Imported toy" in desk.window.notice.text, timeout=30_000)
    assert page.splitter.isVisible()
    assert desk.window.top_bar.ontology.currentText() == "toy 2026-01-01"


def test_a_table_is_previewed_with_guessed_columns(
    qtbot: QtBot, desk: WindowController, tmp_path: Path
) -> None:
    table = tmp_path / "names.tsv"
    table.write_text("label\tcode\nfever\tA\n", encoding="utf-8")
    desk.window.releases.open_import()
    panel = desk.window._panel
    panel.choose(table)
    qtbot.waitUntil(panel.start.isEnabled)
    assert panel.columns.chosen() == {"id": "2", "name": "1"}
    panel.choose(tmp_path / "missing.csv")
    assert not panel.start.isEnabled()
    qtbot.waitUntil(lambda: "missing.csv" in panel.start.toolTip())


def test_a_second_window_is_refused_and_commands_are_not(
    desk: WindowController, folder: Path
) -> None:
    with pytest.raises(UserError, match="is open in another window"):
        claimed(folder)


def in_epoch_3(control: JobControl, hear: Callable[[object], None]) -> None:
    """Works until it is cancelled."""
    hear(JobProgress(0.25, "epoch 3", 120))
    while not control.cancelled():
        control.take()
    raise Cancelled


def test_jobs_show_progress_and_are_cancelled(qtbot: QtBot, desk: WindowController) -> None:
    bar = desk.window.job_bar
    desk.shared.jobs.add("few-shot", in_epoch_3, "train", can_pause=True)
    desk.shared.jobs.add("next", in_epoch_3, "train")
    qtbot.waitUntil(lambda: bar.text.text() == "epoch 3 · 2 min left")
    assert bar.count.text() == "1 job running, 1 waiting"
    assert bar.pause.isVisible()
    assert not bar.stop.isVisible()
    qtbot.mouseClick(bar.pause, Qt.MouseButton.LeftButton)
    assert bar.pause.text() == "Resume"
    qtbot.mouseClick(bar.cancel, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: bar.title.text() == "next")


def test_what_would_keep_its_best_asks_before_it_is_discarded(
    qtbot: QtBot, desk: WindowController
) -> None:
    bar = desk.window.job_bar
    job = desk.shared.jobs.add("few-shot", in_epoch_3, can_pause=True, can_stop=True)
    qtbot.waitUntil(lambda: bar.text.text() == "epoch 3 · 2 min left")
    buttons = (bar.stop, bar.cancel)  # on a busy machine they are laid out after the text is there
    qtbot.waitUntil(lambda: all(b.width() >= b.sizeHint().width() for b in buttons))
    places = [button.geometry() for button in buttons]
    job.progressed.emit(hear_more(job))
    bar.pause.click()
    qtbot.wait(20)
    assert [button.geometry() for button in buttons] == places
    bar.cancel.click()
    assert bar.cancel.question.isVisible()
    qtbot.keyClick(bar.cancel.question, Qt.Key.Key_Escape)
    assert not job.control.cancelled()
    bar.cancel.click()
    qtbot.keyClick(bar.cancel.question, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: bar.title.text() == "Ready")


def hear_more(job: Job) -> JobProgress:
    job.progress = JobProgress(0.5, "epoch 3,000, with a longer text than before", 12_000)
    return job.progress


def test_the_window_closes_over_unfinished_work_only_when_it_was_told(
    qtbot: QtBot, desk: WindowController
) -> None:
    window, jobs = desk.window, desk.shared.jobs
    jobs.add("kept", in_epoch_3, "lane")
    assert window.leaving.may(window.leave)
    jobs.add("first", in_epoch_3, "lane", lost=True)
    jobs.add("second", in_epoch_3, "lane", lost=True)
    window.close()
    assert window.isVisible()
    assert window.notice.text.endswith("lost when the window closes: first; second.")
    window.notice._act.click()
    qtbot.waitUntil(lambda: not window.isVisible())


def until_stopped(control: JobControl, _hear: Callable[[object], None]) -> None:
    while not control.stopped() and not control.cancelled():
        control.take()


def test_the_window_asks_what_comes_of_a_run_before_it_closes(
    qtbot: QtBot, desk: WindowController
) -> None:
    window, notice = desk.window, desk.window.notice
    run = desk.shared.jobs.add("few-shot, run 1", until_stopped, can_stop=True, resumes=True)
    qtbot.waitUntil(lambda: run.begun)
    window.close()
    assert window.isVisible()
    assert "few-shot, run 1" in notice.text
    notice.dismiss()
    assert (window.isVisible(), notice.isVisible(), run.control.stopped()) == (True, False, False)
    window.close()
    notice._act.click()
    assert run.control.stopped()
    qtbot.waitUntil(lambda: not window.isVisible())


def test_the_window_may_close_at_once_over_a_run_that_goes_on_later(
    qtbot: QtBot, desk: WindowController
) -> None:
    run = desk.shared.jobs.add("few-shot, run 1", until_stopped, can_stop=True, resumes=True)
    qtbot.waitUntil(lambda: run.begun)
    desk.window.close()
    desk.window.notice._further.click()
    assert not desk.window.isVisible()
    assert not run.control.stopped()


def test_a_failed_job_tells_its_error_in_a_panel(qtbot: QtBot, desk: WindowController) -> None:
    def work(_control: JobControl, _hear: Callable[[object], None]) -> None:
        raise UserError("x.obo, line 3: no id; mend it")

    desk.shared.jobs.add("import", work)
    qtbot.waitUntil(lambda: desk.window.notice.isVisible())
    assert desk.window.notice.text == "x.obo, line 3: no id; mend it"


def test_the_window_shows_what_another_process_wrote(qtbot: QtBot, desk: WindowController) -> None:
    desk.shared.watch.look()
    other = sqlite_connection(desk)
    other.execute("UPDATE release SET title = 'Renamed'")
    other.commit()
    other.close()
    qtbot.waitUntil(lambda: "Renamed" in desk.window.top_bar.ontology.currentText(), timeout=3000)


def sqlite_connection(desk: WindowController):
    import sqlite3

    return sqlite3.connect(desk.shared.workspace.store.path)


def test_the_last_place_and_theme_come_back(
    qtbot: QtBot, open_desk: Callable[[Path], WindowController], folder: Path
) -> None:
    desk = open_desk(folder)
    go(qtbot, desk, "TOY:3")
    desk.shared.theme.use(Scheme.DARK)
    desk.close()
    again = open_desk(folder)
    qtbot.waitUntil(lambda: shown(again) == "infection")
    assert again.shared.theme.scheme is Scheme.DARK


def test_closing_ends_the_ranker_and_lets_the_workspace_go(
    desk: WindowController, ranker: FakeRanker, folder: Path
) -> None:
    desk.close()
    assert ranker.closed
    claimed(folder).close()


def test_the_command_palette_is_as_high_as_what_it_found(
    qtbot: QtBot, desk: WindowController
) -> None:
    palette = desk.window.palette_
    qtbot.keyClick(desk.window, Qt.Key.Key_P, CONTROL | SHIFT)
    everything = palette.height()
    last = palette.view.model().index(palette.view.model().rowCount() - 1, 0)
    assert palette.view.visualRect(last).bottom() > palette.view.viewport().height()  # scrolled to
    qtbot.keyClicks(palette.line, "dark theme")
    qtbot.waitUntil(lambda: palette.height() < everything / 2)
    row = palette.view.visualRect(palette.view.model().index(0, 0))
    assert row.bottom() <= palette.view.viewport().height()
    assert palette.view.viewport().height() < 2 * row.height() + 8
    palette.line.setText("zzzq")
    qtbot.waitUntil(palette.nothing.isVisible)
    assert palette.height() < everything / 2
    palette.line.clear()
    qtbot.waitUntil(lambda: palette.height() == everything)
    palette.leave()


def test_the_command_palette_finds_and_does(qtbot: QtBot, desk: WindowController) -> None:
    palette = desk.window.palette_
    qtbot.keyClick(desk.window, Qt.Key.Key_P, CONTROL | SHIFT)
    qtbot.keyClicks(palette.line, "dark theme")
    qtbot.keyClick(palette.line, Qt.Key.Key_Return)
    assert not palette.isVisible()
    qtbot.waitUntil(lambda: desk.shared.theme.scheme is Scheme.DARK)


def test_zoom_enlarges_text_and_goes_back(qapp: QApplication, desk: WindowController) -> None:
    usual = qapp.font().pointSizeF()
    desk.shared.theme.zoom_by(1)
    assert qapp.font().pointSizeF() > usual
    desk.shared.theme.zoom_by(0)
    assert qapp.font().pointSizeF() == usual


def test_every_control_has_a_name_and_every_disabled_one_a_reason(desk: WindowController) -> None:
    from PySide6.QtWidgets import QAbstractButton

    for button in desk.window.findChildren(QAbstractButton):
        if button.objectName().startswith("qt_") or not button.isVisible():
            continue
        named = button.text() or button.accessibleName() or button.toolTip()
        is_outside = isinstance(button, QToolButton) and button.parent().inherits("QLineEdit")
        is_outside = (
            is_outside
            or button.parent().inherits("QTabBar")
            or button.parent().inherits("QMenuBar")
        )
        assert is_outside or named, button
        assert is_outside or button.isEnabled() or button.toolTip(), button.text()


def test_closing_while_a_job_runs_stops_it_and_waits(qtbot: QtBot, desk: WindowController) -> None:
    ended = []

    def work(control: JobControl, _hear: Callable[[object], None]) -> None:
        while not control.cancelled():
            control.take()
        ended.append(True)
        raise Cancelled

    desk.shared.jobs.add("few-shot", work, "train")
    qtbot.waitUntil(lambda: len(desk.shared.jobs.running()) == 1)
    desk.close()
    assert ended == [True]


def test_a_recent_workspace_takes_the_place_of_this_one(
    qtbot: QtBot, desk: WindowController, folder: Path, tmp_path: Path
) -> None:
    desk.window.workspace_wanted.emit(tmp_path / "other")
    assert desk.following is not None
    assert not desk.window.isVisible()
    desk.following.close()


def test_the_search_box_names_the_ontology_it_looks_in(desk: WindowController) -> None:
    assert desk.window.top_bar.search.placeholderText().endswith("in toy 2026-01-01")
    assert "5 concepts" in desk.window.top_bar.ontology.toolTip()


def test_the_demo_shows_its_ontology_where_another_was_looked_at(
    desk: WindowController, monkeypatch: pytest.MonkeyPatch
) -> None:
    (ontology,) = list_ontologies(desk.shared.workspace)
    monkeypatch.setattr("termexplorer.services.importing.releases.ICD10CM", ontology.format)
    desk.shared.selection.go(None)
    desk.import_demo()
    assert desk.shared.selection.ontology_id == ontology.id
    assert not [job for job in desk.shared.jobs.running() if job.lane == "import"]
