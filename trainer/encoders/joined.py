"""Several representations side by side, each at unit length, or at its own where that counts."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, cast

import numpy as np
import torch
from numpy.typing import NDArray

from termexplorer.trainer.encoders.chained import has_own_length
from termexplorer.trainer.errors import TrainerError
from termexplorer.trainer.files.folders import replacing
from termexplorer.trainer.representations.base import Float32s, Opened, Representation, meta_of
from termexplorer.trainer.representations.beneath import follow, refer
from termexplorer.trainer.representations.built import BuiltNames, Made, encoded
from termexplorer.trainer.tensors.objectives import unit_of_any_length

if TYPE_CHECKING:
    from termexplorer.trainer.measures.base import TokenVectors

KIND = "joined"


class JoinedNames(BuiltNames):
    """The vectors of several representations one after the other.

    Cosines are the means of the parts' cosines, where every part knows the names; a part whose
    vectors have lengths of their own counts the less the shorter they are.

    Attributes:
        dimension: the sum of the parts' widths.
        parts: the representations, in order.
    """

    def __init__(self, parts: Sequence[Representation]):
        if len(parts) < 2:
            raise TrainerError(
                "{parts} representation cannot be joined; give two or more", parts=len(parts)
            )
        self.parts = tuple(parts)
        self.dimension = sum(part.dimension for part in parts)

    @classmethod
    def load(
        cls, folder: Path, device: str = "cpu", *, verify: bool = True, opened: Opened | None = None
    ) -> JoinedNames:
        """Open a folder that ``write`` has written, and those that it refers to.

        With vectors of words where every part has those.

        Raises:
            ValueError: for a folder of another kind, or where one has changed or gone.
        """
        from termexplorer.trainer.representations import load_dense

        meta = meta_of(folder, KIND, verify=verify)
        folders = [follow(folder, reference) for reference in meta.get("parts", [])]
        opened = {} if opened is None else opened
        return joined(
            [
                load_dense(part_folder, device, verify=verify, opened=opened)
                for part_folder in folders
            ]
        )

    def encode_sharing(self, names: Sequence[str], cache: Made) -> Float32s:
        """Return (n, d) float32; zeros in the place of a part that knows nothing of a name."""
        return join([encoded(part, names, cache) for part in self.parts], self.parts)


class JoinedWords(JoinedNames):
    """Several representations that all have vectors of words."""

    def token_vectors(self, tokens: Sequence[str]) -> tuple[Float32s, NDArray[np.bool_]]:
        """Return the vectors of tokens by each part, at unit length and side by side.

        Returns:
            (u, d) float32 and (u,) bool, false where no part knows a token.
        """
        part_vectors = [cast("TokenVectors", part).token_vectors(tokens) for part in self.parts]
        vectors = join(
            [np.where(known[:, None], token_rows, 0) for token_rows, known in part_vectors]
        )
        return vectors, np.logical_or.reduce([known for _, known in part_vectors])


def joined(parts: Sequence[Representation]) -> JoinedNames:
    """Join representations, and their vectors of words where all of them have such.

    Raises:
        ValueError: for fewer than two.
    """
    of_words = all(hasattr(part, "token_vectors") for part in parts)
    return JoinedWords(parts) if of_words else JoinedNames(parts)


def join(parts: Sequence[Float32s], makers: Sequence[object] = ()) -> Float32s:
    """Bring the rows of several (n, d_i) matrices to unit length and put them side by side.

    Args:
        parts: the matrices.
        makers: what each was made by; rows of one that has lengths of its own stay as they are.

    Returns:
        (n, sum of d_i) float32; a zero row of a part stays zero.
    """
    rows = [torch.from_numpy(np.array(part, dtype=np.float32)) for part in parts]
    own_lengths = [has_own_length(maker) for maker in makers] or [False] * len(rows)
    sides = [
        matrix if own_length else unit_of_any_length(matrix)
        for matrix, own_length in zip(rows, own_lengths, strict=True)
    ]
    return np.asarray(torch.cat(sides, dim=1).numpy())


def write(folder: Path, parts: Sequence[Path]) -> None:
    """Write down which saved representations are joined.

    Raises:
        ValueError: for fewer than two, or one that cannot be opened or has no dense vectors.
    """
    from termexplorer.trainer.representations import load_dense

    width = joined([load_dense(part) for part in parts]).dimension
    references = [refer(folder, part) for part in parts]
    with replacing(folder, {"kind": KIND, "dimension": width, "parts": references}):
        pass
