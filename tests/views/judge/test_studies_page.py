"""Studies on the Judge page: made, sent out, merged, and how well annotators agree."""

import csv
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QAbstractItemView, QFileDialog
from pytestqt.qtbot import QtBot
from toy_studies import ANNA, BEN, answer_all, at_work, opened, sent, write_set
from toy_window import LONG, idle, pick, show

from termexplorer.desk import WindowController
from termexplorer.services.studies.answers import write_answers
from termexplorer.services.studies.merge_results import AnswersChoice
from termexplorer.services.studies.sizes import SECONDS
from termexplorer.services.studies.studies import find_study, studies_of
from termexplorer.store.judging.studies import AnswerChoice
from termexplorer.views.judge.page import JudgePage
from termexplorer.views.judge.studies import StudiesPart

CONTROL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def empty(open_desk: Callable[[Path], WindowController], tmp_path: Path) -> WindowController:
    return open_desk(tmp_path / "empty")


@pytest.fixture
def sets(tmp_path: Path) -> Path:
    folder = tmp_path / "sets"
    folder.mkdir()
    for name in ("one", "two"):
        write_set(folder, name, 6, 6)
    return folder


def studies(desk: WindowController) -> StudiesPart:
    page = show(desk, "judge")
    assert isinstance(page, JudgePage)
    page.show_part("Studies")
    return page.studies


def rows(table: QAbstractItemView) -> list[list[str]]:
    model = table.model()
    columns = range(model.columnCount())
    return [
        [model.index(row, column).data() for column in columns] for row in range(model.rowCount())
    ]


def fill(qtbot: QtBot, part: StudiesPart, sets: Path, title: str = "Same or not") -> None:
    form = part.form
    part.fresh.click()
    form.use_pairs(sets)
    form.title.setText(title)
    form.annotators.setPlainText(f"{ANNA}\n\n  {BEN} \n")
    qtbot.waitUntil(lambda: form.comes_to is not None, timeout=LONG)
    assert form.comes_to is not None
    qtbot.waitUntil(lambda: "2 sets" in form.message.text(), timeout=LONG)


def make(
    qtbot: QtBot, desk: WindowController, sets: Path, title: str = "Same or not"
) -> StudiesPart:
    part = studies(desk)
    fill(qtbot, part, sets, title)
    part.form.pairs_of_set.setValue(2)
    part.form.practice.setValue(2)
    part.form.title.setFocus()
    qtbot.keyClick(part.form.title, Qt.Key.Key_Return, CONTROL)
    idle(qtbot, desk)
    qtbot.waitUntil(lambda: part.table.current is not None, timeout=LONG)
    return part


def answered(desk: WindowController, pack: Path, annotator: str, folder: Path) -> Path:
    """What an annotator sends back."""
    path = folder / f"{annotator}.termanswers"
    with opened(folder / f"workspace of {annotator}") as workspace:
        answer_all(
            at_work(workspace, pack), lambda position: "not same" if position % 2 else "same"
        )
        write_answers(workspace, 1, annotator, path)
    return path


def test_the_form_says_what_is_missing_and_what_it_comes_to(
    qtbot: QtBot, empty: WindowController, sets: Path
) -> None:
    part = studies(empty)
    assert "Pair sets first" in part.table.hint
    part.fresh.click()
    form, tips = part.form, []
    for change in (
        lambda: form.title.setText("Trial"),
        lambda: form.use_pairs(sets),
        lambda: form.annotators.setPlainText("Anna\nAnna"),
        lambda: form.annotators.setPlainText("Anna\nBen\nCleo"),
    ):
        assert not form.make.isEnabled()
        tips.append(form.make.toolTip())
        change()
    assert [text.split()[0] for text in tips] == ["Give", "Add", "List", "A"]
    qtbot.waitUntil(lambda: "24 pairs of 2 sets" in form.message.text(), timeout=LONG)
    assert form.protocol.currentData() == "doctors"
    assert (form.pairs_of_set.value(), form.practice.value()) == (30, 10)
    assert "each of them is asked 24 times" in form.message.text()
    pick(qtbot, form.protocol, "one-hour")
    form.protocol.activated.emit(form.protocol.currentIndex())
    assert (form.pairs_of_set.value(), form.practice.value()) == (5, 6)
    assert "20 pairs" in form.message.text()
    form.overlap.setValue(3)  # as many as there are
    assert form.overlap.value() == 3
    form.shared.setValue(20)
    assert "asked 10 times" in form.message.text()
    assert "the 4 pairs that several judge" in form.message.text()
    assert form.plan.shared == 0.2
    form.shared.setValue(100)
    form.overlap.setValue(1)
    assert "agreement cannot be measured" in form.message.text()
    assert "asked 7 times" in form.message.text()
    form.repeat.setValue(50)
    assert "asked 10 times" in form.message.text()
    assert f"at {SECONDS} seconds a pair" in form.message.text()
    form.left_out.codes.setChecked(True)
    form.left_out.longest.setValue(60)
    assert (form.plan.leave_out.codes, form.plan.leave_out.longest) == (True, 60)
    form.asked.question.clear()
    assert form.message.text() == "Ask a question."
    pick(qtbot, form.asked.scale, "relatedness")
    form.asked.scale.activated.emit(form.asked.scale.currentIndex())
    assert form.asked.question.text() == "How related are these two terms?"
    answers = form.asked.answers
    assert answers.lines.toPlainText().startswith("0 (not related)\n1 (")
    assert answers.level.currentData() == "ordinal"
    answers.lines.setPlainText("k: kin = 2 (of a kind) [think of both]\nstranger = 2\nno idea")
    assert form.message.text() == "Two answers have the number '2'; they have to differ."
    answers.lines.setPlainText("k: kin = 2 (of a kind) [think of both]\nstranger = 0\nno idea")
    assert answers.message.text() == "Keys: kin (K) · stranger (2, S) · no idea (3, N)"
    pick(qtbot, answers.similar, "kin")
    answers.similar.activated.emit(answers.similar.currentIndex())
    scale = form.plan.scale
    assert (scale.level, scale.similar) == ("ordinal", "kin")
    assert scale.answers == (
        AnswerChoice("kin", "of a kind", 2, "K", "think of both"), AnswerChoice("stranger", "", 0),
        AnswerChoice("no idea"),
    )  # fmt: skip
    form.asked.scale.setCurrentIndex(form.asked.scale.count() - 1)
    form.asked.scale.activated.emit(form.asked.scale.currentIndex())
    assert (answers.lines.toPlainText(), form.asked.question.text()) == ("", "")
    assert not form.make.isEnabled()
    qtbot.keyClick(form.title, Qt.Key.Key_Escape)
    assert part.table.isVisible()
    part.fresh.click()
    assert form.title.text() == "Trial"


