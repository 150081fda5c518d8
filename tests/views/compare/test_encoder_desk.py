"""The rank-diff desk as a user drives it: one comparison in a child, looked at by all tests."""

import csv
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QApplication, QFileDialog
from pytestqt.qtbot import QtBot
from toy_window import LONG, desks, idle, show
from toy_workspace import LEXICAL, TRAINED, VECTORS, import_synonyms, opened_copy, quiet
from view_fakes import FakeRanker

from termexplorer.desk import WindowController
from termexplorer.models.mentions import DIFFERENCE, OVERLAP, rank_text
from termexplorer.models.side_by_side import TRUE
from termexplorer.services.compare.comparison import (
    CompareRequest,
    ComparisonSubject,
    WholeRanking,
    WholeRequest,
    compare,
    differences,
)
from termexplorer.services.compare.sheet import ComparisonSheet, make_sheet
from termexplorer.services.compare.side_by_side import side_by_side
from termexplorer.services.evaluate.evaluation import EvaluationRequest, evaluate, list_evaluations
from termexplorer.services.judge.drawn_pairs import pairs_of_comparison
from termexplorer.views.compare.encoder_desk import EncoderDesk
from termexplorer.views.compare.page import ComparePage
from termexplorer.views.evaluate.page import EvaluatePage
from termexplorer.workers.process.supervision import JobControl

ENCODERS = (VECTORS, TRAINED, LEXICAL)
DISPLAY = Qt.ItemDataRole.DisplayRole


def settle(qtbot: QtBot, desk: EncoderDesk) -> None:
    """Waits until the rankings of the current mention are on show."""
    qtbot.waitUntil(
        lambda: (
            desk.side.title.text() == desk.mentions.table.currentIndex().siblingAtColumn(0).data()
        )
    )


def mentions(desk: EncoderDesk) -> list[str]:
    return [
        desk.mentions.model.index(row, 0).data() for row in range(desk.mentions.model.rowCount())
    ]


@pytest.fixture(scope="module")
def compared(
    trained: Path, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, ComparisonSheet]:
    """A workspace in which neighbours were compared and evaluated, and what came of it."""
    folder = tmp_path_factory.mktemp("compared")
    with opened_copy(trained, folder) as workspace:
        request = CompareRequest(
            workspace.folder, ComparisonSubject("neighbours", 1, level=1), ENCODERS
        )
        comparison = compare(workspace, request, JobControl(), quiet)
        measured = EvaluationRequest(workspace.folder, "ranking", (VECTORS, TRAINED))
        evaluate(workspace, measured, JobControl(), quiet)
        return folder / "workspace", make_sheet(workspace, comparison, VECTORS)


@pytest.fixture
def window(
    open_desk: Callable[[Path], WindowController],
    compared: tuple[Path, ComparisonSheet],
    tmp_path: Path,
) -> WindowController:
    return open_desk(shutil.copytree(compared[0], tmp_path / "copy"))


@pytest.fixture
def desk(
    qtbot: QtBot, window: WindowController, compared: tuple[Path, ComparisonSheet]
) -> EncoderDesk:
    """The desk with neighbours by three encoders on show."""
    page = show(window, "compare")
    assert isinstance(page, ComparePage)
    encoders = page.encoders
    window.window.activateWindow()
    qtbot.waitUntil(lambda: not encoders.form.why_not)
    encoders.form.encoders.choose(ENCODERS)
    encoders.show_comparison(compared[1])
    qtbot.waitUntil(
        lambda: encoders.mentions.model.rowCount() == len(compared[1].compared.mentions)
    )
    settle(qtbot, encoders)
    return encoders


