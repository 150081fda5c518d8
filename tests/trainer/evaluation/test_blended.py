"""An encoder blended with TF-IDF: its similarities, and what a task makes of them."""

import numpy as np
import pytest

from termexplorer import trainer
from termexplorer.trainer.evaluation.similarities import similarities_by
from termexplorer.trainer.files.pairs import PairSet
from termexplorer.trainer.measures import USUAL

NAMES = ["viral pneumonia", "pneumonia due to virus", "hepatitis a", "acute hepatitis", "gout"]


class _Letters:
    """Counts letters."""

    def encode(self, names: list[str]) -> np.ndarray:
        return np.array(
            [[name.count(letter) for letter in "aeiou"] for name in names], dtype=np.float32
        )


def _cosines(names: list[str]) -> np.ndarray:
    vectors = _Letters().encode(names)
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return unit @ unit.T


@pytest.mark.parametrize("weight", [0.0, 0.5, 3.0])
def test_similarities_are_a_cosine_and_so_much_of_tf_idf(weight: float) -> None:
    everyone = np.arange(len(NAMES))
    by_spelling = np.asarray(similarities_by("tfidf").scores(NAMES)(everyone, everyone))
    blended = trainer.Blended(_Letters(), weight)
    scores = np.asarray(similarities_by(blended).scores(NAMES)(everyone, everyone))
    np.testing.assert_allclose(scores, _cosines(NAMES) + weight * by_spelling, atol=1e-5)


def test_pairs_are_compared_by_both() -> None:
    pairs = PairSet("some", tuple(NAMES[:2]), tuple(NAMES[1:3]), np.array([1.0, 0.0]))
    spelled = similarities_by("tfidf").of_pairs(pairs, USUAL)
    both = trainer.Blended(_Letters(), 2.0).of_pairs(pairs, USUAL)
    cosines = _cosines(NAMES)[[0, 1], [1, 2]]
    np.testing.assert_allclose(both, cosines + 2 * spelled, atol=1e-5)


def test_a_negative_weight_is_refused() -> None:
    with pytest.raises(ValueError, match="-1"):
        trainer.Blended(_Letters(), -1.0).scores(NAMES)
