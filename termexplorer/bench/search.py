"""A keystroke in the search box, over all names and codes of ICD-10-CM."""

import random
import time

from termexplorer.bench.figure import Context, Figure
from termexplorer.bench.prepared import icd10cm_workspace
from termexplorer.bench.times import quantile
from termexplorer.services.explore import search_names
from termexplorer.store.corpus import release_names
from termexplorer.workspace import Workspace

_P95, _WORST = 15.0, 60.0
_MOST_LETTERS = 25


def run(context: Context) -> list[Figure]:
    """Type names letter by letter, in their order and with their words mixed."""
    workspace = icd10cm_workspace(context.folder)
    with workspace.store.reading() as connection:
        texts = release_names(connection, 1).texts
    draw = random.Random(0)  # noqa: S311 - a sample, no secret
    names = draw.sample(texts, 40 if context.quick else 400)
    mixed = [" ".join(draw.sample(words, len(words))) for words in map(str.split, names)]
    search_names(workspace, "warm", 1)
    times = [_seconds(workspace, text[:end]) for text in names + mixed for end in _ends(text)]
    workspace.close()
    p95, worst = quantile(times, 0.95), quantile(times, 1)
    label = f"search box, {len(texts):,} names, {len(times):,} keystrokes"
    return [
        Figure(f"{label}, p95", p95, "ms", "limit", _P95, p95 / _P95, "under 15 ms", p95 < _P95),
        Figure(
            f"{label}, worst", worst, "ms", "limit", _WORST, worst / _WORST, "under 60 ms",
            worst < _WORST,
        ),
    ]  # fmt: skip


def _ends(text: str) -> range:
    return range(1, min(len(text), _MOST_LETTERS) + 1)


def _seconds(workspace: Workspace, query: str) -> float:
    start = time.perf_counter()
    search_names(workspace, query, 1)
    return time.perf_counter() - start
