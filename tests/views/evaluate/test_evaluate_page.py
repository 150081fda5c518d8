"""The Evaluate page as a user drives it: real evaluations in children, tables, curves, files."""

import csv
import json
import re
import shutil
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QLineEdit, QStyle, QStyleOptionViewItem
from pytestqt.qtbot import QtBot
from toy_window import LONG, idle, open_page, show
from toy_workspace import FEW_SHOT, LEXICAL, TRAINED, VECTORS, opened_copy, quiet, train

from termexplorer.desk import WindowController
from termexplorer.models.matrix_table import FIRST_SET
from termexplorer.services.evaluate.conclusion_words import conclusion_text
from termexplorer.services.evaluate.evaluation import (
    MEASURES,
    TASKS,
    Difference,
    Evaluated,
    EvaluationRequest,
    FigureInfo,
    evaluate,
    least_seen,
    list_evaluations,
)
from termexplorer.services.evaluate.pair_details import PairDetails
from termexplorer.services.figures.coverage_words import n_text
from termexplorer.services.recipes.run_requests import SplitRule
from termexplorer.services.train.runs import find_run
from termexplorer.views.evaluate.page import EvaluatePage
from termexplorer.views.evaluate.roc import RocPlot
from termexplorer.views.evaluate.words import WORDS, measure_title, metric_tip, task_title
from termexplorer.views.widgets.tick_list import KEY
from termexplorer.workers.process.supervision import JobControl
from termexplorer.workspace import Workspace

Opened = tuple[WindowController, EvaluatePage]


def wait_for_form(qtbot: QtBot, page: EvaluatePage) -> None:
    qtbot.waitUntil(lambda: page.form.encoders.count() > 0)


@pytest.fixture
def opened(
    qtbot: QtBot, open_desk: Callable[[Path], WindowController], trained: Path, tmp_path: Path
) -> Opened:
    desk, page = open_page(open_desk, trained, tmp_path, "evaluate")
    assert isinstance(page, EvaluatePage)
    wait_for_form(qtbot, page)
    return desk, page


def evaluated(workspace: Path, task: str, *encoders: int) -> Sequence[Evaluated]:
    opened = Workspace(workspace)
    try:
        request = EvaluationRequest(workspace, task, encoders, ontology_id=1)
        return evaluate(opened, request, JobControl(), quiet)
    finally:
        opened.close()


def run(
    qtbot: QtBot, desk: WindowController, page: EvaluatePage, task: str, *encoders: int
) -> Evaluated:
    """Evaluates through the form; returns what is shown then."""
    page.form.tasks.choose(task)
    page.form.encoders.tick(encoders)
    assert page.form.evaluate.isEnabled()
    page.form.evaluate.click()
    idle(qtbot, desk)
    current = page.results.list
    qtbot.waitUntil(lambda: current.current is not None and current.current.task.startswith(task))
    assert current.current is not None
    return current.current


def cells(page: EvaluatePage, role: int = Qt.ItemDataRole.DisplayRole) -> list[list[str]]:
    model = page.results.model
    return [
        [model.index(row, column).data(role) for column in range(model.columnCount())]
        for row in range(model.rowCount())
    ]


def test_the_task_whose_box_is_clicked_is_told_about(qtbot: QtBot, opened: Opened) -> None:
    _, page = opened
    tasks = page.form.tasks
    for task in ("coverage", "hypernyms"):
        item = tasks.item(TASKS.index(task))
        row, option = tasks.visualItemRect(item), QStyleOptionViewItem()
        option.initFrom(tasks)
        option.rect = row
        option.features = QStyleOptionViewItem.ViewItemFeature.HasCheckIndicator
        box = tasks.style().subElementRect(
            QStyle.SubElement.SE_ItemViewItemCheckIndicator, option, tasks
        )
        before = item.checkState()
        qtbot.mouseClick(tasks.viewport(), Qt.MouseButton.LeftButton, pos=box.center())
        assert item.checkState() != before
        assert page.form.sentence.text() == WORDS[task].sentence


