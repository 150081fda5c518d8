"""Ontologies in other languages than English: noticed, stderr, and ranked by TF-IDF."""

from contextlib import closing
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot
from toy_ontology import HEADER, stanza
from toy_window import LONG, desks
from typer.testing import CliRunner

from termexplorer.cli.commands import app
from termexplorer.services.encoders.built_in import ensure_built_in
from termexplorer.services.encoders.names_language import language_notice, prefers_lexical
from termexplorer.workspace import Workspace

ORGANS = ("Leber", "Niere", "Lunge", "Haut", "Schilddrüse", "Bauchspeicheldrüse")
KINDS = ("Entzündung der", "Verletzung der", "bösartige Neubildung der", "Erkrankung der")


def run(folder: Path, *words: str) -> tuple[str, str]:
    done = CliRunner().invoke(app, [*words, "--workspace", str(folder)])
    assert done.exit_code == 0, done.output
    return done.stdout, done.stderr


@pytest.fixture
def german(tmp_path: Path) -> Path:
    """A workspace with an ontology of German names."""
    names = [f"{kind} {organ}" for kind in KINDS for organ in ORGANS]
    stanzas = [stanza("G:0", "Krankheit")]
    stanzas += [stanza(f"G:{number}", name, "G:0") for number, name in enumerate(names, 1)]
    file = tmp_path / "german.obo"
    file.write_text(f"{HEADER}\n" + "\n".join(stanzas), encoding="utf-8")
    _, stderr = run(tmp_path / "workspace", "import", str(file))
    assert "seem to be German" in stderr
    return tmp_path / "workspace"


def test_commands_rank_by_tfidf_there_and_say_why(german: Path) -> None:
    words = ("rank", "neighbours", "Entzündung der Niere", "--ontology", "1")
    shown, stderr = run(german, *words)
    assert "by TF-IDF #" in shown
    assert "Built-in" not in shown
    assert "TF-IDF suits them better" in stderr
    shown, stderr = run(german, *words, "--encoder", "built-in")
    assert "by Built-in #" in shown  # whoever names it has it
    assert stderr == ""
    assert "by its words" in shown


def test_english_names_are_ranked_by_the_built_in_encoder(toy: Path, tmp_path: Path) -> None:
    with closing(Workspace(toy)) as workspace:
        assert language_notice(workspace, 1) == ""
        assert not prefers_lexical(workspace, 1)


def test_the_window_shows_tfidf_alone_there_and_says_why(
    qtbot: QtBot, german: Path, tmp_path: Path, qapp: object
) -> None:
    with closing(Workspace(german)) as workspace:
        ensure_built_in(workspace)
    (tmp_path / "settings").mkdir()
    opening = desks(qapp, tmp_path / "settings")  # type: ignore[arg-type]
    with opening as open_desk:
        desk = open_desk(german)
        area = desk.window.page("explore").rankings
        qtbot.waitUntil(lambda: "seem to be German" in desk.window.notice.text, timeout=LONG)
        assert area.encoders.ids == (1,)