def test_pairs_that_cannot_be_read_are_told(
    qtbot: QtBot, empty: WindowController, tmp_path: Path
) -> None:
    part = studies(empty)
    part.fresh.click()
    part.form.title.setText("Trial")
    (tmp_path / "nothing").mkdir()
    part.form.use_pairs(tmp_path / "nothing")
    qtbot.waitUntil(lambda: "holds no pair sets" in part.form.message.text(), timeout=LONG)
    assert not part.form.make.isEnabled()


def test_a_study_from_the_form_to_agreement(
    qtbot: QtBot,
    empty: WindowController,
    sets: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    part = make(qtbot, empty, sets)
    study = find_study(empty.shared.workspace, 1)
    assert study.head.plan["each"] == 2
    assert not part.form.isVisible()
    (row,) = rows(part.table)
    assert row == ["1", "Same or not", f"{ANNA}, {BEN}", "8", "0", "0", "16", "0", "–"]
    assert [seat[:5] for seat in rows(part.detail.seats)] == [
        [ANNA, "0", "8", "0", "0"], [BEN, "0", "8", "0", "0"],
    ]  # fmt: skip
    assert "Nobody has judged" in part.detail.agreement.hint
    assert not part.detail.export.isEnabled()

    pack = tmp_path / "ben.termstudy"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(pack), ""))
    part.detail.seats.selectRow(1)
    assert BEN in part.files.pack.toolTip()
    part.files.pack.click()
    qtbot.waitUntil(lambda: f"10 questions for {BEN}" in empty.window.notice.text)
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(tmp_path))
    part.files.packs.click()
    qtbot.waitUntil(lambda: "2 packs" in empty.window.notice.text)
    assert {path.name for path in tmp_path.glob("*.html")} == {f"{ANNA}.html", f"{BEN}.html"}
    page = tmp_path / "page.html"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(page), ""))
    part.files.pack.click()
    qtbot.waitUntil(lambda: "page.html" in empty.window.notice.text)
    assert page.read_bytes() == (tmp_path / f"{BEN}.html").read_bytes()
    files = [
        answered(empty, tmp_path / f"{name}.termstudy", name, tmp_path) for name in (ANNA, BEN)
    ]
    monkeypatch.setattr(
        QFileDialog, "getOpenFileNames", lambda *_: ([str(files[0]), str(pack)], "")
    )
    part.files.merge.click()
    qtbot.waitUntil(lambda: "Merged 1 of 2 files" in empty.window.notice.text)
    fitted, refused = rows(part.merged)
    assert (fitted[1:5], fitted[6]) == (["1", ANNA, "10", "10"], "✓ merged")
    qtbot.waitUntil(lambda: rows(part.detail.seats)[0][6] == fitted[5])
    assert refused[6].startswith("✗ ")
    assert "a study pack" in refused[6]
    qtbot.waitUntil(lambda: rows(part.table)[0][5] == "8")

    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in files])
    buttons, keys = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    part.dropEvent(QDropEvent(QPoint(9, 9), Qt.DropAction.CopyAction, data, buttons, keys))
    qtbot.waitUntil(lambda: "Merged 2 of 2 files" in empty.window.notice.text)
    assert [row[6] for row in rows(part.merged)] == ["✓ all of it was merged before", "✓ merged"]
    agreement = part.detail.agreement
    qtbot.waitUntil(lambda: rows(part.table)[0][8] not in ("–", ""), timeout=LONG)
    qtbot.waitUntil(lambda: len(rows(agreement)) > 0, timeout=LONG)
    assert rows(part.table)[0][4:7] == ["8", "16", "16"]
    assert rows(agreement)[0][:3] == [
        "all annotators", "Krippendorff's alpha", rows(part.table)[0][8],
    ]  # fmt: skip
    pick(qtbot, part.detail.part, "sets")
    assert {row[0] for row in rows(agreement)} == {"one", "two"}
    part.hide_merged.click()
    assert not part.merged.isVisible()

    path = tmp_path / "agreement.csv"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))
    part.detail.export.click()
    with path.open(encoding="utf-8", newline="") as file:
        assert {table_row["part"] for table_row in csv.DictReader(file)} == {"sets"}, (
            "what is shown"
        )
    part.detail.export.other_formats.menu().actions()[1].trigger()
    with path.open(encoding="utf-8", newline="") as file:
        table_rows = list(csv.DictReader(file))
    assert {table_row["part"] for table_row in table_rows} == {"overall", "pairs", "alone", "sets"}


