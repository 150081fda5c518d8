"""The mentions of a comparison, what is ranked for them, and what is right."""

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from termexplorer.errors import UserError
from termexplorer.store.database.engine import Store
from termexplorer.store.database.sqlalchemy_engine import Connection
from termexplorer.store.releases import concepts
from termexplorer.store.releases.corpus import release_labels
from termexplorer.texts import mark, tr, translated
from termexplorer.workers.compare.messages import Bools, ComparisonSubject, Ints, Sets
from termexplorer.workers.ranking.release_data import ReleaseData

if TYPE_CHECKING:
    from scipy.sparse import csr_array


@dataclass(frozen=True, eq=False)
class SubjectData:
    """Names of a release by their rows, those of `ReleaseData.names`.

    Attributes:
        mentions: (m,) int64.
        candidates: (c,) int64.
        of_mentions: (m, s) bool, the sets that make a candidate right.
        of_candidates: (c, s) bool.
        classes: labels of the classes on the level.
        mention_classes: (m, k) bool, which of them each mention is in.
        data_hash: SHA-256 of mentions, candidates and sets.
    """

    mentions: Ints
    candidates: Ints
    of_mentions: "csr_array"
    of_candidates: "csr_array"
    classes: tuple[str, ...]
    mention_classes: "csr_array"
    data_hash: str


def subject_data(store: Store, release: ReleaseData, subject: ComparisonSubject) -> SubjectData:
    """Reads who is ranked for whom.

    Raises:
        UserError: the level is empty, there are no names, or none has a synonym.
    """
    classes, on_level, below = _classes_on_level(release, subject)
    with store.reading() as connection:
        labels = release_labels(connection, release.id)
        is_included = _names_below(connection, release, subject.root_id)
    everything = np.flatnonzero(is_included)
    in_class = on_level + below  # of different concepts, so that no pair is there twice
    if subject.task == "hypernyms":
        mentions = np.flatnonzero(is_included & (np.diff(below.indptr) > 0))
        candidates = np.flatnonzero(np.diff(on_level.indptr))
        of_mentions, of_candidates = below[mentions], on_level[candidates]
    else:
        of_names = (
            in_class if subject.task == "neighbours" else _synonym_matrix(release, is_included)
        )
        mentions = everything
        if subject.task == "synonyms":
            mentions = np.flatnonzero(np.diff(of_names.indptr))
        candidates = everything
        of_mentions, of_candidates = of_names[mentions], of_names[candidates]
    if not len(mentions) or len(everything) < 2:
        raise UserError(translated(_NONE[subject.task]))
    return SubjectData(
        mentions,
        candidates,
        of_mentions,
        of_candidates,
        tuple(f"{labels[i][1]} {labels[i][2]}" for i in classes.tolist()),
        in_class[mentions],
        _hash_subject(release, (mentions, candidates), (of_mentions, of_candidates)),
    )


_NONE = {
    "neighbours": mark("there are no two names to rank; choose another ontology or root"),
    "hypernyms": mark("no name lies below this level; choose a higher one"),
    "synonyms": mark("no concept has two names; there are no synonyms to find"),
}


def sets_of(matrix: "csr_array") -> Sets:
    """The same memberships without SciPy."""
    return Sets(matrix.indptr.astype(np.int64), matrix.indices.astype(np.int64))


def _classes_on_level(
    release: ReleaseData, subject: ComparisonSubject
) -> "tuple[Ints, csr_array, csr_array]":
    """Ids of the k concepts on the level; names of theirs, and names below them, (n, k) bool."""
    level = subject.level or 1
    classes = release.on_level(subject.root_id, level)
    if subject.level is not None and not len(classes):
        raise UserError(
            tr("level {level} is empty: no concept is on it; choose another", level=level)
        )
    pairs = (classes, classes), release.below_level(subject.root_id, level)
    on_level, below = (_membership_matrix(release, classes, low, above) for low, above in pairs)
    return classes, on_level, below


def _membership_matrix(release: ReleaseData, classes: Ints, low: Ints, above: Ints) -> "csr_array":
    """(n, k) bool from pairs of concepts: the names of each first one are in the second's class."""
    from scipy.sparse import csr_array

    ids, of_name = np.unique(release.names.concept_ids, return_inverse=True)
    named = np.isin(low, ids)
    cells = np.searchsorted(ids, low[named]), np.searchsorted(classes, above[named])
    ones = np.ones(len(cells[0]), np.bool_)
    of_concepts = csr_array((ones, cells), shape=(len(ids), len(classes)))
    return csr_array(of_concepts[of_name])


def _names_below(connection: Connection, release: ReleaseData, root_id: int | None) -> Bools:
    """(n,) names of the root and of what lies below it; all where there is no root."""
    if root_id is None:
        return np.ones(len(release.names.ids), np.bool_)
    wanted = {root_id, *concepts.descendants(connection, root_id)}
    return np.isin(release.names.concept_ids, np.fromiter(wanted, np.int64, len(wanted)))


def _synonym_matrix(release: ReleaseData, is_included: Bools) -> "csr_array":
    """(n, concepts) bool of the kept names of concepts that have several."""
    from scipy.sparse import csr_array

    rows = np.flatnonzero(is_included)
    _, concept, counts = np.unique(
        release.names.concept_ids[rows], return_inverse=True, return_counts=True
    )
    several = counts[concept] > 1
    cells = rows[several], concept[several]
    ones = np.ones(int(several.sum()), np.bool_)
    return csr_array((ones, cells), shape=(len(is_included), len(counts)))


def _hash_subject(
    release: ReleaseData, rows: tuple[Ints, Ints], sets: "tuple[csr_array, csr_array]"
) -> str:
    digest = hashlib.sha256()
    for names in rows:
        digest.update("\0".join(release.names.texts[row] for row in names.tolist()).encode())
        digest.update(names.tobytes())
    for matrix in sets:
        for array in (matrix.indptr, matrix.indices):
            digest.update(array.astype(np.int64).tobytes())
    return digest.hexdigest()
