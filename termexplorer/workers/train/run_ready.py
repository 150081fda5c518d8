"""What the training of a run starts from, read by the child that trains."""

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from termexplorer.store.database.engine import Store
from termexplorer.texts import tr
from termexplorer.workers.data.further_sets import learned_from
from termexplorer.workers.data.run_data import RunData, data_facts, run_data
from termexplorer.workers.encoders.encoding import Float32s
from termexplorer.workers.encoders.keeping_encoders import CachedEncoders
from termexplorer.workers.process.child import Channel
from termexplorer.workers.train.judged import JudgedSet, with_judged
from termexplorer.workers.train.training_messages import TrainingRequest

if TYPE_CHECKING:
    from termexplorer.trainer.data.splits import Parts
    from termexplorer.trainer.measures.base import TokenVectors
    from termexplorer.trainer.representations.pieces import PieceReader
    from termexplorer.trainer.text.names import LabelledNames


@dataclass(frozen=True, eq=False)
class TrainingInputs:
    """What training starts from.

    Attributes:
        data: what the run is measured on; its names are the first ones of `labels`.
        split_id: how its names are parted.
        facts: of all that, for the card.
        recipe: what trains.
        labels: n names to learn from.
        parts: (n,) uint8, how they are parted.
        vectors: (n, d), the names as the encoder beneath has them; zero for such as are learned
            besides, where the recipe does not look at them.
        source: of word vectors, or a transformer, for a recipe that reads by these.
        judged: pairs to learn from, for a recipe that does.
    """

    data: RunData
    split_id: int
    facts: dict[str, Any]
    recipe: Any
    labels: "LabelledNames"
    parts: "Parts"
    vectors: Float32s
    source: "TokenVectors | PieceReader | None"
    judged: JudgedSet | None


def make_ready(
    request: TrainingRequest,
    recipe: Any,
    store: Store,
    encoders: CachedEncoders,
    channel: Channel,
) -> TrainingInputs:
    """Reads names and classes, and encodes the names.

    Raises:
        UserError: there is nothing to train on.
    """
    channel.progress(None, tr("Reading names and classes"))
    data, split_id = run_data(
        store,
        request.release_id,
        request.choice,
        request.rule,
        request.synonyms,
        request.class_lists,
    )
    beneath = partial(encoders.encode, request.input_id)
    data, judged = with_judged(data, request.judged, beneath, request.seed)
    labels, parts, further = learned_from(
        store,
        data,
        request.release_id,
        request.also,
        definitions=getattr(recipe, "definitions", False),
        parents=getattr(recipe, "parents", False),
    )
    if judged is not None:
        parts, further = judged.learned(labels.names, parts), {"judged": judged.facts}
    reads = getattr(recipe, "reads", "")
    source = encoders.source(reads, request.input_id) if reads else None
    channel.progress(None, tr("Encoding names"))
    names = labels.names if getattr(recipe, "grounded", True) else data.labels.names
    vectors = _with_zeros(beneath(names), len(labels.names))
    facts = data_facts(data) | further
    return TrainingInputs(data, split_id, facts, recipe, labels, parts, vectors, source, judged)


def _with_zeros(vectors: Float32s, rows: int) -> Float32s:
    """The same, with rows of zeros after it, (rows, d)."""
    missing = rows - len(vectors)
    return np.pad(vectors, ((0, missing), (0, 0))) if missing else vectors
