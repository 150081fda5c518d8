"""What an encoder ranks a release by is made anew when it is damaged or gone."""

import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from toy_workspace import LEXICAL, VECTORS, quiet

from termexplorer.services.compare.rankings import (
    Query,
    Ranker,
    RankingColumn,
    RankingRequest,
    RankingScope,
    Task,
)
from termexplorer.services.encoders.vectors import prepare, release_vectors_missing
from termexplorer.services.workspace.check import check_workspace
from termexplorer.workers.process.supervision import JobControl
from termexplorer.workspace import Workspace

TFIDF, INDEX = f"{LEXICAL}-1", f"{VECTORS}-1.hnsw"
OWNERS = {TFIDF: LEXICAL, INDEX: VECTORS}


@pytest.fixture
def ranker(workspace: Workspace) -> Iterator[Ranker]:
    with closing(Ranker(workspace.folder)) as ranker:
        yield ranker


def ranking(ranker: Ranker, encoder_id: int, task: Task = Task.NEIGHBOURS) -> RankingColumn:
    among = RankingScope((1,), level=1 if task is Task.HYPERNYMS else None)
    request = RankingRequest(Query("viral lung tumour"), task, (encoder_id,), among, top=10)
    return ranker.rank(request).columns[0]


def similarities(column: RankingColumn) -> list[float]:
    return [row.similarity for row in column.rows]


def flip(path: Path) -> None:
    whole = path.read_bytes()
    path.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))


def check_mended(workspace: Workspace, encoder_id: int) -> None:
    prepare(workspace, encoder_id, 1, JobControl(), quiet)
    assert not release_vectors_missing(workspace, encoder_id, 1)
    assert check_workspace(workspace, JobControl()).faults == ()


@pytest.mark.parametrize("name", OWNERS)
@pytest.mark.parametrize("damage", ["folder", "file", "meta"])
def test_what_is_gone_is_missing_and_made_anew(
    workspace: Workspace, name: str, damage: str
) -> None:
    folder = workspace.folder / "vectors" / name
    if damage == "folder":
        shutil.rmtree(folder)
    elif damage == "file":
        next(path for path in folder.iterdir() if path.name != "meta.json").unlink()
    else:
        flip(folder / "meta.json")
    assert release_vectors_missing(workspace, OWNERS[name], 1)
    check_mended(workspace, OWNERS[name])


def test_vectors_that_are_gone_are_missing(workspace: Workspace) -> None:
    (workspace.folder / "vectors" / f"{VECTORS}-1.npy").unlink()
    assert release_vectors_missing(workspace, VECTORS, 1)
    check_mended(workspace, VECTORS)


def test_a_damaged_matrix_of_tfidf_is_made_anew_by_who_ranks(
    workspace: Workspace, ranker: Ranker
) -> None:
    before = similarities(ranking(ranker, LEXICAL))
    flip(workspace.folder / "vectors" / TFIDF / "data.npy")
    with closing(Ranker(workspace.folder)) as another:
        assert similarities(ranking(another, LEXICAL)) == before
    assert check_workspace(workspace, JobControl()).faults == ()


def test_a_damaged_index_is_built_anew_by_the_next_preparation(
    workspace: Workspace, ranker: Ranker
) -> None:
    flip(workspace.folder / "vectors" / INDEX / "starts.npy")
    hypernyms = ranking(ranker, VECTORS, Task.HYPERNYMS)
    assert hypernyms.note == "exact"
    assert not release_vectors_missing(workspace, VECTORS, 1)  # it was not even looked at
    exact = ranking(ranker, VECTORS)
    assert exact.note == "exact"
    assert release_vectors_missing(workspace, VECTORS, 1)
    check_mended(workspace, VECTORS)
    shown_ranking = ranking(ranker, VECTORS)
    assert "recall@10" in shown_ranking.note
    assert similarities(shown_ranking) == pytest.approx(similarities(exact), abs=1e-5)


def test_nothing_is_built_over_damaged_vectors(workspace: Workspace, ranker: Ranker) -> None:
    before = similarities(ranking(ranker, VECTORS))
    flip(workspace.folder / "vectors" / f"{VECTORS}-1.npy")
    shutil.rmtree(workspace.folder / "vectors" / INDEX)
    check_mended(workspace, VECTORS)
    with closing(Ranker(workspace.folder)) as another:
        assert similarities(ranking(another, VECTORS)) == pytest.approx(before, abs=1e-6)