def test_the_notice_says_that_others_were_measured_before(qtbot: QtBot, opened: Opened) -> None:
    desk, page = opened
    message = "This covers the encoders measured now"
    run(qtbot, desk, page, "hypernyms", LEXICAL, TRAINED)
    qtbot.waitUntil(lambda: bool(page._state.evaluations))
    assert message not in desk.window.notice.text
    run(qtbot, desk, page, "hypernyms", VECTORS, TRAINED)
    qtbot.waitUntil(lambda: message in desk.window.notice.text)


def test_coverage_of_three_encoders_is_a_table_a_curve_and_a_sentence(
    qtbot: QtBot, opened: Opened
) -> None:
    desk, page = opened
    assert page.results.empty.isVisible()
    output = run(qtbot, desk, page, "coverage", LEXICAL, VECTORS, TRAINED)
    (stored,) = list_evaluations(desk.shared.workspace)
    assert output == stored
    labels = {encoder.id: encoder.label for encoder in page._state.encoders}
    of_label = {label: encoder_id for encoder_id, label in labels.items()}
    metrics = page.results.model.metrics
    assert metrics == tuple(f"coverage@{2**power}" for power in range(11))
    firsts = []
    for row in cells(page):
        figure_by_metric = {f.metric: f for f in stored.figures if f.encoder_id == of_label[row[0]]}
        for metric, cell in zip(metrics, row[1:], strict=False):
            figure = figure_by_metric[metric]
            assert f"{figure.value:.3f}\n({figure.low:.3f}–{figure.high:.3f})" in cell
        assert row[len(metrics) + 1] == n_text(figure_by_metric[metrics[0]].n, stored.items)
        firsts.append(figure_by_metric[metrics[0]].value)
    assert firsts == sorted(firsts, reverse=True)
    assert len(firsts) == 3
    message = f"{page.results.conclusion.text()} {page.results.details.text()}".replace("\n", " ")
    assert message.replace("\N{NO-BREAK SPACE}", " ") == conclusion_text(
        stored, labels, beneath={TRAINED: VECTORS}
    )
    assert page.results.curves.plot.isVisible()
    assert page.results.curves.plot.names == [labels[n] for n in (LEXICAL, VECTORS, TRAINED)]
    assert [page.results.curves.plot.points(name) for name in page.results.curves.plot.names] == [
        11,
        11,
        11,
    ]
    assert page.results.curves.plot.intervals == 33


def test_earlier_evaluations_are_there_at_once_with_a_curve_over_levels(
    qtbot: QtBot, open_desk: Callable[[Path], WindowController], trained: Path, tmp_path: Path
) -> None:
    folder = shutil.copytree(trained, tmp_path / "copy")
    evaluations = evaluated(folder, "ranking", VECTORS, TRAINED)
    assert len(evaluations) > 1, "the toy ontology has more than one level"
    desk = open_desk(folder)
    page = show(desk, "evaluate")
    table = page.results.list
    qtbot.waitUntil(lambda: table.model().rowCount() == len(evaluations))
    shown = [table.model().index(row, 1).data() for row in range(len(evaluations))]
    assert shown == [evaluation.title for evaluation in list_evaluations(desk.shared.workspace)]
    figures = page.results.table
    last = figures.visualRect(figures.model().index(figures.model().rowCount() - 1, 0))
    assert last.bottom() < figures.viewport().height(), "the curve leaves room for both encoders"
    desk.window.resize(desk.window.minimumSizeHint())
    qtbot.waitUntil(lambda: desk.window.height() < 800)
    below = page.results.notes, page.results.curves
    assert figures.geometry().bottom() < below[0].y(), "nothing lies over the figures"
    assert below[0].geometry().bottom() < below[1].y()
    desk.window.resize(desk.window.width(), 800)
    level = [table.model().index(row, 2).data() for row in range(len(evaluations))]
    assert level == [str(evaluation.level) for evaluation in evaluations]
    assert page.results.curves.plot.isVisible()
    assert desk.window.height() == 800  # on a small screen it would not fit if it were higher
    levels = sum(
        bool(evaluation.figures) for evaluation in evaluations
    )  # the lowest has no two names of a class
    assert 1 < levels < len(evaluations)
    points = [page.results.curves.plot.points(name) for name in page.results.curves.plot.names]
    assert sorted(points) == [1, levels, levels]  # TF-IDF on the run's own level


