from __future__ import annotations

from threading import Event

import numpy as np
import pytest
import torch
from trainer_toy import Toy

from termexplorer.trainer.evaluation.bootstrap import mean_figure, mean_figures, median_figure
from termexplorer.trainer.evaluation.coverage import coverage_at_k
from termexplorer.trainer.evaluation.figures import ORDER, TaskResult
from termexplorer.trainer.evaluation.hypernyms import hypernym_detection
from termexplorer.trainer.evaluation.scores import cosine_scores
from termexplorer.trainer.evaluation.similarity_ranking import similarity_ranking
from termexplorer.trainer.evaluation.synonym_retrieval import (
    HELD_OUT,
    TRAINING,
    ZERO_SHOT,
    synonym_retrieval,
)
from termexplorer.trainer.text.names import LabelledNames

MENTIONS, CANDIDATES = np.arange(0, 240, 8), np.flatnonzero(np.arange(240) % 8)


def units(rows: np.ndarray) -> np.ndarray:
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def right_ranks(toy: Toy, mention: int, candidates: np.ndarray) -> np.ndarray:
    membership = toy.labels.membership().toarray()
    candidates = candidates[candidates != mention]
    scores = units(toy.vectors)[candidates] @ units(toy.vectors)[mention]
    order = candidates[np.argsort(-scores, kind="stable")]
    return np.flatnonzero((membership[order] & membership[mention]).any(1)) + 1


def check_ranking(
    result: TaskResult, toy: Toy, mentions: np.ndarray, candidates: np.ndarray
) -> None:
    ranks = [right_ranks(toy, mention, candidates) for mention in mentions]
    precisions = [np.mean(np.arange(1, len(rank) + 1) / rank) for rank in ranks]
    np.testing.assert_allclose(result.items["mAP"], precisions, atol=1e-12)
    np.testing.assert_allclose(result.items["MRR"], [1 / rank[0] for rank in ranks])
    np.testing.assert_array_equal(result.items["accuracy"], [rank[0] == 1 for rank in ranks])
    primary, accuracy, mrr = result.figures
    assert (primary.metric, primary.primary, primary.n) == ("mAP", True, len(mentions))
    assert primary.value == pytest.approx(np.mean(precisions))
    assert primary.low < primary.value < primary.high
    assert (accuracy.metric, mrr.metric, mrr.primary) == ("accuracy", "MRR", False)
    assert mrr.value == pytest.approx(result.items["MRR"].mean())


def test_similarity_ranking_is_what_a_plain_loop_finds(toy: Toy) -> None:
    result = similarity_ranking(toy.labels, cosine_scores(toy.vectors), MENTIONS, CANDIDATES)
    check_ranking(result, toy, MENTIONS, CANDIDATES)


def test_a_name_is_not_ranked_for_itself(toy: Toy) -> None:
    everything = np.random.default_rng(0).permutation(240)
    result = similarity_ranking(toy.labels, cosine_scores(toy.vectors), MENTIONS, everything)
    check_ranking(result, toy, MENTIONS, everything)


def test_synonyms_are_sought_among_training_names_and_zero_shot_ones(toy: Toy) -> None:
    train, test, zero_shot = np.arange(0, 100), np.arange(100, 160), np.arange(160, 240)
    results = synonym_retrieval(
        toy.labels, cosine_scores(toy.vectors), train=train, test=test, zero_shot=zero_shot
    )
    assert list(results) == [TRAINING, HELD_OUT, ZERO_SHOT]
    check_ranking(results[TRAINING], toy, train, train)
    check_ranking(results[HELD_OUT], toy, test, train)
    check_ranking(results[ZERO_SHOT], toy, zero_shot, zero_shot)


