"""The table of a page of the docs that shows how cost grows, made of a ``growth.json``."""

from collections.abc import Callable
from typing import Any

from termexplorer.bench.growth.run import Growth

BEGIN, END = "<!-- begin: growth.json -->", "<!-- end: growth.json -->"

Stages = dict[str, Any]


def _format_value(value: float, unit: str) -> str:
    return f"{value:,.0f} {unit}" if value >= 100 else f"{value:.3g} {unit}"


def _show_stage(stage: str, *shown: tuple[str, str]) -> Callable[[Stages], str]:
    """Return what writes some values of a stage, with their units."""

    def write(stages: Stages) -> str:
        measured = stages.get(stage)
        if measured is None:
            return "–"
        texts = (_format_value(measured[key], unit) for key, unit in shown if key in measured)
        return ", ".join(texts) or "–"

    return write


_COSTS = (("cpu", "s"), ("megabytes", "MB"))
_COLUMNS: dict[str, Callable[[Stages], str]] = {
    "import": _show_stage("import", *_COSTS),
    "on disk": _show_stage("import", ("disk_megabytes", "MB")),
    "search, p95": _show_stage("search", ("p95_ms", "ms")),
    "of the processor": _show_stage("search", ("p95_cpu_ms", "ms")),
    "tree, worst node": _show_stage("search", ("node_worst_ms", "ms")),
    "vectors and index": _show_stage("vectors", *_COSTS),
    "nearest, exact": _show_stage("neighbours", ("median_ms", "ms"), ("cpu_ms", "ms of CPU")),
    "nearest, faiss": _show_stage(
        "lists", ("median_ms", "ms"), ("cpu_ms", "ms of CPU"), ("recall", "recall@10")
    ),
    "map 100 codes": _show_stage("map", *_COSTS),
    "evaluate synonyms": _show_stage("evaluation", *_COSTS),
    "load": lambda stages: _format_loads(stages),
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


def _format_loads(stages: Stages) -> str:
    loads = [load for measured in stages.values() for load in measured["load"]]
    return f"{min(loads):.0f}–{max(loads):.0f}"
