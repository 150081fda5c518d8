"""Removing an ontology from the window: asked, done behind it, and told."""

import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot
from toy_window import LONG, idle
from toy_workspace import TRAINED, opened_copy

from termexplorer.desk import WindowController
from termexplorer.services.encoders.made_encoders import blend_encoder
from termexplorer.services.explore.ontologies import list_ontologies
from termexplorer.views.workspace.removal_panel import RemovalPanel

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def panel(qtbot: QtBot, desk: WindowController) -> RemovalPanel:
    idle(qtbot, desk)
    desk.window.releases.open_removal()
    panel = desk.window.stack.currentWidget()
    assert isinstance(panel, RemovalPanel)
    qtbot.waitUntil(panel.remove.isEnabled, timeout=LONG)
    return panel


def test_it_names_what_goes_and_removes_it(
    qtbot: QtBot, desk: WindowController, panel: RemovalPanel
) -> None:
    (ontology,) = list_ontologies(desk.shared.workspace)
    assert f"{ontology.concepts:,} concepts with {ontology.names:,} names" in panel.message.text()
    qtbot.mouseClick(panel.remove, LEFT)
    assert desk.shared.selection.ontology_id is None
    qtbot.waitUntil(lambda: "Removed" in desk.window.notice.text, timeout=LONG)
    idle(qtbot, desk)
    assert ontology.label in desk.window.notice.text
    assert desk.window.top_bar.ontologies == list_ontologies(desk.shared.workspace) == []
    assert desk.shared.selection.ontology_id is None
    desk.window.releases.open_removal()
    assert desk.window.notice.text == "There is no ontology to remove"


def test_the_first_key_keeps_it(qtbot: QtBot, desk: WindowController, panel: RemovalPanel) -> None:
    assert desk.window.focusWidget() is panel.keep
    qtbot.keyClick(panel.keep, Qt.Key.Key_Space)
    assert desk.window.stack.currentWidget() is desk.window.page("explore")
    assert len(list_ontologies(desk.shared.workspace)) == 1


def test_while_something_is_at_work_nothing_is_removed(
    qtbot: QtBot, desk: WindowController, panel: RemovalPanel
) -> None:
    ready = threading.Event()
    desk.shared.jobs.add("Busy", lambda _control, _hear: ready.wait(), "other")
    assert not panel.remove.isEnabled()
    assert "wait for it" in panel.remove.toolTip()
    ready.set()
    qtbot.waitUntil(panel.remove.isEnabled, timeout=LONG)


def test_what_others_build_on_cannot_go(
    qtbot: QtBot, open_desk: Callable[[Path], WindowController], trained: Path, tmp_path: Path
) -> None:
    with opened_copy(trained, tmp_path) as workspace:
        blended = blend_encoder(workspace, TRAINED, 1)
    desk = open_desk(tmp_path / "workspace")
    idle(qtbot, desk)
    desk.window.releases.open_removal()
    panel = desk.window.stack.currentWidget()
    assert isinstance(panel, RemovalPanel)
    held = f"It cannot be removed yet: encoder {blended.label} builds on what was trained on toy"
    qtbot.waitUntil(lambda: held in panel.message.text(), timeout=LONG)
    assert not panel.remove.isEnabled()
    assert panel.remove.toolTip().startswith(held)


def test_what_could_not_be_removed_is_shown_again(
    qtbot: QtBot, desk: WindowController, panel: RemovalPanel
) -> None:
    ontology_id = desk.shared.selection.ontology_id
    with desk.shared.workspace.loading():
        qtbot.mouseClick(panel.remove, LEFT)
        assert desk.shared.selection.ontology_id is None
        idle(qtbot, desk)
    assert desk.shared.selection.ontology_id == ontology_id


def test_who_went_elsewhere_meanwhile_stays_there(
    qtbot: QtBot, desk: WindowController, panel: RemovalPanel
) -> None:
    selection = desk.shared.selection
    selection.go_to_concept(2)
    ontology_id = selection.ontology_id
    with desk.shared.workspace.loading():
        qtbot.mouseClick(panel.remove, LEFT)
        selection.go(ontology_id, 1)
        idle(qtbot, desk)
    assert (selection.ontology_id, selection.concept_id) == (ontology_id, 1)
