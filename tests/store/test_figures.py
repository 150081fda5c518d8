"""Figures come back from a store as they were kept, also those without an interval."""

from math import isnan, nan
from pathlib import Path

import pytest
from toy_workspace import LEXICAL, opened_copy

from termexplorer.store.encoders.runs import FigureInfo, figures, put_figures


@pytest.mark.parametrize("ends", [(0.25, 0.75), (nan, nan)])
def test_a_figure_comes_back(toy: Path, tmp_path: Path, ends: tuple[float, float]) -> None:
    figure = FigureInfo(LEXICAL, "hypernyms", "some data", "median rank", 1.5, *ends, 2)
    with opened_copy(toy, tmp_path) as workspace:
        with workspace.store.writing() as connection:
            put_figures(connection, [figure])
        with workspace.store.reading() as connection:
            (result,) = figures(connection, "some data")
    assert (result.metric, result.value, result.n) == ("median rank", 1.5, 2)
    assert isnan(result.low) == isnan(result.high) == isnan(ends[0])
    if not isnan(ends[0]):
        assert (result.low, result.high) == ends