def test_the_smallest_window_shows_three_ranks_below_a_notice(
    qtbot: QtBot, window: WindowController, desk: EncoderDesk
) -> None:
    settle(qtbot, desk)
    window.shared.notices.tell("Compared. " * 20)
    qtbot.waitUntil(lambda: window.window.notice.isVisible())
    window.window.resize(window.window.minimumSizeHint().expandedTo(QSize(0, 700)))
    table = desk.side.table

    def fits() -> bool:
        rows = 3 * table.verticalHeader().defaultSectionSize()
        return window.window.height() <= 720 and table.viewport().height() >= rows

    qtbot.waitUntil(fits)


def check_widths(qtbot: QtBot, window: WindowController) -> None:
    for key in ("explore", "levels", "train", "evaluate", "compare", "map", "judge", "curate"):
        show(window, key)
        qtbot.wait(50)
        assert window.window.minimumSizeHint().width() <= 1024, key


def test_every_page_fits_into_a_small_screen(qtbot: QtBot, window: WindowController) -> None:
    check_widths(qtbot, window)


def test_every_page_fits_into_a_small_screen_in_german(
    german: None,
    qtbot: QtBot,
    open_desk: Callable[[Path], WindowController],
    trained: Path,
    tmp_path: Path,
) -> None:
    check_widths(qtbot, open_desk(shutil.copytree(trained, tmp_path / "workspace")))


def test_a_comparison_of_an_ontology_that_is_left_holds_up_nothing(
    qtbot: QtBot, window: WindowController, desk: EncoderDesk, tmp_path: Path
) -> None:
    other = import_synonyms(window.shared.workspace, tmp_path)
    desk.form.encoders.choose((VECTORS, LEXICAL))
    desk.form.compare.click()
    (job,) = window.shared.jobs.waiting()
    assert "Compare 2 encoders" in job.title
    window.shared.selection.go(other.id)
    qtbot.waitUntil(lambda: desk.sheet is None)
    qtbot.waitUntil(lambda: not desk.form.why_not)
    assert "Comparing…" not in desk.mentions.table.hint
    desk.form.compare.click()
    assert "Comparing…" in desk.mentions.table.hint
    assert len(window.shared.jobs.running() + window.shared.jobs.waiting()) == 2
    for open_job in window.shared.jobs.waiting() + window.shared.jobs.running():
        window.shared.jobs.cancel(open_job)
    idle(qtbot, window)
    qtbot.waitUntil(lambda: "Comparing…" not in desk.mentions.table.hint)


def test_mentions_are_sorted_by_what_was_measured(
    qtbot: QtBot, desk: EncoderDesk, compared: tuple[Path, ComparisonSheet]
) -> None:
    comparison = compared[1].compared
    assert desk.mentions.model.header == (
        "Mention", "Overlap", "Difference", "Ranks gained", "Ranks lost",
        *(f"rank #{encoder}" for encoder in ENCODERS), "  Seen",
    )  # fmt: skip
    lowest = [float(desk.mentions.model.index(row, OVERLAP).data()) for row in range(5)]
    assert lowest == pytest.approx(sorted(comparison.lowest)[:5], abs=0.001)
    desk.mentions.table.sortByColumn(DIFFERENCE, Qt.SortOrder.DescendingOrder)
    apart = sorted(np.nan_to_num(differences(comparison), nan=-1), reverse=True)[:9]
    qtbot.waitUntil(lambda: desk.mentions.model.index(0, DIFFERENCE).data() == rank_text(apart[0]))
    shown = [desk.mentions.model.index(row, DIFFERENCE).data() for row in range(9)]
    assert [float(text.replace(",", "")) for text in shown] == pytest.approx(apart, abs=0.06)
    desk.mentions.table.sortByColumn(0, Qt.SortOrder.AscendingOrder)
    qtbot.waitUntil(lambda: mentions(desk) == sorted(comparison.mentions, key=str.casefold))


