"""Points as pixels: the same as drawn one by one."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from termexplorer.views.map.raster import Layer, diameter, draw
from termexplorer.views.map.view import Float32s, MapView

GROUND, COLOURS = 0xFFFFFFFF, (0xFF0072B2, 0xFFD55E00, 0xFF9A9A9A)
PLACES = st.lists(
    st.tuples(st.floats(-30, 70, width=32), st.floats(-30, 70, width=32)), min_size=1, max_size=30
)


def layers_of(points: int) -> list[Layer]:
    ends = [points // 3, points // 2, points]
    return [
        Layer(colour, start, end)
        for colour, start, end in zip(COLOURS, [0, *ends], ends, strict=False)
    ]


def one_by_one(
    positions: Float32s, layers: list[Layer], view: MapView, wide: int
) -> list[list[int]]:
    picture = [[GROUND] * view.width for _ in range(view.height)]
    left, top = view.pixels(positions)
    middle = (wide - 1) / 2 - wide // 2
    for layer in layers:
        for point in range(layer.start, layer.stop):
            x, y = int(np.floor(left[point])), int(np.floor(top[point]))
            for row in range(view.height):
                for column in range(view.width):
                    down, right = row - y - middle, column - x - middle
                    if down**2 + right**2 <= (wide / 2) ** 2 + 0.25:
                        picture[row][column] = layer.colour
    return picture


@given(PLACES, st.integers(20, 40), st.integers(20, 40), st.floats(0.2, 3), st.integers(1, 9))
def test_a_picture_is_that_of_each_point_in_turn(
    places: list[tuple[float, float]], width: int, height: int, scale: float, wide: int
) -> None:
    positions = np.array(places, np.float32)
    view = MapView(20.0, 20.0, scale, width, height)
    layers = layers_of(len(positions))
    drawn = draw(*view.pixels(positions), layers, view, GROUND, wide)
    expected = one_by_one(positions, layers, view, wide)
    inner = (slice(wide, -wide), slice(wide, -wide))  # where no point out of view reaches
    np.testing.assert_array_equal(drawn[inner], np.array(expected, np.uint32)[inner])
    assert drawn.shape == (height, width)


def test_many_points_are_single_pixels_and_few_are_discs() -> None:
    assert [diameter(count) for count in (1, 20_000, 300_000, 1_000_000)] == [9, 4, 1, 1]
    assert diameter(20_000, 2.0) == 7


@given(
    st.floats(-100, 100), st.floats(-100, 100), st.floats(0.1, 100),
    st.floats(0, 400), st.floats(0, 300), st.floats(0.5, 2),
)  # fmt: skip
def test_zooming_leaves_the_place_under_the_mouse(
    x: float, y: float, scale: float, left: float, top: float, factor: float
) -> None:
    view = MapView(x, y, scale, 400, 300)
    position = view.place(left, top)
    np.testing.assert_allclose(view.zoomed(factor, left, top).place(left, top), position, atol=1e-6)
    moved = view.moved(30, -20)
    np.testing.assert_allclose(moved.place(left + 30, top - 20), position, atol=1e-6)


@given(PLACES)
def test_all_points_are_in_view(places: list[tuple[float, float]]) -> None:
    positions = np.array(places, np.float32)
    view = MapView(width=320, height=200).around(positions)
    left, top = view.pixels(positions)
    assert (left >= 0).all()
    assert (left <= 320).all()
    assert (top >= 0).all()
    assert (top <= 200).all()
