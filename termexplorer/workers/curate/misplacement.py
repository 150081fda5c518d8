"""Concepts that encoders would put below another class, found in a child."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from termexplorer.errors import UserError
from termexplorer.store.database.engine import Store
from termexplorer.store.releases.corpus import release_labels
from termexplorer.texts import tr
from termexplorer.workers.curate.finder import (
    COPIES,
    FinderRequest,
    keep_most_likely,
    learn_and_try,
)
from termexplorer.workers.data.concept_data import concept_names
from termexplorer.workers.data.level_choice import LevelChoice
from termexplorer.workers.data.level_data import level_labels
from termexplorer.workers.data.named_links import read_named_hierarchy
from termexplorer.workers.encoders.keeping_encoders import CachedEncoders
from termexplorer.workers.evaluate.opening import opened
from termexplorer.workers.evaluate.scoring import scores_of
from termexplorer.workers.evaluate.steps import EvaluationSteps
from termexplorer.workers.process.child import Channel

if TYPE_CHECKING:
    from scipy.sparse import csr_array

    from termexplorer.trainer.evaluation.likelihood import Candidates, Trial
    from termexplorer.trainer.evaluation.misplacement import Doubts, Evidence
    from termexplorer.trainer.representations.base import Representation
    from termexplorer.trainer.text.names import LabelledNames

Ints = NDArray[np.int64]

_NEAREST = 50  # concepts and classes that are looked at


@dataclass(frozen=True, slots=True)
class Doubt:
    """A concept that may be misplaced.

    Attributes:
        concept: its CURIE.
        classes: CURIEs of the classes on the level that it is below.
        better_class: CURIE of the class that the first encoder would put it below.
        better: CURIE of the concept that is its likeliest direct parent there: the class, or one
            below it, and never the concept itself or what is below it.
        likelihood: that it is misplaced, if so many are as in the corrupted copies.
        margin: how much nearer the nearest concept of another class is than one of its own, by the
            first encoder.
        agree: how many of the encoders would put it below that class rather than its own.
    """

    concept: str
    classes: tuple[str, ...]
    better_class: str
    better: str
    likelihood: float
    margin: float
    agree: int


@dataclass(frozen=True, slots=True)
class Doubted:
    """The most doubtful concepts, and how well moved ones are found in corrupted copies.

    Attributes:
        doubts: the most likely first.
        all_concepts: CURIEs of those that were looked at, with the class, or none, that the first
            encoder finds best of those that each is not below.
        all_classes: CURIEs of the classes that they are below.
        moved: how many of the concepts were moved in each copy.
        trial: how good the likelihoods are on copies that they were not learned from.
        left_out: how many doubts there are beyond the most likely ones, which are not kept.
    """

    doubts: tuple[Doubt, ...]
    all_concepts: dict[str, str]
    all_classes: tuple[str, ...]
    moved: int
    trial: "Trial"
    left_out: int = 0


def run_misplacement(request: FinderRequest, channel: Channel) -> Doubted:
    """Doubts concepts below a level.

    Raises:
        UserError: an encoder, the root or the level is not there, or it was stopped.
    """
    with opened(request.workspace, request.encoder_ids, channel) as (store, encoders, steps):
        level = _Level.read(store, request)
        steps.plan(len(request.encoder_ids), 2)
        evidence = [_measure_evidence(encoders, i, level, steps) for i in request.encoder_ids]
        steps.say(tr("Learning from corrupted copies"))
        doubted = _doubt_concepts(level, evidence, request, steps)
        steps.say(tr("Learning where terms belong"))
        return replace(
            doubted, doubts=_name_parents(store, encoders, request, doubted.doubts, steps)
        )


@dataclass(frozen=True, eq=False)
class _Level:
    """The concepts below a level with their names, and the classes with theirs.

    Attributes:
        curies: of the m concepts.
        names: of them, and the concept of each.
        classes: CURIEs of the c classes.
        class_names: of those that have any, and the place of its class among `named` for each.
        named: (h,) the classes that have names.
        membership: (m, c) bool.
    """

    curies: tuple[str, ...]
    names: "tuple[tuple[str, ...], Ints]"
    classes: tuple[str, ...]
    class_names: "tuple[tuple[str, ...], Ints]"
    named: Ints
    membership: "csr_array"

    @classmethod
    def read(cls, store: Store, request: FinderRequest) -> "_Level":
        from scipy.sparse import csr_array

        choice = LevelChoice(
            root=request.root, level=request.level,
            shortcuts=False, dead_ends=False, below_depth=False,
        )  # fmt: skip
        (labels,) = level_labels(store, request.ontology_id, [choice])
        everything, _ = concept_names(store, request.ontology_id)
        with store.reading() as connection:
            by_id = release_labels(connection, request.ontology_id)
        places = sorted(by_id)  # as in the graph, whose places the classes are
        classes = tuple(by_id[places[int(class_text)]][0] for class_text in labels.classes)
        concept_of = np.empty(len(everything.names), np.int64)
        concept_of[everything.name_index] = everything.class_index
        pairs = np.unique(np.stack([concept_of[labels.name_index], labels.class_index]), axis=1)
        looked, row = np.unique(pairs[0], return_inverse=True)
        shape = (len(looked), len(classes))
        membership = csr_array((np.ones(len(row), np.bool_), (row, pairs[1])), shape=shape)
        if len(looked) < 2 or len(classes) < 2:
            raise UserError(
                tr("level {level} needs two classes with concepts below them", level=request.level)
            )
        curies = tuple(everything.classes[index] for index in looked.tolist())
        place_of = {curie: index for index, curie in enumerate(everything.classes)}
        has_names = [index for index, curie in enumerate(classes) if curie in place_of]
        of_classes = np.array([place_of[classes[index]] for index in has_names], np.int64)
        return cls(
            curies,
            _names_of(everything, concept_of, looked),
            classes,
            _names_of(everything, concept_of, of_classes),
            np.array(has_names, np.int64),
            membership,
        )


def _names_of(
    everything: "LabelledNames", concept_of: Ints, wanted: Ints
) -> tuple[tuple[str, ...], Ints]:
    """The names of some concepts, and the place of its concept among these for each."""
    position = np.full(len(everything.classes), -1)
    position[wanted] = np.arange(len(wanted))
    name_indices = np.flatnonzero(position[concept_of] >= 0)
    return tuple(everything.names[index] for index in name_indices.tolist()), position[
        concept_of[name_indices]
    ]


def _measure_evidence(
    encoders: CachedEncoders, encoder_id: int, level: _Level, steps: EvaluationSteps
) -> "Evidence":
    from scipy.sparse import csr_array

    from termexplorer.trainer.evaluation.matching import Matches, match_concepts
    from termexplorer.trainer.evaluation.misplacement import Evidence

    texts, of_texts = level.names

    def matched(other_texts: tuple[str, ...], of_others: Ints, k: int) -> Matches:
        steps.begin(encoders.info(encoder_id).label, len(texts))
        scores = scores_of(encoders, encoder_id, texts, other_texts, tick=steps.tick, row=steps.row)
        shape = (len(level.curies), int(of_others.max()) + 1)
        unknown = csr_array(shape, dtype=np.bool_)
        return match_concepts(scores, of_texts, of_others, unknown, k=k, tick=steps.tick)

    among = matched(*level.names, _NEAREST + 1)
    return Evidence.of(among, matched(*level.class_names, _NEAREST), level.named)


def _doubt_concepts(
    level: _Level, evidence: "Sequence[Evidence]", request: FinderRequest, steps: EvaluationSteps
) -> Doubted:
    from termexplorer.trainer.evaluation.likelihood import Candidates
    from termexplorer.trainer.evaluation.misplacement import doubts, list_alike, moved

    every = np.arange(len(level.curies))

    def doubted(membership: "csr_array") -> "list[Doubts]":
        steps.tick()
        return [doubts(encoder_evidence, membership) for encoder_evidence in evidence]

    def candidates(all_doubts: "Sequence[Doubts]", true: NDArray[np.bool_]) -> "Candidates":
        return Candidates(
            np.concatenate([encoder_doubts.margins for encoder_doubts in all_doubts], axis=1),
            every,
            true,
        )

    alike = list_alike(evidence[0], level.membership)
    drawn = [
        moved(level.membership, request.share, request.seed + copy_number, alike)
        for copy_number in range(COPIES)
    ]
    copies = [candidates(doubted(membership), mask) for membership, mask in drawn]
    likelihood, tried = learn_and_try(copies)
    all_doubts = doubted(level.membership)
    best = [
        level.classes[class_index] if class_index >= 0 else ""
        for class_index in all_doubts[0].classes.tolist()
    ]
    likely = likelihood.of(candidates(all_doubts, np.zeros(len(every), np.bool_)))
    rows, left_out = _doubt_rows(level, all_doubts, likely)
    return Doubted(
        rows,
        dict(zip(level.curies, best, strict=True)),
        level.classes,
        int(copies[0].true.sum()),
        tried,
        left_out,
    )


def _doubt_rows(
    level: _Level, all_doubts: "Sequence[Doubts]", likelihood: NDArray[np.float64]
) -> tuple[tuple[Doubt, ...], int]:
    first = all_doubts[0]
    against = [
        (encoder_doubts.classes == first.classes) & (encoder_doubts.margins[:, 1] > 0)
        for encoder_doubts in all_doubts
    ]
    agree = np.sum(against, axis=0)
    order = np.lexsort((-first.margins[:, 0], -likelihood))
    doubtful = [row for row in order.tolist() if first.classes[row] >= 0 and agree[row]]

    def make_row(row: int) -> Doubt:
        own_classes = level.membership.indices[slice(*level.membership.indptr[row : row + 2])]
        return Doubt(
            level.curies[row],
            tuple(level.classes[class_index] for class_index in own_classes.tolist()),
            level.classes[first.classes[row]],
            level.classes[first.classes[row]],
            float(likelihood[row]),
            float(first.margins[row, 0]),
            int(agree[row]),
        )

    return keep_most_likely(doubtful, make_row)


def _name_parents(
    store: Store,
    encoders: CachedEncoders,
    request: FinderRequest,
    doubts: tuple[Doubt, ...],
    steps: EvaluationSteps,
) -> tuple[Doubt, ...]:
    """Return the doubts with the likeliest parent within the better class.

    Those are left out of which all in that class is below the concept itself.
    """
    from termexplorer.trainer.placing.below import find_parents_below

    ids, hierarchy = read_named_hierarchy(store, request.ontology_id)
    with store.reading() as connection:
        labels = release_labels(connection, request.ontology_id)
    curies = [labels[concept][0] for concept in ids.tolist()]
    number_of = {curie: number for number, curie in enumerate(curies)}
    asked = [doubt for doubt in doubts if doubt.better_class in number_of]  # it may have no name
    parents = find_parents_below(
        hierarchy,
        _choose_representation(encoders, request.encoder_ids),
        [number_of[doubt.concept] for doubt in asked],
        [number_of[doubt.better_class] for doubt in asked],
        seed=request.seed,
        tick=steps.tick,
    )
    better = {
        doubt.concept: curies[parent] if parent >= 0 else ""
        for doubt, parent in zip(asked, parents.tolist(), strict=True)
    }
    with_parents = (
        replace(doubt, better=better.get(doubt.concept, doubt.better)) for doubt in doubts
    )
    return tuple(doubt for doubt in with_parents if doubt.better)


def _choose_representation(
    encoders: CachedEncoders, encoder_ids: Sequence[int]
) -> "Representation | None":
    """Return the first encoder with vectors; how names are written counts in any case."""
    with_vectors = (i for i in encoder_ids if encoders.info(i).has_vectors)
    chosen = next(with_vectors, None)
    return None if chosen is None else encoders.representation(chosen)
