"""Trained encoders encode a release that they were not trained on only when told to."""

from collections.abc import Callable
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot
from toy_ontology import toy_obo
from toy_window import LONG, idle
from toy_workspace import LEXICAL, TRAINED, load, opened_copy
from view_fakes import FakeRanker

from termexplorer.desk import WindowController
from termexplorer.services.encoders.vectors import release_vectors_missing
from termexplorer.views.explore.encoder_choice import EncoderChoice
from termexplorer.views.explore.page import ExplorePage


@pytest.fixture
def desk(
    qtbot: QtBot, open_desk: Callable[[Path], WindowController], trained: Path, tmp_path: Path
) -> WindowController:
    """The toy (1) with an encoder trained on it, on show, and its newer release (2)."""
    newer = tmp_path / "newer.obo"
    newer.write_text(toy_obo().replace("2026-01-01", "2026-07-01"), encoding="utf-8")
    with opened_copy(trained, tmp_path) as workspace:
        release = load(workspace, newer).id
    desk = open_desk(tmp_path / "workspace")
    encoders = encoders_of(desk)
    desk.shared.selection.go(1)
    encoders.choose([LEXICAL, TRAINED])
    encoders.by_user = True
    idle(qtbot, desk)
    desk.shared.selection.go(release)
    return desk


def encoders_of(desk: WindowController) -> EncoderChoice:
    page = desk.window.page("explore")
    assert isinstance(page, ExplorePage)
    return page.rankings.encoders


def is_encoded(desk: WindowController, encoder_id: int) -> bool:
    newest = desk.shared.selection.ontology_id
    assert newest is not None
    return not release_vectors_missing(desk.shared.workspace, encoder_id, newest)


def test_a_new_release_is_encoded_by_a_trained_encoder_when_the_user_says_so(
    qtbot: QtBot, desk: WindowController, ranker: FakeRanker
) -> None:
    notice = desk.window.notice
    qtbot.waitUntil(lambda: notice._act.text() == "Encode", timeout=LONG)
    assert f"#{TRAINED}" in notice.text
    qtbot.waitUntil(lambda: is_encoded(desk, LEXICAL), timeout=LONG)
    idle(qtbot, desk)
    assert not is_encoded(desk, TRAINED)
    newest = desk.shared.selection.ontology_id
    asked = [request for request in ranker.requests if newest in request.among.ontology_ids]
    assert asked
    assert not [
        request for request in asked if TRAINED in request.encoder_ids
    ]  # it would encode to rank
    notice._act.click()
    qtbot.waitUntil(lambda: is_encoded(desk, TRAINED), timeout=LONG)
    qtbot.waitUntil(lambda: ranker.requests[-1].encoder_ids == (LEXICAL, TRAINED), timeout=LONG)


def test_who_dismissed_the_question_is_asked_again_at_another_choice_of_encoders(
    qtbot: QtBot, desk: WindowController
) -> None:
    notice, encoders = desk.window.notice, encoders_of(desk)
    qtbot.waitUntil(lambda: notice._act.text() == "Encode", timeout=LONG)
    notice.dismiss()
    desk.shared.watch.look()
    idle(qtbot, desk)
    qtbot.wait(200)
    assert not notice.isVisible()
    encoders.remove(0)
    qtbot.waitUntil(notice.isVisible, timeout=LONG)
    assert notice._act.text() == "Encode"


def test_an_encoder_that_waits_keeps_its_column(
    qtbot: QtBot, desk: WindowController, ranker: FakeRanker
) -> None:
    encoders = encoders_of(desk)
    page = desk.window.page("explore")
    assert isinstance(page, ExplorePage)
    model = page.rankings.pane.model
    encoders.choose([TRAINED, LEXICAL])
    page.rankings.pane.line.setText("lung tumour")
    page.rankings.pane.ask()
    qtbot.waitUntil(lambda: len(model.columns) == 2, timeout=LONG)
    assert [column.encoder_id for column in model.columns] == [TRAINED, LEXICAL]
    assert [len(column.rows) for column in model.columns] == [0, 5]
    assert ranker.requests[-1].encoder_ids == (LEXICAL,)
    texts = [model.index(0, column).data() or "" for column in range(model.columnCount())]
    assert any(text.startswith("name ") for text in texts)
    assert f"#{TRAINED}" in page.rankings.pane.note.text()


def test_terms_are_matched_by_a_trained_encoder_when_the_user_says_so(
    qtbot: QtBot, desk: WindowController
) -> None:
    notice = desk.window.notice
    qtbot.waitUntil(notice.isVisible, timeout=LONG)
    notice.dismiss()
    encoders_of(desk).choose([TRAINED])
    page = desk.window.page("explore")
    assert isinstance(page, ExplorePage)
    page.rankings.tabs.setCurrentIndex(2)
    terms = page.rankings.terms
    assert terms is not None
    idle(qtbot, desk)
    notice.dismiss()
    terms.terms.setPlainText("lung tumour")
    terms.match.click()
    qtbot.waitUntil(notice.isVisible, timeout=LONG)
    assert notice._act.text() == "Encode"
    assert not is_encoded(desk, TRAINED)
    assert not terms.model.rows
    notice._act.click()
    qtbot.waitUntil(lambda: bool(terms.model.rows), timeout=LONG)
    assert is_encoded(desk, TRAINED)
