"""The main job in the real window with real children: import, level, vectors, run, rankings."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLineEdit
from pytestqt.qtbot import QtBot
from toy_ontology import write_toy
from toy_window import LONG, desks, idle, show
from toy_workspace import TRAINED, VECTORS

from termexplorer.desk import WindowController
from termexplorer.services.compare.rankings import Relation
from termexplorer.services.encoders.encoders import list_encoders
from termexplorer.services.train.runs import list_runs
from termexplorer.views.explore.page import ExplorePage
from termexplorer.views.levels.page import LevelsPage
from termexplorer.views.train.page import TrainPage

LEFT = Qt.MouseButton.LeftButton
NAME = "viral lung tumour"


@pytest.fixture
def desk(qapp: QApplication, tmp_path: Path) -> Iterator[WindowController]:
    with desks(qapp, tmp_path / "settings") as open_one:
        yield open_one(tmp_path / "workspace")


def test_import_level_vectors_run_rankings(
    qtbot: QtBot, desk: WindowController, tmp_path: Path
) -> None:
    workspace = desk.shared.workspace

    # import, from the panel
    desk.window.releases.open_import()
    panel = desk.window.stack.currentWidget()
    qtbot.keyClicks(panel.file, str(write_toy(tmp_path)))
    qtbot.keyClick(panel.file, Qt.Key.Key_Return)
    qtbot.waitUntil(panel.start.isEnabled, timeout=LONG)
    qtbot.mouseClick(panel.start, LEFT)
    qtbot.waitUntil(lambda: desk.shared.selection.ontology_id == 1, timeout=LONG)
    idle(qtbot, desk)

    # slide to a level
    levels = show(desk, "levels")
    assert isinstance(levels, LevelsPage)
    qtbot.waitUntil(lambda: levels.content.classes.rowCount() > 0, timeout=LONG)
    levels.content.slider.slider.setValue(2)
    qtbot.waitUntil(lambda: levels.content.classes.rowCount() == 12, timeout=LONG)
    levels.content.slider.slider.setValue(1)
    qtbot.waitUntil(lambda: levels.content.classes.rowCount() == 4, timeout=LONG)

    # train fastText, then few-shot
    train = show(desk, "train")
    assert isinstance(train, TrainPage)
    idle(qtbot, desk)
    vectors = train.form.beneath.form
    vectors.dimension.setValue(16)
    vectors.min_count.setValue(1)
    vectors.start_training()
    idle(qtbot, desk)
    train.form.held_out.shots.setValue(5)
    hidden = train.form.hyperparameters.editor("hidden")
    assert isinstance(hidden, QLineEdit)
    hidden.setText("32")
    train.form.hyperparameters.on_edited()
    qtbot.mouseClick(train.form.train, LEFT)
    idle(qtbot, desk)
    (run,) = list_runs(workspace)
    assert run.status == "finished", run.error
    assert [encoder.method for encoder in list_encoders(workspace)][-2:] == ["fasttext", "few-shot"]

    # find a name by typing, and look at its rankings side by side
    explore = show(desk, "explore")
    assert isinstance(explore, ExplorePage)
    box = desk.window.top_bar.search
    box.setFocus()
    qtbot.keyClicks(box, NAME)
    qtbot.waitUntil(lambda: box.hits.rowCount() > 0, timeout=LONG)
    qtbot.keyClick(box, Qt.Key.Key_Return)
    area = explore.rankings
    area.encoders.show_encoders(list_encoders(workspace), (VECTORS, TRAINED))
    area.pane.ask()
    columns = area.pane.model
    qtbot.waitUntil(lambda: len(columns.columns) == 2, timeout=LONG)
    # exact until the index is there, which is made behind the window
    qtbot.waitUntil(lambda: "recall@10" in columns.columns[1].note, timeout=LONG)
    untrained, trained = columns.columns
    assert (untrained.encoder_id, trained.encoder_id) == (VECTORS, TRAINED)
    first = trained.rows[0]
    assert first.ranks[1] == 1
    assert first.ranks[0] >= 1
    area.tabs.setCurrentIndex(1)
    qtbot.waitUntil(
        lambda: bool(area.pane.model.columns) and area.pane.model.columns[0].candidates == 8,
        timeout=LONG,
    )
    true = {row.text for row in area.pane.model.columns[1].rows if row.true}
    assert true == {"lung disease", "disease of the lung"}
    relations = {row.relation for row in area.pane.model.columns[1].rows if row.true}
    assert relations == {Relation.ANCESTOR}
