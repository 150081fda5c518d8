"""A keystroke in the search box, over all names and codes of ICD-10-CM; and a slip."""

import gc
import random
import time
from collections.abc import Sequence

from termexplorer.bench.figure import BenchContext, BenchFigure
from termexplorer.bench.releases.prepared import icd10cm_workspace
from termexplorer.bench.times import quantile
from termexplorer.services.explore.browsing import search_names
from termexplorer.store.releases.corpus import release_names
from termexplorer.workspace import Workspace

_P95, _WORST, _NEAR = 15.0, 60.0, 300.0
_SHORTEST = 6  # letters of a word into which a slip is put
_MOST_LETTERS = 25


def run(context: BenchContext) -> list[BenchFigure]:
    """Type names letter by letter, in their order and with their words mixed."""
    workspace = icd10cm_workspace(context.folder)
    with workspace.store.reading() as connection:
        texts = release_names(connection, 1).texts
    times = keystrokes(workspace, 1, texts, 40 if context.quick else 400)
    slips = slip_times(workspace, 1, texts, 40 if context.quick else 400)
    workspace.close()
    p95, worst = quantile(times, 0.95), quantile(times, 1)
    near, slipped = quantile(slips, 0.95), f"search box, {len(slips):,} names with a slip, p95"
    label = f"search box, {len(texts):,} names, {len(times):,} keystrokes"
    return [
        BenchFigure(
            f"{label}, p95", p95, "ms", "limit", _P95, p95 / _P95, "under 15 ms", p95 < _P95
        ),
        BenchFigure(
            f"{label}, worst", worst, "ms", "limit", _WORST, worst / _WORST, "under 60 ms",
            worst < _WORST,
        ),
        BenchFigure(
            slipped, near, "ms", "limit", _NEAR, near / _NEAR, "under 300 ms", near < _NEAR
        ),
    ]  # fmt: skip


def keystrokes(
    workspace: Workspace, ontology_id: int, texts: Sequence[str], count: int
) -> list[float]:
    """Seconds that each letter takes, of some names and of these with their words mixed."""
    draw = random.Random(0)  # noqa: S311 - a sample, no secret
    names = draw.sample(texts, count)
    mixed = [" ".join(draw.sample(words, len(words))) for words in map(str.split, names)]
    search_names(workspace, "warm", ontology_id)
    gc.freeze()  # as the window does with what is imported
    return [
        _time_search(workspace, ontology_id, text[:end])
        for text in names + mixed
        for end in _prefix_lengths(text)
    ]


def slip_times(
    workspace: Workspace, ontology_id: int, texts: Sequence[str], count: int
) -> list[float]:
    """Seconds that names take in whose longest word two letters changed places."""
    draw = random.Random(1)  # noqa: S311 - a sample, no secret
    long = [text for text in texts if len(_longest_word(text)) >= _SHORTEST]
    slips = (_with_slip(text, draw) for text in draw.sample(long, count))
    return [_time_search(workspace, ontology_id, text) for text in slips]


def _longest_word(text: str) -> str:
    return max(text.split(), key=len)


def _with_slip(text: str, draw: random.Random) -> str:
    word = _longest_word(text)
    at = draw.randrange(1, len(word) - 2)
    slip = word[:at] + word[at + 1] + word[at] + word[at + 2 :]
    return text.replace(word, slip, 1)


def _prefix_lengths(text: str) -> range:
    return range(1, min(len(text), _MOST_LETTERS) + 1)


def _time_search(workspace: Workspace, ontology_id: int, query: str) -> float:
    start = time.perf_counter()
    search_names(workspace, query, ontology_id)
    return time.perf_counter() - start
