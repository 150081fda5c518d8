"""The list of recipes, and the one that is fitted in closed form."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch
from trainer_controls import After
from trainer_toy import make_toy

from termexplorer import trainer
from termexplorer.trainer.data.splits import TRAIN, VALIDATION
from termexplorer.trainer.data.training_data import TrainingData
from termexplorer.trainer.encoders import load
from termexplorer.trainer.encoders.cca import CCA, fit_to
from termexplorer.trainer.evaluation.scores import cosine_scores
from termexplorer.trainer.evaluation.similarity_ranking import similarity_ranking
from termexplorer.trainer.recipes import JUDGED, LEVEL, RECIPES, SHOTS, SYNONYMS, recipe_class
from termexplorer.trainer.recipes.base import meanings, settings
from termexplorer.trainer.recipes.cca import CanonicalCorrelation


@pytest.mark.parametrize("name", RECIPES)
def test_a_listed_recipe_goes_by_its_name_and_explains_itself(name: str) -> None:
    recipe = recipe_class(name)
    assert recipe.name == name
    for preset in (recipe.quick(), recipe.paper()):
        assert settings(preset)["recipe"] == name
        assert all(meanings(preset).values())
    listed = RECIPES[name]
    assert listed.group in (SHOTS, LEVEL, SYNONYMS, JUDGED)
    assert listed.when.endswith(".")
    assert listed.labelled == getattr(recipe, "labelled", True)


def test_an_unknown_recipe_is_refused_with_those_there_are() -> None:
    with pytest.raises(ValueError, match="no recipe 'dam'; there are few-shot, dan"):
        recipe_class("dam")


@pytest.fixture
def data() -> trainer.Data:
    toy = make_toy(names=120, classes=6, width=8, ambiguous=0)
    return trainer.Data(toy.labels, trainer.hls_split(toy.labels, 2, 2, 0), vectors=toy.vectors)


def test_cca_is_a_run_of_one_epoch(data: trainer.Data, tmp_path: Path) -> None:
    recipe = CanonicalCorrelation(power=1.0)
    (report,) = trainer.train(recipe, data, state_dir=tmp_path, device="cpu")
    assert (report.epoch, report.best_epoch, report.estimated_epochs_left) == (1, 1, 0)
    encoder = load(tmp_path / "best")
    assert isinstance(encoder, CCA)
    prepared = TrainingData.prepare(data.labels, data.parts, data.encoded, torch.device("cpu"))
    again = fit_to(prepared, power=1.0)
    assert torch.equal(encoder.matrices, again.matrices)
    assert report.losses == {"uncorrelated": 1 - float(again.correlations.mean())}
    encoded = encoder.encode(data.encoded)
    mentions, candidates = (np.flatnonzero(data.parts == part) for part in (VALIDATION, TRAIN))
    result = similarity_ranking(data.labels, cosine_scores(encoded), mentions, candidates)
    assert report.validation == pytest.approx(result.figures[0].value, abs=1e-6)


def test_a_fit_that_is_stopped_before_its_figure_is_kept(
    data: trainer.Data, tmp_path: Path
) -> None:
    run = trainer.train(
        CanonicalCorrelation(), data, state_dir=tmp_path, device="cpu", control=After(0)
    )
    assert list(run) == []
    assert load(tmp_path / "best").dimension == 8
