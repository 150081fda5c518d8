"""Similarity measures of two names over their word vectors ([MTS] 4.2); one file a family."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, cast

from termexplorer.trainer.errors import TrainerError

if TYPE_CHECKING:
    from termexplorer.trainer.measures.base import Measure

_FAMILIES = {
    "avg_cosine": "linear",
    "avg_pearson": "linear",
    "avg_spearman": "linear",
    "avg_kendall": "kendall",
    "pair_cosine": "linear",
    "pair_pearson": "linear",
    "pair_spearman": "linear",
    "pair_kendall": "kendall",
    "max_jaccard": "jaccard",
    "fuzzy_jaccard": "jaccard",
}
NAMES = tuple(_FAMILIES)
USUAL = "avg_cosine"  # that of the whole terms, where an encoder makes vectors of these


def measure(name: str) -> Measure:
    """Return one of `NAMES`; its libraries are imported only now.

    Raises:
        ValueError: for a name that is not one of them.
    """
    if name not in _FAMILIES:
        raise TrainerError(
            "there is no measure {name!r}; choose one of {names}", name=name, names=", ".join(NAMES)
        )
    return cast(
        "Measure", getattr(import_module(f"termexplorer.trainer.measures.{_FAMILIES[name]}"), name)
    )
