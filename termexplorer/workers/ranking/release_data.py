"""What the ranking worker keeps of each release: its names, its levels, vectors and indexes."""

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from termexplorer.errors import UserError
from termexplorer.store.database.engine import Store
from termexplorer.store.encoders.encoders import forget_index, index_file, vector_file
from termexplorer.store.encoders.infos import TFIDF, EncoderInfo
from termexplorer.store.kept_paths import locate_kept
from termexplorer.store.releases.corpus import (
    ReleaseGraph,
    ReleaseNames,
    release_graph,
    release_names,
)
from termexplorer.taxonomy import Rules, Taxonomy
from termexplorer.texts import tr
from termexplorer.workers.encoders.encoding import Encoders, Float32s
from termexplorer.workers.encoders.large_vectors import ReleaseVectors
from termexplorer.workers.encoders.lexical import fitted
from termexplorer.workers.encoders.release_vectors import (
    can_index,
    load_index,
    load_vectors,
    release_tfidf,
    release_vectors,
)
from termexplorer.workers.process.child import Channel, trainer_errors
from termexplorer.workers.process.sound_files import is_there

if TYPE_CHECKING:
    from termexplorer.trainer.representations.lexical_names import LexicalNames
    from termexplorer.trainer.search.approximate import HnswIndex
    from termexplorer.trainer.search.inverted_lists import InvertedLists

_NO_DEAD_ENDS = Rules(dead_ends=False)


class ReleaseData:
    """One release, loaded piece by piece as questions need it."""

    def __init__(self, folder: Path, store: Store, encoders: Encoders, release_id: int) -> None:
        self.id = release_id
        self._folder = folder
        self._store = store
        self._encoders = encoders
        self._graph: ReleaseGraph | None = None
        self._taxonomies: dict[int | None, Taxonomy] = {}
        self._vectors: dict[int, ReleaseVectors] = {}
        self._indexes: dict[int, HnswIndex | InvertedLists] = {}
        self._lexical: dict[int, LexicalNames] = {}
        with store.reading() as connection:
            self.names: ReleaseNames = release_names(connection, release_id)

    def written_like(self, lexical: EncoderInfo, text: str, ranked: NDArray[np.int64]) -> Float32s:
        """Similarities of names to a text by a lexical encoder, (n,).

        Args:
            lexical: the encoder.
            text: the text.
            ranked: (c,) rows of the names that matter; a slow encoder leaves the others out.

        Raises:
            UserError: the encoder is not ready, or can make nothing of these names.
        """
        with trainer_errors():
            if lexical.id not in self._lexical:
                self._lexical[lexical.id] = self._fitted(lexical)
        return self._lexical[lexical.id].scores_among(text, ranked)

    def vectors(self, encoder_id: int, channel: Channel | None = None) -> ReleaseVectors:
        """The unit-length vectors of all names, (n, d); made if they are not there.

        Args:
            encoder_id: whose vectors.
            channel: is told of progress where they are made.
        """
        if encoder_id not in self._vectors:
            at = (self._folder, self._store)
            ids, names = (encoder_id, self.id), self.names.texts
            file = release_vectors(*at, self._encoders, *ids, channel, names)
            self._vectors[encoder_id] = load_vectors(locate_kept(self._folder, file.path))
        return self._vectors[encoder_id]

    def index(self, encoder_id: int) -> "HnswIndex | InvertedLists | None":
        """The index over the vectors; None while there is none that is sound: one may be built."""
        if encoder_id not in self._indexes:
            loaded = self._load_index(encoder_id)
            if loaded is None:
                return None
            self._indexes[encoder_id] = loaded
        return self._indexes[encoder_id]

    def on_level(self, root_id: int | None, level: int) -> NDArray[np.int64]:
        """Ids of the concepts on a level below a root of this release (or all its roots)."""
        taxonomy = self._taxonomy(root_id)
        if taxonomy is None:
            return np.empty(0, np.int64)
        ids: NDArray[np.int64] = self._links().concept_ids[taxonomy.classes(level)]
        return ids

    def below_level(
        self, root_id: int | None, level: int
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Every concept strictly below each one on a level.

        Returns:
            (p,) ids of concepts and (p,) of theirs on the level, a pair for each that one is below.
        """
        taxonomy = self._taxonomy(root_id)
        if taxonomy is None:
            return np.empty(0, np.int64), np.empty(0, np.int64)
        below, classes = taxonomy.memberships(level)
        return self._links().concept_ids[below], self.on_level(root_id, level)[classes]

    def _taxonomy(self, root_id: int | None) -> Taxonomy | None:
        """The levels below a root; a list of names has none."""
        graph = self._links()
        if not len(graph.children):
            return None
        root = self._place(root_id)
        if root not in self._taxonomies:
            # where to look is no training: concepts without depth below them count here too
            self._taxonomies[root] = Taxonomy.build(
                len(graph.concept_ids), graph.children, graph.parents, root, _NO_DEAD_ENDS
            )
        return self._taxonomies[root]

    def _place(self, root_id: int | None) -> int | None:
        graph = self._links()
        if root_id is None:
            return None
        position = int(np.searchsorted(graph.concept_ids, root_id))
        is_known = position < len(graph.concept_ids) and graph.concept_ids[position] == root_id
        return position if is_known else None

    def _links(self) -> ReleaseGraph:
        if self._graph is None:
            with self._store.reading() as connection:
                self._graph = release_graph(connection, self.id)
        return self._graph

    def _load_index(self, encoder_id: int) -> "HnswIndex | InvertedLists | None":
        vectors = self.vectors(encoder_id)
        if not can_index(vectors):
            return None
        with self._store.reading() as connection:
            file = index_file(connection, encoder_id, self.id)
        if file is None or not is_there(self._folder, file):
            return None
        with suppress(ValueError):
            index = load_index(locate_kept(self._folder, file.path), vectors)
            if (index.shape.count, index.shape.dimension) == vectors.shape:
                return index
        with self._store.writing() as connection:
            forget_index(connection, file)  # so that the next preparation builds it anew
        return None

    def _fitted(self, lexical: EncoderInfo) -> "LexicalNames":
        """TF-IDF is made ahead, the others are fitted in seconds and not kept in files."""
        from termexplorer.trainer.representations.tfidf import TfidfNames

        if lexical.method != TFIDF:
            return fitted(self._encoders, lexical, self.names.texts)
        with self._store.reading() as connection:
            being_made = vector_file(connection, lexical.id, self.id) is None
        if being_made:
            raise UserError(
                tr(
                    "the lexical encoder of this ontology is still being made; it takes some "
                    "seconds after an import"
                )
            )
        file = release_tfidf(self._folder, self._store, lexical.id, self.id)
        return TfidfNames.load(locate_kept(self._folder, file.path), verify=False)
