"""Writes resources/recipes.toml from the recipes of the trainer: python packaging/recipes.py."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from termexplorer.trainer.recipes import RECIPES, recipe_class
from termexplorer.trainer.recipes.base import choices, meanings, ranges

TARGET = Path(__file__).parents[1] / "resources" / "recipes.toml"
HEAD = """\
# The hyper-parameters of every recipe: meaning, value for two cores, value in the paper, range.
# Written by packaging/recipes.py.
"""


def table(name: str) -> str:
    """The hyper-parameters of a recipe as TOML."""
    kind = recipe_class(name)
    quick, paper = asdict(kind.quick()), asdict(kind.paper())
    few, within, tables = choices(kind.paper()), ranges(kind.paper()), []
    for each, meaning in meanings(kind.paper()).items():
        values: dict[str, Any] = {"meaning": meaning, "quick": quick[each], "paper": paper[each]}
        if each in few:
            values["choices"] = list(few[each])
        if each in within:
            values["within"] = within[each]
        lines = [f"{key} = {json.dumps(value)}" for key, value in values.items()]
        tables.append("\n".join((f"[{name}.{each}]", *lines)))
    return "\n\n".join(tables)


if __name__ == "__main__":
    TARGET.write_text("\n".join((HEAD, "\n\n".join(map(table, RECIPES)), "")), "utf-8")
