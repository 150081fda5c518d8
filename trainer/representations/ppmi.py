"""Counts of words that stand near each other, and their singular vectors: see `CountedWords`."""

from __future__ import annotations

import re
import warnings
from array import array
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp
import torch
from numpy.typing import NDArray
from torch import Tensor

from termexplorer.trainer.errors import TrainerError

_WORD = re.compile(r"[^\W_]")  # what has no letter and no digit is no word
_MORE = 40  # directions that are looked for beyond those that are kept


def read(
    corpus: Path, min_count: int, most_words: int
) -> tuple[list[str], NDArray[np.int32], NDArray[np.int32]]:
    """Read a corpus, lines of words parted by spaces.

    Returns:
        the u frequent words, most frequent first; (t,) int32, those that stand in the text; and
        (t,) int32, the line of each.
    """
    number_by_word: dict[str, int] = {}
    text, lines = array("i"), array("i")
    with corpus.open(encoding="utf-8") as file:
        for number, line in enumerate(file):
            numbers = [
                number_by_word.setdefault(word, len(number_by_word)) for word in line.split()
            ]
            text.extend(numbers)
            lines.extend([number] * len(numbers))
    counts = Counter(dict(enumerate(np.bincount(text, minlength=len(number_by_word)).tolist())))
    spelled = list(number_by_word)
    frequent = [
        number
        for number, count in counts.most_common()
        if count >= min_count and _WORD.search(spelled[number])
    ][:most_words]
    row_of_word = np.full(
        len(number_by_word) + 1, -1, dtype=np.int32
    )  # one more, where there is no word at all
    row_of_word[frequent] = np.arange(len(frequent), dtype=np.int32)
    placed = row_of_word[np.frombuffer(text, dtype=np.int32)]
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
    is_positive = ratio > 1
    values = np.log(ratio[is_positive]).astype(np.float32)
    return sp.coo_array(
        (values, (cells.row[is_positive], cells.col[is_positive])), shape=counts.shape
    ).tocsr()


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
        raise TrainerError("no two words stand near each other in the text; give more text")
    forth, back = _to_csr_tensor(matrix), _to_csr_tensor(matrix.T.tocsr())
    width = min(dimension + _MORE, matrix.shape[0])
    generator = torch.Generator().manual_seed(seed)
    basis = torch.randn(matrix.shape[0], width, generator=generator)
    for done in range(passes):
        product = forth @ (back @ basis)
        with _in_one_thread():
            basis = torch.linalg.qr(product).Q
        tick((done + 1) / (passes + 1), 1.0)
    caught = back @ basis
    with _in_one_thread():
        turned = torch.linalg.svd(caught.T, full_matrices=False).U
        vectors = (basis @ turned)[:, :dimension].contiguous().numpy()
        missed = max(1 - float(caught.square().sum()) / total, 0.0)
    tick(1.0, missed)
    return np.asarray(vectors)


@contextmanager
def _in_one_thread() -> Iterator[None]:
    """Have dense products and decompositions come out the same whatever the number of threads."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(threads)


def _to_csr_tensor(matrix: Any) -> Tensor:
    """A sparse matrix as torch multiplies it, on all cores."""
    rows, columns = (
        torch.from_numpy(indices.astype(np.int64)) for indices in (matrix.indptr, matrix.indices)
    )
    values = torch.from_numpy(matrix.data)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Sparse CSR tensor support is in beta")
        return torch.sparse_csr_tensor(
            rows, columns, values, size=matrix.shape, check_invariants=True
        )
