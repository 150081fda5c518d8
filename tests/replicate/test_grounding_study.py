"""[CG] on a toy ontology."""

import csv
import json
from pathlib import Path

import numpy as np
import pytest
from replicate_toy import run, toy_study
from toy_ontology import write_synonyms

from termexplorer.errors import UserError


def test_every_encoder_is_measured_on_known_and_new_concepts(tmp_path: Path) -> None:
    source = str(write_synonyms(tmp_path))
    study = toy_study(tmp_path, "CG", ontologies=(source,), seeds=1)
    report, _ = run(study)
    lines = (study.out / "results.jsonl").read_text("utf-8").splitlines()[1:]
    records = {record["key"][2]: record for record in map(json.loads, lines)}
    with (study.out / "figures.csv").open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["task"] == "synonyms"]
    assert len(rows) == len(records) * 3 * 3
    for row in rows:
        items = records[row["encoder"]]["synonyms"][row["data"]][row["metric"]]
        known = [value for value in items if value is not None]
        assert float(row["value"]) == pytest.approx(np.mean(known))
        assert int(row["n"]) == len(known)
    found = {(row["encoder"], row["data"], row["metric"]): float(row["value"]) for row in rows}
    assert found["CCA + DAN", "train", "mAP"] != found["DAN", "train", "mAP"]
    page = (study.out / "report.html").read_text("utf-8")
    assert "2 zero-shot concepts, 10 zero-shot mentions" in page
    assert len(report.figures) == len(rows) + len(records)


def test_a_root_is_refused(tmp_path: Path) -> None:
    source = str(write_synonyms(tmp_path))
    study = toy_study(tmp_path, "CG", ontologies=(source,), roots=("S:1",))
    with pytest.raises(UserError, match="leave --root out"):
        run(study)
