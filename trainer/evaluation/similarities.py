"""What a task asks of an encoder: how similar names are, by vectors or by how they are written."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Protocol, cast

import numpy as np

from termexplorer.trainer import lexical
from termexplorer.trainer.errors import TrainerError
from termexplorer.trainer.evaluation.scores import Scores, cosine_scores, finite
from termexplorer.trainer.evaluation.sparse import with_sparse
from termexplorer.trainer.files.pairs import PairSet
from termexplorer.trainer.measures import USUAL
from termexplorer.trainer.measures import measure as measure_of
from termexplorer.trainer.measures.base import TokenVectors, WordBags
from termexplorer.trainer.notebook import load
from termexplorer.trainer.representations.base import Float32s, Representation
from termexplorer.trainer.representations.lexical_names import LexicalNames, table_of


class Similarities(Protocol):
    """How similar names are to each other."""

    def scores(self, names: Sequence[str], candidates: Sequence[str] | None = None) -> Scores:
        """Return what scores names beside each other, or beside other ones."""
        ...

    def of_pairs(self, pairs: PairSet, measure: str) -> Float32s:
        """Return the similarity of each pair, (p,) float32; NaN where a term is not known."""
        ...


@dataclass(frozen=True, eq=False)
class ByVectors:
    """Cosines of the vectors that an encoder makes of names."""

    encoder: Representation

    def scores(self, names: Sequence[str], candidates: Sequence[str] | None = None) -> Scores:
        """See ``Similarities``."""
        candidate_vectors = None if candidates is None else self.encoder.encode(candidates)
        return cosine_scores(self.encoder.encode(names), candidate_vectors)

    def of_pairs(self, pairs: PairSet, measure: str) -> Float32s:
        """See ``Similarities``; other measures than the usual one are of vectors of words."""
        compare = measure_of(measure)
        terms, left, right = pairs.terms()
        if measure == USUAL:
            bags = WordBags.of_vectors(finite(self.encoder.encode(terms)))
        elif hasattr(self.encoder, "token_vectors"):
            bags = WordBags.of_names(terms, cast("TokenVectors", self.encoder))
        else:
            raise TrainerError(
                "{measure} compares words, of which {kind} has no vectors; leave "
                "measure= out, or give word vectors",
                measure=measure,
                kind=type(self.encoder).__name__,
            )
        return compare(bags, left, right)


@dataclass(frozen=True, eq=False)
class AsWritten:
    """A lexical method, fitted on the candidates, which may be the names themselves.

    Attributes:
        index: indexes names.
    """

    index: Callable[[Sequence[str]], LexicalNames]

    def fit(self, names: Sequence[str]) -> LexicalNames:
        """Index names; raises a ``ValueError`` where that is not what the function does."""
        index = self.index(names)
        if not hasattr(index, "scores_among"):
            raise TrainerError(
                "{index!r} makes no index of names; give a lexical method", index=self.index
            )
        return index

    def scores(self, names: Sequence[str], candidates: Sequence[str] | None = None) -> Scores:
        """See ``Similarities``."""
        return table_of(self.fit(names if candidates is None else candidates), names)

    def of_pairs(self, pairs: PairSet, measure: str) -> Float32s:
        """See ``Similarities``; the measure is the method's own."""
        if measure != USUAL:
            raise TrainerError(
                "{measure} compares vectors of words; leave measure= out", measure=measure
            )
        return self.fit(pairs.terms()[0]).pair_scores(pairs.left, pairs.right)


@dataclass(frozen=True, eq=False)
class Blended:
    """Cosines of an encoder and so much of TF-IDF's, as BioSyn of [FSL] table 3 does.

    Attributes:
        encoder: of names.
        weight: of TF-IDF, at least 0; see ``trainer.evaluation.sparse.best_weight``.
    """

    encoder: Representation
    weight: float

    def scores(self, names: Sequence[str], candidates: Sequence[str] | None = None) -> Scores:
        """See ``Similarities``."""
        dense, sparse = (by.scores(names, candidates) for by in self._list_parts())
        return with_sparse(dense, sparse, self.weight)

    def of_pairs(self, pairs: PairSet, measure: str) -> Float32s:
        """See ``Similarities``; the measure is that of the encoder."""
        vectors, written = self._list_parts()
        similarities = vectors.of_pairs(pairs, measure)
        return similarities + np.float32(self.weight) * written.of_pairs(pairs, USUAL)

    def _list_parts(self) -> tuple[ByVectors, AsWritten]:
        return ByVectors(self.encoder), AsWritten(partial(lexical.fit, "tfidf"))


def similarities_by(encoder: object) -> Similarities:
    """Return how an encoder compares names.

    Args:
        encoder: of names; the folder of one; one of ``trainer.lexical.METHODS``, or a class or
            index of these; any function that indexes names; or a ``Blended``.

    Raises:
        ValueError: for anything else.
    """
    if isinstance(encoder, Blended):
        return encoder
    if isinstance(encoder, str) and encoder in lexical.METHODS and not Path(encoder).exists():
        return AsWritten(partial(lexical.fit, encoder))
    representation = load(encoder) if isinstance(encoder, str | Path) else encoder
    if hasattr(representation, "encode"):
        return ByVectors(cast("Representation", representation))
    fit = getattr(representation, "fit", representation)
    if not callable(fit) or isinstance(fit, type):
        raise TrainerError(
            "{found!r} compares no names; give an encoder, the folder of one, or one of {methods}",
            found=representation,
            methods=", ".join(lexical.METHODS),
        )
    return AsWritten(fit)
