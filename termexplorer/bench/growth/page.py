"""The table of a page of the docs that shows how cost grows, made of a ``growth.json``."""

from collections.abc import Callable
from typing import Any

from termexplorer.bench.growth.run import Growth

BEGIN, END = "<!-- begin: growth.json -->", "<!-- end: growth.json -->"

Stages = dict[str, Any]


def _text(value: float, unit: str) -> str:
    return f"{value:,.0f} {unit}" if value >= 100 else f"{value:.3g} {unit}"


def _show(stage: str, *shown: tuple[str, str]) -> Callable[[Stages], str]:
    """Return what writes some values of a stage, with their units."""

    def write(stages: Stages) -> str:
        measured = stages.get(stage)
        if measured is None:
            return "–"
        return ", ".join(_text(measured[key], unit) for key, unit in shown if key in measured)

    return write


_COST = (("cpu", "s"), ("megabytes", "MB"))
_COLUMNS: dict[str, Callable[[Stages], str]] = {
    "import": _show("import", *_COST),
    "on disk": _show("import", ("disk_megabytes", "MB")),
    "search, p95": _show("search", ("p95_ms", "ms")),
    "tree, worst node": _show("search", ("node_worst_ms", "ms")),
    "vectors and index": _show("vectors", *_COST),
    "nearest, exact": _show("neighbours", ("median_ms", "ms")),
    "nearest, faiss": _show("lists", ("median_ms", "ms"), ("recall", "recall@10")),
    "map 100 codes": _show("map", *_COST),
    "evaluate synonyms": _show("evaluation", *_COST),
    "load": lambda stages: _loads(stages),
}


def render_growth(growth: Growth) -> str:
    """Return the table in Markdown, a row for each size."""
    lines = [
        "| names | " + " | ".join(_COLUMNS) + " |",
        "|---:|" + "---:|" * len(_COLUMNS),
    ]
    for names in sorted(growth, key=int):
        cells = " | ".join(write(growth[names]) for write in _COLUMNS.values())
        lines.append(f"| {int(names):,} | {cells} |")
    return "\n".join(lines)


def fill_page(text: str, growth: Growth) -> str:
    """Return the text of a page with the table between its two markers."""
    before, _, rest = text.partition(BEGIN)
    after = rest.partition(END)[2]
    return f"{before}{BEGIN}\n\n{render_growth(growth)}\n\n{END}{after}"


def _loads(stages: Stages) -> str:
    loads = [load for measured in stages.values() for load in measured["load"]]
    return f"{min(loads):.0f}–{max(loads):.0f}"
