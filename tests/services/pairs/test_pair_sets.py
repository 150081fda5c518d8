"""Pair sets of an ontology, from its file to the files of the sets."""

import json
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from pair_sets_steps import TERMS
from toy_ontology import HEADER
from toy_workspace import load, quiet
from typer.testing import CliRunner

from termexplorer.cli.commands import app
from termexplorer.errors import UserError
from termexplorer.services.explore.ontologies import find_ontology
from termexplorer.services.pairs.filter import PairFilter
from termexplorer.services.pairs.folders import read_made
from termexplorer.services.pairs.sets import (
    SOURCES,
    Estimated,
    PairPlan,
    PairSets,
    easy_by_threshold,
    make_pair_sets,
    set_rows,
)
from termexplorer.trainer.files.pairs import read_pairs
from termexplorer.trainer.term_pairs.concepts import Lists
from termexplorer.workers.data.pair_folder import PairFolder
from termexplorer.workers.process.supervision import Cancelled, JobControl
from termexplorer.workspace import Workspace

Rows = list[tuple[str, str, int, str, str, int]]


@pytest.fixture
def pair_workspace(tmp_path: Path) -> Workspace:
    path = tmp_path / "x.obo"
    path.write_text(HEADER + TERMS, encoding="utf-8")
    workspace = Workspace(tmp_path / "workspace")
    load(workspace, path)
    return workspace


def make(workspace: Workspace, folder: Path, plan: PairPlan = PairPlan()) -> PairSets:  # noqa: B008
    return make_pair_sets(
        workspace, find_ontology(workspace, "1"), plan, folder, JobControl(), quiet
    )


def rows_of(path: Path) -> Rows:
    lines = [line.split("\t") for line in path.read_text("utf-8").splitlines()]
    assert lines[0] == ["left", "right", "label", "left_concept", "right_concept", "distance"]
    return [(x[0], x[1], int(x[2]), x[3], x[4], int(x[5])) for x in lines[1:]]


def test_every_source_gives_sets_that_read_back(pair_workspace: Workspace, tmp_path: Path) -> None:
    pair_sets = make(pair_workspace, tmp_path / "pairs")
    rows = rows_of(tmp_path / "pairs" / "synonym_synonym-hard-random.tsv")
    assert rows[:4] == [
        ("malaria", "marsh fever", 1, "X:1", "X:1", 9),
        ("paludism", "marsh fever", 1, "X:1", "X:1", 10),
        ("cold", "common cold", 1, "X:2", "X:2", 7),
        rows[3],
    ]
    assert {left for left, _, label, *_ in rows if not label} == {"malaria", "paludism", "cold"}
    (old,) = [r for r in rows_of(tmp_path / "pairs" / "replaced_by-hard-random.tsv") if r[2]]
    assert old == ("ague", "malaria", 1, "X:4", "X:1", 6)
    easy = rows_of(tmp_path / "pairs" / "consider-easy-random.tsv")
    assert easy == [("chill", "cold", 1, "X:5", "X:2", 3)]  # no other term: none is dissimilar
    for pair_set in pair_sets.sets:
        (pairs,) = read_pairs(tmp_path / "pairs" / f"{pair_set.name}.tsv")
        assert pairs.scores.sum() == pair_set.similar
        assert len(pairs) == pair_set.similar + pair_set.dissimilar
    record = json.loads((tmp_path / "pairs" / "pairs.json").read_text())
    assert record["files"] == [f"{written.name}.tsv" for written in pair_sets.sets]
    assert not (tmp_path / "pairs" / ".parts").exists()


def test_the_table_of_the_paper_and_the_effect_of_the_threshold(
    pair_workspace: Workspace, tmp_path: Path
) -> None:
    pair_sets = make(pair_workspace, tmp_path / "pairs")
    row = next(
        x for x in set_rows(pair_sets) if (x.source, x.difficulty) == ("synonym_synonym", "hard")
    )
    assert row.size == 6
    assert row.similar == pytest.approx((9 + 10 + 7) / 3)
    assert row.nearest is not None
    assert row.random is not None
    assert row.nearest <= row.random
    shares = easy_by_threshold(pair_sets, "synonym_synonym")
    assert [round(5 * shares[edits]) for edits in (1, 2, 5, 7, 9, 10)] == [0, 1, 2, 3, 4, 5]
    only = PairPlan(("synonym_synonym",), ("random",), threshold=9)
    harder = make(pair_workspace, tmp_path / "other", only)
    assert [(x.difficulty, x.similar) for x in harder.sets] == [("easy", 4), ("hard", 1)]
    assert [row.nearest for row in set_rows(harder)] == [None, None]


