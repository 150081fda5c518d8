"""Presets of the recipes: what each hyper-parameter means, and its value for a purpose."""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from termexplorer.errors import UserError
from termexplorer.resources import FOLDER
from termexplorer.texts import tr, translated
from termexplorer.trainer.recipes import JUDGED, LEVEL, RECIPES, SHOTS, SYNONYMS, ListedRecipe
from termexplorer.trainer.recipes.ranges import RANGES

__all__ = [
    "JUDGED",
    "LEVEL",
    "PRESETS",
    "RECIPES",
    "SETTING",
    "SHOTS",
    "SYNONYMS",
    "HyperParameter",
    "ListedRecipe",
    "hyperparameters",
    "read_change",
    "recipes",
]

PRESETS = ("quick", "paper")

SETTING = "setting"
"""The sense in which names and choices of hyper-parameters are translated."""

_TRUTHS = {"yes": True, "true": True, "no": False, "false": False}


@dataclass(frozen=True, slots=True)
class HyperParameter:
    """One hyper-parameter of a recipe, with its value in each preset.

    Attributes:
        choices: its values, where there are but a few.
        within: of `trainer.recipes.ranges.RANGES`, for a number; else empty.
    """

    name: str
    meaning: str
    quick: Any
    paper: Any
    choices: Sequence[str] = ()
    within: str = ""

    @property
    def title(self) -> str:
        """Its name for people, in English."""
        return self.name.replace("_", " ").capitalize()


@cache
def recipes() -> Mapping[str, tuple[HyperParameter, ...]]:
    """The hyper-parameters of every recipe, as `recipes.toml` lists them."""
    text = (FOLDER / "recipes.toml").read_text("utf-8")
    return {
        recipe: tuple(HyperParameter(name, **values) for name, values in parameters.items())
        for recipe, parameters in tomllib.loads(text).items()
    }


def read_change(recipe: str, text: str) -> tuple[str, Any]:
    """A hyper-parameter and its value from `NAME=VALUE`.

    Raises:
        UserError: it is not of that form, or the recipe has no such hyper-parameter or value.
    """
    name, _, value = text.partition("=")
    listed = {hyperparameter.name: hyperparameter for hyperparameter in recipes()[recipe]}
    if name not in listed:
        raise UserError(
            tr(
                "{recipe} has no hyper-parameter {name!r}; it has {known}",
                recipe=recipe,
                name=name,
                known=", ".join(listed),
            )
        )
    example = listed[name].paper
    try:
        if isinstance(example, bool):
            return name, _TRUTHS[value.lower()]
        return name, type(example)(value)
    except (KeyError, ValueError) as error:
        if not isinstance(example, bool):
            raise UserError(_unlike_error(name, value, example)) from error
        truths = ", ".join(_TRUTHS)
        raise UserError(
            tr("{name} must be {truths}, not {value!r}", name=name, truths=truths, value=value)
        ) from error


def _unlike_error(name: str, value: object, example: object) -> str:
    return tr(
        "{name} must be like {example!r}, not {value!r}", name=name, example=example, value=value
    )


def hyperparameters(recipe: str, preset: str, changes: Mapping[str, Any]) -> dict[str, Any]:
    """All hyper-parameters of a run: a preset's, with changes.

    Raises:
        UserError: no such recipe, preset or hyper-parameter, or a value of the wrong kind.
    """
    if recipe not in recipes():
        raise UserError(
            tr(
                "there is no recipe {recipe!r}; there are {known}",
                recipe=recipe,
                known=", ".join(recipes()),
            )
        )
    if preset not in PRESETS:
        raise UserError(
            tr(
                "there is no preset {preset!r}; there are {known}",
                preset=preset,
                known=", ".join(PRESETS),
            )
        )
    listed = {hyperparameter.name: hyperparameter for hyperparameter in recipes()[recipe]}
    values = {name: getattr(hyperparameter, preset) for name, hyperparameter in listed.items()}
    for name, value in changes.items():
        if name not in values:
            raise UserError(
                tr("{recipe} has no hyper-parameter {name!r}", recipe=recipe, name=name)
            )
        values[name] = _coerce_value(listed[name], value, name)
    return values


def checked(recipe: str, name: str, value: Any, label: str) -> Any:
    """The value of one hyper-parameter of a recipe, told of by a label where it is wrong.

    Raises:
        UserError: it is of the wrong kind, or none that there is.
    """
    return _coerce_value(
        next(hyperparameter for hyperparameter in recipes()[recipe] if hyperparameter.name == name),
        value,
        label,
    )


def _coerce_value(parameter: HyperParameter, value: Any, name: str) -> Any:
    example, choices = parameter.paper, parameter.choices
    if isinstance(example, float) and type(value) is int:
        value = float(value)
    if type(value) is not type(example):
        raise UserError(_unlike_error(name, value, example))
    if choices and value not in choices:
        raise UserError(
            tr(
                "{name} is {value!r}; choose one of {choices}",
                name=name,
                value=value,
                choices=", ".join(choices),
            )
        )
    if parameter.within and not RANGES[parameter.within](value):
        within = translated(parameter.within)
        raise UserError(
            tr("{name} is {value}; choose a number {within}", name=name, value=value, within=within)
        )
    return value
