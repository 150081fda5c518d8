"""How long a run is going to take here, told before it starts."""

import os
import time
from collections.abc import Iterable, Mapping, Sequence
from functools import cache

import numpy as np

from termexplorer.services.explore.ontologies import Ontology
from termexplorer.services.recipes.presets import RECIPES
from termexplorer.store.encoders.runs import RunInfo
from termexplorer.texts import tr, trn

_PAPER_RATE = 300e9  # FLOP/s of the machine on which the seconds below were measured
_SIDE, _PRODUCTS = 96, 64  # of the probe, small enough that no product is shared among cores
_PROBED = 0.05  # seconds of a core
_FEW_SYNONYMS, _SHARE = 1_000, 0.1  # names besides the first one of each concept
_SECONDS = {  # at the quick preset over the built-in encoder: of any run, and of each name
    "few-shot": (12.0, 0.0002),
    "dan": (12.0, 0.006),
    "contrastive": (4.0, 0.0015),
    "contrastive-spelled": (5.0, 0.004),
    "sif": (3.0, 0.0002),
    "whitening": (3.0, 0.0002),
    "cca": (3.0, 0.0004),
}


@cache
def measure_rate() -> float:
    """Return how fast all cores of this machine multiply matrices, FLOP/s, by a short probe.

    It is the time that one core works, not the time that goes by: other programs that run meanwhile
    had half a minute told as half an hour.
    """
    squares = np.ones((_PRODUCTS, _SIDE, _SIDE), np.float32)
    np.matmul(squares, squares)
    rounds, seconds, start = 0, 0.0, time.thread_time()
    while seconds < _PROBED:
        np.matmul(squares, squares)
        rounds, seconds = rounds + 1, time.thread_time() - start
    return rounds * 2 * _PRODUCTS * _SIDE**3 / seconds * (os.cpu_count() or 1)


def expect_seconds(
    recipe: str,
    preset: str,
    names: int,
    runs: Iterable[RunInfo],
    names_of: Mapping[int, int],
    rate: float,
) -> float | None:
    """Return how long a run is likely to take; None where nothing is known of such runs.

    A run of the same recipe and preset, with hyper-parameters as usual, that ended here is the best
    measure; without one it is what the quick preset took elsewhere, by the rate of this machine.

    Args:
        recipe: its name.
        preset: quick or paper.
        names: of the ontology that is learned from.
        runs: those of the workspace, the newest first.
        names_of: the names of each ontology, by its id.
        rate: FLOP/s, as `measure_rate` gives it.
    """
    fixed, of_name = _SECONDS.get(recipe, (0.0, 1.0))
    for run in runs:
        seconds = run.card.get("seconds")
        alike = (run.recipe, run.preset) == (recipe, preset) and run.status == "finished"
        if alike and seconds and names_of.get(run.release_id) and _is_as_usual(run):
            before = fixed + of_name * names_of[run.release_id]
            return float(seconds) * (fixed + of_name * names) / before
    if preset != "quick" or recipe not in _SECONDS:
        return None
    return (fixed + of_name * names) * _PAPER_RATE / rate


def expect_recipes(
    ontology: Ontology, runs: Sequence[RunInfo], ontologies: Iterable[Ontology]
) -> dict[str, float | None]:
    """Return the same of each recipe's quick preset on an ontology, on this machine."""
    names_of = {other.id: other.names for other in ontologies}
    rate = measure_rate()
    return {
        recipe: expect_seconds(recipe, "quick", ontology.names, runs, names_of, rate)
        for recipe in RECIPES
    }


def suited_recipe(ontology: Ontology) -> str:
    """Return the recipe to begin with: contrast where there are synonyms, else few-shot."""
    synonyms = ontology.names - ontology.concepts
    has_many = synonyms >= max(_FEW_SYNONYMS, _SHARE * ontology.concepts)
    return "contrastive" if has_many or not ontology.is_a else "few-shot"


def expected_text(seconds: float | None) -> str:
    """Return in words how long a run is likely to take; empty where nothing is known."""
    if seconds is None:
        return ""
    if seconds < 50:
        return tr("less than a minute")
    return trn("about {n:,} minute", "about {n:,} minutes", max(round(seconds / 60), 1))


def _is_as_usual(run: RunInfo) -> bool:
    return not run.request.get("hyperparameters") and not run.request.get("also")
