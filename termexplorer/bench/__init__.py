"""Speed and memory, each beside a limit or peer measured in the same run; one file a figure."""

import os
from collections.abc import Callable
from importlib import import_module
from typing import cast

from termexplorer.bench.figure import BenchContext, BenchFigure

NAMES = (
    "start",
    "package",
    "importing",
    "import_rf2",
    "import_rrf",
    "search",
    "levels",
    "deep_levels",
    "built_in",
    "name_vectors",
    "transformer_names",
    "neighbours",
    "ranking",
    "compare",
    "whole_ranking",
    "measures",
    "few_shot",
    "devices",
    "few_shot_paper",
    "dan",
    "dan_paper",
    "dan_cuda",
    "projection",
    "map_plot",
    "negatives",
    "bne_words",
    "nearest_terms",
    "durability",
    "checking",
    "gate",
    "growth",
    "judge_page",
    "judging",
    "long_log",
    "stall",
    "team",
    "work",
)
_HOMES = {  # of those in a folder
    "devices": "work.devices",
    "gate": "releases.gate",
    "growth": "growth.run",
    "judge_page": "judge_page.run",
    "team": "team.run",
    "work": "work.run",
}


def bench(name: str) -> Callable[[BenchContext], list[BenchFigure]]:
    """The function that measures one of `NAMES`; its libraries are imported only now."""
    # As in the children where all of this runs: threads that wait in a loop for each other take
    # the cores from those that work, and a busy machine is measured instead of the program.
    os.environ["OMP_WAIT_POLICY"] = "PASSIVE"
    module = import_module(f"termexplorer.bench.{_HOMES.get(name, name)}")
    return cast(Callable[[BenchContext], list[BenchFigure]], module.run)
