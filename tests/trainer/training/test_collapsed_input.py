"""Vectors by which all names are nearly alike: they are noticed, and recipes learn from them."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from termexplorer.trainer.data.splits import TRAIN, VALIDATION, Parts
from termexplorer.trainer.encoders import load_any
from termexplorer.trainer.recipes.base import Recipe
from termexplorer.trainer.recipes.contrastive import Contrastive
from termexplorer.trainer.recipes.dan import DeepAveraging
from termexplorer.trainer.recipes.few_shot import FewShot
from termexplorer.trainer.recipes.grounding import ConceptualGrounding
from termexplorer.trainer.recipes.spelled import ContrastiveSpelled
from termexplorer.trainer.representations.spread import measure_spread
from termexplorer.trainer.text.names import LabelledNames
from termexplorer.trainer.training.epochs import EpochReport
from termexplorer.trainer.training.run import BEST, train

CONCEPTS, EACH, WIDTH = 60, 4, 24
Data = tuple[LabelledNames, Parts, NDArray[np.float32]]


def make_collapsed() -> Data:
    """Names of concepts whose vectors all lie at a cosine of .99, and differ in few directions."""
    rng = np.random.default_rng(3)
    of = np.repeat(np.arange(CONCEPTS), EACH)
    differences = rng.normal(size=(CONCEPTS, WIDTH))[of] + rng.normal(size=(len(of), WIDTH))
    differences *= 1 / np.arange(1, WIDTH + 1)
    common = rng.normal(size=WIDTH)
    differences *= 0.1 * np.linalg.norm(common) / np.linalg.norm(differences, axis=1).mean()
    labels = LabelledNames(
        tuple(f"name {number}" for number in range(len(of))),
        tuple(f"concept {number}" for number in range(CONCEPTS)),
        np.arange(len(of)),
        of,
    )
    parts = np.where(np.arange(len(of)) % EACH == EACH - 1, VALIDATION, TRAIN).astype(np.uint8)
    return labels, parts, (common + differences).astype(np.float32)


def train_all(recipe: Recipe, data: Data, folder: Path) -> list[EpochReport]:
    return list(train(recipe, *data, seed=1, device="cpu", state_dir=folder))


RECIPES = (
    Contrastive(hidden=128, maximum_epochs=12, batch=64),
    ContrastiveSpelled(hidden=128, width=16, maximum_epochs=12, batch=64),
    DeepAveraging(hidden=256, maximum_epochs=12, batch=64),
    ConceptualGrounding(cca=True, hidden=128, maximum_epochs=8, batch=64),
    FewShot(hidden=128, batch=0, steps=4, minimum_epochs=5, maximum_epochs=12),
)


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda recipe: recipe.name)
def test_each_recipe_learns_from_vectors_that_are_nearly_alike(
    recipe: Recipe, tmp_path: Path
) -> None:
    data = make_collapsed()
    reports = train_all(recipe, data, tmp_path)
    figures = [report.validation for report in reports]
    best = max(figures) if reports[0].higher_is_better else min(figures)
    assert abs(best - figures[0]) > 0.01 * abs(figures[0])
    labels, _parts, vectors = data
    network = load_any(tmp_path / BEST)
    encoded = (
        network.encode_names(labels.names, vectors)
        if hasattr(network, "encode_names")
        else network.encode(vectors)
    )
    assert measure_spread(encoded).mean_cosine < 0.5 < measure_spread(vectors).mean_cosine


def test_vectors_that_differ_are_learned_from_as_they_are(tmp_path: Path) -> None:
    labels, parts, vectors = make_collapsed()
    spread = vectors - vectors.mean(axis=0)
    assert not measure_spread(spread).collapsed
    train_all(replace(RECIPES[0], maximum_epochs=1), (labels, parts, spread), tmp_path)
    assert load_any(tmp_path / BEST).projection is None


def test_spread_tells_how_alike_names_are_and_in_how_many_directions_they_differ() -> None:
    rng = np.random.default_rng(0)
    even = rng.normal(size=(3_000, 16)).astype(np.float32)
    encoded = measure_spread(even)
    assert abs(encoded.mean_cosine) < 0.01
    assert encoded.effective_rank == pytest.approx(16, abs=0.2)
    line = np.outer(rng.normal(size=50), [1, 0, 0, 0]) * 0.1 + [0, 1, 0, 0]
    encoded = measure_spread(line.astype(np.float32))
    assert encoded.mean_cosine > 0.98
    assert encoded.effective_rank == pytest.approx(1, abs=0.1)
    assert measure_spread(np.zeros((5, 3), np.float32)).mean_cosine == 0
    same = measure_spread(np.ones((5, 3), np.float32))
    assert (round(same.mean_cosine, 6), same.effective_rank) == (1, 0)


def test_the_input_itself_is_kept_where_no_epoch_is_as_good(tmp_path: Path) -> None:
    labels, parts, _ = make_collapsed()
    rng = np.random.default_rng(5)
    spread = rng.normal(size=(CONCEPTS, WIDTH))[labels.class_index]
    spread = (spread + 0.6 * rng.normal(size=spread.shape)).astype(np.float32)
    spoils = Contrastive(hidden=64, maximum_epochs=2, batch=64, learning_rate=0.5)
    reports = train_all(spoils, (labels, parts, spread), tmp_path)
    assert reports[-1].best_epoch == 0
    units = spread / np.linalg.norm(spread, axis=1, keepdims=True)
    encoded = load_any(tmp_path / BEST).encode(spread)
    encoded /= np.linalg.norm(encoded, axis=1, keepdims=True)
    np.testing.assert_allclose(encoded, units, atol=1e-5)
