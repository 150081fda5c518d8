"""Pairs to be judged from elsewhere in the window, and the report on what came of them."""

import csv
from collections.abc import Callable
from pathlib import Path

import pytest
from pypdf import PdfReader
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot
from toy_studies import ANNA, SEEN, make, opened, write_set
from toy_window import LONG, idle, pick, show

from termexplorer.desk import WindowController
from termexplorer.services.judge.drawn_work import FromList, FromSuggestions
from termexplorer.services.levels.concept_lists import add_to_list
from termexplorer.services.studies.judging import Judging
from termexplorer.views.judge.page import JudgePage
from termexplorer.views.judge.pairs_to_judge import PairsToJudge

SPACE, ENTER, CONTROL = Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier


def judge_page(desk: WindowController) -> JudgePage:
    page = show(desk, "judge")
    assert isinstance(page, JudgePage)
    return page


def drawn(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def test_a_queue_goes_on_to_a_new_study(
    qtbot: QtBot, desk: WindowController, tmp_path: Path
) -> None:
    sets = tmp_path / "sets"
    sets.mkdir()
    write_set(sets, "one", 30, 30)
    page = judge_page(desk)
    desk.shared.errands.queue_pairs.emit(sets)
    form = page.studies.queue
    assert form.isVisible()
    qtbot.waitUntil(lambda: form.encoders.count() > 0, timeout=LONG)
    assert "without bias" in form.why.text()
    assert "two encoders" in form.message.text()
    for row in range(2):
        form.encoders.setFocus()
        form.encoders.setCurrentRow(row)
        qtbot.keyClick(form.encoders, SPACE)
    pick(qtbot, form.by, "uncertainty")
    assert not form.queue.isEnabled()
    pick(qtbot, form.by, "disagreement")
    form.number.setValue(20)
    assert form.message.text() == "16 chosen pairs and 4 at random."
    qtbot.keyClick(form.number, ENTER, CONTROL)
    assert not form.queue.isEnabled()
    idle(qtbot, desk)
    study = page.studies.form
    qtbot.waitUntil(study.isVisible, timeout=LONG)
    (path,) = study.pairs.paths
    assert path.parent.parent == desk.shared.workspace.folder
    parts = [row["drawn"] for row in drawn(path)]
    assert (parts.count("queue"), parts.count("random")) == (16, 4)
    assert study.pairs_of_set.value() == 8
    qtbot.waitUntil(lambda: study.comes_to is not None, timeout=LONG)
    assert study.comes_to is not None
    assert study.comes_to.pairs == 20


def test_a_list_becomes_a_study_and_what_is_not_there_is_told(
    qtbot: QtBot, desk: WindowController
) -> None:
    workspace = desk.shared.workspace
    with workspace.store.reading() as connection:
        from termexplorer.store.releases.term_content import term_content
        from termexplorer.workers.data.pair_terms import concept_terms

        concepts, _ = concept_terms(term_content(connection, 1))
        curies = [concept.id for concept in concepts if concept.live][:4]
    add_to_list(workspace, "some", 1, curies)
    page = judge_page(desk)
    button = PairsToJudge(desk.shared, "Pairs within it", page)
    assert not button.isEnabled()
    seen = []
    for title, source in (("none", FromSuggestions(99)), ("some", FromList("some", 1))):
        button.offer(source, title, "")
        button.click()
        assert not button.isEnabled()
        idle(qtbot, desk)
        qtbot.waitUntil(button.isEnabled, timeout=LONG)
        assert page.studies.form.isVisible() == (title == "some")
        seen.append(desk.window.notice.text)
    assert "99" in seen[0]
    assert "Wrote 6 pairs to judge" in seen[1]
    (path,) = page.studies.form.pairs.paths
    assert path.name == "some-1.tsv"
    assert len(drawn(path)) == 6


def test_a_report_is_written_behind_the_window(
    qtbot: QtBot,
    open_desk: Callable[[Path], WindowController],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with opened(tmp_path / "judged") as workspace:
        make(workspace, repeat=0)
        for annotator in (ANNA, "Ben"):
            judging = Judging(workspace, 1, annotator)
            for turn in judging.turns:
                judging.judge(turn, "same" if " s" in turn.left else "not same", SEEN)
    desk = open_desk(tmp_path / "judged")
    page = judge_page(desk)
    page.show_part("Studies")
    part = page.studies
    qtbot.waitUntil(part.later.report.isEnabled, timeout=LONG)
    part.later.report.setFocus()
    qtbot.keyClick(part.later.report, SPACE)
    qtbot.waitUntil(lambda: part.report.encoders.count() > 0, timeout=LONG)
    out = tmp_path / "report"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(out), "PDF (*.pdf)"))
    part.report.encoders.setFocus()
    qtbot.keyClick(part.report.encoders, SPACE)
    qtbot.keyClick(part.report.encoders, ENTER, CONTROL)
    assert not part.report.isVisible()
    idle(qtbot, desk)
    qtbot.waitUntil(lambda: "Wrote" in desk.window.notice.text, timeout=LONG)
    text = "".join(page.extract_text() for page in PdfReader(out.with_suffix(".pdf")).pages)
    for word in ("Protocol", "Encoders", "Krippendorff's", ANNA.split()[0]):
        assert word in text
