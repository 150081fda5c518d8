"""Maps: against scikit-learn and openTSNE themselves, and quality by its definition."""

from __future__ import annotations

import multiprocessing
import sys
from concurrent.futures import ProcessPoolExecutor

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from termexplorer.trainer.projection import MapStep, Tsne, method_of
from termexplorer.trainer.projection.alignment import procrustes
from termexplorer.trainer.projection.base import Projected
from termexplorer.trainer.projection.quality import map_quality
from termexplorer.trainer.projection.tsne import EXACT

Float32s = NDArray[np.float32]


def clusters(names: int, width: int = 12, groups: int = 4, seed: int = 0) -> Float32s:
    rng = np.random.default_rng(seed)
    centres = rng.normal(size=(groups, width))
    vectors = centres[np.arange(names) % groups] + 0.3 * rng.normal(size=(names, width))
    return vectors.astype(np.float32)


def go_on(_step: MapStep) -> bool:
    return True


def units(vectors: Float32s) -> Float32s:
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def apart(positions: Float32s, groups: int = 4) -> bool:
    """Whether each point is nearer to the middle of its group than to that of any other."""
    group = np.arange(len(positions)) % groups
    middles = np.array([positions[group == index].mean(axis=0) for index in range(groups)])
    squares = ((positions[:, None] - middles) ** 2).sum(2)
    return bool((squares.argmin(1) == group).all())


def test_tsne_starts_from_another_map_and_stays_near() -> None:
    vectors, method = clusters(60), Tsne()
    first = method.project(vectors, 0, go_on).positions
    for start in (first, first + 50):
        after = method.project(vectors, 0, go_on, start).positions
        assert procrustes(after, first).disparity < 0.01
    for start in (first[:5], np.zeros_like(first)):
        with pytest.raises(ValueError, match=r"are no start for a map of 60 names"):
            method.project(vectors, 0, go_on, start)


def test_pca_is_scikit_learns_of_the_directions() -> None:
    from sklearn.decomposition import PCA

    vectors = clusters(60)
    projection = method_of("pca", {}).project(vectors * 7, 0, go_on)
    model = PCA(2, svd_solver="full")
    expected = model.fit_transform(units(vectors))
    np.testing.assert_allclose(projection.positions, expected, atol=1e-5)
    np.testing.assert_allclose(
        projection.facts["explained_variance"], model.explained_variance_ratio_, rtol=1e-4
    )


@pytest.mark.parametrize("names", [60, EXACT + 40])
def test_tsne_is_what_opentsne_makes(names: int) -> None:
    """A few iterations: afterwards the last digit of a distance decides where a point goes."""
    from openTSNE import TSNE

    vectors = clusters(names)
    projection = Tsne(perplexity=10, iterations=10).project(vectors, 3, go_on)
    peer = TSNE(
        perplexity=10,
        early_exaggeration_iter=10,
        n_iter=0,
        neighbors="exact",
        negative_gradient_method="bh" if names <= EXACT else "fft",
        theta=0,
        random_state=3,
    ).fit(units(vectors))
    expected = np.asarray(peer)
    scale = np.abs(expected).max()
    np.testing.assert_allclose(projection.positions / scale, expected / scale, atol=1e-3)


def test_tsne_sets_groups_apart_and_a_seed_makes_the_same_map_again() -> None:
    vectors = clusters(80)
    first, again = (Tsne(perplexity=8).project(vectors, 1, go_on) for _ in range(2))
    assert apart(first.positions)
    np.testing.assert_array_equal(first.positions, again.positions)
    assert dict(first.parameters) == {"perplexity": 8, "iterations": 750}
    assert dict(again.facts) == pytest.approx(dict(first.facts))  # a sum over several threads


