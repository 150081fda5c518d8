"""What the ranking worker keeps of each release: its names, its levels, vectors and indexes."""

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from termexplorer.errors import UserError
from termexplorer.store.corpus import ReleaseGraph, ReleaseNames, release_graph, release_names
from termexplorer.store.encoder_infos import TFIDF, EncoderInfo
from termexplorer.store.encoders import index_file, vector_file
from termexplorer.store.engine import Store
from termexplorer.taxonomy import Rules, Taxonomy
from termexplorer.texts import tr
from termexplorer.workers.child import trainer_errors
from termexplorer.workers.encoding import Encoders, Float32s
from termexplorer.workers.lexical import fitted

if TYPE_CHECKING:
    from trainer.lexical.base import LexicalNames
    from trainer.retrieval import HnswIndex

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
        self._vectors: dict[int, Float32s] = {}
        self._indexes: dict[int, HnswIndex] = {}
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

    def vectors(self, encoder_id: int) -> Float32s:
        """The unit-length vectors of all names, (n, d); made if they are not there."""
        if encoder_id not in self._vectors:
            self._vectors[encoder_id] = self._load_vectors(encoder_id)
        return self._vectors[encoder_id]

    def index(self, encoder_id: int) -> "HnswIndex | None":
        """The index over the vectors, or None while there is none that is sound."""
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
        place = int(np.searchsorted(graph.concept_ids, root_id))
        there = place < len(graph.concept_ids) and graph.concept_ids[place] == root_id
        return place if there else None

    def _links(self) -> ReleaseGraph:
        if self._graph is None:
            with self._store.reading() as connection:
                self._graph = release_graph(connection, self.id)
        return self._graph

    def _load_vectors(self, encoder_id: int) -> Float32s:
        from termexplorer.workers.vectors import encode_release
        from trainer.folders import sha256

        with self._store.reading() as connection:
            file = vector_file(connection, encoder_id, self.id)
        path = self._folder / file.path if file else None
        if file is None or path is None or not path.is_file() or sha256(path) != file.content_hash:
            file = encode_release(self._folder, self._store, self._encoders, encoder_id, self.id)
        vectors: Float32s = np.load(self._folder / file.path, mmap_mode="r", allow_pickle=False)
        return vectors

    def _load_index(self, encoder_id: int) -> "HnswIndex | None":
        from trainer.retrieval import HnswIndex

        with self._store.reading() as connection:
            file = index_file(connection, encoder_id, self.id)
        if file is None:
            return None
        try:
            index = HnswIndex.load(self._folder / file.path)
        except ValueError:
            return None  # exact ranking answers; the next preparation builds it anew
        wanted = self.vectors(encoder_id).shape
        return index if (index.shape.count, index.shape.dimension) == wanted else None

    def _fitted(self, lexical: EncoderInfo) -> "LexicalNames":
        """TF-IDF is made ahead; the others are fitted in seconds, and not kept in files."""
        from trainer.representations.tfidf import TfidfNames

        if lexical.method != TFIDF:
            return fitted(self._encoders, lexical, self.names.texts)
        with self._store.reading() as connection:
            file = vector_file(connection, lexical.id, self.id)
        if file is None:
            raise UserError(
                tr(
                    "the lexical encoder of this ontology is still being made; it takes some "
                    "seconds after an import"
                )
            )
        return TfidfNames.load(self._folder / file.path)
