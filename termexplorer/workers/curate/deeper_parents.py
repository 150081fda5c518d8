"""Concepts that stand a parent too high, found in a child."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from termexplorer.errors import UserError
from termexplorer.store.database.engine import Store
from termexplorer.store.releases import concepts
from termexplorer.store.releases.corpus import release_labels
from termexplorer.texts import tr
from termexplorer.workers.curate.finder import FinderRequest, keep_most_likely
from termexplorer.workers.data.level_choice import root_id
from termexplorer.workers.data.named_links import read_named_hierarchy
from termexplorer.workers.encoders.keeping_encoders import CachedEncoders
from termexplorer.workers.evaluate.opening import opened
from termexplorer.workers.evaluate.scoring import scores_of
from termexplorer.workers.evaluate.steps import EvaluationSteps
from termexplorer.workers.process.child import Channel

if TYPE_CHECKING:
    from termexplorer.trainer.evaluation.likelihood import Trial
    from termexplorer.trainer.placing.deeper_candidates import NearConcepts
    from termexplorer.trainer.placing.named_hierarchy import NamedHierarchy

_NEAREST = 50  # concepts that speak for a parent


@dataclass(frozen=True, slots=True)
class DeeperDoubt:
    """A concept that may stand too high.

    Attributes:
        concept: its CURIE.
        parent: CURIE of the parent that it has.
        better: CURIE of the likeliest parent below that.
        nearest: CURIE of the nearest concept below the likeliest parent, by the first encoder;
            empty where none is near.
        likelihood: that it is the right parent, if so many are lifted as in the corrupted copies.
        agree: for how many of the encoders the nearest concept of all is that parent or below it.
    """

    concept: str
    parent: str
    better: str
    nearest: str
    likelihood: float
    agree: int


@dataclass(frozen=True, slots=True)
class DeeperDoubts:
    """The likeliest to stand too high, and how well lifted ones are found in corrupted copies.

    Attributes:
        doubts: the most likely first; those that are likelier than any candidate in the copies.
        all_concepts: CURIEs of those that have a candidate, each with the parent that it has and
            with the likeliest parent below that.
        lifted: how many concepts were lifted in each copy.
        trial: how good the likelihoods are on copies that they were not learned from.
        left_out: how many doubts there are beyond the most likely ones, which are not kept.
    """

    doubts: tuple[DeeperDoubt, ...]
    all_concepts: dict[str, tuple[str, str]]
    lifted: int
    trial: "Trial"
    left_out: int = 0


def run_deeper_parents(request: FinderRequest, channel: Channel) -> DeeperDoubts:
    """Doubt that concepts stand deep enough.

    Raises:
        UserError: an encoder or the root is not there, no concept can stand too high, or it was
            stopped.
    """
    from termexplorer.trainer.placing.deeper_parents import find_deeper_parents

    with opened(request.workspace, request.encoder_ids, channel) as (store, encoders, steps):
        curies, hierarchy = _read_hierarchy(store, request)
        steps.plan(len(request.encoder_ids), 1)
        near = [_find_near(encoders, i, hierarchy, steps) for i in request.encoder_ids]
        steps.say(tr("Learning from corrupted copies"))
        deeper = find_deeper_parents(
            hierarchy, near, share=request.share, seed=request.seed, tick=steps.tick
        )
        concepts_with_parents = zip(
            deeper.concepts.tolist(), deeper.parents.tolist(), deeper.deeper.tolist(), strict=True
        )
        all_concepts = {
            curies[concept]: (curies[parent], curies[better])
            for concept, parent, better in concepts_with_parents
        }

        def make_row(row: int) -> DeeperDoubt:
            nearest = int(deeper.nearest[row])
            return DeeperDoubt(
                curies[deeper.concepts[row]],
                curies[deeper.parents[row]],
                curies[deeper.deeper[row]],
                curies[nearest] if nearest >= 0 else "",
                float(deeper.likelihoods[row]),
                int(deeper.agree[row]),
            )

        doubtful = np.flatnonzero(deeper.likelihoods > deeper.trial.chance).tolist()
        doubts, left_out = keep_most_likely(doubtful, make_row)
        return DeeperDoubts(doubts, all_concepts, deeper.lifted, deeper.trial, left_out)


def _read_hierarchy(store: Store, request: FinderRequest) -> "tuple[list[str], NamedHierarchy]":
    """Return the CURIEs of the live concepts with a name, below a root if one is given."""
    ids, hierarchy = read_named_hierarchy(store, request.ontology_id)
    with store.reading() as connection:
        labels = release_labels(connection, request.ontology_id)
        if request.root:
            top = root_id(connection, request.ontology_id, request.root)
            below = {top, *concepts.descendants(connection, top)}
            hidden = np.flatnonzero(~np.isin(ids, list(below)))
            hierarchy, ids = hierarchy.without(hidden)[0], np.delete(ids, hidden)
    if not len(ids) or not len(hierarchy.child):
        raise UserError(tr("there is no is-a link: no concept can stand too high"))
    return [labels[concept][0] for concept in ids.tolist()], hierarchy


def _find_near(
    encoders: CachedEncoders,
    encoder_id: int,
    hierarchy: "NamedHierarchy",
    steps: EvaluationSteps,
) -> "NearConcepts":
    """Return the concepts nearest to each, by its label and their nearest name."""
    from scipy.sparse import csr_array

    from termexplorer.trainer.evaluation.matching import match_concepts
    from termexplorer.trainer.placing.deeper_candidates import NearConcepts

    labels, size = hierarchy.labels, hierarchy.concepts
    steps.begin(encoders.info(encoder_id).label, size)
    scores = scores_of(
        encoders, encoder_id, labels, hierarchy.names, tick=steps.tick, row=steps.row
    )
    of_names = np.repeat(np.arange(size), np.diff(hierarchy.starts))
    unknown = csr_array((size, size), dtype=np.bool_)
    matches = match_concepts(
        scores, np.arange(size), of_names, unknown, k=_NEAREST + 1, tick=steps.tick
    )
    neighbours, similarities = matches.others()
    return NearConcepts(neighbours, similarities.astype(np.float64))
