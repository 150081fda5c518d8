"""Above the size where vectors are of 8 bits, mapping and Evaluate take these from the disk."""

from collections.abc import Iterator
from multiprocessing import Pipe
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from toy_ontology import write_toy
from toy_workspace import VECTORS, load

from termexplorer.store.encoders.encoders import vector_file
from termexplorer.trainer.evaluation.eight_bit_scores import EightBitScores
from termexplorer.trainer.search.all_pairs import compute_pairs
from termexplorer.workers.curate.mapping import Mapped, MappingRequest, run_mapping
from termexplorer.workers.encoders import large_vectors
from termexplorer.workers.encoders.keeping_encoders import CachedEncoders
from termexplorer.workers.encoders.rounded_names import count_unknown, round_names
from termexplorer.workers.evaluate.messages import EvaluationRequest
from termexplorer.workers.evaluate.running import run_evaluation
from termexplorer.workers.evaluate.scoring import scores_of
from termexplorer.workers.process.child import Channel
from termexplorer.workspace import Workspace

NAMES = ("viral lung tumour", "bacterial liver disease", "a name of no release", "zzzz qqqq")


@pytest.fixture
def large(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    """A workspace whose names are millions, as far as its vectors are concerned."""
    monkeypatch.setattr(large_vectors, "LARGEST_MATRIX", 100)
    with workspace.store.reading() as connection:
        stored = vector_file(connection, VECTORS, 1)
    assert stored is not None
    (workspace.folder / stored.path).unlink()
    return workspace


@pytest.fixture
def pipe() -> Iterator[tuple[Any, Any]]:
    ours, theirs = Pipe()
    with ours, theirs:
        yield ours, theirs


@pytest.fixture
def channel(pipe: tuple[Any, Any]) -> Channel:
    return Channel(pipe[1])


def list_plans(pipe: tuple[Any, Any]) -> list[str]:
    """What was told of comparing all pairs since the last call."""
    texts = []
    while pipe[0].poll():
        texts.append(pipe[0].recv().text)
    return [text for text in texts if "operations in" in text]


def map_to(workspace: Workspace, to_id: int, channel: Channel) -> Mapped:
    return run_mapping(MappingRequest(workspace.folder, 1, to_id, (VECTORS,)), channel)


def test_concepts_are_mapped_by_vectors_from_the_disk(
    large: Workspace,
    tmp_path: Path,
    pipe: tuple[Any, Any],
    channel: Channel,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    other = load(large, write_toy(tmp_path)).id
    mapped = map_to(large, other, channel)
    assert list_plans(pipe), "the plan is told before pairs are compared"
    for release_id in (1, other):
        assert (large.folder / "vectors" / f"{VECTORS}-{release_id}.eight-bit").is_dir()
    with monkeypatch.context() as forbidden:  # of names that are stored nothing is made again
        forbidden.setattr(CachedEncoders, "encode", None)
        forbidden.setattr(
            CachedEncoders, "encode_rounded", lambda _self, _id, names: _no_rows(large, names)
        )
        assert map_to(large, other, channel) == mapped
    monkeypatch.setattr(large_vectors, "LARGEST_MATRIX", 1 << 28)
    list_plans(pipe)
    in_32_bits = map_to(large, other, channel)
    assert not list_plans(pipe)
    best, exact = (
        {row.subject: row.object for row in measured.suggestions}
        for measured in (mapped, in_32_bits)
    )
    assert best.keys() == exact.keys()
    assert sum(best[subject] == exact[subject] for subject in best) > 0.98 * len(best)


def _no_rows(workspace: Workspace, names: list[str]) -> object:
    assert not names
    encoders = CachedEncoders(workspace.folder, workspace.store, lambda _n, _of: None)
    return super(CachedEncoders, encoders).encode_rounded(VECTORS, [])


def test_names_are_evaluated_by_vectors_from_the_disk(
    large: Workspace,
    pipe: tuple[Any, Any],
    channel: Channel,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    request = EvaluationRequest(large.folder, "ranking", (VECTORS,), ontology_id=1)
    measured = run_evaluation(request, channel)
    assert list_plans(pipe), "the plan is told before pairs are compared"
    assert (large.folder / "vectors" / f"{VECTORS}-1.eight-bit").is_dir()
    monkeypatch.setattr(large_vectors, "LARGEST_MATRIX", 1 << 28)
    expected = run_evaluation(request, channel)
    notes = [str(note) for part in measured for note in part.notes]
    assert [note for note in notes if "compared by their vectors in 8 bits" in note]
    assert not [str(note) for part in expected for note in part.notes if "8 bits" in str(note)]
    assert [part.data_hash for part in measured] == [part.data_hash for part in expected]
    for part, other in zip(measured, expected, strict=True):
        for figure, exact in zip(part.figures, other.figures, strict=True):
            assert (figure.metric, figure.n) == (exact.metric, exact.n)
            assert figure.value == pytest.approx(exact.value, abs=0.03)


def test_names_that_no_release_has_are_made(large: Workspace, channel: Channel) -> None:
    encoders = CachedEncoders(large.folder, large.store, lambda _n, _of: None)
    fresh = round_names(encoders, VECTORS, NAMES)
    map_to(large, 1, channel)  # which stores the vectors
    stored = round_names(encoders, VECTORS, NAMES)
    rows = np.arange(len(NAMES))
    for table, other in zip(fresh.read_rows(rows), stored.read_rows(rows), strict=True):
        np.testing.assert_array_equal(table, other)
    assert count_unknown(stored) == count_unknown(fresh)
    scores = scores_of(encoders, VECTORS, NAMES, tick=lambda: None, row=lambda: None)
    assert isinstance(scores, EightBitScores)
    expected = compute_pairs(stored, rows, stored, rows[::-1].copy()).numpy()
    np.testing.assert_array_equal(scores(rows, rows).numpy()[rows, rows[::-1]], expected)
