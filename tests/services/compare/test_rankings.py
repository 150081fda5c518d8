import multiprocessing
import threading
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from toy_ontology import write_vectors
from toy_workspace import LEXICAL, VECTORS, opened_copy, quiet

from termexplorer.errors import UserError
from termexplorer.services.compare.rankings import (
    Query,
    Ranker,
    RankingRequest,
    Rankings,
    RankingScope,
    Relation,
    Task,
    TermsRequest,
    query_for,
)
from termexplorer.services.encoders.encoders import list_encoders
from termexplorer.services.encoders.vectors import add_vectors, prepare, release_vectors_missing
from termexplorer.services.explore.browsing import search_names
from termexplorer.store.releases.corpus import release_names
from termexplorer.trainer.lexical import METHODS, fit
from termexplorer.workers.encoders.encoding import Encoders
from termexplorer.workers.explore import rank_server
from termexplorer.workers.process import child
from termexplorer.workers.process.supervision import JobControl, result_of
from termexplorer.workspace import Workspace

NAME = "viral lung tumour"


@pytest.fixture(scope="module")
def workspace(toy: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    """One for all tests here that only read."""
    with opened_copy(toy, tmp_path_factory.mktemp("rankings")) as workspace:
        yield workspace


@pytest.fixture(scope="module")
def ranker(workspace: Workspace) -> Iterator[Ranker]:
    with closing(Ranker(workspace.folder)) as ranker:
        ranker.start()
        yield ranker


def neighbours(workspace: Workspace, **changes: object) -> RankingRequest:
    request = RankingRequest(
        query_for(workspace, 1, NAME),
        Task.NEIGHBOURS,
        (VECTORS, LEXICAL),
        RankingScope((1,)),
        top=10,
    )
    return replace(request, **changes)  # type: ignore[arg-type]


def exact(workspace: Workspace, text: str) -> tuple[list[str], NDArray[np.float32]]:
    """All names and their cosines with a text, computed plainly."""
    with workspace.store.reading() as connection:
        names = release_names(connection, 1).texts
    vectors = Encoders(workspace.folder, workspace.store).encode(VECTORS, [*names, text])
    units = vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)
    return list(names), units[:-1] @ units[-1]


def texts(rankings: Rankings, column: int = 0) -> list[str]:
    return [row.text for row in rankings.columns[column].rows]


def test_neighbours_are_those_of_a_plain_computation(workspace: Workspace, ranker: Ranker) -> None:
    column = ranker.rank(neighbours(workspace)).columns[0]
    names, cosines = exact(workspace, NAME)
    cosines[names.index(NAME)] = -2  # the very name that is asked about
    wanted = np.sort(cosines)[::-1][:10]
    np.testing.assert_allclose([row.similarity for row in column.rows], wanted, atol=1e-5)
    assert [row.rank for row in column.rows] == list(range(1, 11))
    assert NAME not in texts(Rankings(neighbours(workspace), (column,)))


def test_each_lexical_encoder_ranks_exactly(workspace: Workspace, ranker: Ranker) -> None:
    lexical = [encoder_info for encoder_info in list_encoders(workspace) if encoder_info.is_lexical]
    assert tuple(encoder_info.method for encoder_info in lexical) == METHODS
    ids = tuple(encoder_info.id for encoder_info in lexical)
    answer = ranker.rank(neighbours(workspace, encoder_ids=ids, top=400))
    names, _ = exact(workspace, NAME)
    for encoder, column in zip(lexical, answer.columns, strict=True):
        scores = fit(encoder.method, names).scores(NAME)
        scores[names.index(NAME)] = -2
        wanted = np.sort(scores)[::-1][:400]
        np.testing.assert_allclose([row.similarity for row in column.rows], wanted, atol=1e-5)
        assert column.note == "exact"
        assert not release_vectors_missing(workspace, encoder.id, 1)
    term = ranker.match_terms(TermsRequest(("lung tumour",), ids[-1], RankingScope((1,))))[0]
    assert (term.text, term.similarity) == ("lung tumour", 1)
    empty = ranker.rank(neighbours(workspace, encoder_ids=ids[:3], query=Query("qqq zzz"))).columns
    assert [column.empty_query for column in empty] == [True, True, True]


def test_each_row_has_its_rank_in_the_other_columns(workspace: Workspace, ranker: Ranker) -> None:
    answer = ranker.rank(neighbours(workspace, top=400))
    by_name = [{row.name_id: row.rank for row in column.rows} for column in answer.columns]
    for row in answer.columns[0].rows[:20]:
        assert row.ranks == (row.rank, by_name[1][row.name_id])


def test_relations_to_the_query_are_marked(workspace: Workspace, ranker: Ranker) -> None:
    answer = ranker.rank(neighbours(workspace, top=1000))
    marks = {row.text: row.relation for row in answer.columns[0].rows}
    assert marks["lung tumour"] is Relation.ANCESTOR
    assert marks["viral tumour of the left lung"] is Relation.DESCENDANT
    assert marks["mild lung tumour"] is Relation.SIBLING
    assert marks["mild heart tumour"] is Relation.NONE


def test_an_index_answers_like_exact_ranking(toy: Path, tmp_path: Path) -> None:
    with opened_copy(toy, tmp_path) as workspace, closing(Ranker(workspace.folder)) as ranker:
        added = add_vectors(workspace, write_vectors(tmp_path), JobControl(), quiet)
        request = neighbours(workspace, encoder_ids=(added.id,))
        before = ranker.rank(request).columns[0]
        prepare(workspace, added.id, 1, JobControl(), quiet)
        assert not release_vectors_missing(workspace, added.id, 1)
        after = ranker.rank(request).columns[0]
    assert before.note == "exact"
    assert "recall@10" in after.note
    wanted = [row.similarity for row in before.rows]
    np.testing.assert_allclose([row.similarity for row in after.rows], wanted, atol=1e-5)


