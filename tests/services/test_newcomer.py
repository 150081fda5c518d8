"""What somebody meets who imports a terminology and chooses nothing: it all makes sense."""

import json
from pathlib import Path

import pytest
from lopsided_ontology import write_lopsided
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from toy_window import LONG, desks, show
from typer.testing import CliRunner

from termexplorer.cli.commands import app
from termexplorer.services.encoders.built_in import find_built_in
from termexplorer.store.encoders.infos import LEXICAL


@pytest.fixture(scope="module")
def imported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A fresh workspace with an ontology whose first level is of one class, as that of HPO is."""
    folder = tmp_path_factory.mktemp("newcomer")
    run(folder / "workspace", "import", str(write_lopsided(folder)))
    return folder / "workspace"


@pytest.fixture
def settings(tmp_path: Path) -> Path:
    return tmp_path / "settings"


def run(folder: Path, *words: str) -> str:
    done = CliRunner().invoke(app, [*words, "--workspace", str(folder)])
    assert done.exit_code == 0, done.output
    return done.stdout


def test_commands_have_semantic_neighbours_a_level_and_a_map_that_means_something(
    imported: Path, tmp_path: Path
) -> None:
    words = ("rank", "neighbours", "renal pain", "--ontology", "lopsided", "--top", "3", "--json")
    nearest = [row["name"] for row in json.loads(run(imported, *words))["ranking"]]
    assert all("kidney" in name for name in nearest)  # no letters are shared with renal
    hypernyms = run(imported, "rank", "hypernyms", "renal pain", "--ontology", "lopsided")
    assert "abnormality of the kidney" in hypernyms.splitlines()[2]
    picture = tmp_path / "map.svg"
    run(imported, "project", "--ontology", "lopsided", "--method", "pca", "--out", str(picture))
    assert "abnormality of the kidney" in picture.read_text("utf-8")  # in the legend


def test_the_window_has_all_of_it_chosen(
    qtbot: QtBot, qapp: QApplication, imported: Path, settings: Path
) -> None:
    with desks(qapp, settings, with_built_in=True) as open_desk:
        desk = open_desk(imported)
        rankings = show(desk, "explore").rankings
        qtbot.waitUntil(lambda: len(rankings.encoders.ids) == 2, timeout=LONG)
        built_in = find_built_in(desk.shared.workspace)
        assert built_in is not None
        assert rankings.encoders.ids == (LEXICAL, built_in.id)
        form = show(desk, "map").form
        qtbot.waitUntil(lambda: form.encoder.currentData() == built_in.id, timeout=LONG)
        qtbot.waitUntil(lambda: form.colouring.level == 2, timeout=LONG)
        train = show(desk, "train").form
        qtbot.waitUntil(lambda: train.beneath.chosen == built_in.id, timeout=LONG)
        qtbot.waitUntil(train.train.isEnabled, timeout=LONG)
