"""Names in synonym sets, of a concept or of a code, and splits of whole sets ([CG] 4.1, 5.1)."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from termexplorer.errors import UserError
from termexplorer.store.database.engine import Store
from termexplorer.store.encoders.runs import SplitInfo, find_split, put_split
from termexplorer.store.releases import concepts
from termexplorer.store.releases.content import alternative_ids
from termexplorer.store.releases.corpus import Int64s, ReleaseNames, release_labels, release_names
from termexplorer.store.releases.cross_references import codes
from termexplorer.texts import mark, tr, translated
from termexplorer.workers.data.level_choice import root_id
from termexplorer.workers.data.level_sets import data_hash
from termexplorer.workers.data.synonym_choice import EVERY_CONCEPT, SynonymChoice, check
from termexplorer.workers.process.child import trainer_errors

if TYPE_CHECKING:
    from termexplorer.trainer.text.names import LabelledNames

RULE = "concepts"  # what the rule of such a split begins with

_GROUPED_BY = ", grouped by "
_ZERO_SHOT_SHARE = 0.1
_PASSES = 1


class NoSynonymsError(UserError):
    """No two names are synonyms of each other, or none is left for what needs some."""


@dataclass(frozen=True, eq=False)
class ConceptSet:
    """The names of a release in their synonym sets.

    Attributes:
        labels: n names, the classes are the CURIEs of their concepts, or codes of another system.
        parts: (n,) uint8, see `trainer.data.splits`.
        name_ids: (n,) int64.
        choice: which sets these are.
        groups: what grouping them came to, in words; empty where they are not grouped.
        removed: how many names each filter of [CG] took away, and grouping.
        data_hash: SHA-256 of names, concepts and parts.
    """

    labels: "LabelledNames"
    parts: NDArray[np.uint8]
    name_ids: Int64s
    choice: SynonymChoice
    groups: dict[str, int]
    removed: dict[str, int]
    data_hash: str


def concept_names(
    store: Store, release_id: int, root: str = ""
) -> "tuple[LabelledNames, ReleaseNames]":
    """The live names of a release, or of a concept and all below it, by their concept's CURIE.

    Raises:
        UserError: the root is not in the release.
    """
    from termexplorer.trainer.text.names import LabelledNames

    with store.reading() as connection:
        names = release_names(connection, release_id)
        labels = release_labels(connection, release_id)
        if root:
            top = root_id(connection, release_id, root)
            names = names.of({top, *concepts.descendants(connection, top)})
    ids, inverse = np.unique(names.concept_ids, return_inverse=True)
    curies = tuple(labels[i][0] for i in ids.tolist())
    return LabelledNames(
        names.texts, curies, np.arange(len(inverse)), inverse.astype(np.int64)
    ), names


def further_ids(store: Store, release_id: int, names: "LabelledNames") -> dict[str, str]:
    """Alternative ids of a release, each with the one among the classes that it stands for."""
    with store.reading() as connection:
        curie_by_alternative = alternative_ids(connection, release_id)
    named = {*names.classes}
    return {other: curie for other, curie in curie_by_alternative.items() if curie in named}


def build_concept_set(
    store: Store, release_id: int, seed: int, choice: SynonymChoice = EVERY_CONCEPT
) -> tuple[ConceptSet, int]:
    """Draws a split of synonym sets and keeps it; the same seed finds the same one again.

    Names with words that a text has not stay, as the split is the same whatever the vectors.

    Raises:
        NoSynonymsError: no set has two names.
        UserError: the release has no such root or codes.
    """
    from termexplorer.trainer.data.splits import UNUSED

    data = draw_concept_set(store, release_id, seed, choice)
    used = np.flatnonzero(data.parts != UNUSED)
    with store.writing() as connection:
        split_id = put_split(
            connection,
            _make_split_info(
                release_id, seed, choice, hashlib.sha256(data.parts.tobytes()).hexdigest()
            ),
            data.name_ids[used].tolist(),
            data.parts[used].tolist(),
        )
    return data, split_id


def draw_concept_set(
    store: Store,
    release_id: int,
    seed: int,
    choice: SynonymChoice,
    known: Callable[[str], bool] | None = None,
) -> ConceptSet:
    """Draws a split of synonym sets.

    Names of several concepts, of more than six tokens, or that differ by a metatag alone are left
    out, as [CG] 4.1.1 does. Then the sets are grouped, if that is chosen. One name of a set is for
    test; [CG] 5.1 repeats that, and does not say how often.

    Args:
        store: of the workspace.
        release_id: whose names.
        seed: of the split.
        choice: which sets.
        known: says of a token whether the text has it; names with others are left out. None: all
            stay.

    Raises:
        NoSynonymsError: no set has two names.
        UserError: the release has no such root or codes.
    """
    from termexplorer.trainer.data.splits import concept_split
    from termexplorer.trainer.text.name_filters import filter_names

    with store.reading() as connection:
        check(connection, release_id, choice)
    everything, names = concept_names(store, release_id, choice.root)
    filtered = filter_names(everything, known)
    labels, name_rows, removed = filtered.labels, filtered.name_indices, dict(filtered.removed)
    groups: dict[str, int] = {}
    if choice.groups:
        labels, chosen, groups = _group_names(store, release_id, choice, labels)
        name_rows, removed[f"no {choice.groups} code"] = (
            name_rows[chosen],
            groups["names without group"],
        )
    if not len(labels.class_index) or np.bincount(labels.class_index).max() < 2:
        raise NoSynonymsError(_no_synonyms(choice))
    with trainer_errors():
        parts = concept_split(labels, _ZERO_SHOT_SHARE, _PASSES, _PASSES, seed)
    name_ids = names.ids[name_rows]
    return ConceptSet(labels, parts, name_ids, choice, groups, removed, data_hash(labels, parts))


def _group_names(
    store: Store, release_id: int, choice: SynonymChoice, labels: "LabelledNames"
) -> "tuple[LabelledNames, Int64s, dict[str, int]]":
    """The names that have a group, in their groups; which these are; and what it came to."""
    from termexplorer.trainer.hierarchy.grouping import group_by_cross_map

    with store.reading() as connection:
        cross_map = codes(connection, release_id, choice.groups)
    if cross_map.keys().isdisjoint(labels.classes):
        raise UserError(_no_references(choice))
    grouped = group_by_cross_map(labels, cross_map)
    name_rows = np.flatnonzero(grouped.labels.class_counts())
    facts = {
        "groups": len(np.unique(grouped.labels.class_index)),
        "concepts mapped": grouped.mapped,
        "concepts not mapped": grouped.unmapped,
        "concepts with several codes": grouped.several_codes,
        "names without group": grouped.ungrouped_names,
        "names in several groups": grouped.names_of_several,
    }
    return grouped.labels.only(name_rows), name_rows, facts


def _no_references(choice: SynonymChoice) -> str:
    if choice.root:
        return tr(
            "no concept below {root} refers to {groups}; choose another",
            root=choice.root,
            groups=choice.groups,
        )
    return tr("no concept with a name refers to {groups}; choose another", groups=choice.groups)


def _no_synonyms(choice: SynonymChoice) -> str:
    root = choice.root
    match bool(choice.groups), bool(root):
        case True, True:
            template = mark(
                "no {groups} code below {root} groups two names; there are no synonyms to find"
            )
        case True, False:
            template = mark(
                "no {groups} code of this ontology groups two names; there are no synonyms to find"
            )
        case False, True:
            template = mark("no concept below {root} has two names; there are no synonyms to find")
        case _:
            template = mark(
                "no concept of this ontology has two names; there are no synonyms to find"
            )
    return translated(template, groups=choice.groups, root=root)


def _make_split_info(release_id: int, seed: int, choice: SynonymChoice, digest: str) -> SplitInfo:
    rule = f"{RULE}, {_ZERO_SHOT_SHARE:g} zero-shot, {_PASSES} + {_PASSES} passes"
    return SplitInfo(
        release_id=release_id,
        root=choice.root,
        depth=0,
        rule=rule + (_GROUPED_BY + choice.groups if choice.groups else ""),
        seed=seed,
        hash=digest,
    )


def read_concept_set(store: Store, split_id: int) -> ConceptSet:
    """The synonym sets of a split that was drawn before.

    Raises:
        UserError: there is no such split, it is not one of concepts, or would come out otherwise.
    """
    with store.reading() as connection:
        split = find_split(connection, split_id)
    if split is None or not split.rule.startswith(RULE):
        raise UserError(
            tr(
                "split {split_id} is not one of concepts; leave --split out to draw one",
                split_id=split_id,
            )
        )
    choice = SynonymChoice(split.root, split.rule.partition(_GROUPED_BY)[2])
    concept_set, found_id = build_concept_set(store, split.release_id, split.seed, choice)
    if found_id != split_id:
        raise UserError(
            tr(
                "split {split_id} was drawn by another version; leave --split out",
                split_id=split_id,
            )
        )
    return concept_set
