"""Pairs that are to be judged: their file, and which ones are worth it."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from termexplorer.trainer.files.pairs import read_pairs
from termexplorer.trainer.term_pairs.drawn import DrawnPair, is_pair_set, read_drawn, write_drawn
from termexplorer.trainer.term_pairs.queue import disagreement, queued, uncertainty

TERM = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]), min_size=1)
PAIR = st.builds(
    DrawnPair, TERM, TERM, st.sampled_from([None, 0.0, 1.0, 2.5]), st.just("A:1"), st.just(""),
    st.sampled_from(["", "queue", "random"]),
)  # fmt: skip
SIMILARITY = st.sampled_from([float("nan"), -0.5, 0.0, 0.25, 0.5, 1.0])


@given(st.lists(PAIR, min_size=1))
def test_pairs_come_back_as_they_were_written(
    tmp_path_factory: pytest.TempPathFactory, pairs: list[DrawnPair]
) -> None:
    path = tmp_path_factory.mktemp("pairs") / "p.tsv"
    write_drawn(path, pairs, parts=True)
    assert is_pair_set(path)
    assert read_drawn(path) == pairs


def test_a_pair_without_a_label_is_not_measured_on(tmp_path: Path) -> None:
    path = tmp_path / "p.tsv"
    write_drawn(path, [DrawnPair("cold", "chill"), DrawnPair("cold", "common cold", 1.0)])
    rows = path.read_text().splitlines()
    assert rows[1] == "cold\tchill\t\t\t\t3"  # of which the distance is no score either
    with pytest.raises(ValueError, match=r"p\.tsv: 1 of its 2 pairs have no label"):
        read_pairs(path)


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("cold\t\t1\t\t\t2", "line 2: column 2 has no term"),
        ("a\tb\tyes\t\t\t2", "'yes' is no label"),
    ],
)
def test_a_damaged_row_is_told(tmp_path: Path, row: str, message: str) -> None:
    path = tmp_path / "p.tsv"
    path.write_text(f"left\tright\tlabel\tleft_concept\tright_concept\tdistance\n{row}\n")
    with pytest.raises(ValueError, match=message):
        read_drawn(path)


@given(st.data(), st.integers(1, 12), st.integers(2, 4))
def test_disagreement_is_the_distance_of_mean_ranks(
    data: st.DataObject, count: int, encoders: int
) -> None:
    values = data.draw(arrays(np.float32, (encoders, count), elements=SIMILARITY))
    known = [index for index in range(count) if not np.isnan(values[:, index]).any()]
    wanted = np.full(count, np.nan)
    for position in known:
        ranks = []
        for of_one in values:
            below = sum(of_one[index] < of_one[position] for index in known)
            same = sum(of_one[index] == of_one[position] for index in known)
            ranks.append((below + (same + 1) / 2) / len(known))
        wanted[position] = max(ranks) - min(ranks)
    np.testing.assert_allclose(disagreement(list(values)), wanted, atol=1e-12)


def test_what_is_near_the_best_threshold_is_unsure() -> None:
    labels = np.array([1.0, 1, 0, 0, 1])
    values = uncertainty(labels, np.array([0.9, 0.6, 0.4, 0.1, np.nan], np.float32))
    np.testing.assert_allclose(values, [-0.3, 0, -0.2, -0.5, np.nan], atol=1e-6)


@given(
    arrays(np.float64, st.integers(0, 30), elements=SIMILARITY), st.integers(1, 40),
    st.floats(0, 1), st.integers(0, 9),
)  # fmt: skip
def test_a_queue_has_the_highest_scores_of_those_that_were_not_drawn(
    scores: np.ndarray, number: int, share: float, seed: int
) -> None:
    best, at_random = (part.tolist() for part in queued(scores, number, share, seed))
    known = set(np.flatnonzero(~np.isnan(scores)).tolist())
    chosen = [*best, *at_random]
    assert len(set(chosen)) == len(chosen) == min(number, len(known))
    assert set(chosen) <= known
    assert len(at_random) == round(share * len(chosen))
    assert (
        scores[best].tolist() == sorted(scores[sorted(known - set(at_random))])[::-1][: len(best)]
    )


def test_each_pair_is_drawn_as_often_whatever_its_score() -> None:
    scores = np.arange(10.0)
    counts = np.zeros(10)
    for seed in range(2_000):
        counts[queued(scores, 5, 0.4, seed)[1]] += 1
    assert counts.sum() == 2 * 2_000
    assert np.abs(counts - 400).max() < 100  # more than five standard deviations
