"""[CG] on a toy ontology."""

import csv
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from replicate_toy import run, toy_study
from toy_ontology import write_synonyms

from termexplorer.errors import UserError
from termexplorer.replicate.grounding import recipe_and_settings
from termexplorer.replicate.request import PaperStudyRequest, StudyVectors
from termexplorer.services.recipes.presets import hyperparameters


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
    value_by_key = {
        (row["encoder"], row["data"], row["metric"]): float(row["value"]) for row in rows
    }
    assert value_by_key["CCA + DAN", "train", "mAP"] != value_by_key["DAN", "train", "mAP"]
    assert (
        value_by_key["BNE, same data", "train", "mAP"]
        != value_by_key["untrained mean", "train", "mAP"]
    )
    page = (study.out / "report.html").read_text("utf-8")
    assert '<th scope="row">zero-shot concepts</th><td>2</td>' in page
    assert len(report.figures) == len(rows) + len(records)


def test_codes_of_another_system_are_a_second_view_beside_the_first(tmp_path: Path) -> None:
    source = str(write_synonyms(tmp_path))
    study = toy_study(tmp_path, "CG", ontologies=(source,), seeds=1)
    first, _ = run(study)
    before = (study.out / "results.jsonl").read_text("utf-8")
    report, messages = run(replace(study, groups=("ICD10CM",)))
    after = (study.out / "results.jsonl").read_text("utf-8")
    assert after.startswith(before)  # pieces of the first view count as they are
    assert {text.split(", ")[1] for text in messages if ", split 1" in text} == {"ICD10CM groups"}
    figures = {
        (row["groups"], row["encoder"], row["task"], row["data"], row["metric"]): row["value"]
        for row in report.figures
    }
    assert len(figures) == len(report.figures)
    for row in first.figures:
        key = (row["encoder"], row["task"], row["data"], row["metric"])
        assert figures["", *key] == row["value"]
        if row["task"] == "synonyms" or row["encoder"] != "untrained mean":
            assert ("ICD10CM", *key) in figures
    relatedness = [key for key in figures if key[2] == "relatedness"]
    assert len(relatedness) == 1 + 2 * 5
    page = (study.out / "report.html").read_text("utf-8")
    assert "<td>1</td>" in page.split("zero-shot concepts")[1].split("</tr>")[0]
    assert "groups 10; concepts mapped 20; concepts not mapped 5; concepts with several" in page
    assert "Grouped by ICD10CM: Synonym retrieval, mAP" in page
    assert "CCA + DAN, ICD10CM groups" in page
    assert "also grouped by ICD10CM" in page


def test_names_whose_words_the_vectors_have_not_are_left_out(tmp_path: Path) -> None:
    source = str(write_synonyms(tmp_path))
    study = toy_study(tmp_path, "CG", ontologies=(source,), seeds=1)
    lines = Path(study.vectors).read_text("utf-8").splitlines()
    rows = [line for line in lines[1:] if not line.startswith("after ")]  # of a name a concept
    Path(study.vectors).write_text("\n".join([f"{len(rows)} 16", *rows, ""]), "utf-8")
    run(study)
    page = (study.out / "report.html").read_text("utf-8")
    assert "names left out: 24 unknown words, 0 metatags" in page
    assert '<th scope="row">test mentions</th><td>22</td>' in page  # of 24 concepts, 2 zero-shot


def test_a_recipe_of_another_kind_has_its_own_sizes_and_no_more_epochs() -> None:
    values = {"hidden": 9600, "maximum_epochs": 7}
    request = PaperStudyRequest(
        paper="CG", out=Path(), workspace=Path(), releases=(), vectors=StudyVectors("none", ""),
        benchmarks=(), preset="quick", hyperparameters=values, seeds=1, shots=(),
    )  # fmt: skip
    assert recipe_and_settings(request, "DAN") == ("conceptual-grounding", {**values, "cca": False})
    recipe, asked = recipe_and_settings(request, "BNE, same data")
    assert (recipe, asked["hidden"], asked["maximum_epochs"]) == ("bne-words", 150, 7)
    assert recipe_and_settings(request, "CCA") == ("cca", hyperparameters("cca", "quick", {}))


def test_only_what_is_below_a_root_is_learned(tmp_path: Path) -> None:
    source = str(write_synonyms(tmp_path))
    study = toy_study(tmp_path, "CG", ontologies=(source,), roots=("S:1",), seeds=1)
    report, _ = run(study)
    assert {row["ontology"] for row in report.figures} == {
        "toy 2026-01-01, bacterial lung infection"
    }
    train = [row["n"] for row in report.figures if row["data"] == "train"]
    assert max(train) < 30  # six concepts of five names
    assert "quick; seed 0<" in (study.out / "report.html").read_text(encoding="utf-8")


def test_groups_that_are_nowhere_are_refused_with_those_that_there_are(tmp_path: Path) -> None:
    source = str(write_synonyms(tmp_path))
    study = toy_study(tmp_path, "CG", ontologies=(source,), groups=("ICD9",))
    with pytest.raises(UserError, match=r"refers to 'ICD9'.*UMLS \(24\), ICD10CM \(20\)"):
        run(study)
    with pytest.raises(UserError, match="BNE groups no concepts"):
        run(replace(study, paper="BNE"))
