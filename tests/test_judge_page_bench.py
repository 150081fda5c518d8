"""The fault loop of a study's page, small: no answer is lost or doubled by a killed browser."""

from pathlib import Path

import pytest

from termexplorer.bench.figure import BenchContext
from termexplorer.bench.judge_page.browser import find_chromium
from termexplorer.bench.judge_page.run import run


@pytest.mark.skipif(
    find_chromium() is None, reason="there is no chromium: apt-get install chromium"
)
def test_answers_outlive_a_browser_that_is_killed(tmp_path: Path) -> None:
    losses, median, late = run(BenchContext(True, None, tmp_path))
    assert losses.ok
    counts = losses.details["judge_page"]
    assert isinstance(counts, dict)
    assert counts["acknowledged"] > counts["rounds"] > 0
    assert median.value is not None
    assert late.value is not None
    assert 0 < median.value <= late.value
