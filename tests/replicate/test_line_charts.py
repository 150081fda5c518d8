"""Lines with intervals."""

from termexplorer.replicate.charts import Line, Point, line_chart

NAN = float("nan")


def test_points_without_interval_have_their_place() -> None:
    points = (Point(0, 0.9, NAN, NAN), Point(5, 0.3, 0.2, 0.4), Point(10, NAN, NAN, NAN))
    chart = line_chart("title", "names", [Line("encoder", points)], [0, 5, 10])
    assert chart is not None
    assert [entry.name for entry in chart.legend] == ["encoder"]
    svg = chart.svg
    assert svg.count("<circle") == 2
    assert ">encoder, 0: 0.900<" in svg
    assert ">0.90<" in svg or ">1.00<" in svg  # the axis reaches it
    assert "nan" not in svg


def test_lines_without_a_point_make_no_chart() -> None:
    points = (Point(0, NAN, NAN, NAN),)
    assert line_chart("title", "names", [Line("encoder", points)], [0, 5]) is None
