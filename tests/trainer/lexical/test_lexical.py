from __future__ import annotations

from collections.abc import Sequence
from math import log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linprog

from termexplorer.trainer.lexical import METHODS, fit
from termexplorer.trainer.lexical.transport import transport_cost
from termexplorer.trainer.lexical.word_movers import WordMoverNames
from termexplorer.trainer.representations.lexical_names import LexicalNames, table_of
from termexplorer.trainer.representations.word_vectors import WordVectors
from termexplorer.trainer.text.tokenizer import tokenize

NAMES = (
    "viral pneumonia",
    "Pneumonia, viral",
    "acute viral fever",
    "fracture of femur",
    "fracture of neck of femur",
    "pneumonia",
    "!",
)
QUERIES = ("Viral Pneumonia", "fracture fracture", "unheard of", "?", "femur, neck", "")


class Words:
    """A vector for each word without a z, the same whenever it is asked for."""

    def token_vectors(self, tokens: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
        vectors = [
            np.random.default_rng(list(token.encode())).normal(size=12)
            for token in [*tokens, "nothing"]
        ]
        known = np.array(["z" not in token and token.isalnum() for token in tokens], dtype=bool)
        return np.array(vectors[:-1], dtype=np.float32).reshape(-1, 12), known


def indexed(method: str, names: Sequence[str] = NAMES) -> LexicalNames:
    if method == "word_movers":
        return WordMoverNames(names, Words(), exact=len(names))
    return fit(method, names)


EVERY = [*METHODS, "word_movers"]


@pytest.mark.parametrize("method", EVERY)
def test_pairs_are_scored_as_rankings_are(method: str) -> None:
    index = indexed(method)
    assert index.count == len(NAMES)
    for query in QUERIES:
        scores = index.scores(query)
        pairs = index.pair_scores([query] * len(NAMES), NAMES)
        assert scores.dtype == pairs.dtype == np.float32
        np.testing.assert_allclose(scores, np.nan_to_num(pairs), atol=1e-6)
    assert len(index.pair_scores([], [])) == 0


@pytest.mark.parametrize("method", EVERY)
def test_a_name_is_found_by_itself(method: str) -> None:
    index = indexed(method, NAMES[:-1])
    table = table_of(index, NAMES)(np.array([4, 0, 3]), np.arange(len(NAMES) - 1))
    assert table.argmax(axis=1).tolist() == [4, 0, 3]
    for mention, row in zip([4, 0, 3], table, strict=True):
        ranked = index.scores_among(NAMES[mention], np.array([5, 1]))[[5, 1]]
        np.testing.assert_allclose(ranked, row[[5, 1]], atol=1e-6)
    if method != "bm25":
        assert table.min() >= 0
        np.testing.assert_allclose(table.max(axis=1), 1, atol=1e-6)


@pytest.mark.parametrize("method", EVERY)
@given(order=st.permutations(range(len(NAMES))))
def test_the_order_of_names_is_no_matter(method: str, order: list[int]) -> None:
    shuffled = indexed(method, [NAMES[index] for index in order])
    scores = indexed(method).scores("acute pneumonia of femur")
    np.testing.assert_allclose(
        shuffled.scores("acute pneumonia of femur"), scores[order], atol=1e-6
    )


@pytest.mark.parametrize("method", EVERY)
def test_one_name_and_the_same_twice(method: str) -> None:
    single, twice = indexed(method, ["viral fever"]), indexed(method, ["viral fever"] * 2)
    assert single.scores("viral").shape == (1,)
    assert np.ptp(twice.scores("viral cough")) == 0


def test_jaccard_of_sets_of_tokens() -> None:
    index = fit("jaccard", NAMES)
    for query in QUERIES:
        expected = []
        for name in NAMES:
            first, second = set(tokenize(query)), set(tokenize(name))
            expected.append(len(first & second) / len(first | second) if first | second else 0)
        np.testing.assert_allclose(index.scores(query), expected, atol=1e-7)


def test_bm25_as_lucene_has_it() -> None:
    documents = [tokenize(name) for name in NAMES]
    mean_length = np.mean([len(document) for document in documents])

    def score(query: str, document: list[str]) -> float:
        total = 0.0
        for token in tokenize(query):
            holders = sum(token in other for other in documents)
            if holders:
                idf = log(1 + (len(NAMES) - holders + 0.5) / (holders + 0.5))
                times = document.count(token)
                total += idf * times / (times + 1.5 * (0.25 + 0.75 * len(document) / mean_length))
        return total

    index = fit("bm25", NAMES)
    for query in QUERIES:
        expected = [score(query, document) for document in documents]
        np.testing.assert_allclose(index.scores(query), expected, atol=1e-6)
    new = "viral viral cough of the femur"
    result = index.pair_scores(["viral of"], [new])
    assert result[0] == pytest.approx(score("viral of", tokenize(new)), abs=1e-6)


def test_edit_distance_by_the_longer_name() -> None:
    index = fit("edit_distance", ["Sacrum sprain", "flu", ""])
    scores = index.scores("SACRAL sprain")
    np.testing.assert_allclose(scores, [1 - 2 / 13, 1 - 12 / 13, 0], atol=1e-6)


def naive_cost(distances: np.ndarray) -> float:
    rows, columns = distances.shape
    balances = np.zeros((rows + columns, rows, columns))
    for row in range(rows):
        balances[row, row] = 1
    for column in range(columns):
        balances[rows + column, :, column] = 1
    weights = [1 / rows] * rows + [1 / columns] * columns
    solution = linprog(
        distances.ravel(), A_eq=balances.reshape(rows + columns, -1), b_eq=np.array(weights)
    )
    return float(solution.fun)


@pytest.mark.parametrize("shape", [(1, 4), (3, 3), (4, 6), (5, 7), (3, 1), (17, 19)])
@pytest.mark.parametrize("common", [0, 1, 3])
def test_transport_is_that_of_a_linear_program(shape: tuple[int, int], common: int) -> None:
    rng = np.random.default_rng(sum(shape))
    left, right = (rng.random((size, 4)) for size in shape)
    left[1:common] = left[0]  # a word that stands there twice
    right[:common] = left[:common][: len(right)]
    distances = np.linalg.norm(left[:, None] - right, axis=2)
    assert transport_cost(distances) == pytest.approx(naive_cost(distances), abs=1e-9)
    assert transport_cost(distances.T) == pytest.approx(transport_cost(distances), abs=1e-9)


def naive_mover(left: str, right: str) -> float:
    sides = []
    for name in (left, right):
        vectors, known = Words().token_vectors(tokenize(name))
        known_vectors = vectors[known].astype(float)
        sides.append(known_vectors / np.linalg.norm(known_vectors, axis=1, keepdims=True))
    if not all(map(len, sides)):
        return float("nan")
    distances = np.linalg.norm(sides[0][:, None] - sides[1][None], axis=2)
    return 1 - naive_cost(distances) / 2


names_of_words = st.lists(
    st.sampled_from(["viral", "fever", "acute", "of", "zoster", ","]), min_size=1, max_size=5
).map(" ".join)


@given(names_of_words, names_of_words)
def test_word_movers_distance_of_pairs(left: str, right: str) -> None:
    index = WordMoverNames([], Words())
    result = index.pair_scores([left, right, left], [right, left, left])
    expected = naive_mover(left, right)
    np.testing.assert_allclose(result[:2], expected, atol=1e-6)
    assert np.isnan(result[2]) or result[2] == pytest.approx(1, abs=1e-6)


def test_the_best_names_by_word_movers_distance_are_exact() -> None:
    rng = np.random.default_rng(0)
    words = np.array(list("abcdefghijklmnop"))
    names = [" ".join(rng.choice(words, rng.integers(1, 6))) for _ in range(300)]
    exact = WordMoverNames(names, Words(), exact=300)
    some = WordMoverNames(names, Words(), exact=10)
    for query in ("a b c", "q r s t", "k k a", "p"):
        expected, scores = exact.scores(query), some.scores(query)
        best = np.sort(expected)[::-1][:10]
        np.testing.assert_allclose(np.sort(scores)[::-1][:10], best, atol=1e-7)
        assert (scores >= expected - 1e-6).all()  # the others are bounds
        assert scores.max() == expected.max()
        for ranked in (np.arange(0, 300, 20), np.array([7, 7, 3]), np.array([], dtype=int)):
            among = some.scores_among(query, ranked)
            best = np.sort(expected[ranked])[::-1][:10]
            np.testing.assert_allclose(np.sort(among[ranked])[::-1][:10], best, atol=1e-7)
            assert not np.delete(among, ranked).any()


def test_words_of_which_nothing_is_known() -> None:
    index = WordMoverNames(["zoster", "viral fever", ""], Words())
    assert index.scores("viral")[[0, 2]].tolist() == [0, 0]
    assert index.scores("zoster").tolist() == [0, 0, 0]
    assert np.isnan(index.pair_scores(["zoster"], ["viral"])).all()
    assert WordMoverNames(["zoster"], Words()).scores("viral").tolist() == [0]


def test_word_vectors_of_a_text_file_will_do() -> None:
    vectors = WordVectors(np.eye(3, dtype=np.float32), ["viral", "fever", "femur"])
    index = WordMoverNames(["fever", "viral fever", "femur xyz"], vectors)
    corner = 1 - np.sqrt(2) / 2
    np.testing.assert_allclose(index.scores("fever"), [1, (1 + corner) / 2, corner], atol=1e-6)


def test_names_and_methods_that_are_refused() -> None:
    with pytest.raises(ValueError, match="no lexical method 'cosine'; choose tfidf"):
        fit("cosine", NAMES)
    with pytest.raises(ValueError, match="no name among 2 has a token"):
        fit("bm25", ["", " "])
    assert fit("jaccard", []).scores("x").shape == (0,)
    assert fit("edit_distance", []).scores("x").shape == (0,)


def test_long_work_can_be_stopped() -> None:
    ticks: list[None] = []

    def stop() -> None:
        ticks.append(None)
        if len(ticks) == 3:
            raise InterruptedError

    index = WordMoverNames(NAMES, Words(), tick=stop)
    with pytest.raises(InterruptedError):
        index.scores("viral fever")
    assert len(ticks) == 3
    ticks.clear()
    with pytest.raises(InterruptedError):  # all of one block
        index.pair_scores(["viral fever"] * 9, ["viral pneumonia"] * 9)
    ticks.clear()
    with pytest.raises(InterruptedError):
        table_of(fit("tfidf", NAMES), NAMES, stop)(np.arange(4), np.arange(len(NAMES)))