def test_coverage_is_the_share_of_synonyms_among_the_nearest(toy: Toy) -> None:
    names = np.arange(5, 205)
    result = coverage_at_k(toy.labels, cosine_scores(toy.vectors), names)
    assert [own_figure.metric for own_figure in result.figures] == [
        f"coverage@{2**n}" for n in range(11)
    ]
    ranks = [right_ranks(toy, name, names) for name in names]
    for figure, k in zip(result.figures, 2 ** np.arange(11), strict=True):
        expected = [(rank <= k).mean() for rank in ranks]
        np.testing.assert_allclose(result.items[figure.metric], expected, atol=1e-12)
        assert figure.value == pytest.approx(np.mean(expected))
    assert result.figures[-1].value == 1
    assert [own_figure.primary for own_figure in result.figures] == [True] + [False] * 10


def test_hypernyms_count_the_best_name_of_any_own_class() -> None:
    labels = LabelledNames(
        ("a", "b", "c"), ("x", "y", "z"), np.array([0, 1, 1]), np.array([0, 1, 2])
    )
    vectors = np.array([[1, 0], [0, 1], [1, 1]], dtype=np.float32)
    level = np.array([[0.9, 0.5], [1, 0.1], [-1, 0], [0.5, 0.9]], dtype=np.float32)
    classes = np.array([0, 1, 2, 2])  # class z has two names
    scores = cosine_scores(vectors, level)
    result = hypernym_detection(labels, scores, np.array([0, 1, 2]), classes, first=(1, 2))
    values = {figure.metric: (figure.value, figure.n, figure.primary) for figure in result.figures}
    assert values == {  # name c has no class
        "MRR": (0.75, 2, True),
        "hits@1": (0.5, 2, False),
        "hits@2": (1, 2, False),
        "median rank": (1.5, 2, False),
    }
    np.testing.assert_array_equal(result.items["median rank"], [2, 1, np.nan])


def test_names_that_an_encoder_cannot_tell_apart_are_ranked_by_chance(toy: Toy) -> None:
    for vectors in (np.zeros((240, 3)), np.ones((240, 3)), np.ones((240, 0))):
        scores = cosine_scores(vectors.astype(np.float32))
        result = similarity_ranking(toy.labels, scores, MENTIONS, CANDIDATES)
        membership = toy.labels.membership().toarray()
        right = (membership[MENTIONS] @ membership[CANDIDATES].T).sum(1)
        np.testing.assert_allclose(result.items["accuracy"], right / len(CANDIDATES))
    level = np.arange(6)
    scores = cosine_scores(toy.vectors, np.ones((6, 16), np.float32))
    median = hypernym_detection(toy.labels, scores, MENTIONS, level).figures[-1]
    assert median.value == 3.5


def test_figures_stay_when_names_move_and_vectors_grow(toy: Toy) -> None:
    rng = np.random.default_rng(5)
    vectors = toy.vectors.copy()
    vectors[100:200] = vectors[:100]  # many equals
    before = similarity_ranking(toy.labels, cosine_scores(vectors), MENTIONS, CANDIDATES)
    moved = rng.permutation(CANDIDATES)
    after = similarity_ranking(toy.labels, cosine_scores(vectors), MENTIONS, moved)
    larger = vectors * 2.0 ** rng.integers(-9, 9, (240, 1)).astype(np.float32)
    scaled = similarity_ranking(toy.labels, cosine_scores(larger), MENTIONS, CANDIDATES)
    for metric, values in before.items.items():
        np.testing.assert_allclose(after.items[metric], values, atol=1e-12)
        np.testing.assert_allclose(scaled.items[metric], values, atol=1e-12)


