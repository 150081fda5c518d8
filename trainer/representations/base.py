"""What every dense representation does: names in, (n, d) float32 vectors out."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from termexplorer.trainer.errors import TrainerError
from termexplorer.trainer.files.folders import read_meta
from termexplorer.trainer.text.tokenizer import TokenTable

Float32s = NDArray[np.float32]
Int64s = NDArray[np.int64]


class Representation(Protocol):
    """Turns names into pretrained vectors."""

    @property
    def dimension(self) -> int:
        """The width d of the vectors."""
        ...

    def encode(self, names: Iterable[str]) -> Float32s:
        """Return (n, d) float32; a zero row for a name of which nothing is known.

        Raises:
            ValueError: for what ``texts_of`` refuses.
        """
        ...


Opened = dict[Path, Representation]  # by folder, what one call of ``load`` has opened already


def texts_of(names: Iterable[str]) -> list[str]:
    """Return names as a list: of a list, a generator, an array or a column of a table alike.

    Raises:
        ValueError: for a single text, and for one among them that is no text, or none that can be
            written as UTF-8.
    """
    if isinstance(names, str):
        raise TrainerError("{names!r} is a single text; give a list of names", names=names)
    if not isinstance(names, Iterable):
        raise TrainerError("{names!r} is no list of names", names=names)
    texts = list(names)
    try:
        "".join(texts).encode()
    except TypeError:
        at, name = next((at, name) for at, name in enumerate(texts) if not isinstance(name, str))
        raise TrainerError(
            "name {at} is of type {kind}, not a text: {name!r}",
            at=at,
            kind=type(name).__name__,
            name=name,
        ) from None
    except UnicodeEncodeError as error:
        raise TrainerError(
            "a name has {object!r}, half a character", object=error.object[error.start]
        ) from None
    return texts


REPEATED = "repeated"


def repeats(count: int) -> dict[str, int]:
    """Return what ``meta.json`` says of rows whose name an earlier row has; nothing of none."""
    return {REPEATED: count} if count else {}


def meta_of(folder: Path, kind: str, *, verify: bool) -> dict[str, Any]:
    """Return what the ``meta.json`` of a representation of some kind says.

    Raises:
        ValueError: for a folder of another kind, or one that has changed if ``verify``.
    """
    meta = read_meta(folder, verify=verify)
    if meta.get("kind") != kind:
        raise TrainerError(
            "{folder} holds vectors of the kind {meta!r}, not {kind!r}",
            folder=folder,
            meta=meta.get("kind"),
            kind=kind,
        )
    return meta


def bag_means(matrix: Float32s, rows: Int64s, starts: Int64s) -> Float32s:
    """Return the means of bags of rows.

    Args:
        matrix: (r, d) float32.
        rows: (t,) int64, the rows of all bags one after the other.
        starts: (n + 1,) int64, where each bag starts; the last one is t.

    Returns:
        (n, d) float32, zero for an empty bag.
    """
    import torch
    from torch.nn.functional import embedding_bag

    sizes = np.diff(starts).astype(np.float32)
    if not len(rows):
        return np.zeros((len(sizes), matrix.shape[1]), dtype=np.float32)
    with torch.inference_mode():
        sums = embedding_bag(
            torch.from_numpy(rows),
            torch.from_numpy(matrix),
            torch.from_numpy(starts),
            mode="sum",
            include_last_offset=True,
        )
        sums /= torch.from_numpy(np.maximum(sizes, 1))[:, None]
    return np.asarray(sums.numpy(), dtype=np.float32)


def means_of_known(table: TokenTable, vectors: Float32s, known: NDArray[np.bool_]) -> Float32s:
    """Return the mean of the vectors of each name's known tokens ([HLS] eq. 1).

    Args:
        table: the tokens of n names, u distinct ones.
        vectors: (u, d) float32, a vector for each distinct token.
        known: (u,) bool, false for tokens to leave out of the mean.
    """
    if known.all():
        return bag_means(vectors, table.token_index, table.starts)
    is_known = known[table.token_index]
    before = np.concatenate(([0], np.cumsum(is_known)))
    return bag_means(vectors, table.token_index[is_known], before[table.starts].astype(np.int64))
