"""Making encoders of others on the Train page: joined, and blended with TF-IDF, by keys."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QFileDialog, QScrollArea, QWidget
from pytestqt.qtbot import QtBot
from toy_window import idle, show
from toy_workspace import LEXICAL, TRAINED, VECTORS, import_synonyms, opened_copy

from termexplorer.desk import WindowController
from termexplorer.services.encoders.encoders import find_encoder, list_encoders
from termexplorer.services.encoders.made_encoders import join_encoders
from termexplorer.spoken import speak
from termexplorer.views.evaluate.page import EvaluatePage
from termexplorer.views.train.blend_encoder import blended_text
from termexplorer.views.train.make_encoders import MakeEncoders
from termexplorer.views.train.page import TrainPage
from termexplorer.views.train.vectors import VectorsForm


def press(qtbot: QtBot, *keys: Qt.Key) -> None:
    for key in keys:
        widget = QApplication.focusWidget()
        assert widget is not None
        qtbot.keyClick(widget, key)


def tab_to(qtbot: QtBot, widget: QWidget) -> None:
    for _ in range(60):
        if QApplication.focusWidget() is widget:
            return
        press(qtbot, Qt.Key.Key_Tab)
    raise AssertionError(f"Tab does not reach {widget.accessibleName() or widget}")


def in_sight(widget: QWidget) -> bool:
    """Whether the form has been scrolled to all of it."""
    return widget.visibleRegion().boundingRect() == widget.rect()


def open_train(qtbot: QtBot, desk: WindowController) -> TrainPage:
    """The page with the form of vectors open, in a window that has the keys."""
    desk.window.activateWindow()
    qtbot.waitUntil(desk.window.isActiveWindow)
    page = show(desk, "train")
    assert isinstance(page, TrainPage)
    qtbot.waitUntil(page.form.beneath.more.isVisible)
    idle(qtbot, desk)
    tab_to(qtbot, page.form.beneath.more)
    press(qtbot, Qt.Key.Key_Space)
    return page


@pytest.fixture
def synonyms(trained: Path, tmp_path: Path) -> Path:
    """A workspace with an ontology (2) besides that has names enough."""
    with opened_copy(trained, tmp_path) as workspace:
        import_synonyms(workspace, tmp_path)
    return tmp_path / "workspace"


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_form_never_moves_sideways(
    language: str,
    qtbot: QtBot,
    open_desk: Callable[[Path], WindowController],
    trained: Path,
    tmp_path: Path,
) -> None:
    with opened_copy(trained, tmp_path):
        pass
    speak(language)
    try:
        desk = open_desk(tmp_path / "workspace")
        page = open_train(qtbot, desk)
        vectors = page.form.beneath.form
        making = vectors.making
        page.splitter.setSizes([0, desk.window.width()])
        scroll = page.form.findChild(QScrollArea, options=Qt.FindChildOption.FindDirectChildrenOnly)
        assert isinstance(scroll, QScrollArea)
        for opener in (making.join, making.blend, vectors.export, vectors.remove):
            opener.click()
            qtbot.waitUntil(scroll.verticalScrollBar().isVisible)
            inside = scroll.widget()
            assert inside.minimumSizeHint().width() <= scroll.viewport().width()
    finally:
        speak("en")


def test_without_vectors_nothing_is_made_and_each_button_says_why(
    qtbot: QtBot, open_desk: Callable[[Path], WindowController], tmp_path: Path
) -> None:
    desk = open_desk(tmp_path / "new")
    making = show(desk, "train").form.beneath.form.making
    idle(qtbot, desk)
    for button in (making.join, making.blend, making.movers):
        assert not button.isEnabled()
        assert "rain or open" in button.toolTip()


def test_encoders_are_joined_by_keys_and_are_everywhere_at_once(
    qtbot: QtBot, open_desk: Callable[[Path], WindowController], synonyms: Path
) -> None:
    desk = open_desk(synonyms)
    evaluate = show(desk, "evaluate")
    assert isinstance(evaluate, EvaluatePage)
    page = open_train(qtbot, desk)
    making = page.form.beneath.form.making
    tab_to(qtbot, making.join)
    press(qtbot, Qt.Key.Key_Space)
    joining = making.joining
    assert QApplication.focusWidget() is joining.encoders
    qtbot.waitUntil(lambda: in_sight(joining.join))
    assert not joining.join.isEnabled()
    assert joining.join.toolTip() == "Tick two or more"
    press(qtbot, Qt.Key.Key_Space, Qt.Key.Key_Down, Qt.Key.Key_Space, Qt.Key.Key_Tab)
    assert QApplication.focusWidget() is joining.join
    assert joining.join.text() == "Join 2 encoders"
    press(qtbot, Qt.Key.Key_Space)
    newest_encoder = list_encoders(desk.shared.workspace)[-1]
    assert (newest_encoder.method, newest_encoder.part_ids) == ("joined", (VECTORS, TRAINED))
    assert desk.window.notice.text.startswith(f"{newest_encoder.label} is ready")
    assert page.form.beneath.box.currentData() == newest_encoder.id
    assert QApplication.focusWidget() is page.form.beneath.box
    assert joining.isHidden()
    qtbot.waitUntil(lambda: in_sight(page.form.beneath.box))
    show(desk, "evaluate")
    qtbot.waitUntil(lambda: newest_encoder.id in evaluate.form.encoders.ids)


def test_a_blend_offers_the_ontology_that_is_chosen_at_the_top(
    qtbot: QtBot, open_desk: Callable[[Path], WindowController], synonyms: Path
) -> None:
    desk = open_desk(synonyms)
    page = open_train(qtbot, desk)
    box = page.form.beneath.form.making.blending.ontology
    for chosen, other in ((2, 1), (1, 2)):
        desk.shared.selection.go(chosen)
        idle(qtbot, desk)
        assert box.currentData() == chosen
        box.setCurrentIndex(box.findData(other))
        show(desk, "evaluate")
        show(desk, "train")
        idle(qtbot, desk)
        assert box.currentData() == other  # as it was chosen here


def test_a_blend_finds_its_weight_in_the_background_and_tells_it(
    qtbot: QtBot, open_desk: Callable[[Path], WindowController], synonyms: Path
) -> None:
    desk = open_desk(synonyms)
    page = open_train(qtbot, desk)
    making = page.form.beneath.form.making
    tab_to(qtbot, making.blend)
    press(qtbot, Qt.Key.Key_Space)
    blending = making.blending
    assert QApplication.focusWidget() is blending.encoder
    assert blending.encoder.currentData() == TRAINED
    press(qtbot, Qt.Key.Key_Up, Qt.Key.Key_Tab)
    blending.ontology.setCurrentIndex(blending.ontology.findData(1))
    tab_to(qtbot, blending.blend)
    press(qtbot, Qt.Key.Key_Space)
    assert blending.isHidden()
    assert QApplication.focusWidget() is making.blend
    idle(qtbot, desk)
    assert "no name of this ontology is left" in desk.window.notice.text
    making.blend.click()
    blending.ontology.setCurrentIndex(blending.ontology.findData(2))
    blending.blend.click()
    (job,) = desk.shared.jobs.running() + desk.shared.jobs.waiting()
    assert job.title == f"Blending {blending.encoder.currentText()} with TF-IDF"
    idle(qtbot, desk)
    newest_encoder = list_encoders(desk.shared.workspace)[-1]
    assert (newest_encoder.kind, newest_encoder.part_ids) == ("blended", (VECTORS, LEXICAL))
    assert newest_encoder.parameters["ontology"] == 2
    assert desk.window.notice.text == blended_text(newest_encoder, blending.ontology.currentText())
    assert f"weight {newest_encoder.parameters['weight']:g}, " in desk.window.notice.text


def test_a_blend_is_given_up(
    qtbot: QtBot, open_desk: Callable[[Path], WindowController], synonyms: Path
) -> None:
    desk = open_desk(synonyms)
    page = open_train(qtbot, desk)
    before = list_encoders(desk.shared.workspace)
    page.form.beneath.form.making.blending.blend.click()
    qtbot.waitUntil(lambda: bool(desk.shared.jobs.running()))
    desk.window.job_bar.cancel.click()
    idle(qtbot, desk)
    assert list_encoders(desk.shared.workspace) == before


def test_vectors_and_made_encoders_are_removed_by_keys(
    qtbot: QtBot, open_desk: Callable[[Path], WindowController], synonyms: Path
) -> None:
    desk = open_desk(synonyms)
    workspace = desk.shared.workspace
    encoders = join_encoders(workspace, (VECTORS, TRAINED))
    page = open_train(qtbot, desk)
    form = page.form.beneath.form
    offered = form.removing.encoder
    qtbot.waitUntil(lambda: offered.count() == 2)
    assert {offered.itemData(row) for row in range(2)} == {VECTORS, encoders.id}
    tab_to(qtbot, form.remove)
    press(qtbot, Qt.Key.Key_Space)
    assert offered.currentData() == encoders.id
    press(qtbot, Qt.Key.Key_Tab, Qt.Key.Key_Space)
    assert QApplication.focusWidget() is form.remove
    idle(qtbot, desk)
    assert encoders.id not in {encoder.id for encoder in list_encoders(workspace)}
    assert list((workspace.folder / "backups").glob("automatic-removal-*.sqlite"))
    qtbot.waitUntil(lambda: offered.count() == 1)
    form.removing.remove.click()
    idle(qtbot, desk)
    assert "is the input of run" in desk.window.notice.text
    assert VECTORS in {encoder.id for encoder in list_encoders(workspace)}


def test_what_was_removed_meanwhile_is_said(
    qtbot: QtBot, open_desk: Callable[[Path], WindowController], synonyms: Path
) -> None:
    desk = open_desk(synonyms)
    joining = open_train(qtbot, desk).form.beneath.form.making.joining
    gone = replace(find_encoder(desk.shared.workspace, VECTORS), id=99)
    joining.show_encoders([gone, find_encoder(desk.shared.workspace, TRAINED)])
    joining.encoders.tick((99, TRAINED))
    joining.join.click()
    assert desk.window.notice.text.startswith("there is no encoder 99")


def test_without_encoders_the_buttons_say_what_is_first(
    qtbot: QtBot, desk: WindowController
) -> None:
    making = MakeEncoders(desk.shared)
    qtbot.addWidget(making)
    (vectors, *_) = list_encoders(desk.shared.workspace)
    for button in (making.join, making.blend):
        assert not button.isEnabled()
        assert "irst" in button.toolTip()
    making.show_encoders([vectors])
    assert not making.join.isEnabled()
    assert not making.blend.isEnabled()
    making.show_ontologies(desk.window.top_bar.ontologies, 1)
    assert making.blend.isEnabled()


@pytest.mark.parametrize(
    ("weight", "maps", "words"),
    [
        (0.0, (0.5, 0.4, 0.25), "weight 0, for TF-IDF added nothing on 1,234 validation names of"),
        (0.0, (0.5, 0.4, 0.25), "(mAP 0.500, with TF-IDF at most 0.400; not tested)"),
        (0.0, (0.4, 0.5, 0.25), "not the best on 1,234 validation names of toy: that is 1 (mAP"),
        (1.0, (0.4, 0.5, 0.25), "weight 1, the best on 1,234"),
        (1.0, (0.4, 0.5, 0.25), "(mAP 0.500, without TF-IDF 0.400; not tested)"),
        (1.0, (0.5, 0.4, 0.25), "not the best on 1,234 validation names of toy: that is 0 (mAP"),
        (1.0, (0.25, 0.5, 0.5), "weight 1, as good on 1,234 validation names of toy as 2 (mAP"),
        (1.0, (0.5, 0.5, 0.25), "weight 1, as good on 1,234 validation names of toy as 0 (mAP"),
    ],
)
def test_the_words_on_a_blend_turn_with_its_figures(
    weight: float, maps: tuple[float, ...], words: str, desk: WindowController
) -> None:
    (first, *_) = list_encoders(desk.shared.workspace)
    facts = {
        "weight": weight, "map_by_weight": dict(zip("012", maps, strict=True)),
        "validation_names": 1234,
    }  # fmt: skip
    text = blended_text(replace(first, parameters=facts), "toy")
    assert words in text
    own_value, other_values = maps[int(weight)], [*maps[: int(weight)], *maps[int(weight) + 1 :]]
    assert (", the best on" in text) == (weight > 0 and own_value > max(other_values))
    assert ("not the best on" in text) == (own_value < max(other_values))


def test_an_encoder_is_exported_by_keys(
    qtbot: QtBot,
    open_desk: Callable[[Path], WindowController],
    trained: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with opened_copy(trained, tmp_path):
        pass
    desk = open_desk(tmp_path / "workspace")
    form = open_train(qtbot, desk).form.beneath.form
    exporting, out = form.exporting, tmp_path / "out"
    tab_to(qtbot, form.export)
    press(qtbot, Qt.Key.Key_Space)
    assert QApplication.focusWidget() is exporting.encoder
    assert exporting.encoder.currentData() == TRAINED
    asked: list[str] = []

    def name_it(_parent: QWidget, _title: str, name: str, *_: str) -> tuple[str, str]:
        asked.append(name)
        return (str(out) if len(asked) > 1 else "", "")

    monkeypatch.setattr(QFileDialog, "getSaveFileName", name_it)
    tab_to(qtbot, exporting.for_python)
    press(qtbot, Qt.Key.Key_Space)  # and the dialogue is given up
    assert not desk.shared.jobs.running()
    assert exporting.isVisible()
    press(qtbot, Qt.Key.Key_Space)
    assert asked == [f"encoder-{TRAINED}"] * 2
    assert exporting.isHidden()
    assert QApplication.focusWidget() is form.export
    idle(qtbot, desk)
    message = f'Exported; in Python it opens with trainer.load("{out}")'
    assert desk.window.notice.text == message
    assert (out / "encoder.json").is_file()
    exporting.foreign.click()
    idle(qtbot, desk)
    assert desk.window.notice.text.endswith("is there already and not empty; choose another folder")


def test_without_encoders_there_is_nothing_to_export(qtbot: QtBot, desk: WindowController) -> None:
    form = VectorsForm(desk.shared)
    qtbot.addWidget(form)
    form.show_encoders([])
    assert not form.export.isEnabled()
    assert form.export.toolTip() == "There is no encoder with vectors: first train or open one"
