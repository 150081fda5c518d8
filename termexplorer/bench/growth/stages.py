"""The stages that are measured at each size: each needs those before it."""

import csv
import os
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from termexplorer.bench.growth.session_cost import measure_command
from termexplorer.bench.releases.import_run import cost_of_import
from termexplorer.bench.releases.rrf_release import RrfSize, write_release
from termexplorer.bench.search import keystrokes
from termexplorer.bench.times import quantile
from termexplorer.bench.tree_walk import walk
from termexplorer.services.compare.rankings import RankingScope, TermsRequest
from termexplorer.services.encoders.built_in import ensure_built_in
from termexplorer.store.releases.corpus import sample_names
from termexplorer.workspace import Workspace

NAMES_EACH = 32 / 9  # 16 million names of 4.5 million concepts, as a whole UMLS has
_ALL = {"languages": ["ENG", "FRE"], "suppressed": ["N", "O"]}
_CODES, _TERMS, _TYPED = 100, 20, 40

Measured = dict[str, Any]


def measure_import(folder: Path, names: int) -> Measured:
    """Write a made-up Metathesaurus and import all of it."""
    source = write_release(folder / "rrf", RrfSize(names, names_each=NAMES_EACH))
    Workspace(folder / "workspace").close()
    cost = cost_of_import(folder / "workspace", str(source), _ALL)
    size = (folder / "workspace" / "workspace.sqlite").stat().st_size / 2**20
    return {**asdict(cost), "disk_megabytes": size}


def measure_search(folder: Path, names: int) -> Measured:
    """Open nodes of the tree, and type names letter by letter."""
    workspace = Workspace(folder / "workspace")
    with workspace.store.reading() as connection:
        texts = sample_names(connection, 1, min(names, 10_000))
    opened = walk(workspace, 1)
    typed = keystrokes(workspace, 1, texts, _TYPED)
    workspace.close()
    return {
        "keystrokes": len(typed),
        "p50_ms": quantile(typed, 0.5),
        "p95_ms": quantile(typed, 0.95),
        "nodes": len(opened),
        "node_worst_ms": quantile(opened, 1),
    }


def measure_vectors(folder: Path, names: int) -> Measured:
    """Make the built-in encoder's vectors of all names, and their index where there is one."""
    at = folder / "workspace"
    words = ["rank", "neighbours", "pain", "--ontology", "1", "--workspace", str(at)]
    return asdict(measure_command([*words, "--encoder", str(_built_in(at))]))


def measure_neighbours(folder: Path, names: int) -> Measured:
    """Look for the nearest concepts of names that are not among them, one after the other."""
    from termexplorer.workers.explore.ranking import RankingEngine

    workspace = Workspace(folder / "workspace")
    encoder_id = _built_in_of(workspace)
    engine = RankingEngine(workspace.folder, workspace.store)
    with workspace.store.reading() as connection:
        texts = sample_names(connection, 1, 1_000)[:_TERMS]
    times = []
    for text in texts:
        start = time.perf_counter()
        engine.match_terms(TermsRequest((f"severe {text}",), encoder_id, RankingScope((1,)), top=3))
        times.append(time.perf_counter() - start)
    workspace.close()
    return {"queries": len(times) - 1, "median_ms": quantile(times[1:], 0.5)}


def measure_map(folder: Path, names: int) -> Measured:
    """Map a list of local codes, by the usual encoders."""
    workspace = Workspace(folder / "workspace")
    with workspace.store.reading() as connection:
        texts = sample_names(connection, 1, 1_000)[:_CODES]
    workspace.close()
    with (folder / "codes.csv").open("w", encoding="utf-8", newline="") as file:
        rows = [(f"L{number}", f"{text}, other") for number, text in enumerate(texts)]
        csv.writer(file).writerows([("code", "name"), *rows])
    words = ["map", str(folder / "codes.csv"), "--to", "1", "--out", str(folder / "mapped.csv")]
    cost = measure_command([*words, "--workspace", str(folder / "workspace")])
    return {**asdict(cost), "codes": len(texts)}


def measure_evaluation(folder: Path, names: int) -> Measured:
    """Rank all names for each name: how many of the first are synonyms."""
    at = folder / "workspace"
    words = ["evaluate", "synonyms", "--ontology", "1", "--workspace", str(at)]
    return asdict(measure_command([*words, "--encoder", str(_built_in(at))]))


STAGES: Mapping[str, tuple[int, Callable[[Path, int], Measured]]] = {
    "import": (10**7, measure_import),
    "search": (10**7, measure_search),
    "vectors": (10**7, measure_vectors),
    "neighbours": (10**7, measure_neighbours),
    "map": (10**6, measure_map),
    "evaluation": (10**5, measure_evaluation),
}
"""Each stage with the most names that it is measured for."""


def measure_stage(stage: str, folder: Path, names: int) -> Measured:
    """Return what a stage took, and the load of the machine before and after it."""
    before = os.getloadavg()[0]
    measured = STAGES[stage][1](folder, names)
    return {**measured, "load": [round(before, 1), round(os.getloadavg()[0], 1)]}


def _built_in(folder: Path) -> int:
    workspace = Workspace(folder)
    encoder_id = _built_in_of(workspace)
    workspace.close()
    return encoder_id


def _built_in_of(workspace: Workspace) -> int:
    encoder = ensure_built_in(workspace)
    if encoder is None:
        raise RuntimeError("the built-in encoder is missing; install termexplorer anew")
    return encoder.id
