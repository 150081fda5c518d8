"""Decide what each concept of an ontology is to those of another: the door of this package."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from termexplorer.trainer.evaluation.scores import Scores
from termexplorer.trainer.mapping.abbreviations import (
    Abbreviations,
    NameExpander,
    add_expansions,
)
from termexplorer.trainer.mapping.candidates import find_candidates, merge_pairs
from termexplorer.trainer.mapping.choices import MappingChoices, choose_matches
from termexplorer.trainer.mapping.made_copy import copy_part
from termexplorer.trainer.mapping.made_list import copy_names
from termexplorer.trainer.mapping.made_pairs import find_anchors
from termexplorer.trainer.mapping.name_pairs import PairSimilarities, compare_names
from termexplorer.trainer.mapping.pair_learning import MappingProblem, learn_pairs
from termexplorer.trainer.mapping.references import add_references
from termexplorer.trainer.mapping.sides import MappingSide
from termexplorer.trainer.mapping.word_swaps import count_swaps

Int64s = NDArray[np.int64]
Float32s = NDArray[np.float32]

_ENOUGH_ANCHORS = 300  # with fewer, a copy of the target is learned from too
_COPIED = 1000  # concepts with synonyms in such a copy
_LISTED = 2000  # codes of a list that is made of the target


class NameSimilarity(NamedTuple):
    """How similar an encoder has names of two lists.

    Attributes:
        scores: of tables of names.
        of_pairs: of single pairs of names.
    """

    scores: Scores
    of_pairs: PairSimilarities


Compare = Callable[[Sequence[str], Sequence[str]], Sequence[NameSimilarity]]
"""Two lists of names, to how similar each encoder has them."""


def _list_nothing() -> Int64s:
    return np.zeros((0, 2), np.int64)


@dataclass(frozen=True, slots=True)
class MappingSettings:
    """How it is decided.

    Attributes:
        one_to_one: whether a concept is in one exact match at most, chosen for the best sum.
        seed: of what is hidden from the models.
        references: (r, 2) int64, pairs that cross-references name, where they may tell.
        extra_pairs: (e, 2) int64 pairs to judge in addition to candidates.
        abbreviations: what they stand for in the names of a list.
    """

    one_to_one: bool = False
    seed: int = 0
    references: Int64s = field(default_factory=_list_nothing)
    extra_pairs: Int64s = field(default_factory=_list_nothing)
    abbreviations: Abbreviations = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class MappingDecisions:
    """What was decided.

    Attributes:
        pairs: (p, 2) int64, all pairs that were looked at, sorted.
        likelihoods: (p, 4) float32 of exact, broad, narrow and no match; a row sums to 1.
        choices: one for each concept of the source.
        quality: see `PairModel`.
        anchors: how many concepts are called the same and no other.
        copied: how many concepts of a copy of the target were learned from in addition.
    """

    pairs: Int64s
    likelihoods: Float32s
    choices: MappingChoices
    quality: dict[str, float]
    anchors: int
    copied: int


def decide_mappings(
    source: MappingSide,
    target: MappingSide,
    compare: Compare,
    settings: MappingSettings | None = None,
    tick: Callable[[], None] = lambda: None,
    begin: Callable[[str], None] = lambda step: None,
) -> MappingDecisions:
    """Decide for each concept of the source: exact, broad, narrow, related or no match.

    What decides is learned from the names and links of the two ontologies alone. Matches that both
    hierarchies contradict are taken back. A source without links is taken for a list of names.

    Args:
        source: whose concepts are mapped.
        target: what they are mapped to.
        compare: how similar encoders have names.
        settings: how it is decided.
        tick: called often; may raise to stop.
        begin: called with each of `STEPS` before it.

    Raises:
        ValueError: too few concepts have synonyms to learn from.
    """
    settings = settings or MappingSettings()
    begin(STEPS[0])
    expander = NameExpander(target, settings.abbreviations) if source.is_list else None
    anchors = find_anchors(source, target)
    if expander:
        source = add_expansions(source, expander)
    problem = _pose_problem(source, target, compare, anchors, settings, tick)
    problems, copied = [problem], 0
    few = len(anchors) < _ENOUGH_ANCHORS and len(target.names) > target.count
    if expander or few:
        begin(STEPS[1])
        if expander:
            copy, same = copy_names(target, expander, _LISTED, settings.seed)
        else:
            copy, same = copy_part(target, _COPIED, settings.seed)
        copied = len(same)
        posed = _pose_problem(copy, target, compare, same, MappingSettings(), tick)
        problems.append(
            MappingProblem(posed.source, posed.target, posed.names, same, problem.none_rate)
        )
    begin(STEPS[2])
    model = learn_pairs(problems, settings.seed, tick)
    begin(STEPS[3])
    likelihoods = add_references(
        problem.pairs, model.judge_pairs(problem), settings.references, anchors
    )
    choices = choose_matches(source, target, problem.pairs, likelihoods, settings.one_to_one)
    return MappingDecisions(
        problem.pairs, likelihoods, choices, model.quality, len(anchors), copied
    )


STEPS = ("candidates", "copy", "learning", "deciding")
"""The parts of a decision, in order; the copy is only made where too few names are the same."""


def _pose_problem(
    source: MappingSide,
    target: MappingSide,
    compare: Compare,
    anchors: Int64s,
    settings: MappingSettings,
    tick: Callable[[], None],
) -> MappingProblem:
    similarities = compare(source.names, target.names)
    scores = [of_encoder.scores for of_encoder in similarities]
    candidates = find_candidates(source, target, scores, tick)
    if source.is_list:  # of those with the very same name the most specific one is chosen
        candidates = candidates[~np.isin(candidates[:, 1], target.repeated)]
    pairs = merge_pairs([candidates, settings.references, settings.extra_pairs])
    of_pairs = [of_encoder.of_pairs for of_encoder in similarities]
    swaps = count_swaps([source, target])
    tick()
    names = compare_names(source, target, pairs, of_pairs, swaps)
    equal = pairs[names.pair[names.equal[1]], 0]
    none_rate = 1 - len(np.unique(equal)) / source.count
    if source.is_list:  # a list's names are often other ones of what is there
        none_rate /= 2
    return MappingProblem(source, target, names, anchors, none_rate)
