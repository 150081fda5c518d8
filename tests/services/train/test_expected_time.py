"""How long a run takes is told before it starts: by runs that ended here, else by a probe."""

from dataclasses import replace

from termexplorer.services.explore.ontologies import Ontology
from termexplorer.services.recipes.presets import RECIPES, hyperparameters
from termexplorer.services.train.expected_time import (
    _SECONDS,
    expect_recipes,
    expect_seconds,
    expected_text,
    measure_rate,
    suited_recipe,
)
from termexplorer.store.encoders.runs import RunInfo

NAMES = {1: 4_000, 2: 16_000}
RUN = RunInfo(
    1, "dan", "dan", "quick", "finished", 1, 5, 6, 1, {}, {"seconds": 100.0}, "", "", "", ""
)  # fmt: skip
RATE = 300e9


def seconds(
    runs: list[RunInfo], names: int = 4_000, recipe: str = "dan", rate: float = RATE
) -> float:
    expected = expect_seconds(recipe, "quick", names, runs, NAMES, rate)
    assert expected is not None
    return expected


def test_a_run_that_ended_here_is_the_measure() -> None:
    assert seconds([RUN]) == 100
    assert 100 < seconds([RUN], 16_000) < 400  # some of the time is of any run
    for other in (
        replace(RUN, recipe="few-shot"),
        replace(RUN, preset="paper"),
        replace(RUN, status="stopped"),
        replace(RUN, request={"hyperparameters": {"hidden": 16}}),
        replace(RUN, card={}),
        replace(RUN, release_id=9),
    ):
        assert seconds([other]) == seconds([]) != 100
        assert seconds([other, RUN]) == 100


def test_without_one_a_slower_machine_takes_longer() -> None:
    assert seconds([], rate=RATE / 4) == 4 * seconds([])
    assert seconds([], 16_000) > seconds([])
    assert expect_seconds("bne", "quick", 4_000, [], NAMES, RATE) is None
    assert expect_seconds("dan", "paper", 4_000, [], NAMES, RATE) is None
    assert measure_rate() > 0


def test_no_recipe_tells_a_time_that_another_line_contradicts() -> None:
    timed = {name for name in _SECONDS if "minute" in RECIPES[name].when}
    timed |= {name for name in _SECONDS if "econds on" in RECIPES[name].when}
    assert not timed


def test_few_shot_is_sized_for_its_few_names() -> None:
    assert hyperparameters("few-shot", "quick", {})["hidden"] <= 2_400


def test_it_is_told_in_minutes() -> None:
    assert expected_text(None) == ""
    assert expected_text(10) == "less than a minute"
    assert expected_text(70) == "about 1 minute"
    assert expected_text(200) == "about 3 minutes"


def test_contrast_is_chosen_where_there_are_synonyms() -> None:
    ontology = Ontology(1, "hp", "hp", "", "", "", "", "", "", 10_000, 18_000, 14_000, 0, 0)
    assert suited_recipe(ontology) == "contrastive"
    few = replace(ontology, names=10_100)
    assert suited_recipe(few) == "few-shot"
    assert suited_recipe(replace(few, is_a=0)) == "contrastive"  # there are no levels
    assert expect_recipes(ontology, [], [ontology]).keys() == RECIPES.keys()
