"""Codes of a local list that are mapped to an ontology by a decision, in a child."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from termexplorer.texts import translated
from termexplorer.workers.curate.deciding import (
    STARTS,
    STEPS,
    DecisionResult,
    compare_by,
    list_mappings,
    read_side,
)
from termexplorer.workers.evaluate.opening import opened
from termexplorer.workers.process.child import Channel

if TYPE_CHECKING:
    from termexplorer.trainer.mapping.sides import MappingSide


@dataclass(frozen=True, slots=True)
class ListDecisionRequest:
    """Which codes are mapped to which release, and how.

    Attributes:
        workspace: its folder.
        codes: the CURIEs of the codes, none twice.
        names: the names of each, one at least.
        to_id: the release that they are mapped to.
        encoder_ids: what finds candidates and compares names.
        one_to_one: whether a concept is in one exact match at most.
        seed: of what is hidden from the models.
    """

    workspace: Path
    codes: tuple[str, ...]
    names: tuple[tuple[str, ...], ...]
    to_id: int
    encoder_ids: tuple[int, ...]
    one_to_one: bool = False
    seed: int = 0


def run_list_decision(request: ListDecisionRequest, channel: Channel) -> DecisionResult:
    """Decide for every code, in the order of the request.

    Raises:
        UserError: an encoder is not there, too little can be learned from, or it was stopped.
    """
    from termexplorer.trainer.mapping.abbreviations import load_abbreviations
    from termexplorer.trainer.mapping.decide import MappingSettings, decide_mappings
    from termexplorer.trainer.mapping.sides import binary_matrix

    source = _make_side(request.names)
    with opened(request.workspace, request.encoder_ids, channel) as (store, encoders, steps):
        target, objects = read_side(store, request.to_id)
        decisions = decide_mappings(
            source,
            target,
            compare_by(encoders, request.encoder_ids, steps),
            MappingSettings(request.one_to_one, request.seed, abbreviations=load_abbreviations()),
            steps.tick,
            lambda step: steps.say(translated(STEPS[step]), STARTS[step]),
        )
    nothing = np.zeros(0, np.int64)
    no_references = binary_matrix(nothing, nothing, (source.count, target.count))
    mappings = list_mappings(decisions, (source, target), (request.codes, objects), no_references)
    return DecisionResult(
        tuple(mappings),
        decisions.quality,
        decisions.anchors,
        decisions.copied,
        decisions.choices.repaired,
    )


def _make_side(names_of: Sequence[Sequence[str]]) -> "MappingSide":
    """Return codes with their names, the first of each the preferred one, and no links."""
    from termexplorer.trainer.mapping.sides import EXACT, PREFERRED, MappingSide

    kinds = [EXACT if number else PREFERRED for names in names_of for number in range(len(names))]
    concepts = np.repeat(np.arange(len(names_of)), [len(names) for names in names_of])
    nothing = np.zeros(0, np.int64)
    return MappingSide(
        [name for names in names_of for name in names],
        concepts.astype(np.int64),
        np.array(kinds, np.int64),
        nothing,
        nothing,
    )
