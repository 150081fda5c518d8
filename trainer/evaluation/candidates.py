"""Synonym retrieval in two steps: candidates by BM25, then ranked by an encoder ([BNE] 4.2)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from termexplorer.trainer.errors import TrainerError
from termexplorer.trainer.evaluation.bootstrap import mean_figures
from termexplorer.trainer.evaluation.figures import TaskResult
from termexplorer.trainer.evaluation.scores import Scores
from termexplorer.trainer.lexical.bm25 import Bm25Names
from termexplorer.trainer.metrics import MAP, RECALL
from termexplorer.trainer.search.expected_ranks import average_precision
from termexplorer.trainer.search.tied_groups import TiedGroups
from termexplorer.trainer.text.names import LabelledNames

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Int64s = NDArray[np.int64]

CONCEPTS = 20
_BLOCK = 32  # mentions at a time, whose candidates are scored together


def bm25_candidates(
    dictionary: LabelledNames,
    mentions: Sequence[str],
    *,
    concepts: int = CONCEPTS,
    seed: int = 0,
    tick: Callable[[], None] = lambda: None,
) -> Int64s:
    """Return the concepts whose best name BM25 finds most similar to each mention.

    A concept that shares no word with the mention is never among them. Of concepts that are
    equally similar some are drawn at random, whatever their order.

    Args:
        dictionary: n names and their concepts.
        mentions: m texts.
        concepts: how many to return.
        seed: of the draw.
        tick: called before each mention; may raise to stop.

    Returns:
        (m, concepts) int64, the best first, -1 where there are fewer.

    Raises:
        ValueError: no name of the dictionary has a letter, digit or sign.
    """
    index = Bm25Names.fit(dictionary.names)
    order = np.argsort(dictionary.class_index, kind="stable")
    names = dictionary.name_index[order]
    named, starts = np.unique(dictionary.class_index[order], return_index=True)
    labels = np.argsort(np.argsort(np.array(dictionary.classes)))
    chance = np.random.default_rng(seed).permutation(len(labels))[labels]
    candidates = np.full((len(mentions), concepts), -1)
    for row, mention in enumerate(mentions):
        tick()
        best = np.maximum.reduceat(index.scores(mention)[names], starts)
        some = np.flatnonzero(best > 0)
        first = some[np.lexsort((chance[named[some]], -best[some]))[:concepts]]
        candidates[row, : len(first)] = named[first]
    return candidates


def candidate_ranking(
    dictionary: LabelledNames,
    mentions: LabelledNames,
    scores: Scores,
    candidates: Int64s,
    *,
    seed: int = 0,
    tick: Callable[[], None] = lambda: None,
) -> TaskResult:
    """Rank all names of its candidate concepts for each mention; those of its own are right.

    Names of the mention's concepts that are not among the candidates count as never found. A
    mention of whose concepts the dictionary has no name is not counted.

    Args:
        dictionary: n names and their concepts.
        mentions: m texts and their concepts, which are those of the dictionary.
        scores: similarities of the m mentions and the n names, such as
            ``cosine_scores(mention_vectors, name_vectors)``.
        candidates: (m, k) int64 concepts, -1 for none, as ``bm25_candidates`` returns them.
        seed: of the bootstrap.
        tick: called between blocks; may raise to stop.

    Returns:
        mAP (primary), and the share of right names that are among the candidates (``recall``),
        which no ranking of them exceeds.

    Raises:
        ValueError: for mentions of other concepts, candidates of another shape, or a similarity
            that is NaN.
    """
    if mentions.classes != dictionary.classes:
        raise TrainerError(
            "mentions and dictionary are not of the same concepts, in the same order"
        )
    if candidates.ndim != 2 or len(candidates) != len(mentions.names):
        raise TrainerError(
            "candidates of {shape} for {names} mentions",
            shape=candidates.shape,
            names=len(mentions.names),
        )
    of_names = dictionary.membership().T.tocsr()  # (k, n)
    of_mentions = mentions.membership()
    everyone = np.arange(len(mentions.names))
    precision, recall = np.full((2, len(everyone)), np.nan)
    for start in range(0, len(everyone), _BLOCK):
        tick()
        block = everyone[start : start + _BLOCK]
        ranked = _one_row_each(candidates[block], len(dictionary.classes)) @ of_names
        right = of_mentions[block] @ of_names
        right_ranked = right.multiply(ranked).tocsr()
        names = np.unique(ranked.indices).astype(np.int64)
        totals = np.diff(right.indptr)
        np.divide(
            np.diff(right_ranked.indptr),
            totals,
            out=recall[start : start + _BLOCK],
            where=totals > 0,
        )
        precisions = _average_precisions(
            scores(block, names), ranked[:, names], right_ranked[:, names]
        )
        precision[block] = precisions * recall[block]
    return mean_figures({MAP: precision, RECALL: recall}, seed)


def _one_row_each(concepts: Int64s, count: int) -> csr_array:
    """Return (b, k) concepts, -1 for none, as a (b, count) bool table."""
    from scipy.sparse import csr_array

    rows, places = np.nonzero(concepts >= 0)
    ones = np.ones(len(rows), np.bool_)
    return csr_array((ones, (rows, concepts[rows, places])), shape=(len(concepts), count))


def _average_precisions(
    similarities: Tensor | NDArray[np.float32], ranked: csr_array, right: csr_array
) -> NDArray[np.float64]:
    """Return the average precision of ranking some of the names for each mention, 0 for none.

    Args:
        similarities: (b, u).
        ranked: (b, u) bool, which names are candidates of a mention.
        right: (b, u) bool, which of the candidates are right.
    """
    table = torch.as_tensor(similarities)
    left_out = torch.from_numpy(~ranked.toarray()).to(table.device)
    pairs = (
        torch.from_numpy(indices.astype(np.int64)).to(table.device) for indices in right.nonzero()
    )
    ties = TiedGroups.of(table.masked_fill(left_out, -torch.inf), *pairs)
    return average_precision(ties).nan_to_num(0).cpu().numpy()