def test_the_figures_of_all_encoders_are_seen_whole_however_narrow_the_window(
    qtbot: QtBot, open_desk: Callable[[Path], WindowController], trained: Path, tmp_path: Path
) -> None:
    folder = shutil.copytree(trained, tmp_path / "copy")
    encoders = (*range(1, 5), VECTORS, TRAINED)
    evaluated(folder, "coverage", *encoders)
    desk = open_desk(folder)
    desk.window.resize(desk.window.minimumSizeHint())
    figures = show(desk, "evaluate").results.table
    model = figures.model()
    qtbot.waitUntil(lambda: model.rowCount() == len(encoders))
    qtbot.waitUntil(figures.horizontalScrollBar().isVisible)
    last = figures.visualRect(model.index(len(encoders) - 1, 0))
    assert last.bottom() < figures.viewport().height()


def test_what_was_evaluated_on_is_told_in_german(
    qtbot: QtBot,
    open_desk: Callable[[Path], WindowController],
    trained: Path,
    tmp_path: Path,
    german: None,
) -> None:
    folder = shutil.copytree(trained, tmp_path / "copy")
    first, *_ = evaluated(folder, "ranking", VECTORS, TRAINED)
    assert first.data.startswith("level 1: "), "as commands and exports have it"
    page = show(open_desk(folder), "evaluate")
    assert isinstance(page, EvaluatePage)
    table = page.results.list
    qtbot.waitUntil(lambda: table.model().rowCount() > 1)
    table.choose(first)
    title = table.model().index(table.currentIndex().row(), 1).data()
    assert re.fullmatch(
        r"toy 2026-01-01 · \d+ Klassen, \d+ Test- und \d+ Trainings.*, Aufteilung \d+", title
    )
    assert page.results.data_label.text().endswith(f" · Ebene 1: {title}")


def test_the_figures_on_show_are_exported_unless_all_are_wanted(
    qtbot: QtBot,
    open_desk: Callable[[Path], WindowController],
    trained: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    folder = shutil.copytree(trained, tmp_path / "copy")
    evaluations = evaluated(folder, "ranking", VECTORS, TRAINED)
    page = show(open_desk(folder), "evaluate")
    assert isinstance(page, EvaluatePage)
    results, path = page.results, tmp_path / "figures.csv"
    qtbot.waitUntil(lambda: results.list.model().rowCount() > 1)
    results.list.choose(evaluations[0])
    stored = {
        evaluation.data_hash: evaluation for evaluation in list_evaluations(page._shared.workspace)
    }
    shown = stored[evaluations[0].data_hash]  # with TF-IDF, which the run was held against
    assert str(len(shown.figures)) in results.export.text()
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))
    results.export.click()
    with path.open(encoding="utf-8", newline="") as file:
        assert {row["data hash"] for row in csv.DictReader(file)} == {evaluations[0].data_hash}
    results.export.other_formats.menu().actions()[1].trigger()
    with path.open(encoding="utf-8", newline="") as file:
        assert {row["data hash"] for row in csv.DictReader(file)} > {evaluations[0].data_hash}


