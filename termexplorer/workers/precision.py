"""The number format of a run's matrix products: measured once on a machine, then kept.

A format that is measured anew could differ from run to run, and so could their figures.
"""

import json
import platform
from dataclasses import replace
from pathlib import Path
from typing import Any

_FILE = "precision.json"


def settled(recipe: Any, dimension: int, device: str, workspace: Path) -> Any:
    """The recipe with `auto` replaced by what pays for its shapes on this machine."""
    from trainer.training import settled_precision

    if recipe.precision != "auto":
        return recipe
    file = workspace / _FILE
    try:
        known: dict[str, str] = json.loads(file.read_text("utf-8"))
    except (OSError, ValueError):
        known = {}
    key = f"{platform.node()} {device} {recipe.name} {recipe.hidden} x {dimension}"
    if known.get(key) not in ("float32", "bfloat16"):
        known[key] = settled_precision(recipe, dimension, device)
        file.write_text(json.dumps(known, indent=1), "utf-8")
    return replace(recipe, precision=known[key])
