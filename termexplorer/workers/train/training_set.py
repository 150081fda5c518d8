"""What the training of a run starts from, read by the child that trains."""

from dataclasses import asdict, dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from termexplorer.errors import UserError
from termexplorer.store.database.engine import Store
from termexplorer.texts import tr
from termexplorer.workers.data.concept_data import build_concept_set
from termexplorer.workers.data.further_sets import learned_from
from termexplorer.workers.data.level_data import build_level_set
from termexplorer.workers.data.run_data import RunData, describe_run_data
from termexplorer.workers.encoders.encoding import Float32s
from termexplorer.workers.encoders.keeping_encoders import CachedEncoders
from termexplorer.workers.process.child import Channel
from termexplorer.workers.train.judged import JudgedSet, with_judged
from termexplorer.workers.train.run_request import RunRequest

if TYPE_CHECKING:
    from termexplorer.trainer.data.splits import Parts
    from termexplorer.trainer.measures.base import TokenVectors
    from termexplorer.trainer.recipes.base import Recipe
    from termexplorer.trainer.representations.pieces import PieceReader
    from termexplorer.trainer.text.names import LabelledNames


@dataclass(frozen=True, eq=False)
class TrainingSet:
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


def build_training_set(
    request: RunRequest,
    recipe: "Recipe[Any]",
    store: Store,
    encoders: CachedEncoders,
    channel: Channel,
) -> TrainingSet:
    """Read names and classes, keep how they are parted, and encode the names.

    Args:
        request: what the run is asked for.
        recipe: with its hyper-parameters.
        store: of the workspace.
        encoders: of the workspace, on the device of the run.
        channel: is told of progress.

    Raises:
        UserError: the level is empty, there is no such root or grouping, no class has two names, or
            a list cannot be a class.
    """
    from termexplorer.trainer.data.splits import TRAIN

    channel.progress(None, tr("Reading names and classes"))
    beneath = partial(encoders.encode, request.vectors_id)
    data, split_id = _read_run_data(store, request)
    data, judged = with_judged(data, request.judged, beneath, request.seed)
    labels, parts, further = learned_from(
        store,
        data,
        request.ontology_id,
        request.also,
        definitions=recipe.definitions,
        parents=recipe.parents,
    )
    if judged is not None:
        parts, further = judged.learned(labels.names, parts), {"judged": judged.facts}
    source = encoders.source(recipe.reads, request.vectors_id) if recipe.reads else None
    channel.progress(None, tr("Encoding names"))
    names = labels.names if recipe.grounded else data.labels.names
    vectors = _with_zeros(beneath(names), len(labels.names))
    facts = describe_run_data(data) | further | _describe_collapsed(vectors[parts == TRAIN], recipe)
    return TrainingSet(data, split_id, facts, recipe, labels, parts, vectors, source, judged)


def _read_run_data(store: Store, request: RunRequest) -> tuple[RunData, int]:
    """Return the classes of a level or synonym sets, and the id of their split."""
    if request.choice is None:
        return build_concept_set(store, request.ontology_id, request.rule.seed, request.synonyms)
    data, split_id = build_level_set(
        store, request.ontology_id, request.choice, request.rule, request.class_lists
    )
    if len(data.class_ids) == 1 and not request.class_lists:
        level = request.choice.level
        raise UserError(
            tr("level {level} has one class, so there is nothing to tell apart", level=level)
        )
    return data, split_id


def _describe_collapsed(vectors: Float32s, recipe: Any) -> dict[str, Any]:
    """Return for the card that training names hardly differ; nothing where they do."""
    from termexplorer.trainer.representations.spread import measure_spread

    spread = measure_spread(vectors)
    if not spread.collapsed:
        return {}
    rounded = {name: round(value, 3) for name, value in asdict(spread).items()}
    return {"collapsed": rounded | {"evened": bool(recipe.evened)}}


def _with_zeros(vectors: Float32s, rows: int) -> Float32s:
    """Return vectors with rows of zeros after them, (rows, d)."""
    missing = rows - len(vectors)
    return np.pad(vectors, ((0, missing), (0, 0))) if missing else vectors
