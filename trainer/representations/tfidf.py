"""The lexical encoder: TF-IDF of character n-grams, ranked exactly."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from termexplorer.trainer.errors import TrainerError
from termexplorer.trainer.files.folders import replacing
from termexplorer.trainer.files.pairs import distinct
from termexplorer.trainer.representations.base import Float32s, meta_of
from termexplorer.trainer.representations.lexical_names import LexicalNames

KIND = "tfidf"
VOCABULARY = "vocabulary.json"
ARRAYS = ("idf", "data", "indices", "indptr")
_SHORTEST, _LONGEST = 3, 4  # characters of an n-gram, within words


class TfidfNames(LexicalNames):
    """Similarities of any text to a fixed list of names, by cosine of TF-IDF weights.

    Attributes:
        count: the number n of names.
    """

    def __init__(self, vectorizer: Any, by_ngram: Any):
        self.count = int(by_ngram.shape[1])
        self._vectorizer = vectorizer
        self._by_ngram = by_ngram  # (n-grams, n) CSR: for each n-gram the names that have it

    @classmethod
    def fit(cls, names: Sequence[str]) -> Self:
        """Index names.

        Raises:
            ValueError: where no name has a letter or digit.
        """
        vectorizer = _make_vectorizer(None)
        try:
            weights = vectorizer.fit_transform(names)
        except ValueError as error:
            raise TrainerError(
                "no name among {names} has a character n-gram", names=len(names)
            ) from error
        return cls(vectorizer, weights.T.tocsr())

    def similarities(self, queries: Sequence[str]) -> Float32s:
        """Return the cosine of each query with each name, (q, n) float32."""
        weights = self._vectorizer.transform(queries)
        similarities = np.empty((len(queries), self.count), dtype=np.float32)
        for number in range(len(queries)):
            query = weights[number]
            # (n-grams of the query, n): only the names that share one are touched
            similarities[number] = self._by_ngram[query.indices].T @ query.data
        return similarities

    def scores(self, query: str) -> Float32s:
        """Return the cosine of a text with each name, (n,) float32."""
        return np.asarray(self.similarities([query])[0])

    def pair_scores(self, left: Sequence[str], right: Sequence[str]) -> Float32s:
        """Return the cosine of each left text with the right one, (p,) float32."""
        texts, first, second = distinct(left, right)
        weights = self._vectorizer.transform([*texts, ""])  # of no text at all it refuses
        cosines = weights[first].multiply(weights[second]).sum(axis=1)
        return np.asarray(cosines, dtype=np.float32).ravel()

    def save(self, folder: Path) -> None:
        """Write the index: vocabulary as JSON, matrices as .npy."""
        vocabulary = self._vectorizer.get_feature_names_out().tolist()
        matrix = self._by_ngram
        arrays = (self._vectorizer.idf_, matrix.data, matrix.indices, matrix.indptr)
        with replacing(folder, {"kind": KIND, "dimension": None, "count": self.count}) as part:
            text = json.dumps(vocabulary, ensure_ascii=False)
            (part / VOCABULARY).write_text(text, encoding="utf-8")
            for name, array in zip(ARRAYS, arrays, strict=True):
                np.save(part / f"{name}.npy", array, allow_pickle=False)

    @classmethod
    def load(cls, folder: Path, *, verify: bool = True) -> Self:
        """Open a folder written by ``save``, memory-mapped.

        Raises:
            ValueError: for a folder of another kind, or one that has changed.
        """
        from scipy.sparse import csr_matrix

        meta = meta_of(folder, KIND, verify=verify)
        try:
            vocabulary = json.loads((folder / VOCABULARY).read_text(encoding="utf-8"))
        except RecursionError:
            raise TrainerError("{path} is nested too deeply", path=folder / VOCABULARY) from None
        idf, data, indices, indptr = (_open_array(folder, name) for name in ARRAYS)
        vectorizer = _make_vectorizer(vocabulary)
        vectorizer.idf_ = np.asarray(idf)
        shape = (len(vocabulary), meta["count"])
        by_ngram = csr_matrix((data, indices, indptr), shape=shape, copy=False)
        _check_index(by_ngram, idf, folder)
        return cls(vectorizer, by_ngram)


def _check_index(by_ngram: Any, idf: NDArray[Any], folder: Path) -> None:
    """Refuse an index that leads beside its arrays, where a product would read what is there."""
    try:
        by_ngram.check_format(full_check=True)
    except ValueError as error:
        raise TrainerError(
            "{path} is damaged ({what}); make or fetch it anew", path=folder, what=error
        ) from error
    if idf.shape != (by_ngram.shape[0],) or {idf.dtype.kind, by_ngram.dtype.kind} != {"f"}:
        raise TrainerError("{path} is no matrix of numbers; make it anew", path=folder)


def _open_array(folder: Path, name: str) -> NDArray[Any]:
    array: NDArray[Any] = np.load(folder / f"{name}.npy", mmap_mode="r", allow_pickle=False)
    return array


def _make_vectorizer(vocabulary: Sequence[str] | None) -> Any:
    from sklearn.feature_extraction.text import TfidfVectorizer

    return TfidfVectorizer(
        analyzer="char_wb",
        ngram_range=(_SHORTEST, _LONGEST),
        dtype=np.float32,
        vocabulary=vocabulary,
    )