def test_the_chosen_annotator_judges_here_at_a_press_or_by_enter(
    qtbot: QtBot, desk: WindowController, sets: Path
) -> None:
    asked: list[tuple[int, str]] = []
    desk.shared.errands.judge_study.disconnect()
    desk.shared.errands.judge_study.connect(lambda *seat: asked.append(seat))
    part = make(qtbot, desk, sets)
    qtbot.waitUntil(part.files.judge.isEnabled, timeout=LONG)
    part.files.judge.click()
    part.detail.seats.setFocus()
    part.detail.seats.selectRow(1)
    qtbot.keyClick(part.detail.seats, Qt.Key.Key_Return)
    assert asked == [(1, ANNA), (1, BEN)]


def test_the_newest_study_is_shown_and_the_same_one_is_refused(
    qtbot: QtBot, empty: WindowController, sets: Path
) -> None:
    make(qtbot, empty, sets)
    part = make(qtbot, empty, sets, "Another")
    qtbot.waitUntil(lambda: part.table.current == 2)
    assert [row[1] for row in rows(part.table)] == ["Another", "Same or not"]
    fill(qtbot, part, sets, "Another")
    part.form.make.click()
    assert not part.form.make.isEnabled()
    idle(qtbot, empty)
    assert "study 2 is the same" in empty.window.notice.text
    assert part.form.make.isEnabled()
    assert part.form.isVisible()
    assert len(studies_of(empty.shared.workspace)) == 2


def test_a_study_is_drawn_from_the_pair_sets_on_show(qtbot: QtBot, desk: WindowController) -> None:
    page = show(desk, "judge")
    part = page.pair_sets
    page.show_part("Pair sets")
    qtbot.waitUntil(part.form.make.isEnabled)
    part.form.make.click()
    idle(qtbot, desk)
    qtbot.waitUntil(lambda: part.results.folder is not None)
    part.results.study.click()
    form = page.studies.form
    assert form.isVisible()
    assert form.pairs.paths == (part.results.folder,)
    sizes = part.results.model.rowCount()
    qtbot.waitUntil(lambda: form.comes_to is not None)
    assert sizes > 0
    assert form.comes_to.pairs > 0


def test_of_two_files_of_one_annotator_one_is_chosen(
    qtbot: QtBot, empty: WindowController, sets: Path, tmp_path: Path
) -> None:
    part = make(qtbot, empty, sets)
    workspace = empty.window._shared.workspace
    files = []
    for where in ("clinic", "elsewhere"):
        (tmp_path / where).mkdir()
        pack = sent(workspace, 1, ANNA, tmp_path / where)
        files.append(answered(empty, pack, ANNA, tmp_path / where))
    part.files.merge_files(files)
    form = part.doubts
    qtbot.waitUntil(lambda: part._stack.currentWidget() is form)
    assert [row[6][0] for row in rows(part.merged)] == ["✓", "?"]
    shown_text = form.message.text()
    assert str(files[1]) in shown_text
    assert shown_text.count("10 answers") == 2
    for row in rows(part.merged):
        assert row[5] in shown_text
    qtbot.keyClick(form.back, Qt.Key.Key_Escape)
    qtbot.waitUntil(part.later.doubts.isVisible)
    assert rows(part.detail.seats)[0][6] == "in doubt"
    part.later.doubts.click()
    qtbot.waitUntil(form.buttons[AnswersChoice.ACCEPT].isEnabled)
    form.buttons[AnswersChoice.ACCEPT].click()
    qtbot.waitUntil(lambda: part._stack.currentWidget() is not form)
    qtbot.waitUntil(lambda: not part.later.doubts.isVisible())
    assert rows(part.merged)[0][6].startswith("✓")
    qtbot.waitUntil(lambda: rows(part.detail.seats)[0][6] == rows(part.merged)[0][5])
