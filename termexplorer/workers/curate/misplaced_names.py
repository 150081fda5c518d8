"""Names that are nearer to another concept's names than to those of their own, found in a child."""

from collections.abc import Sequence
from dataclasses import dataclass
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
from termexplorer.workers.encoders.keeping_encoders import CachedEncoders
from termexplorer.workers.evaluate.opening import opened
from termexplorer.workers.evaluate.scoring import scores_of
from termexplorer.workers.evaluate.steps import EvaluationSteps
from termexplorer.workers.process.child import Channel

if TYPE_CHECKING:
    from scipy.sparse import csr_array

    from termexplorer.trainer.evaluation.likelihood import Candidates, Trial
    from termexplorer.trainer.evaluation.misplaced_names import NameDoubts, NameEvidence
    from termexplorer.trainer.text.names import LabelledNames

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

_NEAREST = 50  # names that are kept of each ranking


@dataclass(frozen=True, slots=True)
class NameDoubt:
    """A name that may be one of another concept.

    Attributes:
        concept: CURIE of the one that has it.
        name: the name.
        better: CURIE of the concept with the nearest name, by the first encoder.
        nearest: that name.
        likelihood: that it is misplaced, if as many are as in the corrupted copies.
        margin: how much nearer that name is than the nearest other one of its own concept, by the
            first encoder.
        agree: for how many of the encoders a name of that concept is the nearest of all.
    """

    concept: str
    name: str
    better: str
    nearest: str
    likelihood: float
    margin: float
    agree: int


@dataclass(frozen=True, slots=True)
class MisplacedNames:
    """The most doubtful names, and how well moved ones are found in corrupted copies.

    Attributes:
        doubts: the most likely first.
        all_names: concept and name -> the concept with the nearest other name, by the first
            encoder, or an empty text; those of concepts with several, but for their labels.
        concepts: how many concepts these could be of.
        moved: how many of the names were moved in each copy.
        trial: how good the likelihoods are on copies that they were not learned from.
        left_out: how many doubts there are beyond the most likely ones, which are not kept.
    """

    doubts: tuple[NameDoubt, ...]
    all_names: dict[tuple[str, str], str]
    concepts: int
    moved: int
    trial: "Trial"
    left_out: int = 0


def run_misplaced_names(request: FinderRequest, channel: Channel) -> MisplacedNames:
    """Doubts the names of live concepts.

    Raises:
        UserError: an encoder or the root is not there, no concept has several names, or it was
            stopped.
    """
    from termexplorer.trainer.evaluation.misplaced_names import moved_names, pairs_within

    with opened(request.workspace, request.encoder_ids, channel) as (store, encoders, steps):
        names, movable = _names_to_check(store, request)
        class_index, seeds = names.class_index, range(request.seed, request.seed + COPIES)
        copies = [moved_names(class_index, movable, request.share, seed) for seed in seeds]
        pairs = pairs_within([class_index, *(concepts for concepts, _ in copies)])
        steps.plan(len(request.encoder_ids), 1)
        evidence = [
            _measure_evidence(encoders, i, names, pairs, steps) for i in request.encoder_ids
        ]
        steps.say(tr("Learning from corrupted copies"))
        return _doubt_names(names, movable, copies, evidence, steps)


def _names_to_check(store: Store, request: FinderRequest) -> "tuple[LabelledNames, Bools]":
    """All names, and which are looked at: a label tells which concept it is, others may be wrong.

    Raises:
        UserError: there are none to look at.
    """
    names, _ = concept_names(store, request.ontology_id, request.root)
    with store.reading() as connection:
        known = release_labels(connection, request.ontology_id).values()
    labels = {curie: label for curie, _code, label in known}
    of_names = names.class_index.tolist()
    label = [
        text == labels[names.classes[concept]]
        for text, concept in zip(names.names, of_names, strict=True)
    ]
    movable = ~np.array(label, np.bool_) & (np.bincount(of_names)[of_names] > 1)
    if not movable.any():
        raise UserError(_nothing_to_check(request))
    return names, movable


