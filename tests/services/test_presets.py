from dataclasses import asdict

import pytest

from termexplorer.errors import UserError
from termexplorer.services.presets import PRESETS, hyperparameters, recipes
from trainer.recipes.base import choices, meanings
from trainer.recipes.dan import DeepAveraging
from trainer.recipes.few_shot import FewShot


@pytest.mark.parametrize("recipe", [FewShot, DeepAveraging])
def test_the_presets_on_file_are_those_of_the_trainer(
    recipe: type[FewShot | DeepAveraging],
) -> None:
    listed = recipes()[recipe.name]
    for preset in PRESETS:
        ours = {each.name: getattr(each, preset) for each in listed}
        assert ours == asdict(getattr(recipe, preset)())
    assert {each.name: each.meaning for each in listed} == meanings(recipe.quick())
    assert {each.name: tuple(each.choices) for each in listed if each.choices} == choices(
        recipe.quick()
    )


def test_a_value_that_is_none_of_the_few_is_refused() -> None:
    with pytest.raises(UserError, match="choose one of nearest, density, random, hardest"):
        hyperparameters("dan", "quick", {"negatives": "easiest"})
    found = hyperparameters("dan", "quick", {"negatives": "density", "dropout": 1})
    assert (found["negatives"], found["dropout"]) == ("density", 1.0)
