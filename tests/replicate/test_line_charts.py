"""Lines with intervals."""

from termexplorer.replicate.charts import Line, Point, line_chart

NAN = float("nan")


def test_points_without_interval_have_their_place() -> None:
    points = (Point(0, 0.9, NAN, NAN), Point(5, 0.3, 0.2, 0.4), Point(10, NAN, NAN, NAN))
    svg = line_chart("title", "names", [Line("encoder", points)], [0, 5, 10])
    assert svg.count("<circle") == 2 + 1  # and that of the legend
    assert ">encoder, 0: 0.900<" in svg
    assert ">0.90<" in svg or ">1.00<" in svg  # the axis reaches it
    assert "nan" not in svg
