"""Approximate neighbours by faiss: recall as shown, and builds that outlive a kill."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from termexplorer.trainer.search.eight_bit import EightBitVectors, write_eight_bit
from termexplorer.trainer.search.inverted_lists import InvertedLists, count_lists

WIDTH, CENTRES, COUNT, PART = 16, 60, 6_000, 1_000
BROKEN_OFF = """
import os, signal, sys
from pathlib import Path
from termexplorer.trainer.search.eight_bit import EightBitVectors
from termexplorer.trainer.search.inverted_lists import InvertedLists

def tick(done):
    if done > 0.4:
        os.kill(os.getpid(), signal.SIGKILL)

vectors = EightBitVectors.load(Path(sys.argv[1]))
InvertedLists.build(vectors, Path(sys.argv[2]), {}, tick=tick, block_rows=1000)
"""


@pytest.fixture(scope="module")
def vectors(tmp_path_factory: pytest.TempPathFactory) -> EightBitVectors:
    draw = np.random.default_rng(0)
    rows = draw.normal(size=(CENTRES, WIDTH)).repeat(COUNT // CENTRES, axis=0)
    rows = (rows + 0.6 * draw.normal(size=rows.shape)).astype(np.float32)
    folder = tmp_path_factory.mktemp("eight-bit") / "v"
    return write_eight_bit(folder, {}, COUNT, lambda start, stop: rows[start:stop], PART)


@pytest.fixture
def build(vectors: EightBitVectors, tmp_path: Path) -> InvertedLists:
    pytest.importorskip("faiss")
    return InvertedLists.build(vectors, tmp_path / "lists", {}, seed=3, block_rows=PART)


def test_the_recall_shown_is_that_of_the_answers(
    build: InvertedLists, vectors: EightBitVectors, tmp_path: Path
) -> None:
    opened = InvertedLists.load(tmp_path / "lists", vectors)
    assert opened.shape == build.shape
    assert opened.recall >= opened.goal or opened.shape.probes == opened.shape.lists
    held_out = np.random.default_rng(3).permutation(COUNT)[200:400]
    recalls = []
    for row in held_out:
        query = vectors[[row]][0]
        exact = vectors @ query
        least = np.sort(exact)[-11]
        rows, cosines = opened.query(query, 11)
        assert np.array_equal(cosines, exact[rows])
        assert (np.diff(cosines) <= 0).all()
        recalls.append(((cosines >= least).sum() - 1) / 10)
    assert opened.recall == pytest.approx(np.mean(recalls))


def test_through_all_lists_the_answer_is_exact(
    build: InvertedLists, vectors: EightBitVectors
) -> None:
    from dataclasses import replace

    shape = replace(build.shape, probes=build.shape.lists)
    every = InvertedLists(build.parts, vectors, shape)
    for row in range(0, COUNT, 500):
        query = vectors[[row]][0]
        rows, cosines = every.query(query, 10)
        best = np.sort(vectors @ query)[::-1][:10]
        assert np.array_equal(cosines, best)
        assert len(set(rows.tolist())) == 10


@pytest.mark.skipif(sys.platform == "win32", reason="no such signal")
def test_a_kill_costs_only_the_block_in_work(vectors: EightBitVectors, tmp_path: Path) -> None:
    pytest.importorskip("faiss")
    folder = tmp_path / "lists"
    words = [sys.executable, "-c", BROKEN_OFF, vectors.folder, folder]
    assert subprocess.run(words, check=False).returncode < 0
    begun = {
        path.name: path.stat().st_mtime_ns for path in (tmp_path / "lists.part").glob("*.faiss")
    }
    assert sorted(begun) == ["00000.faiss", "00001.faiss", "00002.faiss", "trained.faiss"]
    InvertedLists.build(vectors, folder, {}, block_rows=PART)
    whole = tmp_path / "whole"
    InvertedLists.build(vectors, whole, {}, block_rows=PART)
    for path in whole.glob("*.faiss"):
        assert (folder / path.name).read_bytes() == path.read_bytes()
    assert {name: (folder / name).stat().st_mtime_ns for name in begun} == begun


def test_a_damaged_block_is_refused(
    build: InvertedLists, vectors: EightBitVectors, tmp_path: Path
) -> None:
    path = tmp_path / "lists" / "00001.faiss"
    path.write_bytes(b"damaged")
    with pytest.raises(ValueError, match="build the index anew"):
        InvertedLists.load(tmp_path / "lists", vectors)


def test_without_faiss_one_sentence_tells_what_to_install(
    vectors: EightBitVectors, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "faiss", None)
    with pytest.raises(ValueError, match=r"pip install -e '\.\[large\]'"):
        InvertedLists.build(vectors, tmp_path / "lists", {})
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(("count", "lists"), [(1, 1), (6_000, 64), (10**6, 1_024), (10**8, 2_048)])
def test_lists_grow_with_the_root_of_vectors(count: int, lists: int) -> None:
    assert count_lists(count) == lists
