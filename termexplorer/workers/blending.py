"""The child that chooses the weight of the lexical part of a blended encoder ([FSL] table 3)."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from termexplorer.errors import UserError
from termexplorer.store.encoder_infos import LEXICAL
from termexplorer.texts import tr
from termexplorer.workers.child import Channel
from termexplorer.workers.concept_data import ConceptSet, concept_set
from termexplorer.workers.evaluation.opening import opened
from termexplorer.workers.evaluation.scoring import scores_of
from termexplorer.workers.evaluation.task_data import Ints
from termexplorer.workers.trained_names import trained_names

if TYPE_CHECKING:
    from trainer.evaluation.figures import TaskResult
    from trainer.evaluation.scores import Scores

_MOST_MENTIONS = 1_000  # drawn; each is ranked for once a weight


@dataclass(frozen=True, slots=True)
class BlendRequest:
    """Which weight suits an encoder, by synonym retrieval on validation names of a release."""

    workspace: Path
    encoder_id: int
    release_id: int
    seed: int = 0


@dataclass(frozen=True, slots=True)
class FittedWeight:
    """The weight that was chosen, and on what.

    Attributes:
        map_by_weight: mAP on the validation names with each weight that was tried.
        mentions: how many names were ranked for.
    """

    weight: float
    map_by_weight: dict[str, float]
    split_id: int
    mentions: int


def fit_weight(request: BlendRequest, channel: Channel) -> FittedWeight:
    """Tries each weight of `trainer.evaluation.sparse.WEIGHTS`.

    Raises:
        UserError: no name of the release is for validation, or the encoder saw them all.
    """
    from trainer.evaluation.similarity_ranking import similarity_ranking
    from trainer.evaluation.sparse import WEIGHTS, best_weight
    from trainer.splits import TRAIN

    with opened(request.workspace, [request.encoder_id], channel) as (store, encoders, steps):
        data, split_id = concept_set(store, request.release_id, request.seed)
        with store.reading() as connection:
            seen = trained_names(connection, [request.encoder_id])
        mentions = _mentions(data, seen, request.seed)
        candidates = np.flatnonzero(data.parts == TRAIN)
        found: dict[str, float] = {}

        def evaluate(scores: "Scores") -> "TaskResult":
            weight = WEIGHTS[len(found)]
            steps.begin(tr("Ranking with weight {weight:g}", weight=weight), len(mentions))
            result = similarity_ranking(data.labels, scores, mentions, candidates, tick=steps.tick)
            found[f"{weight:g}"] = result.figures[0].value
            return result

        names = data.labels.names
        steps.plan(1, len(WEIGHTS))
        dense, sparse = (
            scores_of(encoders, each, names, tick=steps.tick, row=steps.row)
            for each in (request.encoder_id, LEXICAL)
        )
        weight = best_weight(dense, sparse, evaluate)
    return FittedWeight(weight, found, split_id, len(mentions))


def _mentions(data: ConceptSet, seen: set[int], seed: int) -> Ints:
    """Rows of validation names that the encoder was not trained on, at most so many."""
    from trainer.splits import VALIDATION

    unseen = ~np.isin(data.name_ids, np.fromiter(seen, np.int64, len(seen)))
    rows = np.flatnonzero((data.parts == VALIDATION) & unseen)
    if not len(rows):
        raise UserError(
            tr(
                "no name of this ontology is left to choose a weight on: it has too few "
                "synonyms, or the encoder was trained on them; choose another ontology, or the "
                "weight yourself (`termexplorer vectors blend --weight`)"
            )
        )
    return np.sort(np.random.default_rng(seed).permutation(rows)[:_MOST_MENTIONS])
