"""Points coloured by how an encoder ranks each name, as it was kept."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from toy_workspace import LEXICAL, VECTORS, quiet

from termexplorer.errors import UserError
from termexplorer.services.compare.comparison import CompareRequest, ComparisonSubject, compare
from termexplorer.services.map.colours import (
    VERDICTS,
    Colouring,
    colours_for,
    rank_colours,
    verdict_colours,
)
from termexplorer.services.map.points import MapPoints, points_of_names
from termexplorer.services.map.projection import ProjectionRequest
from termexplorer.services.verdicts.log import Answer, Judge, LoggedVerdict, give_verdict, now
from termexplorer.services.verdicts.log import VerdictSubject as About
from termexplorer.store.releases.corpus import release_names
from termexplorer.workers.map.ranks import BestRanks
from termexplorer.workers.process.supervision import JobControl
from termexplorer.workspace import Workspace

RANKS = st.dictionaries(
    st.integers(0, 30), st.one_of(st.just(np.nan), st.integers(1, 5_000).map(float)), min_size=1
)


@given(RANKS, st.sets(st.integers(0, 40), min_size=1))
def test_each_name_has_the_colour_of_its_rank(ranks: dict[int, float], names: set[int]) -> None:
    ids = np.array(sorted(names), np.int64)
    rank_by_id = dict(sorted(ranks.items()))
    best_ranks = BestRanks(
        np.array(list(rank_by_id), np.int64), np.array(list(rank_by_id.values()))
    )
    colours = rank_colours(ids, best_ranks, "neighbours")
    everything = np.sort(np.concatenate([group.points for group in colours.groups]))
    np.testing.assert_array_equal(everything, np.arange(len(ids)))
    low = {
        "rank 1": 1, "rank 2 to 10": 2, "rank 11 to 100": 11, "rank 101 to 1,000": 101,
        "beyond rank 1,000": 1_001,
    }  # fmt: skip
    high = [*(bound - 1 for bound in list(low.values())[1:]), np.inf]
    ends = dict(zip(low, high, strict=True))
    for group in colours.groups:
        for point in group.points.tolist():
            rank = ranks.get(int(ids[point]), np.nan)
            if group.label in low:
                assert low[group.label] <= rank <= ends[group.label]
            else:
                assert np.isnan(rank)
            assert colours.text_of(point) == f"Best right rank, neighbours: {group.label}"


def test_ranks_are_those_that_a_comparison_kept(workspace: Workspace) -> None:
    request = ProjectionRequest(workspace.folder, 1, VECTORS, method="pca", root="TOY:1")
    with workspace.store.reading() as connection:
        ids = release_names(connection, 1).ids
    points = points_of_names(workspace, 1, ids, "", 1)
    colouring = Colouring(1, "neighbours")
    with pytest.raises(
        UserError, match="has not ranked neighbours on level 1 here yet: compare it"
    ):
        colours_for(workspace, request, colouring, points, ids)
    subject = ComparisonSubject("neighbours", 1, None, 1)
    asked = CompareRequest(workspace.folder, subject, (LEXICAL, VECTORS))
    compared = compare(workspace, asked, JobControl(), quiet)
    colours = colours_for(workspace, request, colouring, points, ids)
    of_point = {point: group.label for group in colours.groups for point in group.points.tolist()}
    position_by_id = {name: number for number, name in enumerate(compared.mention_ids.tolist())}
    for point, name in enumerate(ids.tolist()):
        best = compared.best[position_by_id[name], 1]
        assert (of_point[point] == "rank 1") == (best <= 1)
        assert (of_point[point] == "no right answer") == bool(np.isnan(best))
    assert colours.legend == "Best right rank, neighbours"
    control = JobControl()
    control.cancel()
    cancelled = colours_for(workspace, request, colouring, points, ids, control)
    assert cancelled.legend == "Classes on level 1"


def test_each_name_has_the_colour_of_the_last_verdict_on_it() -> None:
    concepts = ("T:1", "T:1", "T:2", "T:3", "T:4", "T:5")
    names = ("one", "a name", "two", "three", "four", "five")
    given_answers = [
        (About("skos:broadMatch", "T:1", "T:9"), "wrong"),
        (About("skos:relatedMatch", "T:1", "T:9", "a name"), "unsure"),
        (About("skos:closeMatch", "T:2", "T:3"), "wrong"),
        (About("skos:closeMatch", "T:2", "T:3"), "correct"),
        (About("skos:broadMatch", "T:4", "T:5"), "later"),
    ]
    verdicts = [
        LoggedVerdict(number, Judge("Anna"), about, Answer(answer, "", "", ""))
        for number, (about, answer) in enumerate(given_answers)
    ]
    colours = verdict_colours(MapPoints(concepts, names), verdicts)
    assert {group.label: group.points.tolist() for group in colours.groups} == {
        "correct": [2, 3], "wrong": [0], "unsure": [1], "later": [4], "not judged": [5],
    }  # fmt: skip
    assert colours.text_of(2) == "Last verdict: correct"


def test_verdicts_of_the_workspace_colour_a_map(workspace: Workspace) -> None:
    request = ProjectionRequest(workspace.folder, 1, VECTORS, method="pca")
    with workspace.store.reading() as connection:
        ids = release_names(connection, 1).ids
    points = points_of_names(workspace, 1, ids)
    about = About("skos:broadMatch", points.concepts[0], "TOY:1")
    give_verdict(workspace, Judge("Anna"), about, Answer("correct", "", now(), now()))
    colours = colours_for(workspace, request, Colouring(task=VERDICTS), points, ids)
    assert [group.label for group in colours.groups] == ["correct", "not judged"]
    assert {points.concepts[point] for point in colours.groups[0].points} == {points.concepts[0]}
