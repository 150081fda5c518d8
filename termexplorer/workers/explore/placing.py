"""The child that ranks concepts of a release as parents of terms that it does not have."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from termexplorer.store.database.engine import Store
from termexplorer.store.encoders.infos import LEXICAL
from termexplorer.store.releases.corpus import release_graph, release_labels, release_names
from termexplorer.texts import tr
from termexplorer.workers.encoders.keeping_encoders import CachedEncoders
from termexplorer.workers.evaluate.opening import opened
from termexplorer.workers.process.child import Channel

if TYPE_CHECKING:
    from termexplorer.trainer.evaluation.figures import TaskResult
    from termexplorer.trainer.placing.named_hierarchy import NamedHierarchy
    from termexplorer.trainer.representations.base import Representation


@dataclass(frozen=True, slots=True)
class PlacingRequest:
    """Which terms to place where.

    Attributes:
        workspace: its folder.
        ontology_id: the release that they are placed in.
        encoder_id: names are compared by, beside how they are written.
        terms: none of them twice; none at all where hidden concepts are placed to be measured.
        count: parents to tell of each.
        seed: by which concepts to learn from, or to hide, are drawn.
    """

    workspace: Path
    ontology_id: int
    encoder_id: int
    terms: tuple[str, ...] = ()
    count: int = 10
    seed: int = 0


@dataclass(frozen=True, slots=True)
class LikelyParent:
    """A concept that a term may belong below.

    Attributes:
        concept_id: of the release.
        curie: its.
        label: its.
        probability: that it is a direct parent.
    """

    concept_id: int
    curie: str
    label: str
    probability: float


@dataclass(frozen=True, slots=True)
class PlacedTerm:
    """A term and its likeliest parents, the first one the likeliest.

    Attributes:
        words: of the term, each once.
        known_words: how many of them are in a name of the ontology; of a term with few, a guess.
    """

    term: str
    parents: tuple[LikelyParent, ...]
    words: int
    known_words: int


@dataclass(frozen=True, slots=True)
class PlacingTrial:
    """How well hidden concepts were placed, and by the similarity of names alone."""

    hidden: int
    left: int
    placed: "TaskResult"
    by_similarity: "TaskResult"


def place_terms(request: PlacingRequest, channel: Channel) -> tuple[PlacedTerm, ...]:
    """Learn from a release where its concepts belong, and place terms.

    Raises:
        UserError: the encoder is not there or has no vectors, or too few concepts have a parent.
    """
    from termexplorer.trainer.placing.placer import LEARNED, Placer
    from termexplorer.trainer.text.tokenizer import tokenize

    with opened(request.workspace, [request.encoder_id], channel) as (store, encoders, steps):
        ids, hierarchy = _read_hierarchy(store, request.ontology_id)
        steps.plan(1, 2)
        steps.begin(tr("Learning where terms belong"), min(LEARNED, hierarchy.concepts))
        encoder = _find_encoder(encoders, request.encoder_id)
        placer = Placer.fit(hierarchy, encoder, seed=request.seed, tick=steps.row)
        steps.begin(tr("Placing terms"), len(request.terms))
        with store.reading() as connection:
            labels = release_labels(connection, request.ontology_id)
        known = {token for name in hierarchy.names for token in tokenize(name)}
        placed = []
        for term, placement in zip(request.terms, placer.place(request.terms), strict=True):
            steps.row()
            concepts = ids[placement.concepts[: request.count]].tolist()
            likely = zip(concepts, placement.probabilities.tolist(), strict=False)
            parents = tuple(
                LikelyParent(concept, labels[concept][0], labels[concept][2], probability)
                for concept, probability in likely
            )
            words = set(tokenize(term))
            placed.append(PlacedTerm(term, parents, len(words), len(words & known)))
        return tuple(placed)


def try_placing(request: PlacingRequest, channel: Channel) -> PlacingTrial:
    """Hide a tenth of the concepts of a release, and tell how well they are placed.

    Raises:
        UserError: as `place_terms`.
    """
    from termexplorer.trainer.placing.placer import LEARNED, Placer
    from termexplorer.trainer.placing.trial import hide_concepts, placing, rank_by_similarity

    with opened(request.workspace, [request.encoder_id], channel) as (store, encoders, steps):
        _, whole = _read_hierarchy(store, request.ontology_id)
        data = hide_concepts(whole, request.seed)
        encoder = _find_encoder(encoders, request.encoder_id)
        steps.plan(1, 3)
        steps.begin(tr("Learning where terms belong"), min(LEARNED, data.hierarchy.concepts))
        placer = Placer.fit(data.hierarchy, encoder, seed=request.seed, tick=steps.row)
        steps.begin(tr("Placing terms"), len(data.terms))
        ranked = [placement.concepts for placement in placer.place(data.terms)]
        placed = placing(data, ranked, seed=request.seed, tick=steps.row)
        steps.begin(tr("Ranking by similarity alone"), len(data.terms))
        ranked_alone = rank_by_similarity(data, lambda terms: placer.evidence.compare(terms)[-1])
        alone = placing(data, ranked_alone, seed=request.seed, tick=steps.row)
        return PlacingTrial(len(data.terms), data.hierarchy.concepts, placed, alone)


def _find_encoder(encoders: CachedEncoders, encoder_id: int) -> "Representation | None":
    return None if encoder_id == LEXICAL else encoders.representation(encoder_id)


def _read_hierarchy(store: Store, release_id: int) -> "tuple[NDArray[np.int64], NamedHierarchy]":
    """Return the ids of the live concepts of a release that have a name, and these."""
    from termexplorer.trainer.placing.named_hierarchy import NamedHierarchy

    with store.reading() as connection:
        names = release_names(connection, release_id)
        labels = release_labels(connection, release_id)
        graph = release_graph(connection, release_id)
    of_concept: dict[int, dict[str, None]] = {
        concept: {label: None} for concept, (_, _, label) in labels.items() if label
    }
    for concept, text in zip(names.concept_ids.tolist(), names.texts, strict=True):
        of_concept.setdefault(concept, {})[text] = None
    ids = np.array(sorted(of_concept), dtype=np.int64)
    numbers = {concept: number for number, concept in enumerate(ids.tolist())}
    parents: list[list[int]] = [[] for _ in numbers]
    linked = graph.concept_ids[graph.children].tolist(), graph.concept_ids[graph.parents].tolist()
    for child, parent in zip(*linked, strict=True):
        if child in numbers and parent in numbers:
            parents[numbers[child]].append(numbers[parent])
    return ids, NamedHierarchy.build([tuple(of_concept[i]) for i in ids.tolist()], parents)
