from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.sparse import csr_array

from termexplorer.trainer.evaluation.scores import cosine_scores
from termexplorer.trainer.evaluation.top_ranks import TopRanks, top_ranks
from termexplorer.trainer.lexical.jaccard import JaccardNames
from termexplorer.trainer.representations.lexical_names import table_of
from termexplorer.trainer.search.expected_ranks import rank
from termexplorer.trainer.search.tied_groups import TiedGroups

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
Floats = NDArray[np.float32]


@st.composite
def tables(draw: st.DrawFn) -> tuple[Floats, Bools, int]:
    """Similarities of a few values of n names among each other, who is in which class, and k."""
    n, classes = draw(st.integers(2, 12)), draw(st.integers(1, 4))
    values = draw(st.lists(st.integers(-2, 2), min_size=n * n, max_size=n * n))
    members = draw(st.lists(st.booleans(), min_size=n * classes, max_size=n * classes))
    table = np.array(values, np.float32).reshape(n, n)
    return table, np.array(members, np.bool_).reshape(n, classes), draw(st.integers(1, 14))


def of_table(table: Floats, mentions: Ints, candidates: Ints, members: Bools, k: int) -> TopRanks:
    return top_ranks(
        lambda rows, columns: table[np.ix_(rows, columns)],
        mentions,
        candidates,
        csr_array(members[mentions]),
        csr_array(members[candidates]),
        k=k,
    )


def naive(similarities: Floats, right: Bools, k: int) -> tuple[list[int], float]:
    """One mention: its first k by sorting, and the expected rank of the first right one."""
    order = sorted(range(len(similarities)), key=lambda index: (-similarities[index], index))
    if len(order) > 1 and len(set(similarities.tolist())) == 1:
        order = [-1] * len(order)
    if not right.any():
        return order[:k], float("nan")
    best = similarities[right].max()
    equal = similarities == best
    wrong, of_right = int((equal & ~right).sum()), int((equal & right).sum())
    return order[:k], int((similarities > best).sum()) + 1 + wrong / (of_right + 1)


@given(tables(), st.integers(0, 12))
def test_first_k_and_best_rank_of_each_mention(
    drawn: tuple[Floats, Bools, int], held_out: int
) -> None:
    table, members, k = drawn
    names = np.arange(len(table))
    candidates = names[min(held_out, len(names) - 1) :]
    ranking = of_table(table, names, candidates, members, k)
    shares = members @ members.T
    most = len(candidates) - 1  # every list leaves a name out of its own ranking
    assert ranking.top.shape == (len(names), min(k, most))
    for mention in names if most else ():
        other_candidates = candidates[candidates != mention]
        top, best = naive(
            table[mention, other_candidates],
            shares[mention, other_candidates],
            ranking.top.shape[1],
        )
        positions = np.searchsorted(candidates, other_candidates)
        assert ranking.top[mention].tolist() == [
            -1 if index < 0 else positions[index] for index in top
        ]
        np.testing.assert_allclose(ranking.best[mention], best)


def test_as_the_measures_of_the_evaluation_have_it() -> None:
    rng = np.random.default_rng(1)
    vectors = rng.standard_normal((700, 8)).astype(np.float32)
    vectors[600:] = vectors[:100]  # equals
    members = np.eye(60, dtype=np.bool_)[rng.integers(0, 60, 700)]
    mentions, candidates = np.arange(500), np.arange(200, 700)
    classes = csr_array(members[mentions]), csr_array(members[candidates])
    ticks: list[None] = []
    result = top_ranks(
        cosine_scores(vectors), mentions, candidates, *classes, k=10,
        tick=lambda: ticks.append(None),
    )  # fmt: skip
    table = torch.as_tensor(cosine_scores(vectors)(mentions, candidates))
    table[torch.arange(200, 500), torch.arange(300)] = -torch.inf
    right = members[mentions] @ members[candidates].T
    right[np.arange(200, 500), np.arange(300)] = False
    expected = rank(TiedGroups.of(table, *torch.from_numpy(right).nonzero(as_tuple=True)))
    np.testing.assert_allclose(result.best, expected.numpy())
    assert (result.best > 10).any()  # some are looked for below the first ten
    order = np.argsort(-table.numpy(), axis=1, kind="stable")[:, :10]
    np.testing.assert_array_equal(result.top, order)
    assert ticks


def test_lexical_scores_are_ranked_like_any_other() -> None:
    names = ("lung tumour", "tumour of the lung", "heart injury", "injury", "kidney")
    everything = np.arange(5)
    members = csr_array(np.eye(3, dtype=np.bool_)[[0, 0, 1, 1, 2]])
    scores = table_of(JaccardNames.fit(names), names)
    result = top_ranks(scores, everything, everything, members, members, k=2)
    assert result.top[:4, 0].tolist() == [1, 0, 3, 2]
    assert result.top[4].tolist() == [-1, -1]  # it shares no word with any
    np.testing.assert_array_equal(result.best, [1, 1, 1, 1, np.nan])


def test_nothing_to_rank() -> None:
    none = np.empty(0, np.int64)
    members = np.ones((1, 1), np.bool_)
    table = np.zeros((1, 1), np.float32)
    assert of_table(table, none, np.arange(1), members, 5).top.shape == (0, 1)
    for candidates in (none, np.arange(1)):  # none but the mention itself
        ranking = of_table(table, np.arange(1), candidates, members, 5)
        assert ranking.top.shape == (1, 0)
        assert np.isnan(ranking.best).all()


def test_what_is_no_number_is_refused_and_a_tick_ends_it() -> None:
    names, members = np.arange(3), np.ones((3, 1), np.bool_)
    with pytest.raises(ValueError, match="not numbers"):
        of_table(np.full((3, 3), np.nan, np.float32), names, names, members, 2)

    def stop() -> None:
        raise InterruptedError

    scores = cosine_scores(np.eye(3, dtype=np.float32))
    with pytest.raises(InterruptedError):
        top_ranks(scores, names, names, csr_array(members), csr_array(members), tick=stop)


class _OnGpu(torch.Tensor):
    """Similarities that NumPy cannot read where they are."""

    def cpu(self, *_options: Any, **_named: Any) -> torch.Tensor:
        return self.as_subclass(torch.Tensor)

    def numpy(self, *, force: bool = False) -> Any:
        raise TypeError("can't convert cuda:0 device type tensor to numpy")


def test_similarities_of_a_gpu_are_ranked() -> None:
    table = np.random.default_rng(0).integers(0, 5, (9, 9)).astype(np.float32)
    everything, members = np.arange(9), csr_array(np.eye(3, dtype=np.bool_).repeat(3, axis=0))
    expected, on_gpu = (
        top_ranks(by, everything, everything, members, members, k=4)
        for by in (
            lambda rows, columns: table[np.ix_(rows, columns)],
            lambda rows, columns: torch.from_numpy(table[np.ix_(rows, columns)]).as_subclass(
                _OnGpu
            ),
        )
    )
    np.testing.assert_array_equal(on_gpu.top, expected.top)
    np.testing.assert_array_equal(on_gpu.best, expected.best)
