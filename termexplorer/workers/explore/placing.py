"""The child that ranks concepts of a release as parents of terms that it does not have."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from termexplorer.store.encoders.infos import LEXICAL
from termexplorer.store.releases.corpus import release_labels
from termexplorer.texts import tr
from termexplorer.workers.data.named_links import read_named_hierarchy
from termexplorer.workers.encoders.keeping_encoders import CachedEncoders
from termexplorer.workers.evaluate.opening import opened
from termexplorer.workers.process.child import Channel

if TYPE_CHECKING:
    from termexplorer.trainer.evaluation.figures import TaskResult
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
        ids, hierarchy = read_named_hierarchy(store, request.ontology_id)
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
        _, whole = read_named_hierarchy(store, request.ontology_id)
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
