"""Curves of figures: over k, over levels, and over the names that few-shot encoders learn from."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from termexplorer.services.evaluate.curves import (
    over_k,
    over_levels,
    over_shots,
    point_rows,
    points_header,
)
from termexplorer.services.evaluate.evaluation import Evaluated, FigureInfo
from termexplorer.services.train.runs import RunInfo
from termexplorer.store.kept_messages import join_messages
from termexplorer.store.title_templates import NAMES_A_CLASS
from termexplorer.trainer.errors import Message

LABELS = {n: f"#{n}" for n in range(40)}
VECTORS = 1


def figure(encoder_id: int, value: float, metric: str = "spearman", n: int = 30) -> FigureInfo:
    return FigureInfo(encoder_id, "relatedness", "hash", metric, value, value - 0.1, value + 0.1, n)


def evaluated(*figures: FigureInfo, **more: Any) -> Evaluated:
    return Evaluated("relatedness", "pairs", "hash", "spearman", figures, **more)


def title_of(shots: int) -> Message:
    return join_messages(["few-shot", Message(NAMES_A_CLASS, n=shots), "level 1"])


def few_shot(encoder_id: int, shots: int, seed: int, **changes: Any) -> RunInfo:
    request = {
        "rule": {"recipe": "few-shot", "shots": shots, "seed": seed},
        "choice": {"root": "", "level": 1},
        "hyperparameters": {},
        "seed": seed,
    }
    run = RunInfo(
        id=encoder_id, title=title_of(shots), recipe="few-shot",
        preset="quick", status="finished", release_id=1, input_id=VECTORS, encoder_id=encoder_id,
        split_id=1, request=request, card={}, notes="", error="", created_at="", finished_at="",
    )  # fmt: skip
    return replace(run, **changes)


def shots_curve(figures: tuple[FigureInfo, ...], *runs: RunInfo) -> Mapping[str, Any]:
    result = over_shots(evaluated(*figures), runs, LABELS, {1: "toy", 2: "other"})
    return {} if result is None else result.lines


@given(st.lists(st.floats(0, 1), min_size=2, max_size=40), st.randoms())
def test_samples_of_one_k_are_a_mean_with_students_interval(
    values: list[float], random: Any
) -> None:
    runs = [few_shot(2 + n, 5, seed=n) for n in range(len(values))]
    random.shuffle(runs)
    labels = {**LABELS, **{run.encoder_id: "" for run in runs}}
    figures = [figure(2 + n, value, n=100 + n) for n, value in enumerate(values)]
    asked = evaluated(figure(VECTORS, 0.3), *figures)
    result = over_shots(asked, runs, labels, {})
    assert result is not None
    ((title, (start, point)),) = result.lines.items()
    assert title == "few-shot, level 1 on #1"
    assert (start.x, start.value, start.low, start.high) == (0, 0.3, 0.3 - 0.1, 0.3 + 0.1)
    assert (point.x, point.samples, point.n) == (5, len(values), 100)
    assert point.value == pytest.approx(np.mean(values))
    half = stats.t.ppf(0.975, len(values) - 1) * stats.sem(values)
    assert point.high - point.value == pytest.approx(half, rel=1e-9, abs=1e-9)
    assert point.value - point.low == pytest.approx(half, rel=1e-9, abs=1e-9)


def test_what_differs_besides_k_and_seed_is_a_line_of_its_own() -> None:
    wide = few_shot(4, 10, 0)
    wide = replace(wide, request={**wide.request, "hyperparameters": {"hidden": 64}})
    runs = [
        few_shot(2, 5, 0),
        few_shot(3, 10, 0),
        wide,
        few_shot(5, 10, 0, release_id=2),
        few_shot(6, 10, 0, input_id=3),
        few_shot(7, 10, 0, recipe="dan"),
        replace(few_shot(8, 15, 0), encoder_id=None),
    ]
    figures = tuple(figure(n, n / 10) for n in range(1, 8))
    lines = shots_curve(figures, *runs)
    assert {title: [(p.x, p.value) for p in points] for title, points in lines.items()} == {
        "few-shot, level 1 on #1, ontology toy": [(0, 0.1), (5, 0.2), (10, 0.3)],
        "few-shot, level 1 on #1, hidden 64, ontology toy": [(0, 0.1), (10, 0.4)],
        "few-shot, level 1 on #1, ontology other": [(0, 0.1), (10, 0.5)],
        "few-shot, level 1 on #3, ontology toy": [(0, 0.3), (10, 0.6)],
    }


def test_the_newest_of_equal_samples_counts_and_one_point_is_no_curve() -> None:
    runs = (few_shot(3, 5, 0), few_shot(2, 5, 0), few_shot(4, 10, 0))
    figures = tuple(figure(n, n / 10) for n in (2, 3, 4))
    (points,) = shots_curve(figures, *runs).values()
    assert [(p.x, p.value, p.samples) for p in points] == [(5, 0.3, 1), (10, 0.4, 1)]
    for seen, exposed in (({4: 0.5}, True), ({9: 0.5}, False)):
        result = over_shots(evaluated(*figures, seen=seen), runs, LABELS, {})
        assert result is not None
        assert result.exposed == exposed
    assert shots_curve(figures[:2], *runs) == {}
    assert shots_curve((), *runs) == {}
    assert shots_curve((figure(VECTORS, 0.2),)) == {}


def test_coverage_over_k_and_a_metric_over_levels() -> None:
    curve = evaluated(*(figure(1, k / 20, f"coverage@{k}") for k in (16, 1, 4)))
    result = over_k(curve, LABELS)
    assert result is not None
    assert [(p.x, p.value) for p in result.lines["#1"]] == [(1, 0.05), (4, 0.2), (16, 0.8)]
    assert result.doubling
    levels = [
        evaluated(figure(1, 0.1 * n), level=n, split_id=split)
        for n, split in ((2, 1), (1, 1), (3, 2))
    ]
    assert over_k(levels[0], LABELS) is None
    result = over_levels(levels[0], levels, LABELS)
    assert result is not None
    assert [(p.x, p.value) for p in result.lines["#1"]] == [(1, 0.1), (2, 0.2)]
    assert over_levels(levels[2], levels, LABELS) is None
    assert over_levels(curve, levels, LABELS) is None
    rows = [dict(zip(points_header(result), row, strict=True)) for row in point_rows(result)]
    assert [(row["curve"], row["level"], row["value"]) for row in rows] == [
        ("#1", 1, 0.1),
        ("#1", 2, 0.2),
    ]