@pytest.mark.parametrize("count", [2, 7, 33, 100, 999])
@pytest.mark.parametrize("width", [1, 7, 200, 301])
def test_equal_vectors_are_exactly_equally_similar(count: int, width: int) -> None:
    rng = np.random.default_rng(count)
    vectors = rng.normal(size=(count, width)).astype(np.float32)
    vectors[count // 2 :] = np.sign(vectors[count // 2 :])  # of one length: alike in part
    twin = rng.integers(0, count, count)
    scores = torch.as_tensor(
        cosine_scores(vectors[:5], vectors[twin])(np.arange(2), np.arange(count))
    )
    for number in np.unique(twin):
        same = scores[:, np.flatnonzero(twin == number)]
        assert (same == same[:, :1]).all()
    exact = vectors.astype(np.float64)
    rounding = max(1e-6, width * 2**-25)  # half of the last digit for each product that is added
    np.testing.assert_allclose(scores, units(exact[:2]) @ units(exact[twin]).T, atol=rounding)


def test_vectors_that_begin_alike_are_equal_only_where_they_end_alike() -> None:
    rng = np.random.default_rng(0)
    ends = rng.choice((-0.25, 0.0, 0.25), size=(200, 3))
    begins = rng.choice((-0.5, 0.5), size=(200, 2))
    rest = np.sqrt(1 - (begins**2).sum(1) - (ends**2).sum(1))  # all at unit length
    vectors = np.column_stack((begins, ends, rest)).astype(np.float32)
    similarities = cosine_scores(vectors)(np.arange(200), np.arange(200)).numpy()
    alike = (vectors[:, None] == vectors[None]).all(axis=2)
    assert alike.sum() > 400
    for first, second in zip(*np.nonzero(alike), strict=True):
        assert (similarities[:, first] == similarities[:, second]).all()
    np.testing.assert_allclose(similarities, vectors.astype(np.float64) @ vectors.T, atol=1e-6)


def test_one_class_one_name_and_nothing_at_all(toy: Toy) -> None:
    nothing = np.empty(0, np.int64)
    scores = cosine_scores(toy.vectors)
    for mentions, candidates in ((nothing, CANDIDATES), (MENTIONS, nothing), (nothing, nothing)):
        result = similarity_ranking(toy.labels, scores, mentions, candidates)
        assert [figure.n for figure in result.figures] == [0, 0, 0]
        assert np.isnan([figure.value for figure in result.figures]).all()
    single = LabelledNames(("a",), ("x",), np.array([0]), np.array([0]))
    alone = similarity_ranking(single, cosine_scores(toy.vectors[:1]), np.array([0]), np.array([0]))
    assert alone.figures[0].n == 0  # a name is no synonym of itself
    same = LabelledNames(toy.labels.names, ("x",), np.arange(240), np.zeros(240, np.int64))
    result = similarity_ranking(same, scores, MENTIONS, CANDIDATES)
    assert [figure.value for figure in result.figures] == pytest.approx([1, 1, 1])


def test_a_scorer_needs_no_vectors(toy: Toy) -> None:
    numbers = np.arange(240)
    nearness = -np.abs(numbers[10:20, None] - numbers[:30]).astype(np.float32)
    before = nearness.copy()
    labels = LabelledNames(toy.labels.names, ("x", "y"), numbers, numbers % 2)

    def scores(mentions: np.ndarray, _: np.ndarray) -> np.ndarray:
        return nearness[mentions[0] - 10 : mentions[-1] - 9]

    result = similarity_ranking(labels, scores, numbers[10:20], numbers[:30])
    np.testing.assert_array_equal(nearness, before)
    assert result.items["accuracy"].tolist() == [0] * 10  # two names of the other class first
    np.testing.assert_allclose(result.items["MRR"], 1 / 3)


def test_similarities_that_are_no_numbers_are_refused(toy: Toy) -> None:
    with pytest.raises(ValueError, match="finite"):
        cosine_scores(np.full((2, 3), np.nan, dtype=np.float32))
    with pytest.raises(ValueError, match="differ"):
        cosine_scores(toy.vectors, toy.vectors[:, :3])
    with pytest.raises(ValueError, match="not numbers"):
        similarity_ranking(
            toy.labels, lambda m, c: np.full((len(m), len(c)), np.nan), MENTIONS, CANDIDATES
        )


def test_long_work_can_be_stopped(toy: Toy) -> None:
    class StoppedError(Exception):
        pass

    def stop() -> None:
        raise StoppedError

    with pytest.raises(StoppedError):
        coverage_at_k(toy.labels, cosine_scores(toy.vectors), MENTIONS, tick=stop)


def test_blocks_of_mentions_are_ranked_as_all_at_once(
    toy: Toy, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "termexplorer.trainer.search.retrieval._BLOCK_VALUES", 8 * 210
    )  # two mentions at a time
    result = similarity_ranking(toy.labels, cosine_scores(toy.vectors), MENTIONS, CANDIDATES)
    check_ranking(result, toy, MENTIONS, CANDIDATES)


def test_blocks_that_are_not_begun_when_the_work_is_stopped_are_left(
    toy: Toy, monkeypatch: pytest.MonkeyPatch
) -> None:
    class StoppedError(Exception):
        pass

    monkeypatch.setattr(
        "termexplorer.trainer.search.retrieval._BLOCK_VALUES", 1
    )  # a mention at a time
    known, stopped, asked = cosine_scores(toy.vectors), Event(), []

    def scores(mentions: np.ndarray, candidates: np.ndarray) -> torch.Tensor:
        asked.append(mentions)
        if len(asked) > 4:
            stopped.wait(60)
        return torch.as_tensor(known(mentions, candidates))

    def stop() -> None:
        if asked:
            stopped.set()
            raise StoppedError

    with pytest.raises(StoppedError):
        similarity_ranking(toy.labels, scores, MENTIONS, CANDIDATES, tick=stop)
    assert len(asked) < len(MENTIONS) / 2


def test_bootstrap_intervals_are_those_of_the_mean() -> None:
    values = np.random.default_rng(0).normal(3, 2, 400)
    figure = mean_figure("m", values, 1, primary=True)
    assert figure == mean_figure("m", values, 1, primary=True)
    error = values.std() / 20
    assert figure.low == pytest.approx(values.mean() - 1.96 * error, abs=0.03)
    assert figure.high == pytest.approx(values.mean() + 1.96 * error, abs=0.03)
    doubled = mean_figures({"m": values, "twice": 2 * values}, 1).figures[1]
    assert (doubled.low, doubled.high) == pytest.approx((2 * figure.low, 2 * figure.high))


@pytest.mark.parametrize("count", [2, 7, 100])
def test_bootstrap_intervals_of_the_median_are_those_of_drawn_samples(count: int) -> None:
    values = np.random.default_rng(3).normal(size=count)
    figure = median_figure("m", values, 4)
    drawn = np.random.default_rng(4).choice(values, (2000, count))
    assert figure.value == np.median(values)
    expected = np.quantile(np.median(drawn, axis=1), [0.025, 0.975])
    np.testing.assert_allclose([figure.low, figure.high], expected, atol=0.05)


@pytest.mark.parametrize(
    ("values", "ends"),
    [
        ([3.0] * 5, (np.nan, np.nan)),
        ([3.0] * 6, (3, 3)),
        ([1.0, *[3.0] * 40, 9.0], (3, 3)),
        ([2.0], (np.nan, np.nan)),
    ],
)
def test_a_median_that_is_the_same_in_each_sample_has_an_exact_interval_or_none(
    values: list[float], ends: tuple[float, float]
) -> None:
    figure = median_figure("m", np.array(values), 0)
    np.testing.assert_array_equal([figure.low, figure.high], ends)
    assert figure.method == ("" if np.isnan(ends[0]) else ORDER)


def test_values_that_are_missing_are_not_counted() -> None:
    figure = mean_figure("m", np.array([1.0, np.nan, 1.0]), 0, primary=True)
    assert (figure.value, figure.high, figure.n) == (1, 1, 2)
    assert figure.low == pytest.approx(0.025**0.5)
    for nothing in (
        mean_figure("m", np.array([np.nan]), 0, primary=True),
        median_figure("m", np.array([np.nan]), 0),
    ):
        assert nothing.n == 0
        assert np.isnan([nothing.value, nothing.low, nothing.high]).all()
    some = mean_figures({"a": np.array([1.0, np.nan]), "b": np.array([np.nan, 2.0])}, 0)
    assert [(own_figure.value, own_figure.n) for own_figure in some.figures] == [(1, 1), (2, 1)]