def test_what_encoders_disagree_on_goes_on_to_a_study(
    qtbot: QtBot,
    desk: EncoderDesk,
    window: WindowController,
    compared: tuple[Path, ComparisonSheet],
) -> None:
    desk.mentions.judge.click()
    qtbot.waitUntil(lambda: window.window.page("judge") is not None, timeout=LONG)
    study = window.window.page("judge").studies.form
    (path,) = study.pairs.paths
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    asked = pairs_of_comparison(window.shared.workspace, compared[1].compared, 100, "rbo").pairs
    assert [(row["left"], row["right"]) for row in rows] == [(e.left, e.right) for e in asked]
    assert study.pairs_of_set.value() == (len(rows) + 1) // 2


def test_the_figures_that_are_kept_stand_above_and_lead_to_evaluate(
    qtbot: QtBot, desk: EncoderDesk, window: WindowController
) -> None:
    evaluation_by_level = {
        evaluation.level: evaluation for evaluation in list_evaluations(window.shared.workspace)
    }
    first = [
        own_figure
        for own_figure in evaluation_by_level[1].figures
        if own_figure.metric == evaluation_by_level[1].metric
    ]
    assert [own_figure.encoder_id for own_figure in first] == [
        LEXICAL,
        VECTORS,
        TRAINED,
    ]  # the run's own
    for figure in first:
        qtbot.waitUntil(
            lambda f=figure: f"{f.value:.3f} ({f.low:.3f}" in desk.figures.message.text()
        )  # type: ignore[misc]
    assert desk.figures.message.text().startswith(f"{evaluation_by_level[1].metric}, level 1")
    assert desk.slopes.isVisible()
    levels = sum(bool(evaluation.figures) for evaluation in evaluation_by_level.values())
    assert desk.slopes.intervals == 2 * levels + 1 > 3  # TF-IDF on the run's level alone
    desk.figures.open.click()
    page = window.window.page("evaluate")
    assert isinstance(page, EvaluatePage)
    qtbot.waitUntil(lambda: page.results.list.current is not None)
    current = page.results.list.current
    assert current is not None
    assert (current.task, current.data_hash) == (
        evaluation_by_level[1].task,
        evaluation_by_level[1].data_hash,
    )


def test_what_has_no_figures_yet_is_asked_for_in_evaluate(
    qtbot: QtBot, desk: EncoderDesk, window: WindowController
) -> None:
    workspace = window.shared.workspace
    request = CompareRequest(workspace.folder, ComparisonSubject("synonyms", 1), (LEXICAL, VECTORS))
    comparison = compare(workspace, request, JobControl(), quiet)
    desk.show_comparison(make_sheet(workspace, comparison, LEXICAL))
    qtbot.waitUntil(
        lambda: desk.figures.message.text().startswith("These encoders have no figures")
    )
    desk.figures.open.click()
    page = window.window.page("evaluate")
    assert isinstance(page, EvaluatePage)
    qtbot.waitUntil(lambda: page.form.encoders.ids == (LEXICAL, VECTORS))
    assert page.form.tasks.tasks == ("synonyms",)


