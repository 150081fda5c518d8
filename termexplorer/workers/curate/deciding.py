"""Mappings that are decided, in a child: exact, broad, narrow, related or none."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from termexplorer.store.database.engine import Store
from termexplorer.store.releases.corpus import release_name_kinds
from termexplorer.texts import mark, translated
from termexplorer.workers.curate.mapping import cross_references
from termexplorer.workers.data.concept_data import concept_names
from termexplorer.workers.data.named_links import read_named_links
from termexplorer.workers.encoders.encoding import Float32s
from termexplorer.workers.encoders.keeping_encoders import CachedEncoders
from termexplorer.workers.encoders.lexical import fitted
from termexplorer.workers.evaluate.opening import opened
from termexplorer.workers.evaluate.scoring import scores_of
from termexplorer.workers.evaluate.steps import EvaluationSteps
from termexplorer.workers.process.child import Channel

if TYPE_CHECKING:
    from scipy.sparse import csr_array

    from termexplorer.trainer.mapping.decide import MappingDecisions, NameSimilarity
    from termexplorer.trainer.mapping.name_pairs import Int64s, PairSimilarities
    from termexplorer.trainer.mapping.sides import MappingSide

_AT_ONCE = 100_000  # pairs of names
_MOST_CANDIDATES = 5
STEPS = {
    "candidates": mark("Finding candidates"),
    "copy": mark("Mapping a copy of the target to itself"),
    "learning": mark("Learning from concepts that are called the same"),
    "deciding": mark("Deciding"),
}
STARTS = {"candidates": 0.0, "copy": 0.28, "learning": 0.37, "deciding": 0.98}
"""The share of the time that is over when a step begins, as of a list mapped to 8,906 concepts."""


@dataclass(frozen=True, slots=True)
class DecisionRequest:
    """Which concepts are mapped to which, and how.

    Attributes:
        workspace: its folder.
        ontology_id: the release whose concepts are mapped.
        to_id: the release that they are mapped to.
        encoder_ids: what finds candidates and compares names.
        root: only this concept and those below it are told; all if it is empty.
        one_to_one: whether a concept is in one exact match at most.
        withhold_references: whether cross-references tell nothing; else they tell exact matches.
        seed: of what is hidden from the models.
    """

    workspace: Path
    ontology_id: int
    to_id: int
    encoder_ids: tuple[int, ...]
    root: str = ""
    one_to_one: bool = False
    withhold_references: bool = False
    seed: int = 0


@dataclass(frozen=True, slots=True)
class MappingCandidate:
    """What a concept may be mapped to.

    Attributes:
        object: CURIE.
        predicate: what it most probably is: exact, broad, narrow or related.
        probability: that it is this.
    """

    object: str
    predicate: str
    probability: float


@dataclass(frozen=True, slots=True)
class DecidedMapping:
    """What one concept is to another ontology.

    Attributes:
        subject: CURIE of the concept that is mapped.
        object: CURIE of what it is mapped to; of none, of the nearest, empty where nothing is.
        predicate: exact, broad (the object is broader), narrow, related or none.
        probability: that this is right.
        same_name: whether they have a name in common, letters and digits alone.
        known: whether a cross-reference of either says that they are the same.
        references: CURIEs of the other ontology that cross-references name.
        candidates: what was weighed, the chosen one first, then the likeliest.
    """

    subject: str
    object: str
    predicate: str
    probability: float
    same_name: bool
    known: bool
    references: tuple[str, ...]
    candidates: tuple[MappingCandidate, ...] = ()


@dataclass(frozen=True, slots=True)
class DecisionResult:
    """What was decided for the concepts.

    Attributes:
        mappings: the most probable first.
        quality: macro-F1 and calibration error on made pairs that the model had not seen.
        anchors: concepts called the same and no other, which were learned from.
        copied: concepts of a copy of the target that were learned from in addition.
        repaired: exact matches that were taken back, as both hierarchies contradict them.
    """

    mappings: tuple[DecidedMapping, ...]
    quality: dict[str, float]
    anchors: int
    copied: int
    repaired: int


def run_decision(request: DecisionRequest, channel: Channel) -> DecisionResult:
    """Decide for every live concept that has a name.

    Raises:
        UserError: an encoder or concept is not there, too little can be learned from, or it was
            stopped.
    """
    from termexplorer.trainer.mapping.decide import MappingSettings, decide_mappings

    with opened(request.workspace, request.encoder_ids, channel) as (store, encoders, steps):
        source, subjects = read_side(store, request.ontology_id)
        target, objects = read_side(store, request.to_id)
        wanted = set(concept_names(store, request.ontology_id, request.root)[0].classes)
        truth = cross_references(store, request.ontology_id, request.to_id, subjects, objects)
        known = np.zeros((0, 2), np.int64)
        if not request.withhold_references:
            known = np.stack(truth.nonzero(), axis=1).astype(np.int64)
        decisions = decide_mappings(
            source,
            target,
            compare_by(encoders, request.encoder_ids, steps),
            MappingSettings(request.one_to_one, request.seed, known),
            steps.tick,
            lambda step: steps.say(translated(STEPS[step]), STARTS[step]),
        )
    mappings = list_mappings(decisions, (source, target), (subjects, objects), truth)
    wanted_mappings = (mapping for mapping in mappings if mapping.subject in wanted)
    return DecisionResult(
        tuple(sorted(wanted_mappings, key=lambda mapping: -mapping.probability)),
        decisions.quality,
        decisions.anchors,
        decisions.copied,
        decisions.choices.repaired,
    )


def read_side(store: Store, release_id: int) -> "tuple[MappingSide, tuple[str, ...]]":
    """Return the live concepts of a release that have a name, and their CURIEs."""
    from termexplorer.trainer.mapping.sides import EXACT, INEXACT, PREFERRED, MappingSide

    labelled, names = concept_names(store, release_id)
    with store.reading() as connection:
        kinds_and_scopes = release_name_kinds(connection, release_id)
    kinds = np.array(
        [
            PREFERRED if kind == "preferred" else EXACT if scope in ("", "EXACT") else INEXACT
            for kind, scope in kinds_and_scopes
        ],
        np.int64,
    )
    order = np.lexsort((kinds, labelled.class_index))
    children, parents = read_named_links(store, release_id, np.unique(names.concept_ids))
    side = MappingSide(
        [labelled.names[name] for name in order.tolist()],
        labelled.class_index[order],
        kinds[order],
        children,
        parents,
    )
    return side, labelled.classes


def compare_by(
    encoders: CachedEncoders, encoder_ids: Sequence[int], steps: EvaluationSteps
) -> "Callable[[Sequence[str], Sequence[str]], list[NameSimilarity]]":
    """Return what tells how similar each encoder has the names of two lists."""
    from termexplorer.trainer.mapping.decide import NameSimilarity

    def compare(left: Sequence[str], right: Sequence[str]) -> "list[NameSimilarity]":
        return [
            NameSimilarity(
                scores_of(encoders, encoder_id, left, right, tick=steps.tick, row=steps.tick),
                _compare_pairs(encoders, encoder_id, left, right, steps),
            )
            for encoder_id in encoder_ids
        ]

    return compare


def _compare_pairs(
    encoders: CachedEncoders,
    encoder_id: int,
    left: Sequence[str],
    right: Sequence[str],
    steps: EvaluationSteps,
) -> "PairSimilarities":
    """Return a function that tells how similar single pairs of names are."""
    info = encoders.info(encoder_id)
    if info.is_blended:
        parts = [_compare_pairs(encoders, part, left, right, steps) for part in info.part_ids]

        def blend(rows: "Int64s", columns: "Int64s") -> Float32s:
            weights = zip(info.weights, parts, strict=True)
            weighted = [weight * part(rows, columns) for weight, part in weights]
            return np.asarray(np.sum(weighted, axis=0), np.float32)

        return blend
    if info.is_lexical:
        index = fitted(encoders, info, right, steps.tick)

        def score_texts(rows: "Int64s", columns: "Int64s") -> Float32s:
            texts = [left[row] for row in rows.tolist()], [right[c] for c in columns.tolist()]
            return np.nan_to_num(index.pair_scores(*texts))

        return _in_parts(score_texts, steps)
    vectors, other_vectors = (
        _bring_to_unit_length(encoders.encode(encoder_id, names)) for names in (left, right)
    )
    return _in_parts(
        lambda rows, columns: np.einsum("nd,nd->n", vectors[rows], other_vectors[columns]), steps
    )


def _in_parts(compare: "PairSimilarities", steps: EvaluationSteps) -> "PairSimilarities":
    def compare_all(rows: "Int64s", columns: "Int64s") -> Float32s:
        similarities = np.empty(len(rows), np.float32)
        for start in range(0, len(rows), _AT_ONCE):
            steps.tick()
            part = slice(start, start + _AT_ONCE)
            similarities[part] = compare(rows[part], columns[part])
        return similarities

    return compare_all


def _bring_to_unit_length(vectors: Float32s) -> Float32s:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.maximum(lengths, np.float32(1e-12)))


def list_mappings(
    decisions: "MappingDecisions",
    sides: "tuple[MappingSide, MappingSide]",
    curies: tuple[Sequence[str], Sequence[str]],
    truth: "csr_array",
) -> Iterator[DecidedMapping]:
    """Yield what each concept is."""
    choices, forms = decisions.choices, [_list_forms(side) for side in sides]
    starts = np.searchsorted(decisions.pairs[:, 0], np.arange(len(choices.predicates) + 1))
    for concept, (predicate, row) in enumerate(
        zip(choices.predicates, choices.candidates.tolist(), strict=True)
    ):
        other = int(decisions.pairs[row, 1]) if row >= 0 else -1
        named = truth.indices[truth.indptr[concept] : truth.indptr[concept + 1]].tolist()
        yield DecidedMapping(
            subject=curies[0][concept],
            object=curies[1][other] if row >= 0 else "",
            predicate=predicate,
            probability=float(choices.likelihoods[concept]),
            same_name=row >= 0 and bool(forms[0][concept] & forms[1][other]),
            known=other in named,
            references=tuple(curies[1][reference] for reference in named),
            candidates=tuple(
                _list_candidates(decisions, slice(*starts[concept : concept + 2]), row, curies[1])
            ),
        )


def _list_candidates(
    decisions: "MappingDecisions", of_concept: slice, chosen: int, objects: Sequence[str]
) -> Iterator[MappingCandidate]:
    """Yield the likeliest candidates of a concept, whose pairs stand together; the chosen first."""
    from termexplorer.trainer.mapping.choices import name_likeliest

    any_match = decisions.likelihoods[of_concept, :3].sum(axis=1)
    rows = of_concept.start + np.argsort(-any_match, kind="stable")[:_MOST_CANDIDATES]
    order = dict.fromkeys([*([chosen] if chosen >= 0 else []), *rows.tolist()])
    for row in list(order)[:_MOST_CANDIDATES]:
        predicate, probability = name_likeliest(decisions.likelihoods[row])
        yield MappingCandidate(objects[int(decisions.pairs[row, 1])], predicate, probability)


def _list_forms(side: "MappingSide") -> list[set[str]]:
    """Return the letters and digits of the names of each concept."""
    forms: list[set[str]] = [set() for _ in range(side.count)]
    for letters, concept in zip(side.forms.letters, side.concepts.tolist(), strict=True):
        if letters:
            forms[concept].add(letters)
    return forms
