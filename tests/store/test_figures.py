"""Figures come back from a store as they were kept, also those without an interval."""

from math import isnan, nan
from pathlib import Path

import pytest
from toy_workspace import LEXICAL, opened_copy

from termexplorer.store.encoders.runs import FigureInfo, figures, put_figures


@pytest.mark.parametrize("ends", [(0.25, 0.75), (nan, nan)])
def test_a_figure_comes_back(toy: Path, tmp_path: Path, ends: tuple[float, float]) -> None:
    kept = FigureInfo(LEXICAL, "hypernyms", "some data", "median rank", 1.5, *ends, 2)
    with opened_copy(toy, tmp_path) as workspace:
        with workspace.store.writing() as connection:
            put_figures(connection, [kept])
        with workspace.store.reading() as connection:
            (found,) = figures(connection, "some data")
    assert (found.metric, found.value, found.n) == ("median rank", 1.5, 2)
    assert isnan(found.low) == isnan(found.high) == isnan(ends[0])
    if not isnan(ends[0]):
        assert (found.low, found.high) == ends
