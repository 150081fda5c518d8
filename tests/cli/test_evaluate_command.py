"""`evaluate` on the command line: what its JSON says."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

from toy_workspace import LEXICAL, TRAINED, VECTORS


def test_figures_say_level_and_split_and_runs_say_k(trained: Path, tmp_path: Path) -> None:
    workspace = shutil.copytree(trained, tmp_path / "workspace")
    program = Path(sys.executable).with_name("termexplorer")

    def told(*words: str) -> dict[str, list[dict[str, object]]]:
        command = [program, *words, "--json", "--workspace", str(workspace)]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        found: dict[str, list[dict[str, object]]] = json.loads(done.stdout)
        return found

    encoders = ("--encoder", str(VECTORS), "--encoder", str(TRAINED))
    figures = told("evaluate", "hypernyms", *encoders)["figures"]
    assert {figure["encoder"] for figure in figures} == {VECTORS, TRAINED}
    assert {figure["split"] for figure in figures} == {1}
    for figure in figures:
        assert str(figure["data"]).startswith(f"level {figure['level']}: ")
    assert {1, 2} <= {figure["level"] for figure in figures}
    (run,) = told("runs")["runs"]
    request = run["request"]
    assert isinstance(request, dict)
    assert (run["encoder_id"], request["rule"]["shots"], request["seed"]) == (TRAINED, 5, 0)
    of_letters = told("evaluate", "coverage", "--ontology", "toy", "--encoder", str(LEXICAL))
    assert {figure["level"] for figure in of_letters["figures"]} == {None}
