"""The names that a question is about: one or more releases end to end, and which of them count."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from termexplorer.store.database.sqlalchemy_engine import Connection
from termexplorer.store.releases import concepts
from termexplorer.trainer.search.eight_bit import EightBitVectors
from termexplorer.workers.data.trained_names import trained_names
from termexplorer.workers.encoders.encoding import Encoders, Float32s
from termexplorer.workers.encoders.large_vectors import ReleaseVectors
from termexplorer.workers.ranking.messages import Query, RankingScope
from termexplorer.workers.ranking.release_data import ReleaseData

Ints = NDArray[np.int64]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Scores:
    """What one encoder says of a query.

    Attributes:
        vector: (d,) the query at unit length; None for an encoder without vectors.
        empty: nothing of the query is known to the encoder.
        compare: returns `similarities`.
        matrix: all vectors, of one large release.
    """

    encoder_id: int
    vector: Float32s | None
    empty: bool
    compare: Callable[[], Float32s]
    matrix: EightBitVectors | None = None

    @cached_property
    def similarities(self) -> Float32s:
        """(n,) with each name of the pool; cosines where the encoder has vectors."""
        return self.compare()

    def of_rows(self, rows: Ints) -> Float32s:
        """Return the similarities of some names of the pool, (m,)."""
        if self.matrix is None or self.vector is None or "similarities" in vars(self):
            return self.similarities[rows]
        return self.matrix.cosines_of(rows, self.vector)


class Pool:
    """The n names of some releases, one release after the other."""

    def __init__(self, releases: Sequence[ReleaseData]) -> None:
        self.releases = releases
        self._sizes = [len(release.names.ids) for release in releases]

    @cached_property
    def concepts(self) -> Ints:
        """(n,) concept id of each name."""
        return np.concatenate([release.names.concept_ids for release in self.releases])

    @cached_property
    def names(self) -> Ints:
        """(n,) id of each name."""
        return np.concatenate([release.names.ids for release in self.releases])

    def text(self, row: int) -> str:
        """The name in a row."""
        for release, size in zip(self.releases, self._sizes, strict=True):
            if row < size:
                return release.names.texts[row]
            row -= size
        raise IndexError(row)

    def scores(self, encoders: Encoders, encoder_id: int, text: str, ranked: Ints) -> Scores:
        """How similar each name is to a text.

        Args:
            encoders: of the workspace.
            encoder_id: by which of them.
            text: the text.
            ranked: (c,) rising rows of the names that matter; what is said of others may be wrong.

        Raises:
            UserError: the encoder or its files are not there.
        """
        info = encoders.info(encoder_id)
        if info.is_blended:
            parts = [self.scores(encoders, part_id, text, ranked) for part_id in info.part_ids]
            weighted = [w * p.similarities for w, p in zip(info.weights, parts, strict=True)]
            empty = all(part.empty for part in parts)
            total: Float32s = np.sum(weighted, axis=0, dtype=np.float32)
            return Scores(encoder_id, None, empty, lambda: total)
        if info.is_lexical:
            ends = np.cumsum(self._sizes)
            ranked_by_release = np.split(ranked, np.searchsorted(ranked, ends[:-1]))
            similarities = np.concatenate(
                [
                    release.written_like(info, text, rows - (end - size))
                    for release, rows, end, size in zip(
                        self.releases, ranked_by_release, ends, self._sizes, strict=True
                    )
                ]
            )
            return Scores(encoder_id, None, not similarities.any(), lambda: similarities)
        vector = encoders.encode_unit(encoder_id, [text])[0]
        matrices = [release.vectors(encoder_id) for release in self.releases]
        return Scores(
            encoder_id,
            vector,
            not vector.any(),
            lambda: _multiply_all(matrices, vector),
            _only_large(matrices),
        )

    def without(self, query: Query) -> Mask:
        """(n,) all but the very name that is asked about."""
        keep = np.ones(len(self.concepts), np.bool_)
        if query.concept_id is not None:
            own_rows = np.flatnonzero(self.concepts == query.concept_id)
            same = query.text.casefold()
            keep[[row for row in own_rows if self.text(int(row)).casefold() == same]] = False
        return keep

    def on_level(self, root_id: int | None, level: int) -> Mask:
        """(n,) names of the concepts on a level."""
        ids = [release.on_level(root_id, level) for release in self.releases]
        return np.isin(self.concepts, np.concatenate(ids))

    def among(
        self, connection: Connection, among: RankingScope, encoder_ids: Sequence[int]
    ) -> Mask:
        """(n,) names in the subtree that is asked for, unseen in training if that is asked for."""
        keep = np.ones(len(self.concepts), np.bool_)
        if among.subtree_id is not None:
            below = concepts.descendants(connection, among.subtree_id) | {among.subtree_id}
            keep &= np.isin(self.concepts, _as_array(below))
        if among.unseen:
            keep &= ~np.isin(self.names, _as_array(trained_names(connection, encoder_ids)))
        return keep


def _multiply_all(matrices: Sequence[ReleaseVectors], vector: Float32s) -> Float32s:
    """Return the cosines of the rows of several matrices, one after the other."""
    return np.concatenate([matrix @ vector for matrix in matrices])


def _only_large(matrices: Sequence[ReleaseVectors]) -> EightBitVectors | None:
    large = [matrix for matrix in matrices if isinstance(matrix, EightBitVectors)]
    return large[0] if len(matrices) == len(large) == 1 else None


def _as_array(ids: Collection[int]) -> Ints:
    return np.fromiter(ids, np.int64, len(ids))
