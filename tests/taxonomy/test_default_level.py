"""The level to begin with, by the shapes of the levels."""

import numpy as np
import pytest

from termexplorer.taxonomy import Lens, Rules, Taxonomy
from termexplorer.taxonomy.default_level import LevelShape, choose_default_level


def _choose(*shapes: tuple[int, float, float]) -> int | None:
    """The level among some that have so many classes, largest share and coverage."""
    chosen = choose_default_level(
        LevelShape(level, *shape) for level, shape in enumerate(shapes, start=1)
    )
    return chosen.level if chosen else None


@pytest.mark.parametrize(
    ("shapes", "level"),
    [
        ([(4, 0.99, 1.0), (36, 0.22, 0.99), (139, 0.12, 0.97)], 2),  # HPO
        ([(12, 0.3, 1.0), (40, 0.1, 1.0)], 1),  # the first of several
        ([(12, 0.5, 1.0)], 1),  # half is not more than half
        ([(12, 0.51, 1.0), (40, 0.1, 1.0)], 2),
        ([(4, 0.99, 1.0), (7, 0.8, 1.0), (115, 0.3, 0.97), (36, 0.3, 0.05)], 3),  # no corner
        ([(12, 0.87, 1.0), (65, 0.84, 1.0), (227, 0.6, 0.97), (448, 0.36, 0.9)], 4),
        ([(1690, 0.04, 1.0), (4529, 0.01, 0.9)], 1),  # all have too many: the nearest
        ([(4, 0.3, 1.0), (9, 0.2, 1.0), (900, 0.1, 1.0)], 2),
        ([(1, 1.0, 1.0), (2, 0.9, 1.0)], 2),
        ([(1, 1.0, 1.0)], 1),
        ([], None),
    ],
)
def test_first_level_that_suits_or_the_nearest_is_chosen(
    shapes: list[tuple[int, float, float]], level: int | None
) -> None:
    assert _choose(*shapes) == level


def test_no_more_levels_are_counted_than_needed() -> None:
    def count():  # type: ignore[no-untyped-def]
        yield LevelShape(1, 20, 0.2)
        raise AssertionError("counted in vain")

    chosen = choose_default_level(count())
    assert chosen is not None
    assert chosen.level == 1


def test_shape_is_told_by_names_that_are_counted() -> None:
    # 0 above 1 and 2; 3 and 4 below 1, 5 below 2; 6 stands on level 1 with nothing below it
    children, parents = np.array([1, 2, 3, 4, 5, 6]), np.array([0, 0, 1, 1, 2, 0])
    taxonomy = Taxonomy.build(7, children, parents, None, Rules(dead_ends=False))
    names = np.array([0, 1, 2, 3, 3, 4, 5, 6])
    lens = Lens(taxonomy, names)
    from termexplorer.taxonomy import Examples

    shape = LevelShape.of(lens.summary(1, Examples.ALL_DESCENDANTS))
    assert (shape.level, shape.classes) == (1, 2)
    assert shape.share == pytest.approx(3 / 4)
    assert shape.coverage == pytest.approx(4 / 8)
    assert shape.one_sided
