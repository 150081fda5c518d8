"""From an encoder's id to vectors: the chain of what lies beneath it, loaded once and kept."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from termexplorer.errors import UserError
from termexplorer.store.database.engine import Store
from termexplorer.store.encoders.infos import TRANSFORMER, EncoderInfo, encoder
from termexplorer.store.kept_paths import locate_kept
from termexplorer.texts import tr
from termexplorer.trainer.errors import Message
from termexplorer.workers.encoders.read_names import ReadNames
from termexplorer.workers.encoders.stored_vectors import StoredVectors
from termexplorer.workers.encoders.transformers import no_transformer
from termexplorer.workers.process import kept_texts
from termexplorer.workers.process.child import trainer_errors
from termexplorer.workers.process.devices import AUTO, usual_device
from termexplorer.workers.process.memory import or_given_way
from termexplorer.workers.process.precision import settle_reading

if TYPE_CHECKING:
    from termexplorer.trainer.encoders import Encoder, WordEncoder
    from termexplorer.trainer.measures.base import TokenVectors
    from termexplorer.trainer.representations.base import Representation
    from termexplorer.trainer.representations.pieces import PieceReader
    from termexplorer.trainer.search.all_pairs import RoundedRows
    from termexplorer.trainer.search.eight_bit import EightBitVectors

Float32s = NDArray[np.float32]
Loaded = TypeVar("Loaded")

_Asked = tuple[int, tuple[str, ...]]  # an encoder and names

_MOST_KEPT = 6
_READ_BY_PIECES = (TRANSFORMER, "tuned")  # methods that take seconds for a hundred names


class Encoders:
    """The dense encoders of a workspace, as functions of names.

    Args:
        folder: of the workspace.
        store: its store.
        device: where transformers read names, as PyTorch calls it, or `AUTO`.

    Attributes:
        notes: what a card says of them.
    """

    def __init__(self, folder: Path, store: Store, device: str = "cpu") -> None:
        self.notes: list[str] = []
        self._folder = folder
        self._store = store
        self._device = device
        self._representations: dict[int, Representation] = {}
        self._networks: dict[int, Encoder | WordEncoder] = {}
        self._stored = StoredVectors(folder, store)
        self._last: tuple[_Asked, Float32s] | None = None

    def info(self, encoder_id: int) -> EncoderInfo:
        """What the store knows of an encoder.

        Raises:
            UserError: there is none of that id.
        """
        with self._store.reading() as connection:
            encoder_info = encoder(connection, encoder_id)
        if encoder_info is None:
            raise UserError(
                tr(
                    "there is no encoder {encoder_id}; see `termexplorer encoder list`",
                    encoder_id=encoder_id,
                )
            )
        return encoder_info

    def encode(self, encoder_id: int, names: Sequence[str]) -> Float32s:
        """The vectors of names, (n, d); zero rows for names of which nothing is known.

        Raises:
            UserError: the encoder has no vectors, or its files are not there.
        """
        info = self.info(encoder_id)
        if not info.has_vectors:
            raise UserError(
                tr(
                    "{label} is {kind}: it has no vectors to build on",
                    label=info.label,
                    kind=info.kind,
                )
            )
        if info.part_ids:
            from termexplorer.trainer.encoders.joined import join

            makers = [self._network_of(part_id) for part_id in info.part_ids]
            parts = zip(info.part_ids, makers, strict=True)
            joined = join([self._part(part, names, made_by) for part, made_by in parts], makers)
            self._last = None
            return joined
        if info.method not in _READ_BY_PIECES:
            return self._made(info, names)
        read = ReadNames(locate_kept(self._folder, info.path), info.dimension)
        return read.encode(names, lambda missing: self._made(info, missing))

    def _made(self, info: EncoderInfo, names: Sequence[str]) -> Float32s:
        """What an encoder with files of its own makes of names now, whatever is kept of them."""
        return or_given_way(lambda: self._read(info, names), self._left_for_cpu)

    def _read(self, info: EncoderInfo, names: Sequence[str]) -> Float32s:
        if info.input_id is None:
            return self._opened(info).encode(names)
        return self.through(self._kept_network(info), info.input_id, names)

    def _left_for_cpu(self) -> bool:
        """Leaves a GPU that has no room; whether there was one to leave."""
        if self._device in (AUTO, "cpu"):
            return False
        self.notes.append(Message(kept_texts.READ_ON_CPU, device=self._device))
        self._device = "cpu"
        for opened in self._representations.values():
            self._place(opened)
        return True

    def _place(self, opened: "Representation") -> None:
        """Takes a transformer to where names are read."""
        import torch

        from termexplorer.trainer.representations.pieces import PieceReader

        if isinstance(opened, PieceReader):
            if self._device == AUTO:
                self._device = usual_device()
            opened.to(torch.device(self._device))

    def representation(self, encoder_id: int) -> "Representation":
        """A dense encoder as the trainer has it, with all that lies beneath.

        Raises:
            UserError: there is none of that id, or its files are not there.
        """
        from termexplorer.trainer.encoders.chained import ChainedNames
        from termexplorer.trainer.encoders.joined import joined

        info = self.info(encoder_id)
        with trainer_errors():
            if info.part_ids:
                return joined([self.representation(part_id) for part_id in info.part_ids])
            if info.input_id is None:
                return self._opened(info)
            return ChainedNames(self.representation(info.input_id), self._network(info))

    def _part(self, encoder_id: int, names: Sequence[str], made_by: object) -> Float32s:
        """The vectors of names by a part of a joined encoder, in its proportions if not its length.

        Those that were made for a release are not made again, but for lengths that count.
        """
        from termexplorer.trainer.encoders.chained import has_own_length

        if has_own_length(made_by):
            return self.encode(encoder_id, names)
        vectors, is_stored = self._stored.units(encoder_id, names)
        if vectors is None:
            return self.encode(encoder_id, names)
        missing = np.flatnonzero(~is_stored)
        if len(missing):
            missing_names = [names[index] for index in missing.tolist()]
            vectors[missing] = self.encode(encoder_id, missing_names)
        return vectors

    def through(
        self,
        network: "Encoder | WordEncoder",
        input_id: int,
        names: Sequence[str],
        beneath: Float32s | None = None,
    ) -> Float32s:
        """What a trained encoder makes of names, (n, d); zero rows where nothing is known.

        Args:
            network: the encoder.
            input_id: the encoder beneath it.
            names: n names.
            beneath: their vectors by that one, where they are there already.

        Raises:
            UserError: it reads words, and there are no word vectors beneath, or by a transformer,
                and there is another encoder beneath.
        """
        from termexplorer.trainer.encoders import WordEncoder
        from termexplorer.trainer.encoders.chained import NAMES, PIECES

        if isinstance(network, WordEncoder) and network.reads == PIECES:
            with trainer_errors():
                return network.encode_names(names, self.source(PIECES, input_id))
        below = self._beneath(input_id, names) if beneath is None else beneath
        known = below.any(axis=1)
        with trainer_errors():
            if not isinstance(network, WordEncoder):
                vectors = network.encode(below)
            else:
                read_by = below if network.reads == NAMES else self.words(input_id)
                vectors = network.encode_names(names, read_by)
                if network.alphabet:  # it spells words that have no vector
                    known |= np.array([bool(name.strip()) for name in names], dtype=bool)
        vectors[~known] = 0  # nothing in, nothing out
        return vectors

    def _beneath(self, encoder_id: int, names: Sequence[str]) -> Float32s:
        """Vectors for what was trained on them; the parts of one encoder often were on the same."""
        asked, last = (encoder_id, tuple(names)), self._last  # threads may be here at once
        if last is None or last[0] != asked:
            last = (asked, self.encode(encoder_id, names))
            self._last = last
        return last[1]

    def source(self, reads: str, encoder_id: int) -> "TokenVectors | PieceReader":
        """What names are read by: word vectors, or a transformer, see `WordEncoder.reads`.

        Raises:
            UserError: the encoder is something else.
        """
        from termexplorer.trainer.encoders.chained import PIECES
        from termexplorer.trainer.representations.pieces import PieceReader

        if reads != PIECES:
            return self.words(encoder_id)
        info = self.info(encoder_id)
        opens = info.path and info.input_id is None
        reader: object = self._opened(info) if opens else None
        if not isinstance(reader, PieceReader):
            raise no_transformer(info)
        return reader

    def words(self, encoder_id: int) -> "TokenVectors":
        """The word vectors of an encoder.

        Raises:
            UserError: it has none: it is trained, or makes vectors of whole names.
        """
        info = self.info(encoder_id)
        if info.part_ids and info.has_vectors:
            from termexplorer.trainer.encoders.joined import JoinedWords

            parts = [self.words(part_id) for part_id in info.part_ids]
            return JoinedWords(cast("list[Representation]", parts))
        source = self._opened(info) if info.path and info.input_id is None else None
        if not hasattr(source, "token_vectors"):
            raise UserError(
                tr(
                    "{label} has no word vectors, only vectors of whole names; choose word "
                    "vectors, or a recipe or measure that needs none (avg_cosine)",
                    label=info.label,
                )
            )
        return cast("TokenVectors", source)

    def encode_unit(self, encoder_id: int, names: Sequence[str]) -> Float32s:
        """The vectors of names at unit length, (n, d), so that products are cosines."""
        return scale_to_unit(self.encode(encoder_id, names))

    def encode_rounded(self, encoder_id: int, names: Sequence[str]) -> "RoundedRows":
        """The vectors of names in 8 bits, as large vectors of a release are stored."""
        from termexplorer.trainer.search.all_pairs import RoundedRows

        return RoundedRows.of(self.encode_unit(encoder_id, names))

    def stored_rows(
        self, encoder_id: int, names: Sequence[str]
    ) -> "tuple[EightBitVectors | None, NDArray[np.int64]]":
        """The large vectors that hold most of the names, and the row of each, -1 for none, (n,)."""
        return self._stored.large_rows(encoder_id, names)

    def _opened(self, info: EncoderInfo) -> "Representation":
        return _load_once(self._representations, info.id, lambda: self._representation(info))

    def _representation(self, info: EncoderInfo) -> "Representation":
        from termexplorer.trainer.representations import load_dense

        with trainer_errors():
            opened = load_dense(locate_kept(self._folder, info.path))
        if hasattr(opened, "to"):  # a transformer; the others are read without torch, which
            self._place(opened)  # takes seconds to import
            settle_reading(opened, self._folder)
        return opened

    def _network_of(self, encoder_id: int) -> "Encoder | WordEncoder | None":
        """What was trained, if the encoder is one run's."""
        info = self.info(encoder_id)
        if info.part_ids or info.input_id is None:
            return None
        return self._kept_network(info)

    def _kept_network(self, info: EncoderInfo) -> "Encoder | WordEncoder":
        return _load_once(self._networks, info.id, lambda: self._network(info))

    def _network(self, info: EncoderInfo) -> "Encoder | WordEncoder":
        from termexplorer.trainer.encoders import load_any

        with trainer_errors():
            return load_any(locate_kept(self._folder, info.path))


def scale_to_unit(vectors: Float32s) -> Float32s:
    """Return rows at unit length, zero rows as they are, (n, d)."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    unit: Float32s = np.divide(vectors, lengths, out=np.zeros_like(vectors), where=lengths > 0)
    return unit


def _load_once(cache: dict[int, Loaded], key: int, load: Callable[[], Loaded]) -> Loaded:
    """What is kept under `key`, loaded if need be; the one used longest ago goes."""
    cache[key] = cache.pop(key) if key in cache else load()
    if len(cache) > _MOST_KEPT:
        del cache[next(iter(cache))]
    return cache[key]