def test_few_shot_encoders_of_several_k_are_a_curve_over_k(
    qtbot: QtBot,
    open_desk: Callable[[Path], WindowController],
    trained: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with opened_copy(trained, tmp_path) as workspace:
        samples = [
            train(workspace, replace(FEW_SHOT, rule=SplitRule("few-shot", 3, seed=n), seed=n))
            for n in (0, 1)
        ]
    of_three = [run.encoder_id or 0 for run in samples]
    folder = tmp_path / "workspace"
    (evaluated_set,) = evaluated(folder, "coverage", VECTORS, TRAINED, *of_three)
    page = show(open_desk(folder), "evaluate")
    curves = page.results.curves
    qtbot.waitUntil(lambda: page.results.list.model().rowCount() == 1)
    offered = [curves.which.itemText(row) for row in range(curves.which.count())]
    assert offered == ["Over k", "Over k-shot"]
    assert len(curves.plot.names) == 4
    curves.which.setCurrentIndex(1)
    curves.which.activated.emit(1)
    (line,) = curves.plot.names
    assert line.startswith("few-shot, level 1 on ")
    assert curves.plot.points(line) == curves.plot.intervals == 3
    assert "over samples" in curves.over.text()
    path = tmp_path / "points.csv"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))
    curves.export.click()
    with path.open(encoding="utf-8", newline="") as file:
        rows = {int(row["training examples per class (k)"]): row for row in csv.DictReader(file)}
    first = {f.encoder_id: f.value for f in evaluated_set.figures if f.metric == "coverage@1"}
    means = {0: first[VECTORS], 3: sum(first[n] for n in of_three) / 2, 5: first[TRAINED]}
    assert {k: float(row["value"]) for k, row in rows.items()} == pytest.approx(means)
    assert {k: int(row["samples"]) for k, row in rows.items()} == {0: 1, 3: 2, 5: 1}
    curves.plot.save(tmp_path / "curve.png")
    assert (tmp_path / "curve.png").stat().st_size > 0


def test_without_few_shot_encoders_the_curve_says_how_to_get_one(opened: Opened) -> None:
    _, page = opened
    figure = FigureInfo(VECTORS, "relatedness", "hash", "spearman", 0.4, 0.3, 0.5, 30)
    pairs = Evaluated("relatedness", "pairs", "hash", "spearman", (figure,))
    page.results.show_evaluations((pairs,), {VECTORS: "vectors"})
    curves = page.results.curves
    assert [curves.which.itemText(row) for row in range(curves.which.count())] == ["Over k-shot"]
    assert curves.empty.isVisible()
    assert "different numbers of training examples" in curves.empty.text()
    assert not curves.plot.isVisible()
    assert not curves.export.isVisible()


def test_what_is_missing_is_said_on_the_button(
    qtbot: QtBot, opened: Opened, tmp_path: Path
) -> None:
    _, page = opened
    form = page.form
    form.encoders.tick(())
    assert "at least one encoder" in form.evaluate.toolTip()
    assert not form.evaluate.isEnabled()
    form.encoders.tick((VECTORS,))
    assert form.evaluate.isEnabled()
    for task, word in (
        ("normalisation", "PubTator"),
        ("retrieval", "PubTator"),
        ("relatedness", "pairs"),
    ):
        form.tasks.choose(task)
        assert not form.evaluate.isEnabled()
        assert word in form.evaluate.toolTip()
    form.pairs.use([tmp_path / "pairs.tsv"])
    assert form.evaluate.isEnabled()
    (asked,) = form.requests()
    assert asked.pairs == (tmp_path / "pairs.tsv",)
    assert asked.ontology_id is None
    form.pairs.remove.click()
    assert not form.evaluate.isEnabled()


def test_without_an_ontology_the_page_says_what_comes_first(
    qtbot: QtBot, open_desk: Callable[[Path], WindowController], tmp_path: Path
) -> None:
    desk = open_desk(tmp_path / "new")
    page = show(desk, "evaluate")
    qtbot.waitUntil(lambda: bool(page._state.encoders))
    assert not page.form.evaluate.isEnabled()
    assert "Import an ontology first" in page.form.evaluate.toolTip()
    assert page.results.empty.isVisible()


def test_a_failure_is_told_and_keeps_nothing(qtbot: QtBot, opened: Opened, tmp_path: Path) -> None:
    desk, page = opened
    path = tmp_path / "empty.tsv"
    path.write_text("", encoding="utf-8")
    page.form.tasks.choose("relatedness")
    page.form.pairs.use([path])
    page.form.evaluate.click()
    idle(qtbot, desk)
    assert "empty.tsv" in desk.window.notice.text
    assert list_evaluations(desk.shared.workspace) == []


