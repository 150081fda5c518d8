"""Names in the synonym sets of their concepts, and splits of whole concepts ([CG] 5.1)."""

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from termexplorer.errors import UserError
from termexplorer.store import concepts
from termexplorer.store.corpus import Int64s, ReleaseNames, release_names
from termexplorer.store.engine import Store
from termexplorer.store.runs import SplitInfo, find_split, put_split
from termexplorer.workers.child import trainer_errors
from termexplorer.workers.training_data import data_hash

if TYPE_CHECKING:
    from trainer.names import LabelledNames

RULE = "concepts"  # what the rule of such a split begins with

_ZERO_SHOT_SHARE = 0.1
_PASSES = 1


@dataclass(frozen=True, eq=False)
class ConceptSet:
    """The names of a release in their synonym sets.

    Attributes:
        labels: n names, the classes are the CURIEs of their concepts.
        parts: (n,) uint8, see `trainer.splits`.
        name_ids: (n,) int64.
        removed: how many names each filter of [CG] took away.
        data_hash: SHA-256 of names, concepts and parts.
    """

    labels: "LabelledNames"
    parts: NDArray[np.uint8]
    name_ids: Int64s
    removed: dict[str, int]
    data_hash: str


def concept_names(store: Store, release_id: int) -> "tuple[LabelledNames, ReleaseNames]":
    """All live names of a release with their concepts, named by CURIE."""
    from trainer.names import LabelledNames

    with store.reading() as connection:
        names = release_names(connection, release_id)
        labels = concepts.labels(connection, release_id)
    ids, place = np.unique(names.concept_ids, return_inverse=True)
    curies = tuple(labels[i][0] for i in ids.tolist())
    return LabelledNames(names.texts, curies, np.arange(len(place)), place.astype(np.int64)), names


def concept_set(store: Store, release_id: int, seed: int) -> tuple[ConceptSet, int]:
    """Draws a split of concepts and keeps it; the same seed finds the same one again.

    Names of several concepts, of more than six tokens, or that differ by a metatag alone are left
    out, as [CG] 4.1.1 does.

    Raises:
        UserError: no concept has two names.
    """
    from trainer.name_filters import filter_names
    from trainer.splits import UNUSED, concept_split

    everything, names = concept_names(store, release_id)
    filtered = filter_names(everything, lambda _token: True)
    labels = filtered.labels
    if not len(labels.names) or np.bincount(labels.class_index).max() < 2:
        raise UserError("no concept of this ontology has two names; there are no synonyms to find")
    with trainer_errors():
        parts = concept_split(labels, _ZERO_SHOT_SHARE, _PASSES, _PASSES, seed)
    split = SplitInfo(
        release_id=release_id,
        root="",
        depth=0,
        rule=f"{RULE}, {_ZERO_SHOT_SHARE:g} zero-shot, {_PASSES} + {_PASSES} passes",
        seed=seed,
        hash=hashlib.sha256(parts.tobytes()).hexdigest(),
    )
    name_ids = names.ids[filtered.kept]
    used = np.flatnonzero(parts != UNUSED)
    with store.writing() as connection:
        split_id = put_split(connection, split, name_ids[used].tolist(), parts[used].tolist())
    return ConceptSet(labels, parts, name_ids, filtered.removed, data_hash(labels, parts)), split_id


def stored_concept_set(store: Store, split_id: int) -> ConceptSet:
    """The synonym sets of a split that was drawn before.

    Raises:
        UserError: there is no such split, it is not one of concepts, or would come out otherwise.
    """
    with store.reading() as connection:
        split = find_split(connection, split_id)
    if split is None or not split.rule.startswith(RULE):
        raise UserError(f"split {split_id} is not one of concepts; leave --split out to draw one")
    found, found_id = concept_set(store, split.release_id, split.seed)
    if found_id != split_id:
        raise UserError(f"split {split_id} was drawn by another version; leave --split out")
    return found
