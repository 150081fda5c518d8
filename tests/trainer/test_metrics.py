"""The registry of metrics: each figure of a task is listed, with its direction and its chance."""

import ast
from pathlib import Path

import numpy as np
import pytest

import termexplorer.trainer
from termexplorer import trainer
from termexplorer.trainer.evaluation.pairs.classification import pair_classification
from termexplorer.trainer.evaluation.pairs.relatedness import relatedness
from termexplorer.trainer.evaluation.scores import cosine_scores
from termexplorer.trainer.evaluation.similarity_ranking import similarity_ranking
from termexplorer.trainer.files.pairs import PairSet
from termexplorer.trainer.metrics import (
    METRICS,
    find_metric,
    is_higher_better,
    list_compared_metrics,
)

PAIRS = 4_000


def pairs_with(scores: "np.ndarray[tuple[int], np.dtype[np.float64]]") -> PairSet:
    names = tuple(f"name {number}" for number in range(2 * len(scores)))
    return PairSet("drawn", names[::2], names[1::2], scores)


def test_what_is_worse_is_worse_by_every_metric_of_a_ranking() -> None:
    labels = trainer.labelled({"a": ["one", "two", "three"], "b": ["four", "five", "six"]})
    near = np.repeat(np.eye(2), 3, axis=0)
    mixed = np.array([[1, 0], [0, 1], [0.1, 1], [1, 0.1], [0, 1], [1, 0.2]])
    everything = np.arange(6)
    good, bad = (
        similarity_ranking(
            labels, cosine_scores(vectors.astype(np.float32)), everything, everything
        )
        for vectors in (near, mixed)
    )
    for better, worse in zip(good.figures, bad.figures, strict=True):
        assert better.metric == worse.metric
        assert (better.value > worse.value) == is_higher_better(better.metric)


def test_figures_of_similarities_that_know_nothing_are_at_the_chance_of_their_metric() -> None:
    rng = np.random.default_rng(0)
    similarities = rng.normal(size=PAIRS)
    related = relatedness(pairs_with(rng.normal(size=PAIRS)), similarities, resamples=200)
    result = pair_classification(pairs_with((rng.random(PAIRS) < 0.3).astype(float)), similarities)
    for figure in (*related.figures, result.figures[0]):
        metric = find_metric(figure.metric, of_pairs=True)
        assert metric is not None
        assert metric.chance == pytest.approx(figure.value, abs=0.06)


def test_overlap_is_worse_where_it_is_higher_and_separation_better() -> None:
    assert not is_higher_better("overlap")
    assert is_higher_better("separation")


@pytest.mark.parametrize(
    ("name", "family"), [("hits@1", "hits@"), ("coverage@64", "coverage@"), ("Acc@5", "Acc@")]
)
def test_a_metric_at_a_rank_is_found_by_its_family(name: str, family: str) -> None:
    metric = find_metric(name)
    assert metric is METRICS[family]
    assert "{k}" in metric.meaning


def test_accuracy_of_pairs_means_another_thing() -> None:
    first, second = find_metric("accuracy"), find_metric("accuracy", of_pairs=True)
    assert first is not None
    assert second is not None
    assert first.meaning != second.meaning


def test_what_is_not_listed_is_told_to_be_unknown() -> None:
    assert find_metric("AUC, all it knows") is None
    assert is_higher_better("AUC, all it knows")


def test_all_that_encoders_are_compared_by_is_listed_once() -> None:
    names = list_compared_metrics()
    assert len(set(names)) == len(names) == 11
    assert all(find_metric(name) is not None for name in names)
    assert {"recall", "overlap", "separation"}.isdisjoint(names)


def test_tasks_write_no_name_of_a_metric_themselves() -> None:
    folder = Path(termexplorer.trainer.__file__).parent / "evaluation"
    names = {name for name in METRICS if not name.endswith("@")}
    for path in sorted(folder.glob("*.py")):
        tree = ast.parse(path.read_text("utf-8"))
        written = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)}
        assert not {text for text in written if isinstance(text, str)} & names, path.name
