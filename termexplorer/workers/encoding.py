"""From an encoder's id to vectors: the chain of what lies beneath it, loaded once and kept."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from termexplorer.errors import UserError
from termexplorer.store.encoders import EncoderInfo, encoder
from termexplorer.store.engine import Store
from termexplorer.workers.child import trainer_errors

if TYPE_CHECKING:
    from trainer.encoders import Encoder
    from trainer.measures.base import TokenVectors
    from trainer.representations.base import Representation

Float32s = NDArray[np.float32]
Loaded = TypeVar("Loaded")

_MOST_KEPT = 6


class Encoders:
    """The dense encoders of a workspace, as functions of names."""

    def __init__(self, folder: Path, store: Store) -> None:
        self._folder = folder
        self._store = store
        self._representations: dict[int, Representation] = {}
        self._networks: dict[int, Encoder] = {}

    def info(self, encoder_id: int) -> EncoderInfo:
        """What the store knows of an encoder.

        Raises:
            UserError: there is none of that id.
        """
        with self._store.reading() as connection:
            found = encoder(connection, encoder_id)
        if found is None:
            raise UserError(f"there is no encoder {encoder_id}; see `termexplorer vectors list`")
        return found

    def encode(self, encoder_id: int, names: Sequence[str]) -> Float32s:
        """The vectors of names, (n, d); zero rows for names of which nothing is known."""
        info = self.info(encoder_id)
        if info.input_id is None:
            return self._encode_names(info, names)
        beneath = self.encode(info.input_id, names)
        vectors = self._transform(info, beneath)
        vectors[~beneath.any(axis=1)] = 0  # nothing in, nothing out
        return vectors

    def words(self, encoder_id: int) -> "TokenVectors":
        """The word vectors of an encoder.

        Raises:
            UserError: it has none: it is trained, or makes vectors of whole names.
        """
        info = self.info(encoder_id)
        source = None if info.input_id else self._opened(info)
        if not hasattr(source, "token_vectors"):
            raise UserError(
                f"{info.label} has no word vectors; choose word vectors, or the measure avg_cosine"
            )
        return cast("TokenVectors", source)

    def encode_unit(self, encoder_id: int, names: Sequence[str]) -> Float32s:
        """The vectors of names at unit length, (n, d), so that products are cosines."""
        vectors = self.encode(encoder_id, names)
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        unit: Float32s = np.divide(vectors, lengths, out=np.zeros_like(vectors), where=lengths > 0)
        return unit

    def _encode_names(self, info: EncoderInfo, names: Sequence[str]) -> Float32s:
        return self._opened(info).encode(names)

    def _opened(self, info: EncoderInfo) -> "Representation":
        return _kept(self._representations, info.id, lambda: self._representation(info))

    def _transform(self, info: EncoderInfo, vectors: Float32s) -> Float32s:
        return _kept(self._networks, info.id, lambda: self._network(info)).encode(vectors)

    def _representation(self, info: EncoderInfo) -> "Representation":
        from trainer.representations import load
        from trainer.representations.tfidf import TfidfNames

        with trainer_errors():
            loaded = load(self._folder / info.path)
        if isinstance(loaded, TfidfNames):
            raise UserError(f"{info.label} is lexical: it has no vectors to build on")
        return loaded

    def _network(self, info: EncoderInfo) -> "Encoder":
        from trainer.encoders import load

        with trainer_errors():
            return load(self._folder / info.path)


def _kept(cache: dict[int, Loaded], key: int, load: Callable[[], Loaded]) -> Loaded:
    """What is kept under `key`, loaded if need be; the one used longest ago goes."""
    cache[key] = cache.pop(key) if key in cache else load()
    if len(cache) > _MOST_KEPT:
        del cache[next(iter(cache))]
    return cache[key]
