import json
from pathlib import Path

import pytest
from toy_ontology import HEADER, stanza
from typer.testing import CliRunner

from termexplorer.cli.commands import app


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A chain of five concepts below a root."""
    terms = [stanza(f"T:{n}", f"name {n}", f"T:{n - 1}" if n else "") for n in range(6)]
    path = tmp_path_factory.mktemp("ontologies") / "chain.obo"
    path.write_text(HEADER + "\n" + "\n".join(terms), encoding="utf-8")
    return path


def run(source: Path, *words: str) -> str:
    done = CliRunner().invoke(app, [*words, "--workspace", str(source.parent / "workspace")])
    assert done.exit_code == 0, done.output
    return done.output


def test_the_same_file_imported_again_is_said(source: Path) -> None:
    assert "same content" not in run(source, "import", str(source))
    assert "  same content as ontology 1 (toy 2026-01-01), imported on" in run(
        source, "import", str(source)
    )


def test_levels_without_names_say_so(source: Path) -> None:
    run(source, "import", str(source))
    levels = json.loads(run(source, "levels", "--ontology", "1", "--depth", "3", "--json"))[
        "levels"
    ]
    assert [level["names"] for level in levels] == [2, 2, 2, 1, 0]
    lines = run(source, "levels", "--ontology", "1", "--depth", "3").splitlines()[1:6]
    assert ["no names" in line for line in lines] == [False] * 4 + [True]
