"""The nearest term by edit distance of half of a terminology's terms, among all of them."""

from __future__ import annotations

import os
import time
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cdist

from termexplorer.bench.figure import BenchContext, BenchFigure
from termexplorer.bench.name_vectors import icd10cm_names
from termexplorer.trainer.search.edit_neighbours import EditNeighbours

_TERMS, _QUERIES, _GOAL = 600_000, 300_000, 20.0  # minutes
_SHARE = 100  # one of so many queries is asked by a quick bench
_PEER = 40  # queries that are compared with every term


class _Comparison(NamedTuple):
    seconds_per_query: float  # seconds of a query
    distances: NDArray[np.uint16]


def run(context: BenchContext) -> list[BenchFigure]:
    """Look up names of ICD-10-CM and such with one word of another name, whole, on all cores."""
    terms = _make_terms()
    started = time.perf_counter()
    neighbours = EditNeighbours(terms)
    preparing = time.perf_counter() - started
    rng = np.random.default_rng(0)
    asked = rng.permutation(_TERMS)[: _QUERIES // (_SHARE if context.quick else 1)]
    nothing = np.empty(0, dtype=np.int64)
    neighbours.nearest(0, 1, nothing)  # compiles
    started = time.perf_counter()
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        nearest = list(
            pool.map(lambda query: neighbours.nearest(query, 1, nothing), asked.tolist())
        )
    seconds_per_query = (time.perf_counter() - started) / len(asked)
    minutes = (preparing + seconds_per_query * _QUERIES) / 60
    peer = _with_every_term(terms, asked[:_PEER].tolist())
    right = all(
        near.distances[0] == far for near, far in zip(nearest, peer.distances, strict=False)
    )
    name = f"nearest of {_TERMS:,} terms for {_QUERIES:,} of them"
    if context.quick:
        name += f", told from {len(asked):,}"
    mean = float(np.mean([near.distances[0] for near in nearest]))
    return [
        BenchFigure(
            f"{name}; {mean:.1f} edits on average", minutes, "min",
            "RapidFuzz with every term, on all cores", peer.seconds_per_query * _QUERIES / 60,
            minutes / (peer.seconds_per_query * _QUERIES / 60),
            f"under {_GOAL:.0f} min, and as near", minutes < _GOAL and right,
        )
    ]  # fmt: skip


def _make_terms() -> list[str]:
    """Return names of ICD-10-CM, and names with one word of another name in the place of a word."""
    rng = np.random.default_rng(1)
    names = [name.lower() for name in icd10cm_names()]
    words = [word for name in names[::3] for word in name.split()]
    terms = dict.fromkeys(names)
    while len(terms) < _TERMS:
        parts = names[rng.integers(len(names))].split()
        parts[rng.integers(len(parts))] = words[rng.integers(len(words))]
        terms[" ".join(parts)] = None
    return list(terms)[:_TERMS]


def _with_every_term(terms: list[str], asked: list[int]) -> _Comparison:
    """Return how long it takes to compare each with all, and the distance of the nearest."""
    started = time.perf_counter()
    rows = cdist(
        [terms[index] for index in asked], terms, scorer=Levenshtein.distance,
        dtype=np.uint16, workers=-1,
    )  # fmt: skip
    seconds_per_query = (time.perf_counter() - started) / len(asked)
    rows[np.arange(len(asked)), asked] = np.iinfo(np.uint16).max
    return _Comparison(seconds_per_query, rows.min(axis=1))
