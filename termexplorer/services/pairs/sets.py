"""Pair sets of similar and dissimilar terms, made from an ontology ([MTS] 3)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from termexplorer.errors import UserError
from termexplorer.exporters.kept_notes import Noted
from termexplorer.services.explore.ontologies import Ontology
from termexplorer.store.kept_paths import check_own_path
from termexplorer.texts import mark, tr
from termexplorer.trainer.term_pairs.kinds import STRATEGIES, THRESHOLD
from termexplorer.workers.pairs.filter import KEEP_ALL, PairFilter
from termexplorer.workers.pairs.sets import (
    Estimated,
    PairSetInfo,
    PairSetRequest,
    PairSets,
    run_pair_distances,
    run_pair_sets,
)
from termexplorer.workers.process.supervision import JobControl, supervise
from termexplorer.workspace import Workspace

__all__ = [
    "SET_HEADER",
    "SOURCES",
    "STRATEGIES",
    "THRESHOLD",
    "Estimated",
    "PairPlan",
    "PairSetInfo",
    "PairSets",
    "SetRow",
    "count_pairs",
    "count_without_dissimilar",
    "easy_by_threshold",
    "make_pair_sets",
    "set_rows",
]

SOURCES = {
    "preferred_synonym": mark("preferred or fully specified name – synonym"),
    "synonym_synonym": mark("synonym – synonym"),
    "consider": mark("possibly equivalent to, consider"),
    "replaced_by": mark("replaced by"),
    "same_as": mark("same as"),
}
"""Where similar pairs come from, in the order of [MTS] Table 2."""

SET_HEADER = (
    "similar pairs", "difficulty", "pairs", "mean distance similar", "mean distance random",
    "mean distance nearest",
)  # fmt: skip
_LICENCES = "pair_sets"  # what the notes on licences beside the sets are named after
_MOST_THRESHOLD = 1_000


@dataclass(frozen=True, slots=True)
class PairPlan:
    """Which pair sets are made; see `PairSetRequest`."""

    sources: Sequence[str] = tuple(SOURCES)
    strategies: Sequence[str] = STRATEGIES
    threshold: int = THRESHOLD
    ancestors: bool = False
    siblings: bool = False
    seed: int = 0
    leave_out: PairFilter = KEEP_ALL


@dataclass(frozen=True, slots=True)
class SetRow:
    """A row of [MTS] Table 2.

    Attributes:
        source: where the similar pairs come from.
        difficulty: `easy` or `hard`.
        size: how many similar and dissimilar pairs there are.
        similar: the mean edit distance of the similar pairs.
        random: that of dissimilar pairs made at random; None where none were made.
        nearest: that of dissimilar pairs of nearest terms; None where none were made.
    """

    source: str
    difficulty: str
    size: int
    similar: float
    random: float | None
    nearest: float | None


def make_pair_sets(
    workspace: Workspace,
    ontology: Ontology,
    plan: PairPlan,
    folder: Path,
    control: JobControl,
    on_message: Callable[[object], None],
) -> PairSets:
    """Makes pair sets and writes them to a folder, a file each; blocks until it is done.

    An `Estimated` comes among the messages before the nearest terms are looked for. What was found
    before a stop is found again in the folder by the same plan.

    Raises:
        UserError: for an unknown source or strategy, a folder with other files, that cannot be
            written to, or that is a link of the workspace, or an ontology without similar pairs.
        Cancelled: it was cancelled.
    """
    request = _make_request(workspace, ontology, plan, folder)
    pair_sets = supervise(run_pair_sets, request, control, on_message)
    noted = Noted()
    noted.see(f"{prefix}:" for prefix in pair_sets.prefixes)
    noted.keep(folder / _LICENCES)
    return pair_sets


def count_pairs(
    workspace: Workspace,
    ontology: Ontology,
    plan: PairPlan,
    control: JobControl,
    on_message: Callable[[object], None],
) -> PairSets:
    """Counts similar pairs by edit distance, for `easy_by_threshold`; makes no sets of them.

    Raises:
        UserError: an unknown source, or none.
        Cancelled: it was cancelled.
    """
    request = _make_request(workspace, ontology, plan, workspace.folder)
    return supervise(run_pair_distances, request, control, on_message)


def set_rows(pair_sets: PairSets) -> list[SetRow]:
    """What was made as the paper's table has it."""
    rows = []
    for source, difficulty in dict.fromkeys(
        (pair_set.source, pair_set.difficulty) for pair_set in pair_sets.sets
    ):
        by_strategy = {
            pair_set.strategy: pair_set
            for pair_set in pair_sets.sets
            if (pair_set.source, pair_set.difficulty) == (source, difficulty)
        }
        first = next(iter(by_strategy.values()))
        apart = [
            by_strategy[strategy].dissimilar_distance if strategy in by_strategy else None
            for strategy in STRATEGIES
        ]
        size = first.similar + max(pair_set.dissimilar for pair_set in by_strategy.values())
        rows.append(SetRow(source, difficulty, size, first.similar_distance, *apart))
    return rows


def count_without_dissimilar(pair_sets: PairSets) -> int:
    """Return for how many similar pairs there is no dissimilar one."""
    return sum(max(pair_set.similar - pair_set.dissimilar, 0) for pair_set in pair_sets.sets)


def easy_by_threshold(pair_sets: PairSets, source: str, most: int = 30) -> list[float]:
    """The share of a source's similar pairs that would be easy, by threshold from 0 on."""
    counts = pair_sets.distances[source]
    total = sum(counts)
    return [sum(counts[: edits + 1]) / total if total else 0.0 for edits in range(most + 1)]


def _make_request(
    workspace: Workspace, ontology: Ontology, plan: PairPlan, folder: Path
) -> PairSetRequest:
    for given, known in ((plan.sources, SOURCES), (plan.strategies, STRATEGIES)):
        for given_name in given or [""]:
            if given_name not in known:
                raise UserError(
                    tr(
                        "{asked}: choose from {known}",
                        asked=given_name or tr("nothing"),
                        known=", ".join(known),
                    )
                )
    if not 0 <= plan.threshold <= _MOST_THRESHOLD:
        raise UserError(
            tr(
                "a threshold of {threshold} edits: give one up to {most}",
                threshold=plan.threshold,
                most=_MOST_THRESHOLD,
            )
        )
    return PairSetRequest(
        workspace.folder,
        ontology.id,
        ontology.content_hash,
        check_own_path(workspace.folder, folder),
        tuple(source for source in SOURCES if source in plan.sources),
        tuple(strategy for strategy in STRATEGIES if strategy in plan.strategies),
        plan.threshold,
        plan.ancestors,
        plan.siblings,
        plan.seed,
        plan.leave_out,
    )
