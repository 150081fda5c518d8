"""The weight of a lexical part beside an encoder, fitted on validation synonyms ([FSL] table 3)."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from termexplorer.store.database.engine import Store
from termexplorer.store.encoders.infos import LEXICAL
from termexplorer.texts import tr
from termexplorer.workers.data.concept_data import ConceptSet, NoSynonymsError, build_concept_set
from termexplorer.workers.data.trained_names import trained_names
from termexplorer.workers.encoders.encoding import Encoders
from termexplorer.workers.evaluate.scoring import scores_of
from termexplorer.workers.evaluate.task_data import Ints, Tick

if TYPE_CHECKING:
    from termexplorer.trainer.evaluation.figures import TaskResult
    from termexplorer.trainer.evaluation.scores import Scores

_MOST_MENTIONS = 1_000  # drawn; each is ranked for once a weight


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


def fitted_weight(
    store: Store,
    encoders: Encoders,
    encoder_id: int,
    release_id: int,
    seed: int,
    *,
    begin: Callable[[float, int], None],
    tick: Tick,
    row: Tick,
) -> FittedWeight:
    """Tries each weight of `trainer.evaluation.sparse.WEIGHTS` on synonyms of a release.

    Args:
        store: of the workspace.
        encoders: of the workspace.
        encoder_id: that the lexical part is added to.
        release_id: whose validation names are ranked for, but those the encoder was trained on.
        seed: of the split, and of the draw of names.
        begin: told each weight, and how many names are ranked for, before it is tried.
        tick: called often; may raise to stop.
        row: called before each name that is compared with all; may raise to stop.

    Raises:
        NoSynonymsError: no name of the release is for validation that the encoder did not see.
    """
    from termexplorer.trainer.data.splits import TRAIN
    from termexplorer.trainer.evaluation.similarity_ranking import similarity_ranking
    from termexplorer.trainer.evaluation.sparse import WEIGHTS, best_weight

    data, split_id = build_concept_set(store, release_id, seed)
    with store.reading() as connection:
        seen = trained_names(connection, [encoder_id])
    mentions = _choose_mentions(data, seen, seed)
    candidates = np.flatnonzero(data.parts == TRAIN)
    value_by_weight: dict[str, float] = {}

    def evaluate(scores: "Scores") -> "TaskResult":
        weight = WEIGHTS[len(value_by_weight)]
        begin(weight, len(mentions))
        result = similarity_ranking(data.labels, scores, mentions, candidates, tick=tick)
        value_by_weight[f"{weight:g}"] = result.figures[0].value
        return result

    names = data.labels.names
    dense, sparse = (
        scores_of(encoders, encoder, names, tick=tick, row=row) for encoder in (encoder_id, LEXICAL)
    )
    weight = best_weight(dense, sparse, evaluate)
    return FittedWeight(weight, value_by_weight, split_id, len(mentions))


def _choose_mentions(data: ConceptSet, seen: set[int], seed: int) -> Ints:
    """Rows of validation names that the encoder was not trained on, at most so many."""
    from termexplorer.trainer.data.splits import VALIDATION

    unseen = ~np.isin(data.name_ids, np.fromiter(seen, np.int64, len(seen)))
    rows = np.flatnonzero((data.parts == VALIDATION) & unseen)
    if not len(rows):
        raise NoSynonymsError(
            tr(
                "no name of this ontology is left to choose a weight on: it has too few "
                "synonyms, or the encoder was trained on them; choose another ontology, or the "
                "weight yourself (`termexplorer vectors blend --weight`)"
            )
        )
    return np.sort(np.random.default_rng(seed).permutation(rows)[:_MOST_MENTIONS])
