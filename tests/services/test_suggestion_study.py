"""All finders on copies of the toy, as the command studies them."""

import csv
import json
from pathlib import Path
from statistics import fmean

import pytest
from toy_workspace import LEXICAL, VECTORS, quiet
from typer.testing import CliRunner

from termexplorer.cli.commands import app
from termexplorer.services.misplacement import MisplacementRequest, suggest_misplaced
from termexplorer.services.ontologies import find_ontology
from termexplorer.workers.supervision import Control
from termexplorer.workspace import Workspace


def test_every_finder_is_tried_with_each_encoder_and_with_all(
    workspace: Workspace, tmp_path: Path
) -> None:
    out = tmp_path / "study.csv"
    words = ["suggest", "study", "--ontology", "1", "--share", ".05", "--seeds", "2"]
    words += ["--encoder", str(VECTORS), "--encoder", str(LEXICAL), "--out", str(out), "--json"]
    ran = CliRunner().invoke(app, [*words, "--workspace", str(workspace.folder)])
    figures = json.loads(ran.stdout)["figures"]
    sets = [f"#{VECTORS}", f"#{LEXICAL}", f"#{VECTORS} #{LEXICAL}"]
    told = [(each["finder"], each["level"], each["encoders"], each["k"]) for each in figures]
    assert told == [
        (finder, level, encoders, k)
        for finder, level in (("misplaced", 1), ("names", None), ("duplicates", None))
        for encoders in sets
        for k in (50, 100, 200)
    ]
    assert all(each["lowest"] <= each["precision"] <= each["highest"] for each in figures)
    with out.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [float(row["precision"]) for row in rows] == [each["precision"] for each in figures]
    first = figures[0]
    toy, found = find_ontology(workspace, "1"), []
    for seed in (0, 100):
        request = MisplacementRequest(workspace.folder, 1, (VECTORS,), "", 1, 0.05, seed)
        trial = suggest_misplaced(workspace, toy, request, Control(), quiet).found.trial
        found += trial.precision[50]
    assert first["copies"] == len(found)
    assert first["precision"] == pytest.approx(fmean(found))
