"""What is measured of the built-in encoder, in processes of its own."""

import sys
from pathlib import Path

import pytest

from termexplorer.bench.built_in import compare_with_transformer, measure_fresh
from termexplorer.bench.figure import BenchContext

NAMES = [f"viral pneumonia {number}" for number in range(4_000)]


@pytest.mark.skipif(sys.platform != "linux", reason="no other system tells it of one process")
def test_memory_is_that_of_the_new_process_and_not_of_the_one_that_measures(
    tmp_path: Path,
) -> None:
    names = tmp_path / "names.txt"
    names.write_text("\n".join(NAMES), encoding="utf-8")
    large = bytes(range(1, 251)) * 1_000_000  # 250 MB, which a child would take for its own peak
    run = measure_fresh(names)
    assert len(large) == 250_000_000
    vectors = len(NAMES) * 256 * 4 / 2**20
    assert 1 < run.opened < run.encoded < 200
    assert run.encoded - run.opened > vectors / 2
    assert run.load > 0
    assert run.rate > 0


def test_a_transformer_that_is_not_given_is_named_and_not_left_out(tmp_path: Path) -> None:
    figure = compare_with_transformer(BenchContext(True, None, tmp_path), NAMES, 1.0)
    assert (figure.value, figure.ok) == (None, None)
    assert "--transformer" in figure.goal
