"""With --sssom the files of mappings are validated by SSSOM's own package."""

import subprocess
from pathlib import Path

import pytest
from toy_ontology import write_older_toy
from toy_reviews import ANNA, BEN, DAY, SEMANTIC, keep, say, suggested
from toy_workspace import LEXICAL, VECTORS, load, opened_copy
from typer.testing import CliRunner

from termexplorer.cli.commands import app
from termexplorer.services.curate.review_files import write_review
from termexplorer.workspace import Workspace

OTHER = """\
format-version: 1.2
ontology: other

[Term]
id: O:1
name: lung tumour
xref: TOY:2

[Term]
id: O:2
name: injury of the heart
"""


class Package:
    """The package's own command."""

    def __init__(self, program: str) -> None:
        self._program = program

    def accepts(self, path: Path) -> bool:
        """Whether a file is what the specification says, down to prefixes and CURIEs.

        A row that is not well-formed is only left out by the package, with a warning.
        """
        command = [self._program, "validate", "-V", "JsonSchema", "-V", "PrefixMapCompleteness"]
        done = subprocess.run(
            [*command, "-V", "StrictCurieFormat", str(path)], capture_output=True, text=True
        )
        assert done.returncode == 0 or "ValidationError" in done.stderr, done.stderr
        return done.returncode == 0 and "not well-formed" not in done.stderr


@pytest.fixture(scope="module")
def package(request: pytest.FixtureRequest) -> Package:
    program = request.config.getoption("--sssom")
    if not program:
        pytest.skip("needs the package sssom: --sssom PROGRAM")
    return Package(program)


def test_reviewed_suggestions(package: Package, workspace: Workspace, tmp_path: Path) -> None:
    rows = [
        suggested("TOY:2", "TOY:15", cells=["x", 0.5, "=1"], confidence="0.5", comment="a\tb"),
        suggested("TOY:3", "TOY:1", "skos:exactMatch", cells=["y", None, ""]),
        suggested("TOY:4", "TOY:1", "skos:relatedMatch", "lung ünfection", ["z", 1, "é"]),
        suggested("TOY:5", "TOY:1", cells=["", 0, "below"]),
    ]
    header = ["concept", "likelihood", "below"]
    list_id = keep(workspace, rows, header, encoders=[VECTORS, 99], facts=["A: b # c"])
    say(workspace, ANNA, rows[0], "correct", 'yes, "surely"\n=so it is')
    say(workspace, BEN, rows[0], "wrong")
    say(workspace, ANNA, rows[2], "unsure", "hm")
    say(workspace, ANNA, rows[3], "later")
    path = tmp_path / "list.sssom.tsv"
    write_review(workspace, path, list_id)
    assert package.accepts(path)
    for right, wrong in ((SEMANTIC, "guessed"), (DAY[:10], "yesterday"), ("\t0.0\t", "\t2.0\t")):
        broken = path.read_text(encoding="utf-8").replace(right, wrong)
        (tmp_path / "broken.sssom.tsv").write_text(broken, encoding="utf-8")
        assert not package.accepts(tmp_path / "broken.sssom.tsv")


@pytest.mark.parametrize("finder", ["misplaced", "deeper", "names", "duplicates", "mappings"])
def test_what_a_finder_writes(package: Package, finder: str, toy: Path, tmp_path: Path) -> None:
    ontology, to = 1, ()
    with opened_copy(toy, tmp_path) as workspace:
        folder = workspace.folder
        if finder == "deeper":
            ontology = load(workspace, write_older_toy(tmp_path)).id
        if finder == "mappings":
            (tmp_path / "other.obo").write_text(OTHER, encoding="utf-8")
            to = ("--to", str(load(workspace, tmp_path / "other.obo").id))
    out = tmp_path / f"{finder}.sssom.tsv"
    encoders = [word for encoder in (VECTORS, LEXICAL) for word in ("--encoder", str(encoder))]
    words = ["suggest", finder, "--ontology", str(ontology), *to, *encoders, "--out", str(out)]
    done = CliRunner().invoke(app, [*words, "--workspace", str(folder)])
    assert done.exit_code == 0, done.exception
    lines = [line for line in out.read_text(encoding="utf-8").splitlines() if line[0] != "#"]
    assert len(lines) > 1
    assert package.accepts(out)
