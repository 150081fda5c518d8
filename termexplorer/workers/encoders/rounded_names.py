"""Names of which there are millions: their vectors in 8 bits, as far as can be from the disk."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from termexplorer.store.encoders.infos import encoder, prepared_beneath
from termexplorer.store.releases.ontologies import ontology
from termexplorer.trainer.search.eight_bit import EightBitVectors
from termexplorer.workers.encoders.encoding import Encoders
from termexplorer.workers.encoders.large_vectors import is_large
from termexplorer.workers.encoders.release_vectors import release_vectors
from termexplorer.workers.process.child import Channel
from termexplorer.workers.process.devices import AUTO
from termexplorer.workspace import Workspace

if TYPE_CHECKING:
    from termexplorer.trainer.search.all_pairs import RoundedRows

Float32s = NDArray[np.float32]
Int64s = NDArray[np.int64]
Int8s = NDArray[np.int8]


class RoundedNames:
    """Rows of names: those that are stored from there, those of other names from memory.

    Args:
        stored: large vectors.
        rows: (n,) the row of each name there, -1 for none.
        rest: of the names without one, in their order.
    """

    def __init__(self, stored: EightBitVectors, rows: Int64s, rest: "RoundedRows") -> None:
        self._stored, self._rows, self._rest = stored, rows, rest
        self._in_rest = np.cumsum(rows < 0) - 1
        self.shape = (len(rows), stored.shape[1])

    def read_rows(self, rows: Int64s) -> tuple[Int8s, Float32s]:
        """Return the rows of some names (m, d), and one over the length of each, (m,)."""
        at = self._rows[rows]
        is_stored = at >= 0
        integers, inverse = self._stored.read_rows(np.where(is_stored, at, 0))
        if not is_stored.all():
            rest_rows = self._rest.read_rows(self._in_rest[rows[~is_stored]])
            integers[~is_stored], inverse[~is_stored] = rest_rows
        return integers, inverse


def round_names(
    encoders: Encoders, encoder_id: int, names: Sequence[str]
) -> "RoundedNames | RoundedRows":
    """Return the vectors of names in 8 bits; only those that no release has are made.

    Raises:
        UserError: the encoder has no vectors, or its files are not there.
    """
    stored, rows = encoders.stored_rows(encoder_id, names)
    if stored is None:
        return encoders.encode_rounded(encoder_id, names)
    missing = np.flatnonzero(rows < 0).tolist()
    rest = encoders.encode_rounded(encoder_id, [names[index] for index in missing])
    return RoundedNames(stored, rows, rest)


def count_unknown(vectors: "RoundedNames | RoundedRows") -> int:
    """Return how many names an encoder knows nothing of."""
    count, at_once = vectors.shape[0], 65_536
    lengths = (
        vectors.read_rows(np.arange(start, min(start + at_once, count)))[1]
        for start in range(0, count, at_once)
    )
    return sum(int((inverse == 0).sum()) for inverse in lengths)


def store_large_vectors(
    workspace: Workspace, encoder_ids: Iterable[int], release_id: int, channel: Channel
) -> None:
    """Have the vectors of a release on the disk that are too large for memory.

    Args:
        workspace: of the release.
        encoder_ids: whose vectors; of those that are made of others, theirs.
        release_id: whose names.
        channel: is told of progress.
    """
    with workspace.store.reading() as connection:
        infos = (encoder(connection, encoder_id) for encoder_id in encoder_ids)
        prepared = [part for info in infos if info for part in prepared_beneath(connection, info)]
        release = ontology(connection, release_id)
    count = release.names if release else 0
    making = Encoders(workspace.folder, workspace.store, AUTO)  # which keep nothing
    for info in prepared:
        if info.has_vectors and is_large(count, info.dimension):
            at = (workspace.folder, workspace.store)
            release_vectors(*at, making, info.id, release_id, channel)