def test_a_stopped_tsne_is_the_map_of_as_many_iterations() -> None:
    vectors, seen = clusters(50), []

    def until_late(step: MapStep) -> bool:
        if step.positions is not None:
            seen.append(step)
        return step.iteration < 290

    stopped = Tsne().project(vectors, 0, until_late)
    shares = [step.done for step in seen]
    assert shares == sorted(shares)
    assert len({step.positions.tobytes() for step in seen if step.positions is not None}) > 20
    assert 290 <= stopped.parameters["iterations"] < 300
    asked = method_of("tsne", dict(stopped.parameters))
    np.testing.assert_array_equal(asked.project(vectors, 0, go_on).positions, stopped.positions)


def test_a_tsne_that_is_stopped_before_it_moves_has_no_map(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with pytest.raises(InterruptedError):
        Tsne().project(clusters(50), 0, lambda _step: False)
    monkeypatch.setattr(
        "termexplorer.trainer.projection.tsne._STEP_POINTS", 1
    )  # as if there were very many
    with pytest.raises(InterruptedError):
        Tsne().project(clusters(50), 0, lambda step: step.positions is None)


@pytest.mark.parametrize("names", [3, 4, 5, 9])
@pytest.mark.parametrize("method", ["pca", "tsne"])
def test_a_few_names_have_a_map(method: str, names: int) -> None:
    projection = method_of(method, {}).project(clusters(names, groups=2), 0, go_on)
    assert projection.positions.shape == (names, 2)
    assert np.isfinite(projection.positions).all()


def test_equal_names_have_a_map() -> None:
    vectors = np.repeat(clusters(5), 30, axis=0)
    for method in (method_of("pca", {}), Tsne(iterations=60)):
        projection = method.project(vectors, 0, go_on)
        assert np.isfinite(projection.positions).all()
        assert map_quality(vectors, projection.positions).preservation > 0


def maps_by_umap() -> tuple[Projected, Projected, Projected, list[float]]:
    """A map, the same again, one of a few names, and how far others are from one.

    The first of these others began from it, the rest are of other seeds.
    """
    umap, vectors = method_of("umap", {"neighbours": 5, "minimum_distance": 0.2}), clusters(300)
    first, again = (umap.project(vectors, 1, go_on) for _ in range(2))
    after = umap.project(vectors, 1, go_on, first.positions)
    other_maps = [umap.project(vectors, seed, go_on) for seed in (2, 3)]
    far = [
        procrustes(name_map.positions, first.positions).disparity
        for name_map in (after, *other_maps)
    ]
    return first, again, method_of("umap", {}).project(clusters(6), 1, go_on), far


def test_umap_sets_groups_apart_by_the_seed() -> None:
    pytest.importorskip("umap")
    # in a child, as ever: once numba runs, sums of several threads differ from time to time here
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=context) as pool:
        first, again, few, (near, *far) = pool.submit(maps_by_umap).result()
    assert apart(first.positions)
    np.testing.assert_array_equal(first.positions, again.positions)
    assert near < sum(far) / len(far)
    assert few.parameters == {"neighbours": 5, "minimum_distance": 0.1}


def test_umap_that_is_not_installed_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "umap", None)
    with pytest.raises(ValueError, match=r"pip install 'termexplorer\[umap\]'"):
        method_of("umap", {}).project(clusters(20), 0, go_on)


