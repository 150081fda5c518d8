"""Word vectors by counting: how much more often than by chance words stand near each other.

O. Levy, Y. Goldberg, I. Dagan 2015, *Improving Distributional Similarity with Lessons Learned from
Word Embeddings*: positive pointwise mutual information, with smoothed contexts and frequent words
read less often, brought to a few dimensions by its singular vectors (N. Halko, P.-G. Martinsson,
J. Tropp 2011, algorithm 4.4). The window is wide, so that these vectors say what words are about
rather than what could stand in their place.
"""

from __future__ import annotations

import re
import time
import warnings
from array import array
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp
import torch
from numpy.typing import NDArray
from torch import Tensor

from trainer.representations.fasttext_fit import TrainingProgress
from trainer.representations.fasttext_training import OfLines
from trainer.representations.word_vectors import write

_WORD = re.compile(r"[^\W_]")  # what has no letter and no digit is no word
_MORE = 40  # directions that are looked for beyond those that are kept
_COUNTED = 0.3  # of the time, about


@dataclass(frozen=True, slots=True)
class CountedWords(OfLines):
    """Singular vectors of positive pointwise mutual information of words (Levy et al. 2015).

    Attributes:
        dimension: width of the vectors.
        window: words on either side that count as near; the farther one of them, the less.
        epochs: times that the counts are gone through to find the singular vectors.
        min_count: rarer words have no vector.
        most_words: that have a vector, the most frequent ones; memory grows with it.
        smoothing: the power of the counts of words as contexts, which makes rare ones less rare.
        threshold: a word whose share of the text is f is read with probability √(threshold / f).
        seed: of the words that are read, and of the first directions.
    """

    dimension: int = 300
    window: int = 10
    epochs: int = 3
    min_count: int = 5
    most_words: int = 50_000
    smoothing: float = 0.75
    threshold: float = 1e-4
    seed: int = 0

    def fit(
        self,
        corpus: Path,
        folder: Path,
        progress: Callable[[TrainingProgress], None] | None = None,
    ) -> None:
        """Count and factorise a corpus of ``write``; see ``TextMethod.fit``.

        Raises:
            ValueError: fewer frequent words than dimensions, or words that stand near none.
        """
        report = _Report(progress)
        words, text, lines = read(corpus, self.min_count, self.most_words)
        if len(words) <= self.dimension:
            raise ValueError(
                f"the text has {len(words)} words that occur {self.min_count} times, too few for "
                f"{self.dimension} dimensions; give more text, or fewer dimensions"
            )
        rng = np.random.default_rng(self.seed)
        shares = np.bincount(text, minlength=len(words)) / len(text)
        kept = rng.random(len(text)) < np.sqrt(self.threshold / shares)[text]
        counts = near_counts(text[kept], lines[kept], len(words), self.window, report.counted)
        matrix = positive_information(counts, self.smoothing)
        vectors = singular_vectors(matrix, self.dimension, self.epochs, self.seed, report.passed)
        write(folder, words, vectors)


def read(
    corpus: Path, min_count: int, most_words: int
) -> tuple[list[str], NDArray[np.int32], NDArray[np.int32]]:
    """Read a corpus, lines of words parted by spaces.

    Returns:
        the u frequent words, most frequent first; (t,) int32, those that stand in the text; and
        (t,) int32, the line of each.
    """
    found: dict[str, int] = {}
    text, lines = array("i"), array("i")
    with corpus.open(encoding="utf-8") as file:
        for number, line in enumerate(file):
            numbers = [found.setdefault(word, len(found)) for word in line.split()]
            text.extend(numbers)
            lines.extend([number] * len(numbers))
    counts = Counter(dict(enumerate(np.bincount(text, minlength=len(found)).tolist())))
    spelled = list(found)
    frequent = [
        number
        for number, count in counts.most_common()
        if count >= min_count and _WORD.search(spelled[number])
    ][:most_words]
    place = np.full(len(found) + 1, -1, dtype=np.int32)  # one more, where there is no word at all
    place[frequent] = np.arange(len(frequent), dtype=np.int32)
    placed = place[np.frombuffer(text, dtype=np.int32)]
    known = placed >= 0
    of_lines = np.frombuffer(lines, dtype=np.int32)[known]
    return [spelled[number] for number in frequent], placed[known], of_lines


