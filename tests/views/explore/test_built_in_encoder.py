"""The built-in encoder in a window: there by itself, beside TF-IDF, and never in the way."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from toy_window import LONG, desks, open_page, show
from toy_workspace import TRAINED, VECTORS

from termexplorer.desk import WindowController
from termexplorer.services.encoders.built_in import ensure_built_in, find_built_in, sort_own_last
from termexplorer.services.encoders.encoders import list_encoders
from termexplorer.store.encoders.infos import LEXICAL
from termexplorer.views.explore.encoder_columns import usual_columns
from termexplorer.workspace import Workspace

OpenDesk = Callable[[Path], WindowController]


@pytest.fixture
def open_with_built_in(qapp: QApplication, tmp_path: Path) -> Iterator[OpenDesk]:
    with desks(qapp, tmp_path / "settings", with_built_in=True) as open_one:
        yield open_one


def test_a_workspace_without_vectors_shows_it_beside_tfidf(
    qtbot: QtBot, open_with_built_in: OpenDesk, folder: Path
) -> None:
    desk = open_with_built_in(folder)
    encoders = show(desk, "explore").rankings.encoders
    qtbot.waitUntil(lambda: len(encoders.ids) == 2, timeout=LONG)
    added = find_built_in(desk.shared.workspace)
    assert added is not None
    assert encoders.ids == (LEXICAL, added.id)


def test_the_users_own_encoders_are_chosen_before_it(toy: Path, tmp_path: Path) -> None:
    with closing(Workspace(shutil.copytree(toy, tmp_path / "copy"))) as workspace:
        before = list_encoders(workspace)
        ensure_built_in(workspace)
        after = list_encoders(workspace)
    assert len(after) == len(before) + 1
    assert usual_columns(after, []) == usual_columns(before, [])
    assert sort_own_last(after)[-1] == before[-1]


def test_what_is_ticked_on_the_map_stays_when_it_comes(
    qtbot: QtBot, open_desk: OpenDesk, trained: Path, tmp_path: Path
) -> None:
    desk, page = open_page(open_desk, trained, tmp_path, "map")
    form = page.form
    qtbot.waitUntil(lambda: form.encoder.count() == 2, timeout=LONG)
    form.encoder.setCurrentIndex(form.encoder.findData(VECTORS))
    form.beside.tick([TRAINED])
    ensure_built_in(desk.shared.workspace)  # the function itself, which windows of tests go without
    qtbot.waitUntil(lambda: form.encoder.count() == 3, timeout=LONG)
    assert form.encoder.currentData() == VECTORS
    assert form.beside.ticked() == (TRAINED,)