@pytest.mark.parametrize(
    ("method", "parameters", "says"),
    [
        ("isomap", {}, "no method isomap; choose one of pca, tsne, umap"),
        ("pca", {"perplexity": 3}, "pca has no parameter perplexity; it takes no parameters"),
        ("tsne", {"neighbours": 3}, "it takes perplexity and iterations"),
        ("tsne", {"perplexity": 0}, "perplexity of 0"),
        ("tsne", {"iterations": 0}, "0 iterations"),
        ("umap", {"neighbours": 1}, "1 neighbours"),
        ("umap", {"minimum_distance": 2}, "minimum distance of 2"),
    ],
)
def test_what_cannot_be_asked(method: str, parameters: dict[str, float], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        method_of(method, parameters)


@pytest.mark.parametrize(
    ("vectors", "says"),
    [
        (clusters(2), "3 names or more; there are 2"),
        (np.ones((5, 4), np.float32), "all names have the same vector"),
        (np.eye(4, dtype=np.float32) * np.float32([1, 1, 1, 0]), "is zero"),
        (np.full((4, 4), np.nan, np.float32), "not finite"),
        (np.ones((4, 1), np.float32), "one number"),
    ],
)
@pytest.mark.parametrize("method", ["pca", "tsne"])
def test_what_has_no_map(method: str, vectors: Float32s, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        method_of(method, {}).project(vectors, 0, go_on)


def test_a_perplexity_that_needs_more_names() -> None:
    with pytest.raises(ValueError, match="needs 91 names or more, there are 40; give 13 or less"):
        Tsne(perplexity=30).project(clusters(40), 0, go_on)


def naive_quality(vectors: Float32s, positions: Float32s, k: int) -> tuple[float, float]:
    """Trustworthiness and preservation as their definitions have them, by loops."""
    names, original = len(vectors), 1 - units(vectors) @ units(vectors).T
    penalty, retained = 0, 0
    for i in range(names):
        other_names = [j for j in range(names) if j != i]
        by_vector = sorted(other_names, key=lambda j: original[i, j])
        by_place = sorted(
            other_names, key=lambda j: float(((positions[i] - positions[j]) ** 2).sum())
        )
        penalty += sum(max(0, by_vector.index(j) + 1 - k) for j in by_place[:k])
        retained += len(set(by_vector[:k]) & set(by_place[:k]))
    return 1 - 2 * penalty / (names * k * (2 * names - 3 * k - 1)), retained / (names * k)


@given(st.integers(3, 40), st.integers(2, 6), st.integers(0, 10_000))
def test_quality_is_what_it_is_defined_to_be(names: int, width: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    vectors = rng.normal(size=(names, width)).astype(np.float32)
    positions = rng.normal(size=(names, 2)).astype(np.float32)
    result = map_quality(vectors, positions)
    expected = naive_quality(vectors, positions, result.k)
    assert (result.trustworthiness, result.preservation) == pytest.approx(expected)
    assert (result.asked, result.names) == (names, names)
    order = rng.permutation(names)
    moved = map_quality(3 * vectors[order], positions[order] - 5)
    assert moved.preservation == pytest.approx(result.preservation)


def test_trustworthiness_is_scikit_learns() -> None:
    from sklearn.manifold import trustworthiness

    vectors, positions = clusters(90), clusters(90, width=2, seed=5)
    result = map_quality(vectors, positions)
    expected = trustworthiness(vectors, positions, n_neighbors=result.k, metric="cosine")
    assert result.trustworthiness == pytest.approx(expected)


def test_a_plane_laid_out_as_it_is_loses_no_neighbour() -> None:
    turns = np.sort(np.random.default_rng(0).uniform(0, 1.5, 50))
    circle = np.stack((np.cos(turns), np.sin(turns)), axis=1).astype(np.float32)
    result = map_quality(circle, circle)
    assert (result.trustworthiness, result.preservation) == (1, 1)


def test_a_sample_of_names_is_told_and_near_the_whole() -> None:
    vectors = clusters(400)
    positions = method_of("pca", {}).project(vectors, 0, go_on).positions
    whole = map_quality(vectors, positions)
    some = map_quality(vectors, positions, seed=1, exact=399, sample=200)
    assert (some.asked, some.names) == (200, 400)
    assert some.trustworthiness == pytest.approx(whole.trustworthiness, abs=0.02)
    assert some.preservation == pytest.approx(whole.preservation, abs=0.05)
    assert some == map_quality(vectors, positions, seed=1, exact=399, sample=200)


def test_positions_of_another_number_are_refused() -> None:
    with pytest.raises(ValueError, match="no map of 10 vectors"):
        map_quality(clusters(10), clusters(9, width=2))
