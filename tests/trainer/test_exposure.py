from __future__ import annotations

import numpy as np

from trainer.evaluation.exposure import Exposure, exposure


def test_names_that_were_trained_on_are_counted_by_their_tokens() -> None:
    names = ("Viral pneumonia", "heart-attack", "fever", "lung")
    trained = ["viral  PNEUMONIA", "heart - attack", "pain"]
    found = exposure(names, np.array([0, 2]), np.array([0, 1, 3]), trained)
    assert found == Exposure(2, 1, 3, 2)
    assert exposure(names, np.arange(0), np.arange(4), []) == Exposure(0, 0, 4, 0)