def test_hypernyms_are_the_names_on_the_level(workspace: Workspace, ranker: Ranker) -> None:
    request = neighbours(workspace, task=Task.HYPERNYMS, among=RankingScope((1,), level=1), top=50)
    column = ranker.rank(request).columns[0]
    organs = ("lung", "heart", "liver", "kidney")
    names = {f"{organ} disease" for organ in organs} | {f"disease of the {o}" for o in organs}
    assert {row.text for row in column.rows} == names
    true = {row.text: row.rank for row in column.rows if row.true}
    assert set(true) == {"lung disease", "disease of the lung"}
    assert column.best_true_rank == min(true.values())


def test_the_rank_of_the_best_answer_is_that_in_the_list_and_ties_are_told(
    workspace: Workspace, ranker: Ranker
) -> None:
    query = query_for(workspace, 1, "disease of the lung")
    for text in ("kidney", "tumour"):  # as similar to the right names as to others: not at all
        asked = replace(query, text=text)
        request = neighbours(workspace, query=asked, encoder_ids=(LEXICAL,), top=1000)
        column = ranker.rank(request).columns[0]
        best = max(row.similarity for row in column.rows if row.true)
        equal = [row.true for row in column.rows if row.similarity == best]
        assert len(equal) > sum(equal) > 0
        assert len(column.rows) == column.candidates
        assert column.best_true_rank == min(row.rank for row in column.rows if row.true)
        assert column.tied == len(equal)


def test_a_text_of_no_ontology_has_no_truth(workspace: Workspace, ranker: Ranker) -> None:
    query = query_for(workspace, 1, "tumour in a lung somewhere")
    assert query.concept_id is None
    answer = ranker.rank(neighbours(workspace, query=query))
    assert all(column.best_true_rank is None for column in answer.columns)
    assert "lung tumour" in texts(answer)


def test_an_unknown_text_gives_no_rows(workspace: Workspace, ranker: Ranker) -> None:
    column = ranker.rank(neighbours(workspace, query=Query("qqq zzz"))).columns[0]
    assert column.empty_query
    assert column.rows == ()


def test_among_narrows_what_is_ranked(workspace: Workspace, ranker: Ranker) -> None:
    heart = search_names(workspace, "heart disease", 1).hits[0].concept_id
    among = RankingScope((1,), subtree_id=heart)
    rows = ranker.rank(neighbours(workspace, among=among, top=1000)).columns[0].rows
    assert len(rows) == 94 + 73  # concepts in the subtree, and their synonyms
    assert all("heart" in row.text for row in rows)
    level = ranker.rank(neighbours(workspace, among=RankingScope((1,), level=2), top=99)).columns[0]
    assert len(level.rows) == 12


def test_terms_get_their_best_concepts(workspace: Workspace, ranker: Ranker) -> None:
    request = TermsRequest(
        ("lung tumour", "tumour, left heart", "qqq"), VECTORS, RankingScope((1,)), 2
    )
    matches = ranker.match_terms(request)
    assert [(m.term, m.rank) for m in matches] == [
        ("lung tumour", 1),
        ("lung tumour", 2),
        ("tumour, left heart", 1),
        ("tumour, left heart", 2),
        ("qqq", 0),
    ]
    assert matches[0].text == "lung tumour"
    assert matches[0].similarity == pytest.approx(1, abs=1e-5)


def test_a_missing_encoder_is_said_and_the_ranker_lives_on(
    workspace: Workspace, ranker: Ranker
) -> None:
    with pytest.raises(UserError, match="no encoder 77"):
        ranker.rank(neighbours(workspace, encoder_ids=(77,)))
    assert ranker.rank(neighbours(workspace)).columns


def test_hypernyms_on_an_empty_level_are_refused(workspace: Workspace, ranker: Ranker) -> None:
    request = neighbours(workspace, task=Task.HYPERNYMS, among=RankingScope((1,), level=40))
    with pytest.raises(UserError, match="level 40 is empty"):
        ranker.rank(request)


def test_a_child_without_memory_says_so(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_asked: object) -> None:
        raise MemoryError

    monkeypatch.setattr(child, "restrict", lambda *_words, **_more: None)
    monkeypatch.setattr("termexplorer.workers.explore.ranking.RankingEngine.rank", full)
    ours, theirs = multiprocessing.Pipe()
    asked = (theirs, workspace.folder, "en")
    serving = threading.Thread(target=rank_server._serve_requests, args=asked)
    serving.start()
    ours.send(neighbours(workspace))
    with pytest.raises(UserError, match="not enough memory"):
        result_of(ours.recv())
    ours.close()
    serving.join()
    theirs.close()


def test_the_child_ends_quietly_when_nobody_waits_for_its_answer(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(child, "restrict", lambda *_words, **_more: None)
    ours, theirs = multiprocessing.Pipe()
    ours.send(
        RankingRequest(
            query_for(workspace, 1, NAME), Task.NEIGHBOURS, (LEXICAL,), RankingScope((1,))
        )
    )
    ours.close()  # as a window does that is closed while it asks
    rank_server._serve_requests(theirs, workspace.folder, "en")
    theirs.close()
