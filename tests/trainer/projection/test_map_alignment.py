"""Maps laid over each other: against SciPy, and against trying to do better."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from scipy.spatial import procrustes as of_scipy

from termexplorer.trainer.projection.alignment import distances, procrustes

FLOATS = st.floats(-100, 100, width=16)
MAPS = st.integers(3, 30).flatmap(
    lambda n: st.tuples(*(arrays.arrays(np.float32, (n, 2), elements=FLOATS) for _ in range(2)))
)


@given(MAPS)
def test_the_disparity_is_scipys_and_the_fit_as_good_as_it_says(
    maps: tuple[np.ndarray, np.ndarray],
) -> None:
    first, second = maps
    assume(all(np.ptp(positions, axis=0).max() > 0.1 for positions in maps))
    fit = procrustes(second, first)
    _, _, expected = of_scipy(first, second)
    assert fit.disparity == pytest.approx(expected, abs=1e-9)
    left = ((fit.apply(second).astype(float) - first) ** 2).sum()
    total = ((first.astype(float) - first.mean(axis=0)) ** 2).sum()
    assert left / total == pytest.approx(fit.disparity, abs=1e-4)
    np.testing.assert_allclose(fit.turn @ fit.turn.T, np.eye(2), atol=1e-9)


@given(
    st.floats(0, 6.3), st.booleans(), st.floats(0.1, 9), st.tuples(FLOATS, FLOATS),
    st.integers(0, 99),
)  # fmt: skip
def test_a_map_that_was_turned_mirrored_sized_and_moved_is_laid_back(
    angle: float,
    mirrored: bool,
    scale: float,
    shift: tuple[float, float],
    seed: int,
) -> None:
    first = np.random.default_rng(seed).random((20, 2)).astype(np.float32)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    if mirrored:
        turn = turn @ np.diag([1, -1])
    second = (scale * first @ turn + np.array(shift)).astype(np.float32)
    fit = procrustes(second, first)
    np.testing.assert_allclose(fit.apply(second), first, atol=1e-3)
    assert fit.disparity < 1e-4
    assert distances(fit.apply(second), first).max() < 1e-2


def test_no_other_turn_or_size_fits_better() -> None:
    rng = np.random.default_rng(0)
    first, second = rng.normal(size=(2, 40, 2)).astype(np.float32)
    fit = procrustes(second, first)
    best = ((fit.apply(second) - first) ** 2).sum()
    for angle in np.linspace(0, 6.28, 60):
        turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        for mirror in (np.eye(2), np.diag([1, -1])):
            for scale in np.linspace(0, 2, 20):
                tried = scale * (second - second.mean(0)) @ turn @ mirror + first.mean(0)
                assert ((tried - first) ** 2).sum() >= best - 1e-3


def test_distances_are_measured_by_the_size_of_the_reference() -> None:
    first = np.array([[0, 0], [2, 0], [0, 2], [2, 2]], np.float32)
    second = first + np.array([[3, 4], [0, 0], [0, 0], [0, 0]], np.float32)
    spread = np.sqrt(((first - first.mean(0)) ** 2).sum(1).mean())
    np.testing.assert_allclose(distances(second, first), [5 / spread, 0, 0, 0])
    np.testing.assert_allclose(distances(10 * second, 10 * first), distances(second, first))


def test_what_cannot_be_laid_over_each_other() -> None:
    three, four = np.eye(3, 2, dtype=np.float32), np.eye(4, 2, dtype=np.float32)
    with pytest.raises(ValueError, match="maps of 3 and 4 points cannot be laid over"):
        procrustes(three, four)
    with pytest.raises(ValueError, match="all points of a map are in one place"):
        procrustes(three, np.ones((3, 2), np.float32))
    with pytest.raises(ValueError, match="give two or more points"):
        procrustes(three[:1], three[:1])
