"""Normalisation of mentions: the concept of the most similar name of a dictionary ([BNE] 4.3)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from termexplorer.trainer.corpora.queries import Queries
from termexplorer.trainer.evaluation.bootstrap import mean_figures
from termexplorer.trainer.evaluation.concept_ranking import ConceptRanking, as_tensors
from termexplorer.trainer.evaluation.figures import TaskResult
from termexplorer.trainer.evaluation.scores import Scores
from termexplorer.trainer.metrics import ACCURACY, ACCURACY_AT, ACCURACY_INEXACT, MAP
from termexplorer.trainer.search.expected_ranks import average_precision, hits
from termexplorer.trainer.search.retrieval import rows_at_a_time
from termexplorer.trainer.search.tied_groups import TiedGroups
from termexplorer.trainer.text.names import LabelledNames

Int64s = NDArray[np.int64]
Float64s = NDArray[np.float64]

FIRST_FIVE = f"{ACCURACY_AT}5"


def normalisation(
    queries: Queries,
    names: LabelledNames,
    scores: Scores,
    *,
    leave_out_unknown: bool = False,
    seed: int = 0,
    tick: Callable[[], None] = lambda: None,
) -> TaskResult:
    """Rank all concepts of a dictionary, each by its most similar name, for each query.

    The figures of a mention are the lower of two means, over its right concepts of what its best
    query comes to, and over its queries of their best right concept. So a mention of one concept
    that is taken for two, or of two for one, is half right at most. Most mentions are one query
    with one right concept; theirs is just the figure of the ranking. Equals are ranked in all
    orders alike, see ``expected_ranks``.

    Args:
        queries: of m mentions and t texts.
        names: n names and their concepts, the dictionary's.
        scores: similarities of texts and names, by their indices.
        leave_out_unknown: whether mentions without a concept, or with one that the dictionary
            lacks, ``Queries.unknown``, do not count, as in [BNE] 4.3; otherwise they are errors.
        seed: of the bootstrap.
        tick: called between blocks; may raise to stop.

    Returns:
        Accuracy (primary), Acc@5, mAP of the ranking of all names, of which those of the right
        concept are right, and accuracy of the mentions that are no exact match, ``Queries.exact``.

    Raises:
        ValueError: a similarity is NaN.
    """
    query, gold = _query_concept_pairs(queries)
    known = queries.gold[gold] >= 0
    columns = (queries.text[query], queries.answer[query], queries.gold[gold])
    rows, row_of = np.unique(np.stack(columns)[:, known], axis=1, return_inverse=True)
    values = _of_rows(rows, names, scores, tick)
    mentions = len(queries.mentions)
    counted = ~queries.unknown() if leave_out_unknown else np.ones(mentions, dtype=np.bool_)
    items: dict[str, Float64s] = {}
    for metric, of_rows in values.items():
        of_pairs = np.zeros(len(query))
        of_pairs[known] = of_rows[row_of.ravel()]
        by_gold = _mean_of_best(of_pairs, gold, queries.gold_mention, mentions)
        by_query = _mean_of_best(of_pairs, query, queries.mention, mentions)
        items[metric] = np.where(counted, np.minimum(by_gold, by_query), np.nan)
    items[ACCURACY_INEXACT] = np.where(queries.exact, np.nan, items[ACCURACY])
    return mean_figures(items, seed)


def _query_concept_pairs(queries: Queries) -> tuple[Int64s, Int64s]:
    """Return each query with each right concept of its mention, (p,) and (p,) indices."""
    first = np.searchsorted(queries.gold_mention, queries.mention)
    count = np.searchsorted(queries.gold_mention, queries.mention, side="right") - first
    query = np.repeat(np.arange(len(count)), count)
    before = np.repeat(np.cumsum(count) - count, count)
    return query, np.arange(len(query)) - before + np.repeat(first, count)


def _mean_of_best(values: Float64s, group: Int64s, mention: Int64s, mentions: int) -> Float64s:
    """Return for each mention the mean over its groups of their highest value, 0 for no group."""
    best = np.zeros(len(mention))
    np.maximum.at(best, group, values)
    sums = np.bincount(mention, weights=best, minlength=mentions)
    means: Float64s = sums / np.maximum(np.bincount(mention, minlength=mentions), 1)
    return means


def _of_rows(
    rows: Int64s, names: LabelledNames, scores: Scores, tick: Callable[[], None]
) -> dict[str, Float64s]:
    """Return the measures for (3, r) texts, answers and right concepts."""
    values_by_metric = {metric: np.zeros(rows.shape[1]) for metric in (ACCURACY, FIRST_FIVE, MAP)}
    ranking = ConceptRanking(names)
    everything = np.arange(len(names.names))
    size = max(1, rows_at_a_time(len(everything)) // 4)
    for start in range(0, rows.shape[1], size):
        tick()
        block = slice(start, start + size)
        text, answer, right = rows[:, block]
        of_names, of_concepts = ranking.tables(scores(text, everything), answer)
        by_concept = TiedGroups.of(of_concepts, *as_tensors(of_names, np.arange(len(text)), right))
        by_name = TiedGroups.of(of_names, *as_tensors(of_names, *ranking.names_of(right)))
        values_by_metric[ACCURACY][block] = hits(by_concept, 1).cpu().numpy()
        values_by_metric[FIRST_FIVE][block] = hits(by_concept, 5).cpu().numpy()
        values_by_metric[MAP][block] = average_precision(by_name).cpu().numpy()
    return values_by_metric
