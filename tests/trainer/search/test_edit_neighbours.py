"""The nearest terms by edit distance, against all distances one by one."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

from termexplorer.trainer.search.edit_distance import bounded_distance, places_of_letters
from termexplorer.trainer.search.edit_neighbours import EditNeighbours
from termexplorer.trainer.search.letter_counts import letter_bits

LETTERS = st.sampled_from("abcde é𝔸")
TERMS = st.lists(
    st.text(LETTERS, min_size=1, max_size=9) | st.text(LETTERS, min_size=60, max_size=70),
    min_size=1, max_size=40, unique=True,
)  # fmt: skip


def naive(terms: list[str], query: int, k: int, refused: set[int]) -> list[tuple[int, int]]:
    """All that are as near as the k-th, as distance and place."""
    distances = sorted(
        (Levenshtein.distance(terms[query], term), index)
        for index, term in enumerate(terms)
        if index != query and index not in refused
    )
    return (
        [row for row in distances if row[0] <= distances[k - 1][0]]
        if len(distances) >= k
        else distances
    )


def found(
    neighbours: EditNeighbours, query: int, k: int, refused: set[int]
) -> list[tuple[int, int]]:
    near = neighbours.nearest(query, k, np.array(sorted(refused), dtype=np.int64))
    return list(zip(near.distances.tolist(), near.places.tolist(), strict=True))


@given(terms=TERMS, data=st.data())
def test_they_are_those_of_a_look_at_every_term(terms: list[str], data: st.DataObject) -> None:
    neighbours = EditNeighbours(terms)
    places = st.integers(0, len(terms) - 1)
    query, k = data.draw(places), data.draw(st.integers(1, 5))
    refused = data.draw(st.sets(places, max_size=5)) - {query}
    assert found(neighbours, query, k, refused) == naive(terms, query, k, refused)


def test_among_many_terms_of_many_lengths() -> None:
    rng = np.random.default_rng(3)
    words = ["".join(rng.choice(list("aeiorstnl"), rng.integers(2, 12))) for _ in range(60)]
    texts = (" ".join(rng.choice(words, rng.integers(1, 15))) for _ in range(4000))
    terms = list(dict.fromkeys(texts))
    neighbours = EditNeighbours(terms)
    for query in rng.choice(len(terms), 40, replace=False).tolist():
        k = int(rng.integers(1, 5))
        refused = set(rng.choice(len(terms), 30, replace=False).tolist()) - {query}
        assert found(neighbours, query, k, refused) == naive(terms, query, k, refused)


def test_threads_may_look_at_once() -> None:
    terms = [f"term {index % 7} of {index}" for index in range(300)]
    neighbours = EditNeighbours(terms)
    with ThreadPoolExecutor(4) as pool:
        asked = [pool.submit(found, neighbours, index, 2, set()) for index in range(300)]
    assert [job.result() for job in asked] == [naive(terms, x, 2, set()) for x in range(300)]


def test_a_term_alone_has_no_neighbour() -> None:
    assert found(EditNeighbours(["alone"]), 0, 3, set()) == []


@given(first=st.text(min_size=1, max_size=150), second=st.text(max_size=150), data=st.data())
def test_a_distance_is_exact_up_to_its_limit(first: str, second: str, data: st.DataObject) -> None:
    limit = data.draw(st.integers(0, 160))
    alphabet = {letter: index for index, letter in enumerate(sorted({*first, *second}))}
    term, target = (
        np.array([alphabet[letter] for letter in text], dtype=np.uint16) for text in (first, second)
    )
    distance = bounded_distance(places_of_letters(term, len(alphabet)), len(term), target, limit)
    assert distance == min(Levenshtein.distance(first, second), limit + 1)


@pytest.mark.parametrize(("pairs", "weight"), [(False, 2), (True, 4)])
@given(terms=st.lists(st.text(LETTERS, max_size=12), min_size=2, max_size=2, unique=True))
def test_bits_never_tell_more_than_the_distance(pairs: bool, weight: int, terms: list[str]) -> None:
    first, second = letter_bits(terms, 192, pairs=pairs)
    differing = int(np.bitwise_count(first ^ second).sum())
    longer = abs(len(terms[0]) - len(terms[1]))
    assert differing + longer <= weight * Levenshtein.distance(*terms)
