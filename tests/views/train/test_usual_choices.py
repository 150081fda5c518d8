"""What the Train page has chosen for those who choose nothing."""

from collections.abc import Callable
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot
from toy_window import LONG, pick
from toy_workspace import VECTORS
from train_page_steps import Opened, open_train

from termexplorer.desk import WindowController
from termexplorer.services.encoders.built_in import ensure_built_in
from termexplorer.services.encoders.encoders import list_encoders


@pytest.fixture
def opened(
    qtbot: QtBot, open_desk: Callable[[Path], WindowController], toy: Path, tmp_path: Path
) -> Opened:
    return open_train(qtbot, open_desk, toy, tmp_path)


def test_a_run_builds_on_the_built_in_encoder_until_another_is_chosen(
    qtbot: QtBot, opened: Opened
) -> None:
    desk, page = opened
    beneath = page.form.beneath
    assert beneath.chosen == VECTORS
    built_in = ensure_built_in(desk.shared.workspace)
    assert built_in is not None
    qtbot.waitUntil(lambda: beneath.box.count() == 2, timeout=LONG)
    assert beneath.chosen == built_in.id
    pick(qtbot, beneath.box, VECTORS)
    beneath.show_encoders([e for e in list_encoders(desk.shared.workspace) if e.has_vectors])
    assert beneath.chosen == VECTORS
