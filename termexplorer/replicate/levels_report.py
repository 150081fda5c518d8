"""[HLS]: Tables 3 to 7 of our own."""

from collections.abc import Iterator
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from termexplorer.replicate.charts import Line, Point, line_chart
from termexplorer.replicate.levels import EXAMPLE, LEVELS, TASKS, UNTRAINED
from termexplorer.replicate.pair_figures import mean_spearman
from termexplorer.replicate.paper import paper_figures, papers_section
from termexplorer.replicate.report import (
    Report,
    Shown,
    Value,
    figures,
    paragraph,
    section,
    signed,
    table,
    two_rankings,
)
from termexplorer.replicate.request import hierarchies
from termexplorer.replicate.results import Record
from termexplorer.replicate.runs import Bench, numbers
from termexplorer.replicate.setting import setting_section

_TITLES = {"ranking": "Semantic similarity ranking, mAP", "hypernyms": "Hypernym detection, MRR"}
_ENCODERS = (*LEVELS, UNTRAINED)
_CELLS = (
    "by level evaluated, with 95 % intervals over the test mentions of all splits; × is the gain "
    "over the untrained mean. * better, † worse than it: p < .05 by paired bootstrap over "
    "mentions, with Holm's correction over this table"
)
_PAIRS = (
    "Spearman with 95 % intervals over pairs. * better, † worse than the untrained mean: p < .05 "
    "by paired bootstrap over pairs, with Holm's correction over this table"
)

# trained, evaluated: value, p, mentions
Cells: TypeAlias = dict[tuple[int, int], tuple[Value, float, int]]


def report(bench: Bench) -> Report:
    """The tables of all splits that are there."""
    paper = paper_figures("HLS")
    sections, rows = [setting_section(bench, paper["title"])], []
    for each in hierarchies(bench.request):
        shown = list(_hierarchy(bench, each.label))
        sections.append(section(each.label, *(html for html, _ in shown)))
        rows += [{"root": each.label, **row} for _, found in shown for row in found]
    sections.append(papers_section(paper))
    title = f"[HLS] on {', '.join(each.label for each in bench.request.releases)}"
    header = list(rows[0])
    listed = [[row[name] for name in header] for row in rows]
    return Report(title, tuple(sections), {"figures.csv": (header, listed)}, rows)


def _hierarchy(bench: Bench, label: str) -> Iterator[tuple[str, list[Record]]]:
    """Pieces of HTML, each with the figures that it shows."""
    records = {
        level: [bench.results[label, seed, level] for seed in range(bench.request.seeds)]
        for level in (UNTRAINED, *LEVELS)
    }
    yield _sizes(records[UNTRAINED][0]["sizes"]), []
    charts = []
    for task in TASKS:
        cells = _cells(records, task)
        yield _levels_table(cells, task), _rows(cells, task)
        charts.append((_TITLES[task], _chart(cells, task)))
    yield figures(charts), []
    if bench.benchmarks:
        yield _pairs(bench, records)
    yield _example(records[EXAMPLE[0]][0]), []


def _sizes(sizes: dict[str, list[int]]) -> str:
    train, test, validation = sizes["parts"]
    classes = " / ".join(f"{count:,}" for count in sizes["classes"])
    return paragraph(
        f"Classes on levels 1 to 4: {classes}. Names below level 4, in the first split: "
        f"{train:,} train, {test:,} test, {validation:,} validation."
    )


def _cells(records: dict[int, list[Record]], task: str) -> Cells:
    from trainer.evaluation.bootstrap import mean_figure
    from trainer.evaluation.comparison import compare

    found: Cells = {}
    for evaluated in LEVELS:
        base = _items(records[UNTRAINED], task, evaluated)
        for trained in _ENCODERS:
            items = _items(records[trained], task, evaluated)
            figure = mean_figure(TASKS[task], items, 0, primary=True)
            p = compare(items, base).p if trained else float("nan")
            found[trained, evaluated] = Value(figure.value, figure.low, figure.high), p, figure.n
    return found


def _items(records: list[Record], task: str, level: int) -> NDArray[np.float64]:
    return np.concatenate([numbers(each[task][str(level)]) for each in records])