def near_counts(
    text: NDArray[np.int32],
    lines: NDArray[np.int32],
    words: int,
    window: int,
    tick: Callable[[float], None] = lambda _share: None,
) -> Any:
    """Count how often words stand near each other in a line.

    A word d places away counts ``(window - d + 1) / window``, as word2vec's windows of random width
    come to.

    Args:
        text: (t,) int32, words in their order.
        lines: (t,) int32, the line of each.
        words: u, how many there are.
        window: the farthest place that counts.
        tick: called with the share that is done.

    Returns:
        (u, u) sparse float32, symmetric.
    """
    counts: Any = sp.csr_array((words, words), dtype=np.float32)
    for distance in range(1, window + 1):
        same = lines[:-distance] == lines[distance:]
        pairs = (text[:-distance][same], text[distance:][same])
        weight = np.full(len(pairs[0]), (window - distance + 1) / window, dtype=np.float32)
        counts = counts + sp.coo_array((weight, pairs), shape=counts.shape).tocsr()
        tick(distance / window)
    return (counts + counts.T).tocsr()


def positive_information(counts: Any, smoothing: float) -> Any:
    """Return ``max(log(p(w, c) / (p(w) p'(c))), 0)``, where ``p'(c)`` goes with ``count(c)^a``.

    Args:
        counts: (u, u) sparse, of words and contexts.
        smoothing: a.

    Returns:
        (u, u) sparse float32 with the entries above 0.
    """
    of_words = np.asarray(counts.sum(axis=1), dtype=np.float64)
    of_contexts = np.asarray(counts.sum(axis=0), dtype=np.float64) ** smoothing
    of_contexts /= max(of_contexts.sum(), 1e-12)
    cells = counts.tocoo()
    ratio = cells.data / (of_words[cells.row] * of_contexts[cells.col])
    kept = ratio > 1
    values = np.log(ratio[kept]).astype(np.float32)
    return sp.coo_array((values, (cells.row[kept], cells.col[kept])), shape=counts.shape).tocsr()


def singular_vectors(
    matrix: Any,
    dimension: int,
    passes: int,
    seed: int,
    tick: Callable[[float, float], None] = lambda _share, _loss: None,
) -> NDArray[np.float32]:
    """Return the first left singular vectors of a sparse matrix, by randomised subspace iteration.

    They are not weighted by the singular values, as Levy et al. 2015 advise.

    Args:
        matrix: (u, u) sparse float32.
        dimension: how many, fewer than u.
        passes: of the iteration; the more, the nearer to the true ones.
        seed: of the first directions.
        tick: called with the share that is done, and that of the squares not yet caught.

    Returns:
        (u, dimension) float32.

    Raises:
        ValueError: the matrix is empty.
    """
    total = float((matrix.data**2).sum())
    if not total:
        raise ValueError("no two words stand near each other in the text; give more text")
    forth, back = _compressed(matrix), _compressed(matrix.T.tocsr())
    width = min(dimension + _MORE, matrix.shape[0])
    generator = torch.Generator().manual_seed(seed)
    basis = torch.randn(matrix.shape[0], width, generator=generator)
    for done in range(passes):
        basis = torch.linalg.qr(forth @ (back @ basis)).Q
        tick((done + 1) / (passes + 1), 1.0)
    caught = back @ basis
    turned = torch.linalg.svd(caught.T, full_matrices=False).U
    tick(1.0, max(1 - float(caught.square().sum()) / total, 0.0))
    return np.asarray((basis @ turned)[:, :dimension].contiguous().numpy())


def _compressed(matrix: Any) -> Tensor:
    """A sparse matrix as torch multiplies it, on all cores."""
    rows, columns = (
        torch.from_numpy(each.astype(np.int64)) for each in (matrix.indptr, matrix.indices)
    )
    values = torch.from_numpy(matrix.data)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Sparse CSR tensor support is in beta")
        return torch.sparse_csr_tensor(
            rows, columns, values, size=matrix.shape, check_invariants=True
        )


class _Report:
    """Says how far it is, and how long the rest may take."""

    def __init__(self, progress: Callable[[TrainingProgress], None] | None) -> None:
        self._progress, self._start = progress, time.monotonic()

    def tell(self, fraction: float, loss: float = 1.0) -> None:
        """Tell the share that is done of everything."""
        if self._progress:
            left = (time.monotonic() - self._start) * (1 - fraction) / fraction
            self._progress(TrainingProgress(fraction, 0, loss, round(left)))

    def counted(self, share: float) -> None:
        """Tell the share that is done of counting."""
        self.tell(_COUNTED * share)

    def passed(self, share: float, loss: float) -> None:
        """Tell the share that is done of finding singular vectors."""
        self.tell(_COUNTED + (1 - _COUNTED) * share, loss)