def test_the_same_again_and_no_other_files_touched(
    pair_workspace: Workspace, tmp_path: Path
) -> None:
    folder = tmp_path / "pairs"
    make(pair_workspace, folder)
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    make(pair_workspace, folder)
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
    with pytest.raises(UserError, match="holds other files"):
        make(pair_workspace, folder, PairPlan(seed=1))
    (tmp_path / "file").write_text("mine")
    with pytest.raises(UserError, match="holds other files"):
        make(pair_workspace, tmp_path / "file")
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_what_was_found_before_a_stop_is_kept(tmp_path: Path) -> None:
    lists = Lists.of([np.array([1, 2]), np.array([3])])
    folder = PairFolder(tmp_path / "pairs", {"seed": 1})
    full = OSError(28, "No space left on device")
    with suppress(UserError), folder.writing():
        folder.parts("a").keep(0, lists)
        raise full
    with pytest.raises(UserError, match="holds other files"):
        PairFolder(tmp_path / "pairs", {"seed": 2})
    stored_lists = PairFolder(tmp_path / "pairs", {"seed": 1}).parts("a").lists(0)
    assert stored_lists is not None
    assert [stored_lists[index].tolist() for index in range(2)] == [[1, 2], [3]]


def test_it_is_told_how_long_it_takes_and_a_stop_stops(
    pair_workspace: Workspace, tmp_path: Path
) -> None:
    seen: list[object] = []
    control = JobControl()

    def stop(message: object) -> None:
        seen.append(message)
        if isinstance(message, Estimated):
            control.cancel()

    ontology = find_ontology(pair_workspace, "1")
    with pytest.raises(Cancelled):
        make_pair_sets(pair_workspace, ontology, PairPlan(), tmp_path / "pairs", control, stop)
    (estimate,) = [message for message in seen if isinstance(message, Estimated)]
    assert estimate.terms == 2 + 2 + 2 + 3 + 1 + 1  # first terms of each set
    assert estimate.seconds > 0


@pytest.mark.parametrize(
    ("plan", "message"),
    [
        (PairPlan(("names",)), "names: choose from preferred_synonym"),
        (PairPlan((), ("random",)), "nothing: choose from"),
        (PairPlan(strategies=("far",)), "far: choose from random, nearest"),
        (PairPlan(threshold=-1), "a threshold of -1"),
        (PairPlan(("same_as",)), "no concept has two names"),
    ],
)
def test_what_cannot_be_made_is_said(
    pair_workspace: Workspace, tmp_path: Path, plan: PairPlan, message: str
) -> None:
    with pytest.raises(UserError, match=message):
        make(pair_workspace, tmp_path / "pairs", plan)


def test_the_command_tells_the_table(pair_workspace: Workspace, tmp_path: Path) -> None:
    words = ["pairs", "make", "--ontology", "1", "--workspace", str(pair_workspace.folder), "--out"]
    shown = CliRunner().invoke(
        app, [*words, str(tmp_path / "a"), "--sources", "replaced_by,consider"]
    )
    assert "4 sets are in" in shown.stdout
    assert "The nearest of 2 terms will take about" in shown.stderr
    assert "For 4 similar pairs there is no dissimilar one." in shown.stdout
    answer = json.loads(
        CliRunner().invoke(
            app, [*words, str(tmp_path / "b"), "--negatives", "random", "--json"]
        ).stdout
    )  # fmt: skip
    assert {x["source"] for x in answer["table"]} == set(SOURCES) - {"same_as"}
    assert all(x["nearest_distance"] is None for x in answer["table"])


def test_pairs_are_left_out_of_sets_and_counted(pair_workspace: Workspace, tmp_path: Path) -> None:
    whole, fewer = tmp_path / "whole", tmp_path / "fewer"
    plan = PairPlan(("preferred_synonym", "replaced_by"), ("random",))
    all_sets = {pair_set.name: pair_set for pair_set in make(pair_workspace, whole, plan).sets}
    leave_out = PairFilter(text="FEVER")
    pair_sets = make(pair_workspace, fewer, replace(plan, leave_out=leave_out))
    assert pair_sets.left_out
    for pair_set in pair_sets.sets:
        expected = [
            row for row in rows_of(whole / f"{pair_set.name}.tsv") if not leave_out.reason(*row[:2])
        ]
        assert rows_of(fewer / f"{pair_set.name}.tsv") == expected
        similar = [row[5] for row in expected if row[2] == 1]
        assert (pair_set.similar, pair_set.dissimilar) == (
            len(similar),
            len(expected) - len(similar),
        )
        assert pair_set.similar_distance == pytest.approx(sum(similar) / len(similar))
        before = all_sets[pair_set.name]
        gone = before.similar + before.dissimilar - len(expected)
        assert sum(pair_sets.left_out.get(pair_set.name, {}).values()) == gone
    assert read_made(fewer).pair_sets == pair_sets
    assert read_made(fewer).plan.leave_out == leave_out


def test_a_set_without_a_similar_pair_left_is_not_made(
    pair_workspace: Workspace, tmp_path: Path
) -> None:
    plan = PairPlan(("preferred_synonym", "replaced_by"), ("random",))
    pair_sets = make(
        pair_workspace, tmp_path / "sets", replace(plan, leave_out=PairFilter(text="ague"))
    )
    assert "replaced_by" not in {pair_set.source for pair_set in pair_sets.sets}
    assert not list((tmp_path / "sets").glob("replaced_by*"))
    assert [name for name in pair_sets.left_out if name.startswith("replaced_by")]
    with pytest.raises(UserError, match="left out"):
        make(pair_workspace, tmp_path / "none", replace(plan, leave_out=PairFilter(longest=1)))
