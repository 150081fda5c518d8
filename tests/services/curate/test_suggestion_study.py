"""All finders on copies of the toy, as the command studies them."""

import csv
import json
from itertools import islice
from pathlib import Path
from statistics import fmean

import pytest
from toy_workspace import LEXICAL, VECTORS, quiet
from typer.testing import CliRunner

from termexplorer.cli.commands import app
from termexplorer.services.curate.suggestion_study import (
    FinderStudyPlan,
    study_rows,
    study_suggestions,
)
from termexplorer.services.explore.ontologies import find_ontology
from termexplorer.trainer.evaluation.shares import share_interval
from termexplorer.workers.process.supervision import JobControl
from termexplorer.workspace import Workspace

TOP = (50, 100, 200)
FINDERS_AND_LEVELS = (("misplaced", 1), ("deeper", None), ("names", None), ("duplicates", None))


def test_each_encoder_is_tried_alone_and_all_together(workspace: Workspace) -> None:
    plan = FinderStudyPlan(
        find_ontology(workspace, "1"), (VECTORS, LEXICAL), (2,), seeds=1, share=0.05
    )
    trials = list(islice(study_suggestions(workspace, plan, JobControl(), quiet), 3))
    assert [(tried.finder, tried.level) for tried in trials] == 3 * [("misplaced", 2)]
    assert [tried.encoder_ids for tried in trials] == [(VECTORS,), (LEXICAL,), (VECTORS, LEXICAL)]
    (trial,) = trials[2].trials
    for k, row in zip(TOP, study_rows(trials[2]), strict=True):
        values = trial.precision[k]
        assert row[:4] == ["misplaced", 2, f"#{VECTORS} #{LEXICAL}", k]
        assert row[4] == pytest.approx(fmean(values))
        low, high, n = row[5:8]
        assert (low, high) == pytest.approx(share_interval(row[4] * n, n))
        assert row[8:11] == [min(values), max(values), len(values)]
        chance, low, high, n = row[11:15]
        assert chance == pytest.approx(trial.chance)
        assert (low, high) == pytest.approx(share_interval(chance * n, n))
        assert n == trial.candidates
        assert row[15:] == [trial.calibration.brier, trial.calibration.error]


def test_the_command_tries_every_finder(workspace: Workspace, tmp_path: Path) -> None:
    out = tmp_path / "study.csv"
    words = ["suggest", "study", "--ontology", "1", "--share", ".05", "--seeds", "1"]
    words += ["--level", "1", "--encoder", str(LEXICAL), "--out", str(out), "--json"]
    ran = CliRunner().invoke(app, [*words, "--workspace", str(workspace.folder)])
    figures = json.loads(ran.stdout)["figures"]
    assert [(figure["finder"], figure["level"], figure["k"]) for figure in figures] == [
        (finder, level, k)
        for finder, level in FINDERS_AND_LEVELS
        for k in (TOP[:2] if finder == "deeper" else TOP)  # it has fewer than 200 candidates here
    ]
    assert {figure["encoders"] for figure in figures} == {f"#{LEXICAL}"}
    with out.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [float(row["precision"]) for row in rows] == [figure["precision"] for figure in figures]