def test_more_names_are_ranked_when_they_are_wanted(
    qtbot: QtBot, desk: EncoderDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert desk.sheet is not None
    ids = desk.sheet.compared.candidate_ids

    def ranked(request: WholeRequest) -> WholeRanking:
        names = ids[ids != request.name_id][:: 1 if request.encoder_id == LEXICAL else -1]
        none = np.zeros(len(names))
        return WholeRanking(names, none.astype(np.float32), none > 0, empty=False)

    monkeypatch.setattr(desk.side._shared.ranker, "rank_whole", ranked, raising=False)
    assert desk.side.more.text() == f"Show all {len(ids)}"
    desk.side.more.click()
    qtbot.waitUntil(lambda: set(desk.side.model.lengths()) == {len(ids) - 1})
    assert not desk.side.more.isVisible()
    first, last = (desk.side.model.index(row, 2).data() for row in (0, len(ids) - 2))
    assert first != last
    desk.mentions.table.selectRow(1)
    settle(qtbot, desk)
    assert max(desk.side.model.lengths()) == 100
    assert desk.side.more.isVisible()


def test_texts_classes_and_training_filter(qtbot: QtBot, desk: EncoderDesk) -> None:
    sheet = desk.sheet
    assert sheet is not None
    qtbot.keyClicks(desk.mentions.filter, "LUNG")
    qtbot.waitUntil(lambda: all("lung" in mention for mention in mentions(desk)))
    desk.mentions.filter.clear()
    desk.classes.selectRow(1)
    group = sheet.by_class[1]
    assert desk.classes.model().index(1, 0).data() == group.label
    qtbot.waitUntil(lambda: desk.mentions.model.rowCount() == group.mentions)
    desk.mentions.seen.setCurrentIndex(desk.mentions.seen.findText("Unseen"))
    qtbot.waitUntil(lambda: 0 < desk.mentions.model.rowCount() < group.mentions)
    assert not sheet.compared.seen[desk.mentions.model.places].any()
    qtbot.keyClicks(desk.mentions.filter, "nowhere")
    qtbot.waitUntil(lambda: desk.mentions.model.rowCount() == 0)
    assert "clear the filter" in desk.mentions.table.hint
    assert desk.side.title.text() == ""


def test_the_mentions_rankings_stand_side_by_side(
    qtbot: QtBot, desk: EncoderDesk, window: WindowController
) -> None:
    sheet = desk.sheet
    assert sheet is not None
    desk.mentions.table.selectRow(3)
    settle(qtbot, desk)
    position = desk.mentions.model.place(3)
    side = side_by_side(window.shared.workspace, sheet.compared, position, top=100)
    model = desk.side.model
    names = [
        column
        for column in range(model.columnCount())
        if model.headerData(column, Qt.Orientation.Horizontal, DISPLAY)
    ]
    for at, column in zip(names, side.columns, strict=True):
        shown = [model.index(row, at).data() for row in range(len(column.rows))]
        assert shown == [row.text for row in column.rows]
        signs = [model.index(row, at - 1).data() for row in range(len(column.rows))]
        assert signs == [TRUE if row.true else "" for row in column.rows]
    other = side.columns[1].rows
    assert [model.index(row, names[1] + 1).data() for row in range(9)] == [
        row.moved for row in other[:9]
    ]
    index = model.index(0, names[1])
    desk.side.table.setCurrentIndex(index)
    highlight = Qt.ItemDataRole.BackgroundRole
    first = side.columns[0].rows
    rank = other[0].ranks[0]
    assert rank is not None
    assert first[rank - 1].name_id == other[0].name_id
    assert model.index(rank - 1, names[0]).data(highlight) is not None
    assert model.index(rank, names[0]).data(highlight) is None
    assert f": rank {rank} · " in desk.side.where.toolTip()


def test_the_legend_of_moves_is_read_whole_or_as_far_as_a_part_goes(
    qtbot: QtBot, desk: EncoderDesk, window: WindowController
) -> None:
    window.window.resize(1440, 900)
    where = desk.side.where
    parts = where.toolTip().split(" " * 5)
    assert parts[1] == "+3 three ranks above its place by the baseline"
    qtbot.waitUntil(lambda: all(part in where.text() for part in parts))
    height = where.height()
    assert where.text().count("\n") == 1
    window.window.resize(1024, 700)
    qtbot.waitUntil(lambda: "\n" not in where.text())
    assert where.text()[0] == parts[0][0]
    assert where.height() == height


def test_wins_losses_and_ties_are_against_the_baseline(qtbot: QtBot, desk: EncoderDesk) -> None:
    before = desk.conclusion.text()
    whole = desk.sheet.by_class[0] if desk.sheet else None
    assert whole is not None
    row = [desk.classes.model().index(0, column).data() for column in range(8)]
    counts = [n for tally in whole.tallies for n in (tally.wins, tally.losses, tally.ties)]
    assert row == ["All mentions", *(f"{n:,}" for n in (whole.mentions, *counts))]
    assert f"wins {counts[0]:,}, loses {counts[1]:,}" in before
    desk.form.baseline.setCurrentIndex(desk.form.baseline.findData(LEXICAL))
    qtbot.waitUntil(lambda: desk.conclusion.text() != before)
    assert desk.conclusion.text().startswith("Against TF-IDF")
    assert desk.sheet is not None
    swapped = {tally.encoder_id: tally for tally in desk.sheet.by_class[0].tallies}[VECTORS]
    lexical = {tally.encoder_id: tally for tally in whole.tallies}[LEXICAL]
    assert (swapped.wins, swapped.losses) == (lexical.losses, lexical.wins)


def test_enter_shows_the_concept(qtbot: QtBot, desk: EncoderDesk, window: WindowController) -> None:
    selection = window.shared.selection
    with qtbot.waitSignal(window.shared.errands.go_to) as gone:
        qtbot.keyClick(desk.mentions.table, Qt.Key.Key_Return)
    assert gone.args == [1, selection.concept_id]
    assert window.window.page("explore").isVisible()
    show(window, "compare")
    table = desk.side.table
    table.setCurrentIndex(desk.side.model.index(2, 2))
    name = desk.side.model.name(table.currentIndex())
    assert name is not None
    qtbot.keyClick(table, Qt.Key.Key_Return)
    assert selection.concept_id == name.concept.id


def test_what_is_shown_is_exported(
    qtbot: QtBot, desk: EncoderDesk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "mentions.csv"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(out), ""))
    qtbot.keyClicks(desk.mentions.filter, "heart")
    qtbot.waitUntil(lambda: all("heart" in mention for mention in mentions(desk)))
    desk.mentions.export.click()
    qtbot.waitUntil(out.exists)
    with out.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["mention"] for row in rows] == mentions(desk)
    assert rows[0]["class"].endswith("heart disease")