def _levels_table(cells: Cells, task: str) -> str:
    signs = signed({at: (v.value - _base(cells, at), p) for at, (v, p, _) in cells.items()})
    rows: list[list[Shown]] = []
    for trained in _ENCODERS:
        row: list[Shown] = [_name(trained)]
        for evaluated in LEVELS:
            value, at = cells[trained, evaluated][0], (trained, evaluated)
            times = f" ×{value.value / _base(cells, at):.2f}" if trained else ""
            row.append(Value(value.value, value.low, value.high, signs[at] + times))
        rows.append(row)
    header = ["trained on", *(f"level {level}" for level in LEVELS)]
    return table(header, rows, f"{_TITLES[task]}, {_CELLS}")


def _base(cells: Cells, at: tuple[int, int]) -> float:
    return cells[UNTRAINED, at[1]][0].value


def _name(trained: int) -> str:
    return f"level {trained}" if trained else "untrained mean"


def _chart(cells: Cells, task: str) -> str:
    lines = [
        Line(
            _name(trained),
            tuple(
                Point(level, each.value, each.low, each.high)
                for level in LEVELS
                for each in [cells[trained, level][0]]
            ),
        )
        for trained in reversed(_ENCODERS)
    ]
    return line_chart(_TITLES[task], "level evaluated", lines, LEVELS)


def _rows(cells: Cells, task: str) -> list[Record]:
    return [
        _row(_name(trained), task, f"level {evaluated}", TASKS[task], value, p, n)
        for (trained, evaluated), (value, p, n) in cells.items()
    ]


def _row(encoder: str, task: str, data: str, metric: str, value: Value, p: float, n: int) -> Record:
    return {
        "encoder": encoder,
        "task": task,
        "data": data,
        "metric": metric,
        "value": _finite(value.value),
        "low": _finite(value.low),
        "high": _finite(value.high),
        "p": _finite(p),
        "n": n,
    }


def _finite(value: float) -> float | None:
    return value if value == value else None


def _pairs(bench: Bench, records: dict[int, list[Record]]) -> tuple[str, list[Record]]:
    """Table 7: relatedness."""
    cells: dict[tuple[int, str], tuple[Value, float, float, int]] = {}
    for pairs in bench.benchmarks:
        base = numbers(records[UNTRAINED][0]["similarities"][pairs.name])
        for trained in _ENCODERS:
            samples = [numbers(each["similarities"][pairs.name]) for each in records[trained]]
            mean = mean_spearman(pairs, samples, None, bench.tick)
            gain = mean_spearman(pairs, samples, base, bench.tick) if trained else None
            value = Value(mean.value, mean.low, mean.high, "", mean.spread if trained else np.nan)
            more = (gain.value, gain.p) if gain else (0.0, np.nan)
            cells[trained, pairs.name] = value, *more, mean.pairs
    signs = signed({at: (gain, p) for at, (_, gain, p, _) in cells.items()})
    names = [pairs.name for pairs in bench.benchmarks]
    rows: list[list[Shown]] = []
    for trained in _ENCODERS:
        values = [(cells[trained, name][0], signs[trained, name]) for name in names]
        shown = [Value(v.value, v.low, v.high, sign, v.spread) for v, sign in values]
        rows.append([_name(trained), *shown])
    html = table(["trained on", *names], rows, _PAIRS)
    listed = [
        _row(_name(trained), "relatedness", name, "spearman", value, p, n)
        for (trained, name), (value, _, p, n) in cells.items()
    ]
    return html, listed


def _example(record: Record) -> str:
    """Table 6: hypernyms of a mention, before and after."""
    example = record["example"]
    return paragraph(
        f"Hypernyms on level {EXAMPLE[1]}, of the encoder trained on level {EXAMPLE[0]}: the test "
        f"mention of the first split that gained most, the best case by choice, as in the paper. "
        f"Mention: “{example['mention']}”, right (✓): {'; '.join(example['right'])}; "
        f"{example['candidates']:,} names are ranked."
    ) + two_rankings(("before", "after"), example["before"], example["after"])
