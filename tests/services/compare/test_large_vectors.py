"""Above a size, an encoder's vectors are in 8 bits, and neighbours are exact or by faiss."""

from collections.abc import Iterator
from multiprocessing import Pipe

import numpy as np
import pytest
from toy_workspace import VECTORS

from termexplorer.errors import UserError
from termexplorer.services.compare.rankings import (
    Query,
    RankingRequest,
    Rankings,
    RankingScope,
    Task,
    TermsRequest,
)
from termexplorer.services.encoders.vectors import release_vectors_missing
from termexplorer.services.explore.browsing import search_names
from termexplorer.store.database.process_lock import ProcessLock
from termexplorer.store.encoders.encoders import (
    forget_index,
    index_file,
    put_vectors,
    vector_file,
)
from termexplorer.workers.encoders import large_vectors
from termexplorer.workers.encoders.vectors import ReleaseVectorsRequest, make_release_vectors
from termexplorer.workers.explore.ranking import RankingEngine
from termexplorer.workers.process.child import Channel
from termexplorer.workspace import Workspace

TERMS = ("viral lung tumour", "bacterial liver disease", "genetic heart disease")


@pytest.fixture
def large(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    """A workspace whose names are millions, as far as its vectors are concerned."""
    monkeypatch.setattr(large_vectors, "LARGEST_MATRIX", 100)
    with workspace.store.writing() as connection:
        index, vectors = (find(connection, VECTORS, 1) for find in (index_file, vector_file))
        assert index is not None
        assert vectors is not None
        forget_index(connection, index)
        (workspace.folder / vectors.path).unlink()
    return workspace


@pytest.fixture
def channel() -> Iterator[Channel]:
    ours, theirs = Pipe()
    with ours, theirs:
        yield Channel(theirs)


def rank(workspace: Workspace, text: str) -> Rankings:
    request = RankingRequest(Query(text), Task.NEIGHBOURS, (VECTORS,), RankingScope((1,)), top=10)
    return RankingEngine(workspace.folder, workspace.store).rank(request)


def rows_of(rankings: Rankings) -> list[tuple[str, float]]:
    return [(row.text, row.similarity) for row in rankings.columns[0].rows]


def test_large_vectors_are_searched_exactly(
    workspace: Workspace, channel: Channel, monkeypatch: pytest.MonkeyPatch, large: Workspace
) -> None:
    assert release_vectors_missing(large, VECTORS, 1)
    make_release_vectors(ReleaseVectorsRequest(large.folder, VECTORS, 1), channel)
    assert not release_vectors_missing(large, VECTORS, 1)
    assert (large.folder / "vectors" / f"{VECTORS}-1.eight-bit").is_dir()
    ranked = rank(large, TERMS[0])
    assert ranked.columns[0].note == "exact, 8 bit"
    monkeypatch.setattr(large_vectors, "LARGEST_MATRIX", 1 << 28)
    with large.store.writing() as connection:
        stored = vector_file(connection, VECTORS, 1)
        assert stored is not None
        put_vectors(connection, stored.__class__(VECTORS, 1, "vectors/gone.npy", "", 0, 0))
    in_32_bits = rank(large, TERMS[0])
    assert in_32_bits.columns[0].note == "exact"
    np.testing.assert_allclose(
        [similarity for _, similarity in rows_of(ranked)],
        [similarity for _, similarity in rows_of(in_32_bits)],
        atol=0.02,
    )


def test_what_takes_longer_than_a_second_is_answered_by_faiss(
    large: Workspace, channel: Channel, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("faiss")
    request = ReleaseVectorsRequest(large.folder, VECTORS, 1)
    make_release_vectors(request, channel)
    exact = rank(large, TERMS[0])
    terms = TermsRequest(TERMS, VECTORS, RankingScope((1,)), top=3)
    engine = RankingEngine(large.folder, large.store)
    matched = engine.match_terms(terms)
    monkeypatch.setattr(large_vectors, "EXACT_SECONDS", 0.0)
    assert release_vectors_missing(large, VECTORS, 1), "the index is"
    make_release_vectors(request, channel)
    assert not release_vectors_missing(large, VECTORS, 1)
    with large.store.reading() as connection:
        file = index_file(connection, VECTORS, 1)
    assert file is not None
    ranked = rank(large, TERMS[0])
    note = ranked.columns[0].note
    assert note.startswith(f"faiss, recall@10 {file.recall:.3f}, "), note
    shared = set(rows_of(ranked)) & set(rows_of(exact))
    assert len(shared) >= 7
    by_lists = RankingEngine(large.folder, large.store).match_terms(terms)
    assert len(by_lists) == len(matched)
    assert sum(left == right for left, right in zip(matched, by_lists, strict=True)) >= 6


def test_a_known_concept_has_its_exact_best_rank(
    large: Workspace, channel: Channel, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("faiss")
    make_release_vectors(ReleaseVectorsRequest(large.folder, VECTORS, 1), channel)
    hit = search_names(large, "tumour", 1).hits[0]
    query = Query(hit.text, hit.concept_id)
    request = RankingRequest(query, Task.NEIGHBOURS, (VECTORS,), RankingScope((1,)), top=5)
    exact = RankingEngine(large.folder, large.store).rank(request).columns[0]
    monkeypatch.setattr(large_vectors, "EXACT_SECONDS", 0.0)
    make_release_vectors(ReleaseVectorsRequest(large.folder, VECTORS, 1), channel)
    ranked = RankingEngine(large.folder, large.store).rank(request).columns[0]
    assert ranked.note.startswith("faiss")
    assert (ranked.best_true_rank, ranked.tied) == (exact.best_true_rank, exact.tied)


def test_without_the_extra_one_sentence_tells_of_it(
    large: Workspace, channel: Channel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(large_vectors, "EXACT_SECONDS", 0.0)
    monkeypatch.setattr(large_vectors, "has_faiss", lambda: False)
    make_release_vectors(ReleaseVectorsRequest(large.folder, VECTORS, 1), channel)
    assert not release_vectors_missing(large, VECTORS, 1)
    assert "the extra `large`" in rank(large, TERMS[0]).columns[0].note


def test_two_processes_do_not_write_the_same_vectors(large: Workspace, channel: Channel) -> None:
    lock = large.folder / "vectors" / f"{VECTORS}-1.eight-bit.lock"
    with ProcessLock(lock), pytest.raises(UserError, match="another process"):
        make_release_vectors(ReleaseVectorsRequest(large.folder, VECTORS, 1), channel)
