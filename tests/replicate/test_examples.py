"""The rankings of a mention before and after training, against a plain loop."""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from termexplorer.replicate.examples import before_and_after
from termexplorer.trainer.text.names import LabelledNames

NAMES, CLASSES = 30, 4


class Drawn:
    """An encoder of random vectors."""

    dimension = 5

    def __init__(self, seed: int) -> None:
        self._vectors = np.random.default_rng(seed).normal(size=(NAMES, self.dimension))

    def encode(self, names: Sequence[str]) -> NDArray[np.float32]:
        """(n, d) float32."""
        return self._vectors[[int(name) for name in names]].astype(np.float32)


@settings(max_examples=30)
@given(
    st.lists(st.sets(st.integers(0, CLASSES - 1), min_size=1), min_size=NAMES, max_size=NAMES),
    st.integers(0, 99),
)
def test_names_that_share_a_class_are_right(classes: list[set[int]], seed: int) -> None:
    pairs = [(name, number) for name, several in enumerate(classes) for number in several]
    index = np.array(pairs, np.int64).T.copy()
    labels = LabelledNames(
        tuple(map(str, range(NAMES))), tuple(f"C{n}" for n in range(CLASSES)), *index
    )
    mentions, names = np.arange(6), np.arange(6, NAMES)
    before, after = Drawn(seed), Drawn(seed + 1)
    result = before_and_after(labels, mentions, names, before, after)
    rights = []
    for encoder in (before, after):
        vectors = encoder.encode(labels.names).astype(np.float64)
        units = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
        ranked = [sorted(names, key=lambda n, m=m: -units[m] @ units[n])[:10] for m in mentions]
        rights.append(
            [[bool(classes[m] & classes[n]) for n in row] for m, row in enumerate(ranked)]
        )
    assert result["precision"] == pytest.approx([np.mean(right) for right in rights])
    gains = np.mean(rights[1], axis=1) - np.mean(rights[0], axis=1)
    example = result["example"]
    best = int(example["mention"])
    assert np.isclose(gains[best], gains.max())
    assert example["class"] == "; ".join(f"C{n}" for n in sorted(classes[best]))
    assert [right for _, right in example["after"]] == rights[1][best]
