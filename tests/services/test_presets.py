from dataclasses import asdict

import pytest

from termexplorer.services.presets import PRESETS, recipes
from trainer.recipes.base import meanings
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
