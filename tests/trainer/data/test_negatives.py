from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from trainer_toy import Toy, make_toy

from termexplorer.trainer.data.negatives import RULES, density_weights, draw_negatives
from termexplorer.trainer.data.splits import TRAIN, VALIDATION
from termexplorer.trainer.data.training_data import TrainingData
from termexplorer.trainer.tensors.objectives import unit
from termexplorer.trainer.tensors.random_state import RandomState

CPU = torch.device("cpu")
NEAREST, DRAWS, ANCHOR = 25, 4000, 3


def prepared(toy: Toy) -> tuple[TrainingData, np.ndarray]:
    parts = np.full(len(toy.labels.names), TRAIN, dtype=np.uint8)
    parts[::7] = VALIDATION
    data = TrainingData.prepare(toy.labels, parts, toy.vectors, CPU)
    return data, toy.labels.membership().toarray()[parts == TRAIN]


def naive_density(cosine: float, dimension: int) -> float:
    """The logarithm of a weight, from the formula of Wu et al. 2017."""
    distance = max(math.sqrt(2 - 2 * cosine), 0.5)
    if distance >= 1.4:
        return -math.inf
    q = (dimension - 2) * math.log(distance)
    q += (dimension - 3) / 2 * math.log(1 - distance**2 / 4)
    return -q


def naive_weights(rule: str, cosines: np.ndarray, allowed: np.ndarray, width: int) -> np.ndarray:
    order = [n for n in np.argsort(-cosines) if allowed[n]]
    weights = np.zeros(len(cosines))
    if rule == "nearest":
        for n in order[:NEAREST]:
            weights[n] = 1 / min(max(1 - cosines[n], 1e-9), 1)
    elif rule == "hardest":
        weights[order[0]] = 1
    elif rule == "random":
        weights[allowed] = 1
    else:
        logs = {n: naive_density(float(cosines[n]), width) for n in order}
        for n, value in logs.items():
            weights[n] = math.exp(value - max(logs.values()))
    return weights / weights.sum()


@pytest.mark.parametrize("rule", RULES)
def test_negatives_follow_the_weights_with_the_own_class_dropped_first(rule: str, toy: Toy) -> None:
    data, membership = prepared(toy)
    encoded = unit(data.names)
    anchors = torch.full((DRAWS,), ANCHOR)
    members = data.of_names
    repeated = replace(
        members,
        counts=members.counts[anchors],
        starts=members.starts[anchors],
        groups=members.groups[anchors],
    )
    negative, has_negative = draw_negatives(
        rule, data, repeated, encoded[anchors], encoded, NEAREST, RandomState(0, CPU), lambda: None
    )
    count = np.bincount(negative.numpy(), minlength=len(membership))
    cosines = (encoded @ encoded[ANCHOR]).double().numpy()
    allowed = ~(membership & membership[ANCHOR]).any(1)
    expected = naive_weights(rule, cosines, allowed, encoded.shape[1])
    assert has_negative.all()
    assert (count[expected == 0] == 0).all()
    assert abs(count / DRAWS - expected).max() < 0.03


@pytest.mark.parametrize("rule", RULES)
def test_no_negative_shares_a_class(rule: str, toy: Toy) -> None:
    data, membership = prepared(toy)
    encoded = unit(data.names)
    negative, has_negative = draw_negatives(
        rule, data, data.of_names, encoded, encoded, 5, RandomState(0, CPU), lambda: None
    )
    assert has_negative.all()
    assert not (membership & membership[negative]).any()


@pytest.mark.parametrize("rule", RULES)
def test_an_anchor_of_every_class_has_no_negative(rule: str) -> None:
    data, _ = prepared(make_toy(40, 2, 4, 40))
    _, has_negative = draw_negatives(
        rule, data, data.of_names, data.names, data.names, 10, RandomState(0, CPU), lambda: None
    )
    assert not has_negative.any()


@pytest.mark.parametrize("rule", RULES)
def test_names_of_which_nothing_is_known_still_get_a_negative(rule: str, toy: Toy) -> None:
    data, membership = prepared(toy)
    anchors = torch.zeros_like(data.names)
    negative, has_negative = draw_negatives(
        rule, data, data.of_names, anchors, data.names, 5, RandomState(0, CPU), lambda: None
    )
    assert has_negative.all()
    assert not (membership & membership[negative]).any()


@settings(deadline=None, max_examples=60)
@given(
    st.lists(st.floats(-1, 1, width=32), min_size=1, max_size=12),
    st.integers(3, 600),
    st.data(),
)
def test_density_weights_are_the_formula_in_any_dimension(
    cosines: list[float], dimension: int, draw: st.DataObject
) -> None:
    dropped = draw.draw(st.lists(st.booleans(), min_size=len(cosines), max_size=len(cosines)))
    row = torch.tensor([cosines], dtype=torch.float64).masked_fill(torch.tensor(dropped), -math.inf)
    weights = density_weights(row, dimension)[0]
    logs = [
        -math.inf if drop else naive_density(cosine, dimension)
        for cosine, drop in zip(cosines, dropped, strict=True)
    ]
    if max(logs) == -math.inf:
        assert weights.tolist() == [float(not drop) for drop in dropped]
    else:
        expected = [math.exp(value - max(logs)) for value in logs]
        np.testing.assert_allclose(
            (weights / weights.max()).numpy(), expected, rtol=1e-9, atol=1e-300
        )


def test_float32_weights_in_300_dimensions_do_not_vanish() -> None:
    """Their logarithms reach 200, far beyond what float32 can hold as numbers."""
    weights = density_weights(torch.tensor([[0.3, 0.299, 0.2]]), 300)[0]
    logs = [naive_density(cosine, 300) for cosine in (0.3, 0.299, 0.2)]
    expected = [math.exp(value - logs[0]) for value in logs]
    np.testing.assert_allclose((weights / weights[0]).numpy(), expected, rtol=1e-3)
