"""Vectors in 8 bits: exact search by blocks, and blocks that outlive a kill."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from termexplorer.trainer.search.all_pairs import RoundedRows, rank_all_pairs
from termexplorer.trainer.search.eight_bit import EightBitVectors, write_eight_bit

COUNT, WIDTH, BLOCK = 1_000, 24, 128
BROKEN_OFF = """
import os, signal, sys
from pathlib import Path
import numpy as np
from termexplorer.trainer.search.eight_bit import write_eight_bit

vectors = np.load(sys.argv[1])

def encode(start, stop):
    if start == 512:
        os.kill(os.getpid(), signal.SIGKILL)
    return vectors[start:stop]

write_eight_bit(Path(sys.argv[2]), {"of": "a test"}, len(vectors), encode, 128)
"""


def draw_vectors() -> np.ndarray:
    vectors = np.random.default_rng(0).normal(size=(COUNT, WIDTH)).astype(np.float32)
    vectors[200:230] = vectors[7] * 2  # equal names
    vectors[400] = 0  # nothing is known of it
    return vectors


def write(folder: Path, vectors: np.ndarray) -> EightBitVectors:
    return write_eight_bit(
        folder, {"of": "a test"}, len(vectors), lambda start, stop: vectors[start:stop], BLOCK
    )


def naive_cosines(queries: np.ndarray, vectors: np.ndarray) -> np.ndarray:
    """Cosines of rows rounded to 8 bits, in double precision."""

    def rounded(rows: np.ndarray) -> np.ndarray:
        largest = np.abs(rows).max(axis=1, keepdims=True)
        scaled = np.rint(rows * (127 / np.where(largest > 0, largest, 1).astype(np.float32)))
        return scaled.astype(float) / np.maximum(np.linalg.norm(scaled, axis=1, keepdims=True), 1)

    return rounded(queries) @ rounded(vectors).T


def test_cosines_are_those_of_rounded_rows(tmp_path: Path) -> None:
    vectors = draw_vectors()
    stored = write(tmp_path / "v", vectors)
    assert (stored.shape, len(stored)) == ((COUNT, WIDTH), COUNT)
    query = vectors[3] + vectors[5]
    expected = naive_cosines(query[None], vectors)[0]
    np.testing.assert_allclose(stored @ query, expected, atol=1e-6)
    rows = np.array([700, 3, 400, 3])
    assert np.array_equal(stored.cosines_of(rows, query), (stored @ query)[rows])
    lengths = np.linalg.norm(stored[rows], axis=1)
    np.testing.assert_allclose(lengths, [1, 1, 0, 1], atol=1e-6)


def test_many_queries_have_the_cosines_of_one(tmp_path: Path) -> None:
    vectors = draw_vectors()
    stored = write(tmp_path / "v", vectors)
    queries = np.concatenate([vectors[:40], vectors[400:401]])
    cosines = np.stack([stored @ query for query in queries])
    expected = np.argsort(-cosines, axis=1, kind="stable")[:, :50]
    nearest = rank_all_pairs(RoundedRows.of(queries), stored, 50)
    assert np.array_equal(nearest.rows, expected)
    assert np.array_equal(nearest.cosines, np.take_along_axis(cosines, expected, axis=1))


@pytest.mark.skipif(sys.platform == "win32", reason="no such signal")
def test_a_kill_costs_only_the_block_in_work(tmp_path: Path) -> None:
    vectors = draw_vectors()
    np.save(tmp_path / "vectors.npy", vectors)
    words = [sys.executable, "-c", BROKEN_OFF, tmp_path / "vectors.npy", tmp_path / "v"]
    assert subprocess.run(words, check=False).returncode < 0
    assert not (tmp_path / "v").exists()
    (tmp_path / "v.part" / "00001.rows").write_bytes(b"spoiled")
    encoded: list[int] = []

    def encode(start: int, stop: int) -> np.ndarray:
        encoded.append(start)
        return vectors[start:stop]

    write_eight_bit(tmp_path / "v", {"of": "a test"}, COUNT, encode, BLOCK)
    assert encoded == [128, 512, 640, 768, 896]
    whole = write(tmp_path / "whole", vectors)
    assert np.array_equal(EightBitVectors.load(tmp_path / "v") @ vectors[9], whole @ vectors[9])
    blocks = sorted(path.name for path in (tmp_path / "whole").glob("0*"))
    assert len(blocks) == 16
    for name in blocks:
        assert (tmp_path / "v" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()
    assert not list(tmp_path.glob("*.part"))


def test_what_was_begun_of_something_else_is_thrown_away(tmp_path: Path) -> None:
    vectors = draw_vectors()

    def stop_after_two(start: int, stop: int) -> np.ndarray:
        if start:
            raise KeyboardInterrupt
        return vectors[start:stop]

    with pytest.raises(KeyboardInterrupt):
        write_eight_bit(tmp_path / "v", {"of": "another"}, COUNT, stop_after_two, BLOCK)
    stored = write(tmp_path / "v", -vectors)
    np.testing.assert_allclose(
        stored @ vectors[1], naive_cosines(vectors[1:2], -vectors)[0], atol=1e-6
    )


@pytest.mark.parametrize("name", ["00003.rows", "00003.lengths", "meta.json"])
def test_a_changed_size_is_refused(tmp_path: Path, name: str) -> None:
    write(tmp_path / "v", draw_vectors())
    path = tmp_path / "v" / name
    path.write_bytes(path.read_bytes()[:-5])
    with pytest.raises(ValueError, match=r"make .* anew"):
        EightBitVectors.load(tmp_path / "v")
