"""The check of new terms, replayed on what became of a release: merges and moves that came later.

Each live term of DOID of 2016 is judged as if it were new there. Nothing is learned from the later
release, which tells which terms were merged into others (`alt_id`) and which lost a parent.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from termexplorer.bench.figure import BenchContext, BenchFigure, not_measured
from termexplorer.services.check.gate import split_new
from termexplorer.services.check.term_changes import ReleaseTerms
from termexplorer.services.check.term_sources import read_term_file
from termexplorer.trainer.built_in import builtin
from termexplorer.trainer.checking.check import check_terms
from termexplorer.trainer.checking.duplicate_model import DuplicateModel, best_of_terms
from termexplorer.trainer.checking.pair_features import TermComparison
from termexplorer.trainer.checking.parents import ParentModel
from termexplorer.trainer.checking.replacements import rank_replacements
from termexplorer.trainer.checking.terms import OntologyTerm, TermTable
from termexplorer.trainer.evaluation.shares import ShareFigure
from termexplorer.trainer.mapping.sides import list_links

Float64s = NDArray[np.float64]
Bools = NDArray[np.bool_]

_OLDER = "ontologies/doid_2016-03-04.obo.gz"
_NEWER = "ontologies/doid_2018-07-05.obographs.json.gz"
_FLAGGED = 0.05  # of lasting terms
_MERGES_FOUND, _FIRST_RIGHT, _SECONDS = 0.9, 0.9, 60.0


@dataclass(frozen=True, eq=False)
class _History:
    """What became of the live terms of the older release.

    Attributes:
        rows: (m,) int64, in the table.
        merged: (m,) bool, merged into another term that was there already.
        lasting: (m,) bool, live in the newer release.
        lost: the parents of each that it does not have in the newer release, nor anything below
            or above them, by row.
    """

    rows: NDArray[np.int64]
    merged: Bools
    lasting: Bools
    lost: list[set[int]]


def run(context: BenchContext) -> list[BenchFigure]:
    """Judge every term of the older release, and the new ones of the newer."""
    paths = [context.data / name for name in (_OLDER, _NEWER)] if context.data else []
    if not paths or not all(map(Path.is_file, paths)):
        return [not_measured("check of new terms on history", "needs --data with DOID")]
    older, newer = (list(read_term_file(path).terms) for path in paths)
    table = TermTable.build(older, [])
    history = _read_history(table, newer)
    figures = [*_measure_duplicates(table, history)]
    if not context.quick:
        figures += [*_measure_parents(table, history), _time_check(older, newer)]
        figures.append(_measure_replacements(older, newer))
    return figures


def _read_history(table: TermTable, newer: list[OntologyTerm]) -> _History:
    by_curie = {term.curie: term for term in newer}
    merged_into = {curie: term.curie for term in newer for curie in term.alternative_ids}
    rows = np.flatnonzero(table.is_live)
    merged, lasting, lost = [], [], []
    for row in rows.tolist():
        curie = table.terms[row].curie
        later = by_curie.get(curie)
        is_live = later is not None and not later.obsolete
        merged.append(not is_live and merged_into.get(curie) in table.row_of)
        lasting.append(is_live)
        lost.append(_list_lost_parents(table, row, later) if later and is_live else set())
    return _History(rows, np.array(merged), np.array(lasting), lost)


def _list_lost_parents(table: TermTable, row: int, later: OntologyTerm) -> set[int]:
    """Return parents above and below which the term has no other parent later."""
    now = {table.row_of[curie] for curie in later.parents if curie in table.row_of}
    related = set(now)
    for parent in now:
        for links in (table.side.ancestors, table.side.descendants):
            related |= set(list_links(links, parent))
    return set(table.parents[row]) - related


def _measure_duplicates(table: TermTable, history: _History) -> Iterator[BenchFigure]:
    start = time.perf_counter()
    model = DuplicateModel.fit(TermComparison(table, builtin().encode))
    likely = model.judge(history.rows)
    best = best_of_terms(likely.pairs, likely.probabilities, len(history.rows))
    seconds = time.perf_counter() - start
    threshold = float(np.quantile(best[history.lasting], 1 - _FLAGGED))
    yield _share_figure(
        "duplicates: later merges flagged, at 5 % of lasting terms",
        best[history.merged] > threshold,
        _MERGES_FOUND,
        {"merges_by_share_flagged": _list_curve(best[history.merged], best[history.lasting])},
    )
    for probability in (0.5, 0.8):
        yield _share_figure(
            f"duplicates: lasting terms flagged at {probability}",
            best[history.lasting] >= probability,
            None,
        )
    probabilities, is_there = model.tried.T
    threshold = float(np.quantile(probabilities[is_there == 0], 1 - _FLAGGED))
    yield _share_figure(
        "duplicates: terms added a second time flagged, at 5 % of those that are not there",
        probabilities[is_there == 1] > threshold,
        None,
    )
    name = f"duplicates: {len(history.rows):,} terms of DOID judged, what is learned included"
    yield _time_figure(name, seconds)


def _measure_parents(table: TermTable, history: _History) -> Iterator[BenchFigure]:
    model = ParentModel.fit(table, builtin())
    if model is None:
        return
    number_of = {row: number for number, row in enumerate(history.rows.tolist())}
    doubts = list(model.judge(history.rows[history.lasting]))
    doubted = np.array([doubt.probability for doubt in doubts])
    is_lost = np.array([doubt.parent in history.lost[number_of[doubt.row]] for doubt in doubts])
    threshold = float(np.quantile(doubted[~is_lost], 1 - _FLAGGED))
    yield _share_figure(
        "parents: links that were moved elsewhere flagged, at 5 % of lasting links",
        doubted[is_lost] > threshold,
        None,
        {"moves_by_share_flagged": _list_curve(doubted[is_lost], doubted[~is_lost])},
    )
    probabilities, is_wrong = model.tried.T
    threshold = float(np.quantile(probabilities[is_wrong == 0], 1 - _FLAGGED))
    yield _share_figure(
        "parents: made wrong links flagged, at 5 % of right ones",
        probabilities[is_wrong == 1] > threshold,
        None,
    )


def _time_check(older: list[OntologyTerm], newer: list[OntologyTerm]) -> BenchFigure:
    known, new = split_new(older, newer)
    start = time.perf_counter()
    check_terms(known, new, builtin())
    seconds = time.perf_counter() - start
    return _time_figure(f"check: {len(new):,} new terms against {len(known):,}, all rules", seconds)


def _measure_replacements(older: list[OntologyTerm], newer: list[OntologyTerm]) -> BenchFigure:
    """Rank what took the place of retired terms, which the newer release states and is not told."""
    terms = ReleaseTerms(older, newer)
    changes = [terms.describe_change(term.curie) for term in older if not term.obsolete]
    retired = [change for change in changes if change and len(change.stated) == 1]
    elsewhere = {
        c: o for c, o in terms.merged.items() if c not in {t.before.curie for t in retired}
    }
    ranked = rank_replacements(
        terms.live, [change.before for change in retired], builtin(), elsewhere
    )
    first_right = [
        bool(candidates) and candidates[0].term.curie == change.stated[0]
        for change, candidates in zip(retired, ranked, strict=True)
    ]
    return _share_figure(
        "carry-over: replacements that the release states, withheld, in the first place",
        np.array(first_right),
        _FIRST_RIGHT,
    )


def _list_curve(wanted: Float64s, rest: Float64s) -> dict[str, float]:
    """Return the share of what is wanted that is flagged, by the share of the rest that is."""
    return {
        f"{share:g}": float((wanted > np.quantile(rest, 1 - share)).mean())
        for share in (0.01, 0.02, 0.05, 0.1, 0.2)
    }


def _share_figure(
    name: str, flagged: Bools, goal: float | None, details: dict[str, object] | None = None
) -> BenchFigure:
    figure = ShareFigure.of(int(flagged.sum()), len(flagged))
    named = f"{name} (n = {len(flagged):,}; {figure.low:.3f} to {figure.high:.3f})"
    return BenchFigure(
        named,
        figure.value,
        "",
        "goal" if goal else "",
        goal,
        figure.value / goal if goal else None,
        f"at least {goal:g}" if goal else "",
        figure.value >= goal if goal else None,
        details or {},
    )


def _time_figure(name: str, seconds: float) -> BenchFigure:
    return BenchFigure(
        name, seconds, "s", "limit", _SECONDS, seconds / _SECONDS, f"under {_SECONDS:.0f} s",
        seconds < _SECONDS,
    )  # fmt: skip
