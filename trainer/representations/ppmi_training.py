"""Word vectors by counting: how much more often than by chance words stand near each other.

O. Levy, Y. Goldberg, I. Dagan 2015, *Improving Distributional Similarity with Lessons Learned from
Word Embeddings*: positive pointwise mutual information, with smoothed contexts and frequent words
read less often, brought to a few dimensions by its singular vectors (N. Halko, P.-G. Martinsson,
J. Tropp 2011, algorithm 4.4). The window is wide, so that these vectors say what words are about
rather than what could stand in their place.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from termexplorer.trainer.errors import TrainerError
from termexplorer.trainer.representations.fasttext_fit import TrainingProgress
from termexplorer.trainer.representations.fasttext_training import OfLines
from termexplorer.trainer.representations.word_vectors import write

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
        from termexplorer.trainer.representations.ppmi import (  # PyTorch takes a second or two
            near_counts,
            positive_information,
            read,
            singular_vectors,
        )

        report = _Report(progress)
        words, text, lines = read(corpus, self.min_count, self.most_words)
        if len(words) <= self.dimension:
            raise TrainerError(
                "the text has {words} words that occur {min_count} times, too few "
                "for {dimension} dimensions; give more text, or fewer dimensions",
                words=len(words),
                min_count=self.min_count,
                dimension=self.dimension,
            )
        rng = np.random.default_rng(self.seed)
        shares = np.bincount(text, minlength=len(words)) / len(text)
        is_sampled = rng.random(len(text)) < np.sqrt(self.threshold / shares)[text]
        counts = near_counts(
            text[is_sampled], lines[is_sampled], len(words), self.window, report.counted
        )
        matrix = positive_information(counts, self.smoothing)
        vectors = singular_vectors(matrix, self.dimension, self.epochs, self.seed, report.passed)
        write(folder, words, vectors)


class _Report:
    """Says how far it is, and how long the rest may take."""

    def __init__(self, progress: Callable[[TrainingProgress], None] | None) -> None:
        self._progress, self._start = progress, time.monotonic()

    def tell(self, fraction: float, loss: float = 1.0) -> None:
        """Tell the share that is done of everything."""
        if self._progress:
            left = (time.monotonic() - self._start) * (1 - fraction) / fraction
            self._progress(TrainingProgress(fraction, loss, round(left)))

    def counted(self, share: float) -> None:
        """Tell the share that is done of counting."""
        self.tell(_COUNTED * share)

    def passed(self, share: float, loss: float) -> None:
        """Tell the share that is done of finding singular vectors."""
        self.tell(_COUNTED + (1 - _COUNTED) * share, loss)