def _measure_evidence(
    encoders: CachedEncoders,
    encoder_id: int,
    names: "LabelledNames",
    pairs: "csr_array",
    steps: EvaluationSteps,
) -> "NameEvidence":
    from termexplorer.trainer.evaluation.misplaced_names import name_evidence

    steps.begin(encoders.info(encoder_id).label, len(names.names))
    scores = scores_of(encoders, encoder_id, names.names, tick=steps.tick, row=steps.row)
    return name_evidence(scores, pairs, k=_NEAREST, tick=steps.tick)


def _doubt_names(
    names: "LabelledNames",
    movable: Bools,
    copies: Sequence[tuple[Ints, Bools]],
    evidence: "Sequence[NameEvidence]",
    steps: EvaluationSteps,
) -> MisplacedNames:
    from termexplorer.trainer.evaluation.likelihood import Candidates
    from termexplorer.trainer.evaluation.misplaced_names import name_doubts

    def doubted(concepts: Ints) -> "list[NameDoubts]":
        steps.tick()
        return [name_doubts(encoder_evidence, concepts) for encoder_evidence in evidence]

    def candidates(all_doubts: "Sequence[NameDoubts]", true: Bools) -> "Candidates":
        looked = np.flatnonzero(movable & ~np.isnan(all_doubts[0].margins))
        features = np.concatenate(
            [encoder_doubts.features[looked] for encoder_doubts in all_doubts], axis=1
        )
        return Candidates(features, looked, true[looked])

    tries = [candidates(doubted(concepts), true) for concepts, true in copies]
    likelihood, tried = learn_and_try(tries)
    all_doubts = doubted(names.class_index)
    looked = candidates(all_doubts, np.zeros(len(movable), np.bool_))
    rows, left_out = _doubt_rows(names, all_doubts, looked.about, likelihood.of(looked))
    return MisplacedNames(
        rows,
        _nearest_concepts(names, all_doubts[0], looked.about),
        len(names.classes),
        int(copies[0][1].sum()),
        tried,
        left_out,
    )


def _nearest_concepts(
    names: "LabelledNames", first: "NameDoubts", looked: Ints
) -> dict[tuple[str, str], str]:
    of_names = names.class_index.tolist()
    nearest = first.nearest[looked].tolist()
    return {
        (names.classes[of_names[name]], names.names[name]): (
            names.classes[of_names[near]] if near >= 0 else ""
        )
        for name, near in zip(looked.tolist(), nearest, strict=True)
    }


def _doubt_rows(
    names: "LabelledNames",
    all_doubts: "Sequence[NameDoubts]",
    looked: Ints,
    likelihood: NDArray[np.float64],
) -> tuple[tuple[NameDoubt, ...], int]:
    first, of_names = all_doubts[0], names.class_index
    better = [
        np.where(encoder_doubts.nearest >= 0, of_names[encoder_doubts.nearest], -1)
        for encoder_doubts in all_doubts
    ]
    against = [
        (found_better == better[0]) & (encoder_doubts.margins > 0)
        for found_better, encoder_doubts in zip(better, all_doubts, strict=True)
    ]
    agree = np.sum(against, axis=0)
    order = np.lexsort((-first.margins[looked], -likelihood))
    doubtful = [row for row in order.tolist() if better[0][looked[row]] >= 0 and agree[looked[row]]]

    def make_row(row: int) -> NameDoubt:
        name = int(looked[row])
        return NameDoubt(
            names.classes[of_names[name]],
            names.names[name],
            names.classes[better[0][name]],
            names.names[first.nearest[name]],
            float(likelihood[row]),
            float(first.margins[name]),
            int(agree[name]),
        )

    return keep_most_likely(doubtful, make_row)


def _nothing_to_check(request: FinderRequest) -> str:
    if request.root:
        return tr(
            "no concept below {root} has a name besides its label; none can be misplaced",
            root=request.root,
        )
    return tr("no concept of this ontology has a name besides its label; none can be misplaced")
