"""How cost grows: the bench goes on where it was, and the page shows what was measured."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from termexplorer.bench.figure import BenchContext
from termexplorer.bench.growth import run, stages
from termexplorer.bench.growth.page import BEGIN, END, fill_page, render_growth

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "resources" / "docs" / "large-terminologies.md"
KEPT = ROOT / "resources" / "studies" / "growth" / run.GROWTH_FILE


def test_the_page_shows_what_was_measured() -> None:
    text = PAGE.read_text("utf-8")
    assert (text.count(BEGIN), text.count(END)) == (1, 1)
    assert fill_page(text, run.read_growth(KEPT)) == text


def test_what_the_page_says_besides_is_in_its_table() -> None:
    text = PAGE.read_text("utf-8")
    table = render_growth(run.read_growth(KEPT))
    section = text[text.index("## What was measured") : text.index(BEGIN)]
    claims = re.findall(r"\*\*([\d.,]+ (?:s|ms|MB|ms of CPU|recall@10))\*\*", section)
    assert len(claims) >= 5
    for claim in claims:
        assert claim in table, claim


def test_a_stopped_bench_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    called: list[tuple[str, int]] = []

    def measure(stage: str) -> Any:
        def run_stage(folder: Path, names: int) -> dict[str, float]:
            called.append((stage, names))
            if called == [("import", 10_000), ("map", 10_000)]:
                raise KeyboardInterrupt
            return {"cpu": 1.5, "megabytes": 20.0}

        return run_stage

    few = {"import": (10**7, measure("import")), "map": (10**4, measure("map"))}
    monkeypatch.setattr(run, "STAGES", few)
    monkeypatch.setattr(stages, "STAGES", few)
    with pytest.raises(KeyboardInterrupt):
        run.measure_growth(tmp_path, (10_000, 100_000))
    growth = run.measure_growth(tmp_path, (10_000, 100_000))
    assert called[2:] == [("map", 10_000), ("import", 100_000)], "100,000 are too many for the map"
    assert json.loads((tmp_path / run.GROWTH_FILE).read_text("utf-8")) == growth
    assert not list(tmp_path.glob("growth-*"))
    figures = run.run(BenchContext(quick=True, data=None, folder=tmp_path))
    assert [figure.value for figure in figures].count(1.5) == 3
    assert figures[-1].details == {"growth": growth}
