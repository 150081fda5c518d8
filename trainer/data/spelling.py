"""Names as bags of the words and letters that they are written with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import torch
from torch import Tensor

from termexplorer.trainer.data.training_data import TrainingData, spread
from termexplorer.trainer.errors import TrainerError
from termexplorer.trainer.text.tokenizer import tokenize

_LETTERS = (3, 4, 5)  # of a run of letters within a word, its ends marked
_LEAST = 2  # names that must have a piece


@dataclass(frozen=True, eq=False)
class Bags:
    """The pieces of n names.

    Attributes:
        pieces: (p,) int64, those of all names one after the other.
        weights: (p,) float32, how much each counts: the more, the fewer names have it.
        starts: (n + 1,) int64, where each name starts in ``pieces``.
    """

    pieces: Tensor
    weights: Tensor
    starts: Tensor

    def of(self, chosen: Tensor) -> Bags:
        """Return those of some names, (b,) int64."""
        counts = self.starts[chosen + 1] - self.starts[chosen]
        _, position = spread(self.starts[chosen], counts)
        starts = torch.cat((counts.new_zeros(1), counts.cumsum(0)))
        return Bags(self.pieces[position], self.weights[position], starts)

    def cut(self, rows: slice) -> Bags:
        """Return those of names that follow each other."""
        if rows.stop - rows.start == len(self.starts) - 1:
            return self
        first, last = self.starts[[rows.start, rows.stop]].tolist()
        starts = self.starts[rows.start : rows.stop + 1] - first
        return Bags(self.pieces[first:last], self.weights[first:last], starts)


class Speller:
    """The words, and the runs of three to five letters, that at least two names have.

    Attributes:
        pieces: f of them, in the order of their numbers.
        weights: (f,) float32, inverse document frequencies.
    """

    def __init__(self, pieces: Sequence[str], weights: Tensor) -> None:
        self.pieces, self.weights = tuple(pieces), weights
        self._vectorizer = _make_vectorizer(self.pieces)
        self._vectorizer.idf_ = weights.cpu().numpy()

    @classmethod
    def fit(cls, names: Sequence[str], device: torch.device) -> Self:
        """Look for the pieces of names.

        Args:
            names: those that are trained on.
            device: where the bags of names go.

        Raises:
            ValueError: no two names have one in common.
        """
        vectorizer = _make_vectorizer(None)
        try:
            vectorizer.fit(names)
        except ValueError as error:
            raise TrainerError(
                "no two of the {names} names share a word or three letters; take a "
                "recipe that does not read them",
                names=len(names),
            ) from error
        weights = torch.from_numpy(np.asarray(vectorizer.idf_, dtype=np.float32)).to(device)
        return cls(vectorizer.get_feature_names_out().tolist(), weights)

    def bags(self, names: Sequence[str]) -> Bags:
        """Take names to pieces; those that are not known are left out."""
        device = self.weights.device
        tfidf = self._vectorizer.transform(names)
        return Bags(
            torch.from_numpy(tfidf.indices.astype(np.int64)).to(device),
            torch.from_numpy(tfidf.data.astype(np.float32)).to(device),
            torch.from_numpy(tfidf.indptr.astype(np.int64)).to(device),
        )


@dataclass(frozen=True, eq=False)
class Spelled:
    """Training and validation names, taken to pieces.

    Attributes:
        speller: fitted on the training names.
        names: the training names.
        validation: the validation names.
    """

    speller: Speller
    names: Bags
    validation: Bags

    @classmethod
    def of(cls, data: TrainingData) -> Self:
        """Take the names of some data to pieces.

        Raises:
            ValueError: as ``Speller.fit``.
        """
        training, validation = data.texts
        speller = Speller.fit(training, data.names.device)
        return cls(speller, speller.bags(training), speller.bags(validation))


def pieces_of(name: str) -> list[str]:
    """Return the words of a name, and the runs of letters within them; ``<`` and ``>`` end words.

    A run begins with ``#``, which no word does.
    """
    words = [word for word in tokenize(name) if word.isalnum()]
    marked = [f"<{word}>" for word in words]
    runs = [
        f"#{word[at : at + length]}"
        for word in marked
        for length in _LETTERS
        for at in range(len(word) - length + 1)
    ]
    return words + runs


def _make_vectorizer(vocabulary: Sequence[str] | None) -> Any:
    from sklearn.feature_extraction.text import TfidfVectorizer

    return TfidfVectorizer(
        analyzer=pieces_of,
        norm=None,
        min_df=1 if vocabulary else _LEAST,
        dtype=np.float32,
        vocabulary=vocabulary,
    )