def test_what_is_missing_is_said(qtbot: QtBot, desk: EncoderDesk) -> None:
    form = desk.form
    form.encoders.choose((VECTORS,))
    assert not form.compare.isEnabled()
    assert "two encoders" in form.compare.toolTip()
    form.encoders.choose(ENCODERS)
    assert form.compare.isEnabled()
    form.level_choice.use(9, None)
    form.task.setCurrentIndex(1)
    assert "no level 9" in form.compare.toolTip()
    form.level_choice.use(1, None)
    form.task.setCurrentIndex(0)
    assert form.compare.isEnabled()


def test_the_last_comparison_and_the_last_tab_come_back(
    qtbot: QtBot, compared: tuple[Path, ComparisonSheet], qapp: QApplication, tmp_path: Path
) -> None:
    folder = shutil.copytree(compared[0], tmp_path / "again")
    with desks(qapp, tmp_path / "settings", lambda _folder: FakeRanker()) as open_one:
        first = open_one(folder)
        desk = show(first, "compare").encoders
        qtbot.waitUntil(lambda: not desk.form.why_not)
        desk.form.encoders.choose((VECTORS, LEXICAL))
        first.window.activateWindow()
        control = Qt.KeyboardModifier.ControlModifier
        qtbot.keyClick(desk.form.task, Qt.Key.Key_Return, control)
        assert "at the bottom of the window" in desk.mentions.table.hint
        idle(qtbot, first)
        assert desk.sheet is not None
        first.close()
        second = open_one(folder)
        page = show(second, "compare")
        qtbot.waitUntil(lambda: page.encoders.mentions.model.rowCount() > 0, timeout=LONG)
        assert page.encoders.sheet.compared.encoder_ids == (VECTORS, LEXICAL)
        page = show(second, "curate")
        page.show_part("Releases")
        second.close()
        page = show(open_one(folder), "curate")
        assert page.releases.isVisible()
