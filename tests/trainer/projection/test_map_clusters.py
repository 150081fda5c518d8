"""Clusters on a map and their words, against a computation word by word."""

import math
import re
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from termexplorer.trainer.projection import clusters as module
from termexplorer.trainer.projection.clusters import clusters, describe

WORDS = ("cyst", "fever", "rash", "bone", "skin", "of", "the", "with", "12", "x")
THEMES = ("heart valve disease", "lung viral infection", "kidney stone pain")


def blobs(count: int = 60) -> tuple[np.ndarray, list[str], np.ndarray]:
    rng = np.random.default_rng(0)
    of = np.arange(count) % 3
    places = np.array([[0, 0], [30, 0], [0, 30]])[of] + rng.normal(size=(count, 2))
    return places.astype(np.float32), [f"{THEMES[n]} {row}" for row, n in enumerate(of)], of


def test_points_that_lie_together_are_a_cluster() -> None:
    places, _, of = blobs()
    numbers = clusters(places)
    for number in range(3):
        own_numbers = numbers[of == number]
        assert len(set(own_numbers[own_numbers >= 0].tolist())) == 1
        assert (own_numbers >= 0).mean() > 0.7
    assert len(set(numbers[numbers >= 0].tolist())) == 3


def test_many_points_are_clustered_by_a_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    places, _, of = blobs(300)
    monkeypatch.setattr(module, "MOST", 90)
    numbers = clusters(places, seed=3)
    np.testing.assert_array_equal(numbers, clusters(places, seed=3))
    assert (numbers >= 0).mean() > 0.5
    for number in range(numbers.max() + 1):
        assert len(set(of[numbers == number].tolist())) == 1


def naive(names: list[str], labels: np.ndarray, number: int) -> list[str]:
    """The three words of the greatest weight, by the formula."""
    words = [
        [w for w in re.findall(r"[^\W\d_]{2,}", name.lower()) if w not in {"of", "the", "with"}]
        for name in names
    ]
    overall = Counter(word for own_word in words for word in own_word)
    average = overall.total() / len(set(labels.tolist()) | {-1})
    inside = Counter(
        w for word, label in zip(words, labels, strict=True) if label == number for w in word
    )
    weight = {
        word: often * math.log(1 + average / overall[word])
        for word, often in inside.items()
        if often >= max(2, (labels == number).sum() / 20)
    }
    return sorted(weight, key=lambda word: (-weight[word], word))[:3]


@given(
    st.lists(
        st.lists(st.sampled_from(WORDS), max_size=4),
        min_size=60,
        max_size=60,
    )
)
def test_words_are_those_of_the_formula(parts: list[list[str]]) -> None:
    places, _, _ = blobs()
    names, labels = [" ".join(words) for words in parts], clusters(places)
    cluster_by_number = {int(labels[cluster.point]): cluster for cluster in describe(places, names)}
    for number in range(3):
        expected = naive(names, labels, number)
        assert (
            list(cluster_by_number[number].words if number in cluster_by_number else ()) == expected
        )
        if number in cluster_by_number:
            assert cluster_by_number[number].size == (labels == number).sum()


def test_clusters_are_told_by_what_the_others_have_not() -> None:
    places, names, of = blobs(90)
    described = describe(places, [f"disease {name}" for name in names])
    assert [cluster.size for cluster in described] == sorted(
        (cluster.size for cluster in described), reverse=True
    )
    for cluster in described:
        assert cluster.words[0] in THEMES[of[cluster.point]].split()
        assert cluster.words[0] != "disease"


@given(
    arrays.arrays(np.float32, st.tuples(st.integers(0, 40), st.just(2)),
                  elements=st.sampled_from([0.0, 1.0, 1e-30, 1e6, -3.5]))
)  # fmt: skip
def test_any_points_have_clusters_or_none(places: np.ndarray) -> None:
    numbers = clusters(places)
    assert numbers.shape == (len(places),)
    assert (numbers >= -1).all()
    for cluster in describe(places, ["bone fever"] * len(places)):
        assert cluster.words == ("bone", "fever")


def test_names_without_words_have_no_labels() -> None:
    places, _, _ = blobs()
    assert describe(places, ["of the 12 x"] * 60) == []
    with pytest.raises(ValueError, match="1 names are not those of 60 points"):
        describe(places, ["bone"])


def test_a_cluster_is_called_by_the_shortest_of_its_names_with_most_of_its_words() -> None:
    places, _, of = blobs(90)
    longer = ("with old scars of", "in the late course of", "and")
    names = [
        THEMES[n] if row < 45 else f"{longer[row % 3]} {THEMES[n]} {row}"
        for row, n in enumerate(of)
    ]
    described = describe(places, names)
    assert {cluster.name for cluster in described} == set(THEMES)
    for cluster in described:
        assert cluster.name == THEMES[of[cluster.point]]
