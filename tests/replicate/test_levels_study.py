"""[HLS] on a toy ontology."""

import csv
import json
from collections import defaultdict
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from replicate_toy import run, toy_study, write_deep

from termexplorer.errors import UserError
from termexplorer.replicate.studies import AskedStudy
from termexplorer.services.explore.ontologies import list_ontologies
from termexplorer.workspace import Workspace


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> AskedStudy:
    """A finished study below one root."""
    folder = tmp_path_factory.mktemp("levels")
    study = toy_study(folder, "HLS", ontologies=(str(write_deep(folder)),), roots=("D:0",))
    run(study)
    return study


def test_every_level_is_trained_and_evaluated_on_all(study: AskedStudy) -> None:
    with (study.out / "figures.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    lines = (study.out / "results.jsonl").read_text("utf-8").splitlines()[1:]
    records = [json.loads(line) for line in lines]
    untrained = {record["key"][1]: record for record in records if record["key"][2] == 0}
    encoders = {"untrained mean": 0, **{f"level {level}": level for level in (1, 2, 3, 4)}}
    for task in ("ranking", "hypernyms"):
        row_by_key = {(row["encoder"], row["data"]): row for row in rows if row["task"] == task}
        assert len(row_by_key) == 5 * 4
        for (encoder, data), row in row_by_key.items():
            level, items = data.removeprefix("level "), defaultdict(list)
            for record in records:
                if record["key"][2] == encoders[encoder]:
                    names = untrained[record["key"][1]]["names"][level]
                    for name, value in zip(names, record[task][level], strict=True):
                        items[name].append(value)
            means = [np.mean(values) for values in items.values()]
            assert float(row["value"]) == pytest.approx(np.mean(means))
            assert int(row["n"]) == len(means) < sum(map(len, items.values()))
            assert float(row["low"]) <= float(row["value"]) <= float(row["high"])


def test_captions_tell_what_stands_in_the_tables(study: AskedStudy) -> None:
    page = (study.out / "report.html").read_text("utf-8")
    assert "the mean over splits ± its standard deviation over them" in page
    assert "each with the mean of what it comes to in the splits that it is in" in page


def test_sizes_are_those_of_the_ontology(study: AskedStudy) -> None:
    page = (study.out / "report.html").read_text("utf-8")
    # 24 classes on level 4, of 8 names below each: 3 for test, 2 for validation
    assert "Classes on levels 1 to 4: 3 / 6 / 12 / 24" in page
    assert "72 train, 72 test, 48 validation" in page
    assert "http" not in page


def test_weights_that_nothing_needs_are_gone(study: AskedStudy) -> None:
    assert not list((study.out / "runs").iterdir())


def test_a_finished_study_takes_more_splits(study: AskedStudy, tmp_path: Path) -> None:
    _, messages = run(replace(study, seeds=3))
    pieces = [text for text in messages if "split" in text]
    assert pieces
    assert all("split 3" in text for text in pieces)


def test_a_workspace_that_is_named_takes_a_file_once(study: AskedStudy, tmp_path: Path) -> None:
    named = tmp_path / "workspace"
    for out in ("first", "second"):
        with pytest.raises(UserError, match="NO:1 is in none"):
            run(replace(study, workspace=named, out=tmp_path / out, roots=("NO:1",)))
    workspace = Workspace(named)
    try:
        assert [ontology.id for ontology in list_ontologies(workspace)] == [1]
    finally:
        workspace.close()


def test_a_root_is_asked_for(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="--root"):
        run(toy_study(tmp_path, "HLS"))
    deep = toy_study(tmp_path, "HLS", roots=("D:0",))
    deep = replace(deep, ontologies=(str(write_deep(tmp_path)), *deep.ontologies))
    with pytest.raises(UserError, match="none of those named is in toy"):
        run(deep)


def test_a_root_with_too_few_levels_is_told(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"level 1 below TOY:2 .* down to level 4; .* root"):
        run(toy_study(tmp_path, "HLS", roots=("TOY:2",)))
