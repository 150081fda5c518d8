"""Concepts that may be one and the same, found in a child."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from termexplorer.store.release_content import ReleaseContent, release_content
from termexplorer.workers.child import Channel
from termexplorer.workers.concept_data import concept_names
from termexplorer.workers.evaluation.opening import opened
from termexplorer.workers.evaluation.scoring import scores_of
from termexplorer.workers.evaluation.steps import Steps
from termexplorer.workers.keeping_encoders import KeepingEncoders

if TYPE_CHECKING:
    from trainer.evaluation.duplicates import NearPairs
    from trainer.evaluation.matching import Matches
    from trainer.names import LabelledNames

Ints = NDArray[np.int64]

FIRST = (1, 5)
_NEAREST = max(FIRST) + 1  # concepts that are kept of each, itself among them
_MOST = 2000  # suggestions


@dataclass(frozen=True, slots=True)
class DuplicatesRequest:
    """Where duplicates are looked for.

    Attributes:
        workspace: its folder.
        ontology_id: the release.
        encoder_ids: the first one orders the pairs, the others agree or not.
        root: CURIE of the concept to look below; empty for all.
        share: of the concepts with several names that are split in the corrupted copy.
        seed: of that copy.
    """

    workspace: Path
    ontology_id: int
    encoder_ids: tuple[int, ...]
    root: str = ""
    share: float = 0.02
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Pair:
    """Two concepts that may be one.

    Attributes:
        first: CURIE.
        second: CURIE.
        similarity: of their most similar names, by the first encoder.
        agree: for how many encoders one of them is the nearest to the other.
        relation: `parent` if the second is one of the first, `child`, `sibling`, or empty.
    """

    first: str
    second: str
    similarity: float
    agree: int
    relation: str


@dataclass(frozen=True, slots=True)
class Duplicates:
    """Suggested pairs, and how well each encoder finds concepts that were split in two.

    Attributes:
        pairs: the most similar first.
        concepts: how many were looked at.
        split: how many were split in the corrupted copy.
        recall: encoder -> k -> the share of split ones of which one half is among the k nearest
            of the other.
    """

    pairs: tuple[Pair, ...]
    concepts: int
    split: int
    recall: dict[int, dict[int, float]]


def run_duplicates(request: DuplicatesRequest, channel: Channel) -> Duplicates:
    """Looks for near pairs among all live concepts.

    Raises:
        UserError: an encoder or the root is not there, no concept has two names, or it was stopped.
    """
    from trainer.evaluation.duplicates import near_pairs, split_concepts

    with opened(request.workspace, request.encoder_ids, channel) as (store, encoders, steps):
        names, _ = concept_names(store, request.ontology_id, request.root)
        with store.reading() as connection:
            content = release_content(connection, request.ontology_id)
        steps.plan(len(request.encoder_ids), 2)
        parted, chosen = split_concepts(names.class_index, request.share, request.seed)
        true = dict(enumerate(chosen.tolist(), len(names.classes)))
        found: list[Matches] = []
        recall: dict[int, dict[int, float]] = {}
        for encoder_id in request.encoder_ids:
            found.append(_among(encoders, encoder_id, names, names.class_index, steps))
            copy = _among(encoders, encoder_id, names, parted, steps)
            nearest, _ = copy.others()
            recall[encoder_id] = {k: _recall(nearest[:, :k], true) for k in FIRST}
        pairs = near_pairs(found[0])
    told = tuple(_pairs(names.classes, content, pairs, [each.others()[0] for each in found]))
    return Duplicates(told, len(names.classes), len(chosen), recall)


def _among(
    encoders: KeepingEncoders,
    encoder_id: int,
    names: "LabelledNames",
    concepts: Ints,
    steps: Steps,
) -> "Matches":
    from scipy.sparse import csr_array

    from trainer.evaluation.matching import match_concepts

    steps.begin(encoders.info(encoder_id).label, len(names.names))
    scores = scores_of(encoders, encoder_id, names.names, tick=steps.tick, row=steps.row)
    count = int(concepts.max()) + 1
    unknown = csr_array((count, count), dtype=np.bool_)
    return match_concepts(scores, concepts, concepts, unknown, k=_NEAREST, tick=steps.tick)


def _recall(nearest: Ints, true: dict[int, int]) -> float:
    return float(np.mean([old in nearest[new] or new in nearest[old] for new, old in true.items()]))


def _pairs(
    curies: Sequence[str], content: ReleaseContent, pairs: "NearPairs", nearest: Sequence[Ints]
) -> Iterator[Pair]:
    for first, second, similarity in zip(
        pairs.first[:_MOST].tolist(),
        pairs.second[:_MOST].tolist(),
        pairs.similarities[:_MOST].tolist(),
        strict=True,
    ):
        agree = sum(second in each[first, :1] or first in each[second, :1] for each in nearest)
        own, other = curies[first], curies[second]
        yield Pair(own, other, similarity, int(agree), _relation(content, own, other))


def _relation(content: ReleaseContent, own: str, other: str) -> str:
    above, others = content.concepts[own].parents, content.concepts[other].parents
    if other in above:
        return "parent"
    if own in others:
        return "child"
    return "sibling" if above & others else ""
