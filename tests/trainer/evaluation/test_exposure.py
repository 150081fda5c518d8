"""How many of a task's names an encoder was trained on."""

import pytest

from termexplorer.trainer.evaluation.exposure import Exposure


def test_names_of_the_same_tokens_are_the_same() -> None:
    exposure = Exposure(["heart failure", "liver"])
    assert exposure.share(["Heart  Failure", "skin", "liver", "lung"]) == pytest.approx(0.5)
    assert exposure.share(["heart"]) == 0
    names = ["Viral pneumonia", "heart-attack", "fever", "lung"]
    trained = ["viral  PNEUMONIA", "heart - attack", "pain"]
    assert Exposure(trained).share([names[0], names[2]]) == pytest.approx(1 / 2)
    assert Exposure(trained).share([names[0], names[1], names[3]]) == pytest.approx(2 / 3)
    assert Exposure([]).share(names) == 0
    assert exposure.share([]) == 0
    assert Exposure([]).share(["heart"]) == 0
