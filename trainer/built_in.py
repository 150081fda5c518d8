"""The encoder that comes with the program: static, English, biomedical; needs NumPy alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from importlib.resources import as_file, files

import numpy as np

from termexplorer.trainer.errors import TrainerError
from termexplorer.trainer.representations.base import Float32s, texts_of
from termexplorer.trainer.representations.static import StaticNames
from termexplorer.trainer.search.ties import order_shown

FOLDER = ("encoders", "built_in")  # in the resources
_BATCH = 16_384  # names


class BuiltInEncoder(StaticNames):
    """The built-in encoder: vectors of names, cosines of names, and nearest names.

    >>> from termexplorer import trainer
    >>> encoder = trainer.builtin()
    >>> nearest = encoder.neighbours("heart attack", ["gout", "myocardial infarct"])
    >>> [name for name, cosine in nearest]
    ['myocardial infarct', 'gout']
    """

    def encode(
        self,
        names: Iterable[str],
        *,
        batch_size: int = _BATCH,
        progress: Callable[[float], None] | None = None,
    ) -> Float32s:
        """Return the vectors of names, (n, d) float32 at unit length.

        Args:
            names: n texts.
            batch_size: names that are encoded between two reports of progress.
            progress: called with the share that is done, from 0 to 1.

        Raises:
            ValueError: for what are no texts, or a batch size below 1.
        """
        if batch_size < 1:
            raise TrainerError("batch_size is {size}; give 1 or more", size=batch_size)
        texts = texts_of(names)
        vectors = np.empty((len(texts), self.dimension), dtype=np.float32)
        for start in range(0, len(texts), batch_size):
            batch = texts[start : start + batch_size]
            vectors[start : start + len(batch)] = super().encode(batch)
            if progress:
                progress((start + len(batch)) / len(texts))
        return vectors

    def similarity(self, left: Sequence[str], right: Sequence[str]) -> Float32s:
        """Return the cosine of each left name with each right one, (n, m) float32."""
        return np.asarray(self.encode(left) @ self.encode(right).T)

    def neighbours(
        self, query: str, names: Sequence[str], count: int = 10
    ) -> list[tuple[str, float]]:
        """Return the names nearest to a query with their cosines, best first.

        Raises:
            ValueError: for a count below 1.
        """
        if count < 1:
            raise TrainerError("{count} neighbours; ask for 1 or more", count=count)
        cosines = self.similarity([query], names)[0]
        order = order_shown(cosines, count)
        return [(names[index], float(cosines[index])) for index in order.tolist()]


def builtin() -> BuiltInEncoder:
    """Open the built-in encoder.

    Raises:
        ValueError: its files have changed since they were made.
    """
    with as_file(files("termexplorer.resources").joinpath(*FOLDER)) as folder:
        return BuiltInEncoder.load(folder)
