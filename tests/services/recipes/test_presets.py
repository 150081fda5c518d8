import math
from dataclasses import asdict, replace

import pytest

from termexplorer.errors import UserError
from termexplorer.services.recipes.presets import (
    PRESETS,
    RECIPES,
    hyperparameters,
    read_change,
    recipes,
)
from termexplorer.trainer.recipes import recipe_class
from termexplorer.trainer.recipes.base import choices, meanings, ranges
from termexplorer.trainer.recipes.ranges import AT_LEAST_ONE, NOT_NEGATIVE, SHARE


@pytest.mark.parametrize("name", RECIPES)
def test_the_presets_on_file_are_those_of_the_trainer(name: str) -> None:
    recipe, listed = recipe_class(name), recipes()[name]  # else run packaging/recipes.py
    for preset in PRESETS:
        ours = {hyperparameter.name: getattr(hyperparameter, preset) for hyperparameter in listed}
        assert ours == asdict(getattr(recipe, preset)())
    assert {hyperparameter.name: hyperparameter.meaning for hyperparameter in listed} == meanings(
        recipe.quick()
    )
    assert {
        hyperparameter.name: tuple(hyperparameter.choices)
        for hyperparameter in listed
        if hyperparameter.choices
    } == choices(recipe.quick())
    assert {
        hyperparameter.name: hyperparameter.within
        for hyperparameter in listed
        if hyperparameter.within
    } == ranges(recipe.quick())


def beyond(within: str) -> list[float]:
    return [-1, *{NOT_NEGATIVE: [10**23], AT_LEAST_ONE: [0, 10**10], SHARE: [1]}.get(within, [0])]


@pytest.mark.parametrize("name", RECIPES)
def test_a_number_out_of_its_range_is_refused_before_training(name: str) -> None:
    recipe = recipe_class(name)
    for parameter in (
        hyperparameter for hyperparameter in recipes()[name] if hyperparameter.within
    ):
        values = beyond(parameter.within)
        if isinstance(parameter.paper, float):
            values += [math.nan, math.inf]
        for value in values:
            with pytest.raises(UserError, match=f"{parameter.name} is .*; choose a number"):
                hyperparameters(name, "quick", {parameter.name: value})
            with pytest.raises(ValueError, match=f"{parameter.name} is .*; choose a number"):
                replace(recipe.quick(), **{parameter.name: value})


def test_no_recipe_is_on_file_that_is_not_in_the_list() -> None:
    assert list(recipes()) == list(RECIPES)


@pytest.mark.parametrize(
    ("recipe", "text", "change"),
    [
        ("dan", "hidden=32", ("hidden", 32)),
        ("dan", "margin=.2", ("margin", 0.2)),
        ("dan", "negatives=density", ("negatives", "density")),
        ("conceptual-grounding", "cca=no", ("cca", False)),
        ("few-shot", "noisy_validation=Yes", ("noisy_validation", True)),
    ],
)
def test_a_change_is_read_as_its_kind(recipe: str, text: str, change: tuple[str, object]) -> None:
    assert read_change(recipe, text) == change


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("hiden=3", "dan has no hyper-parameter 'hiden'; it has hidden, dropout"),
        ("hidden", "hidden must be like 76800, not ''"),
        ("hidden=1.5", "hidden must be like 76800, not '1.5'"),
        ("margin=wide", "margin must be like 0.1, not 'wide'"),
    ],
)
def test_a_change_that_is_none_is_refused(text: str, message: str) -> None:
    with pytest.raises(UserError, match=message):
        read_change("dan", text)
    with pytest.raises(UserError, match="cca must be yes, true, no, false, not 'perhaps'"):
        read_change("conceptual-grounding", "cca=perhaps")


def test_a_value_that_is_none_of_the_few_is_refused() -> None:
    with pytest.raises(UserError, match="choose one of nearest, density, random, hardest"):
        hyperparameters("dan", "quick", {"negatives": "easiest"})
    values = hyperparameters("dan", "quick", {"negatives": "density", "margin": 1})
    assert (values["negatives"], values["margin"]) == ("density", 1.0)