def test_an_evaluation_is_cancelled_from_the_bar(qtbot: QtBot, opened: Opened) -> None:
    desk, page = opened
    idle(qtbot, desk)  # it gets encoders ready
    page.form.tasks.choose("synonyms")
    page.form.evaluate.click()
    qtbot.waitUntil(lambda: desk.window.job_bar.title.text().startswith("Synonyms"), timeout=LONG)
    desk.window.job_bar.cancel.click()
    idle(qtbot, desk)
    assert list_evaluations(desk.shared.workspace) == []


def test_all_figures_and_the_picture_are_exported(
    qtbot: QtBot, opened: Opened, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk, page = opened
    output = run(qtbot, desk, page, "coverage", VECTORS, TRAINED)
    for name in ("figures.csv", "figures.xlsx"):
        path = tmp_path / name
        monkeypatch.setattr(
            QFileDialog, "getSaveFileName", lambda *_, chosen=str(path): (chosen, "")
        )
        page.results.export.click()
        assert path.stat().st_size > 0
    with (tmp_path / "figures.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    written = {(int(r["encoder"]), r["metric"]): float(r["value"]) for r in rows}
    assert written == {(f.encoder_id, f.metric): f.value for f in output.figures}
    assert {(r["level"], r["split"]) for r in rows} == {("", str(output.split_id))}
    apart = {difference.metric: -abs(difference.value) for difference in output.differences}
    assert len(apart) == len(output.differences) > 1
    behind = {r["metric"]: float(r["beside the best"]) for r in rows if r["beside the best"]}
    assert behind == apart
    for name in ("curve.png", "curve.svg"):
        page.results.curves.plot.save(tmp_path / name)
        assert (tmp_path / name).stat().st_size > 0


def test_the_best_is_bold_and_what_is_worse_is_marked(opened: Opened) -> None:
    _, page = opened
    values = {LEXICAL: 0.4, VECTORS: 0.9, TRAINED: 0.7}
    figures = tuple(
        FigureInfo(n, "ranking", "hash", metric, v if metric == "mAP" else 10 * v, 0, 1, 1234)
        for n, v in values.items()
        for metric in ("mAP", "median rank")
    )
    worse = Difference(LEXICAL, VECTORS, "mAP", -0.5, -0.6, -0.4, 0.001, True, 1234)
    unsure = Difference(VECTORS, TRAINED, "mAP", 0.2, -0.1, 0.5, 0.2, False, 1234)
    shown = Evaluated("ranking", "toy", "hash", "mAP", figures, (worse, unsure))
    labels = {LEXICAL: "letters", VECTORS: "vectors", TRAINED: "trained"}
    page.results.show_evaluations((shown,), labels)
    texts, tips = cells(page), cells(page, Qt.ItemDataRole.ToolTipRole)
    assert [row[0] for row in texts] == ["vectors", "trained", "letters"]
    assert ["▼" in row[1] for row in texts] == [False, False, True]
    assert not any("▼" in row[2] for row in texts)
    bold = [[cell is not None for cell in row] for row in cells(page, Qt.ItemDataRole.FontRole)]
    assert bold == [[False, True, False, False], [False] * 4, [False, False, True, False]]
    assert "p = 0.001" in tips[2][1]
    assert "-0.500000 (-0.600000 to -0.400000)" in tips[2][1]
    assert "▼" in page.results.notes.text()
    page.results.show_evaluations((replace(shown, differences=(unsure,)),), labels)
    assert "▼" not in page.results.notes.text()
    conclusion = page.results.conclusion.text()
    assert "Leading in mAP: vectors, not shown to be ahead of trained." in conclusion
    assert "Evaluate vectors together with letters" in page.results.details.text()


def test_the_split_of_the_first_trained_encoder_is_offered(opened: Opened) -> None:
    _, page = opened
    form = page.form
    form.tasks.choose("ranking")
    form.encoders.tick((VECTORS,))
    assert form.split.currentText() == "Sampled by the seed"
    form.encoders.tick((VECTORS, TRAINED))
    assert "split 1" in form.split.currentText()
    assert [asked.split_id for asked in form.requests()] == [None]
    form.split.setCurrentIndex(1)
    assert [asked.split_id for asked in form.requests()] == [1]
    form.tasks.choose("coverage")
    assert [asked.split_id for asked in form.requests()] == [None]


def test_only_splits_that_the_task_can_use_are_offered(opened: Opened) -> None:
    _, page = opened
    (on_level,) = page._state.runs
    of_concepts = replace(
        on_level, id=2, title="bne", split_id=9, encoder_id=7,
        request={**on_level.request, "choice": None},
    )  # fmt: skip
    form = page.form
    form.show_state(page._state.encoders, (of_concepts, on_level))
    form.tasks.choose(*TASKS)
    for split, run in ((form.split, on_level), (form.concept_split, of_concepts)):
        assert [split.itemData(row) for row in range(split.count())] == [None, run.split_id]
        split.setCurrentIndex(1)
    assert {asked.task: asked.split_id for asked in form.requests() if asked.split_id} == {
        "ranking": 1,
        "hypernyms": 1,
        "synonyms": 9,
        "coverage": 9,
    }
    for task in TASKS:
        form.tasks.choose(task)
        assert form.split.isVisible() == (task in ("ranking", "hypernyms"))
        assert form.concept_split.isVisible() == (task in ("synonyms", "coverage"))


def test_several_tasks_are_done_one_after_the_other(qtbot: QtBot, opened: Opened) -> None:
    desk, page = opened
    form = page.form
    form.encoders.tick((LEXICAL, VECTORS))
    form.tasks.choose("coverage", "relatedness", "categories")
    assert form.evaluate.text() == "Evaluate 3 tasks"
    assert not form.evaluate.isEnabled()
    assert form.evaluate.toolTip().startswith("Relatedness: Add a file")
    assert form.why.isVisible()
    assert form.why.text() == form.evaluate.toolTip()
    form.tasks.tick(())
    assert "at least one task" in form.evaluate.toolTip()
    form.tasks.tick(("coverage", "categories"))
    assert not form.why.isVisible()
    form.evaluate.click()
    assert desk.shared.jobs.running() + desk.shared.jobs.waiting()
    idle(qtbot, desk)
    qtbot.waitUntil(lambda: page.results.list.model().rowCount() == 2)
    stored = list_evaluations(desk.shared.workspace)
    assert {evaluation.task for evaluation in stored} == {"coverage", "categories"}
    assert all(
        {f.encoder_id for f in evaluation.figures} == {LEXICAL, VECTORS} for evaluation in stored
    )


def test_the_sentence_on_the_first_of_several_levels_says_which_it_is(
    qtbot: QtBot, opened: Opened
) -> None:
    desk, page = opened
    run(qtbot, desk, page, "ranking", LEXICAL, VECTORS)
    assert page.results.list.model().rowCount() > 1
    text = desk.window.notice.text
    assert re.match(r"(Best|No difference shown)\b.*\. · Similarity ranking · level 1\b", text), (
        text
    )


def test_the_sentence_is_of_the_level_that_was_learned(
    qtbot: QtBot, open_desk: Callable[[Path], WindowController], trained: Path, tmp_path: Path
) -> None:
    with opened_copy(trained, tmp_path) as workspace:
        request = json.dumps(
            {**find_run(workspace, 1).request, "choice": {"level": 2}},
        )
        with workspace.store.writing() as connection:
            connection.exec_driver_sql("UPDATE run SET request = ?", (request,))
    desk = open_desk(tmp_path / "workspace")
    page = show(desk, "evaluate")
    wait_for_form(qtbot, page)
    run(qtbot, desk, page, "ranking", LEXICAL, TRAINED)
    assert " · Similarity ranking · level 2" in desk.window.notice.text


def test_the_sentence_and_the_row_are_of_names_that_encoders_were_trained_on_least(
    qtbot: QtBot, opened: Opened
) -> None:
    desk, page = opened
    run(qtbot, desk, page, "synonyms", LEXICAL, TRAINED)
    shown = least_seen(list_evaluations(desk.shared.workspace))
    assert shown.task != "synonyms, train"
    assert task_title(shown.task) in desk.window.notice.text
    assert page.results.data_label.text().startswith(task_title(shown.task))


def test_choices_come_back(
    qtbot: QtBot, open_desk: Callable[[Path], WindowController], trained: Path, tmp_path: Path
) -> None:
    desk, page = open_page(open_desk, trained, tmp_path, "evaluate")
    wait_for_form(qtbot, page)
    assert page.form.encoders.ids == (LEXICAL, VECTORS, TRAINED)
    page.form.tasks.choose("relatedness", "categories")
    page.form.measure.setCurrentIndex(page.form.measure.findData("pair_cosine"))
    page.form.encoders.tick((VECTORS,))
    page.form.kinds.setText("Disease, Chemical")
    present, gone = tmp_path / "a, b.tsv", tmp_path / "gone.tsv"
    for path in (present, gone):
        path.write_text("one\ttwo\t1\n")
    page.form.pairs.use([gone, present, tmp_path])
    gone.unlink()
    desk.close()
    desk = open_desk(tmp_path / "copy")
    page = show(desk, "evaluate")
    wait_for_form(qtbot, page)
    assert page.form.tasks.task == "relatedness"
    assert page.form.tasks.tasks == ("relatedness", "categories")
    assert page.form.measure.currentData() == "pair_cosine"
    assert page.form.pairs.paths == (present, tmp_path)
    assert page.form.corpus.paths == ()
    assert page.form.kinds.text() == "Disease, Chemical"
    assert page.form.encoders.ids == (VECTORS,)


def test_everything_is_reached_by_tab_and_sent_by_keys(qtbot: QtBot, opened: Opened) -> None:
    desk, page = opened
    run(qtbot, desk, page, "coverage", LEXICAL, VECTORS)
    page.form.tasks.setFocus()
    seen = set()
    for _ in range(40):
        qtbot.keyClick(desk.window, Qt.Key.Key_Tab)
        seen.add(desk.window.focusWidget())
    results = page.results
    wanted = {page.form.encoders, page.form.seed, page.form.evaluate, results.list, results.export}
    assert wanted | {results.table, results.curves.plot.plot} <= seen
    page.form.tasks.setFocus()
    qtbot.keyClick(page.form.tasks, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert desk.shared.jobs.waiting() or desk.shared.jobs.running()
    idle(qtbot, desk)


def test_every_part_of_a_task_has_german_words(german: None) -> None:
    assert task_title("synonyms, train") == "Synonyme, Training"


def test_every_task_and_measure_has_words() -> None:
    assert set(WORDS) == set(TASKS)
    assert len({measure_title(measure) for measure in MEASURES}) == len(MEASURES)
    assert task_title("synonyms, zero-shot") == "Synonyms, zero-shot"
    assert task_title("relatedness, fuzzy_jaccard") == "Relatedness, fuzzy jaccard"
    assert "1,024 nearest" in metric_tip("coverage@1024")
    assert metric_tip("something") == ""


def test_the_matrix_shows_all_encoders_and_leads_to_an_evaluation(
    qtbot: QtBot,
    open_desk: Callable[[Path], WindowController],
    trained: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    folder = shutil.copytree(trained, tmp_path / "copy")
    evaluations = [*evaluated(folder, "coverage", LEXICAL, VECTORS, TRAINED)]
    evaluations += evaluated(folder, "synonyms", VECTORS, TRAINED)
    page = show(open_desk(folder), "evaluate")
    assert isinstance(page, EvaluatePage)
    matrix, model = page.results.matrix, page.results.matrix.model
    qtbot.waitUntil(lambda: model.rowCount() == 3)
    page.results.at_one_sight.click()
    assert matrix.isVisible()
    whole = [evaluation for evaluation in evaluations if evaluation.figures]
    assert model.columnCount() == len(whole) + 3
    lexical = next(row for row in range(3) if model.index(row, 0).data().endswith(f"#{LEXICAL}"))
    texts = [model.index(lexical, column).data() for column in range(model.columnCount())]
    assert texts.count("–") == len(whole) - 1 + 2  # neither a mean nor a mean rank
    assert "95 % interval" in model.index(0, FIRST_SET).data(Qt.ItemDataRole.ToolTipRole)

    matrix.table.sortByColumn(FIRST_SET, Qt.SortOrder.DescendingOrder)
    values = [model.index(row, FIRST_SET).data().split()[-1] for row in range(3)]
    present_values = [float(value) for value in values if value != "–"]
    assert present_values == sorted(present_values, reverse=True)

    path = tmp_path / "matrix.html"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))
    matrix.export.click()
    page_text = path.read_text("utf-8")
    assert texts[0] in page_text
    places = [
        page_text.index(f"#{model.index(row, 0).data().rpartition('#')[2]}<") for row in range(3)
    ]
    assert places == sorted(places), "in the order on show"

    matrix.table.activated.emit(model.index(0, FIRST_SET))
    assert page.results.halves.isVisible()
    current, column = page.results.list.current, model.matrix_column(FIRST_SET)
    assert current is not None
    assert column is not None
    assert (current.task, current.data_hash) == (column.task, column.data_hash)


def test_roc_curves_are_square_with_areas_in_the_legend(
    qtbot: QtBot, desk: WindowController
) -> None:
    plot = RocPlot(desk.shared.theme)
    qtbot.addWidget(plot)
    plot.resize(900, 400)
    plot.show()
    curve = ([0.0, 0.2, 1.0], [0.0, 0.8, 1.0])
    details = [PairDetails(n, "pair sets", "hash", 0.5, curve, ()) for n in (1, 2)]
    plot.show_details(details, {1: "one #1", 2: "two #2"}, {1: 0.8123})
    assert plot.names == ["one #1, AUC 0.812", "two #2"]
    box = plot.item.getViewBox()

    qtbot.waitUntil(lambda: box.height() > 200 and abs(box.width() - box.height()) < 2)
    (left, right), (low, high) = box.viewRange()
    assert (left <= 0, right >= 1, low <= 0, high >= 1) == (True, True, True, True)
    assert "rate" in plot.item.getAxis("bottom").labelText


def test_evaluations_and_encoders_are_renamed_where_they_stand(
    qtbot: QtBot, open_desk: Callable[[Path], WindowController], trained: Path, tmp_path: Path
) -> None:
    folder = shutil.copytree(trained, tmp_path / "copy")
    evaluated(folder, "coverage", VECTORS, TRAINED)
    page = show(open_desk(folder), "evaluate")
    assert isinstance(page, EvaluatePage)
    table, encoders = page.results.list, page.form.encoders
    qtbot.waitUntil(lambda: table.model().rowCount() == 1)
    table.setFocus()
    qtbot.keyClick(table, Qt.Key.Key_F2)
    editor = table.indexWidget(table.currentIndex()) or table.findChild(QLineEdit)
    assert isinstance(editor, QLineEdit)
    editor.setText("our synonyms")
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: table.model().index(0, 1).data() == "our synonyms")
    assert page.results.data_label.text().startswith("our synonyms · ")
    assert [action.text() for action in table.actions()] == ["Copy row", "Rename…"]

    row = next(n for n in range(encoders.count()) if encoders.item(n).data(KEY) == VECTORS)
    encoders.setCurrentRow(row)
    encoders.setFocus()
    qtbot.keyClick(encoders, Qt.Key.Key_F2)
    editor = encoders.findChild(QLineEdit)
    assert isinstance(editor, QLineEdit)
    editor.setText(f"mine #{VECTORS}")
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: encoders.item(row).text() == f"mine #{VECTORS}")
    model = page.results.model
    qtbot.waitUntil(
        lambda: f"mine #{VECTORS}" in [model.index(n, 0).data() for n in range(model.rowCount())]
    )
    assert not encoders.item(0).flags() & Qt.ItemFlag.ItemIsEditable, "it is everybody's"
