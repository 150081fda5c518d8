"""Which terms may be the same, and what speaks for it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from termexplorer.trainer.checking.made_duplicates import SourceTerms
from termexplorer.trainer.checking.terms import TermTable
from termexplorer.trainer.mapping.candidates import find_equal, merge_pairs
from termexplorer.trainer.mapping.name_features import Features, NameView, describe_names
from termexplorer.trainer.mapping.name_pairs import NamePairs, compare_names
from termexplorer.trainer.mapping.sides import MappingSide, binary_matrix, look_up
from termexplorer.trainer.mapping.word_swaps import WordSwaps, count_swaps
from termexplorer.trainer.search.ties import order_shown

Int64s = NDArray[np.int64]
Float32s = NDArray[np.float32]
Bools = NDArray[np.bool_]
PairSimilarity = Callable[[Int64s, Int64s], Float32s]
"""Rows of names and of others to how similar each pair is, (p,)."""
Encode = Callable[[list[str]], Float32s]
"""Names to their vectors, (n, d) float32 at unit length."""

_NEAREST = 8  # names of other terms, by the encoder
_MOST_SHARING = 20  # terms with a cross-reference; one of more tells nothing
_PAIRS_AT_ONCE = 100_000  # of names
_CELLS_AT_ONCE = 1 << 23  # cosines that are computed at once
_FORMS = ("letters", "bags", "cores")


@dataclass(frozen=True, eq=False)
class ComparedTerms:
    """Pairs of a source term and a term of the table, with their names compared.

    Attributes:
        source: the first terms.
        names: their pairs.
    """

    source: SourceTerms
    names: NamePairs

    @property
    def pairs(self) -> Int64s:
        """Return the (p, 2) int64 pairs."""
        return self.names.pairs


class TermComparison:
    """Compares terms with those of a table.

    Args:
        table: whose terms are compared with.
        encode: names.

    Attributes:
        table: likewise.
        swaps: of words in the table's names.
    """

    def __init__(self, table: TermTable, encode: Encode) -> None:
        from sklearn.feature_extraction.text import TfidfVectorizer

        self.table = table
        self._encode = encode
        self._vectors = encode(list(table.side.names))
        self.swaps: WordSwaps = count_swaps([table.side])
        vectorizer = TfidfVectorizer(analyzer="char_wb", ngram_range=(3, 4), dtype=np.float32)
        self._written = vectorizer.fit_transform(table.side.names)
        self._weigh = vectorizer.transform
        self._by_reference: dict[str, list[int]] = defaultdict(list)
        for row, term in enumerate(table.terms):
            for reference in set(term.cross_references):
                self._by_reference[reference].append(row)

    def compare(
        self, source: SourceTerms, tick: Callable[[], None], *, with_itself: bool
    ) -> ComparedTerms:
        """Find candidates for each term and compare their names.

        Args:
            source: the terms.
            tick: called often; may raise to stop.
            with_itself: whether the row of a term is a candidate, as of made ones.
        """
        vectors = self._encode(list(source.side.names))
        parts = [self._find_nearest(source, vectors, tick)]
        parts += [find_equal(source.side, self.table.side, form) for form in _FORMS]
        parts.append(self._list_related(source))
        itself = np.stack([np.arange(len(source.rows)), source.rows], axis=1)
        pairs = merge_pairs([*parts, itself] if with_itself else parts)
        if not with_itself:
            pairs = pairs[source.rows[pairs[:, 0]] != pairs[:, 1]]
        tick()

        def compare_encoded(left: Int64s, right: Int64s) -> Float32s:
            return np.asarray(np.einsum("nd,nd->n", vectors[left], self._vectors[right]))

        def compare_written(left: Int64s, right: Int64s) -> Float32s:
            return np.asarray(written[left].multiply(self._written[right]).sum(axis=1)).ravel()

        written = self._weigh(list(source.side.names))
        similarities = [_in_parts(compare, tick) for compare in (compare_encoded, compare_written)]
        names = compare_names(source.side, self.table.side, pairs, similarities, self.swaps)
        return ComparedTerms(source, names)

    def count_rows_at_once(self) -> int:
        """Return how many texts are compared with all names at once, so that memory suffices."""
        return max(_CELLS_AT_ONCE // len(self._vectors), 1)

    def compare_texts(self, texts: list[str]) -> Float32s:
        """Return the cosines of texts with all names of the table, (m, n) float32."""
        return np.asarray(self._encode(texts) @ self._vectors.T)

    def find_nearest_names(self, row: int, other: int) -> tuple[str, str, float]:
        """Return the two names of two terms of the table that are most alike, and their cosine."""
        side = self.table.side
        (start, stop), (begin, end) = (side.starts[i : i + 2].tolist() for i in (row, other))
        cosines = self._vectors[start:stop] @ self._vectors[begin:end].T
        best, best_other = np.unravel_index(int(cosines.argmax()), cosines.shape)
        names = side.names[start + int(best)], side.names[begin + int(best_other)]
        return *names, float(cosines[best, best_other])

    def describe(self, compared: ComparedTerms, view: NameView) -> Float32s:
        """Return what speaks for each pair, (p, f) float32."""
        by_names = describe_names(compared.names, view)
        # rivals for a term of the table tell how many terms are compared, and nothing of a pair
        features = {name: of for name, of in by_names.items() if not name.endswith("of target")}
        features |= self._relate(compared)
        features["likeness of differing words"] = _compare_differing(
            compared.source.side,
            self.table.side,
            compared.names,
            _find_nearest_names(compared, view),
        )
        return np.stack(list(features.values()), axis=1).astype(np.float32)

    def _find_nearest(
        self, source: SourceTerms, vectors: Float32s, tick: Callable[[], None]
    ) -> Int64s:
        concepts = self.table.side.concepts
        pairs = []
        count = min(2 * _NEAREST, len(concepts))
        step = self.count_rows_at_once()
        for start in range(0, len(vectors), step):
            cosines = vectors[start : start + step] @ self._vectors.T
            nearest = np.stack([order_shown(row, count) for row in cosines])
            terms = np.repeat(source.side.concepts[start : start + len(cosines)], count)
            pairs.append(np.stack([terms, concepts[nearest.ravel()]], axis=1))
            tick()
        return merge_pairs(pairs)

    def _list_related(self, source: SourceTerms) -> Int64s:
        related = [
            (number, row)
            for number, (parents, references) in enumerate(
                zip(source.parents, source.references, strict=True)
            )
            for row in {
                *parents,
                *(
                    other
                    for reference in references
                    if len(self._by_reference[reference]) <= _MOST_SHARING
                    for other in self._by_reference[reference]
                ),
            }
        ]
        return np.array(related, np.int64).reshape(-1, 2)

    def _relate(self, compared: ComparedTerms) -> Features:
        """Return how the terms of each pair stand to each other, (p,) each."""
        source, (numbers, rows) = compared.source, compared.pairs.T
        table = self.table.side
        links = [(i, parent) for i, several in enumerate(source.parents) for parent in several]
        linked, parents = np.array(links, np.int64).reshape(-1, 2).T
        up = binary_matrix(linked, parents, (len(source.rows), table.count))
        above = up @ table.ancestors + up
        above.data[:] = 1
        above_other = table.ancestors[rows]
        common = np.asarray(above[numbers].multiply(above_other).sum(axis=1)).ravel()
        sizes = np.diff(above.indptr)[numbers], np.diff(above_other.indptr)
        has_children = source.with_children[numbers]
        is_child = look_up(table.up, rows, source.rows[numbers]) * has_children
        is_below = look_up(table.ancestors, rows, source.rows[numbers]) * has_children
        siblings = np.asarray(up[numbers].multiply(table.up[rows]).sum(axis=1)).ravel()
        references = source.references
        shared = [
            references[number] & set(self.table.terms[row].cross_references)
            for number, row in zip(numbers.tolist(), rows.tolist(), strict=True)
        ]
        rarest = [
            1 / min((len(self._by_reference[ref]) for ref in several), default=np.inf)
            for several in shared
        ]
        columns = {
            "is parent": look_up(up, numbers, rows),
            "is ancestor": look_up(above, numbers, rows),
            "is child": is_child,
            "is descendant": is_below,
            "common parents": siblings,
            "common ancestors": common / np.maximum(sizes[0] + sizes[1] - common, 1),
            "deeper": sizes[0] - sizes[1],
            "children": np.log1p(table.child_counts[rows]),
            "common references": [len(several) for several in shared],
            "rarity of references": rarest,
            "is live": self.table.is_live[rows],
        }
        return {name: np.asarray(column, np.float32) for name, column in columns.items()}


def _in_parts(compare: PairSimilarity, tick: Callable[[], None]) -> PairSimilarity:
    """Return a similarity that is computed of so many pairs at once that memory suffices."""

    def compare_in_parts(left: Int64s, right: Int64s) -> Float32s:
        similarities = np.empty(len(left), np.float32)
        for start in range(0, len(left), _PAIRS_AT_ONCE):
            part = slice(start, start + _PAIRS_AT_ONCE)
            similarities[part] = compare(left[part], right[part])
            tick()
        return similarities

    return compare_in_parts


def _find_nearest_names(compared: ComparedTerms, view: NameView) -> Int64s:
    """Return the row of the most similar names that are seen of each pair of terms, (p,)."""
    names = compared.names
    seen = ~(view.hidden_left[names.left] | view.hidden_right[names.right])
    score = np.where(seen, names.score, -1)
    best = np.maximum.reduceat(score, names.starts)
    at_best = np.flatnonzero(score == best[names.pair])
    return at_best[np.unique(names.pair[at_best], return_index=True)[1]]


def _compare_differing(
    source: MappingSide, target: MappingSide, names: NamePairs, rows: Int64s
) -> Float32s:
    """Return how much alike the words are written by which two names differ; 1 where none do."""
    words, other_words = source.forms.words, target.forms.words
    likeness = np.ones(len(rows), np.float32)
    for number, (left, right) in enumerate(
        zip(names.left[rows].tolist(), names.right[rows].tolist(), strict=True)
    ):
        ours, theirs = set(words[left]), set(other_words[right])
        if ours != theirs:
            likeness[number] = _measure_likeness(
                " ".join(sorted(ours - theirs)), " ".join(sorted(theirs - ours))
            )
    return likeness


def _measure_likeness(text: str, other: str) -> float:
    """Return the share of trigrams that two texts have in common."""
    trigrams, other_trigrams = (
        {f"  {t} "[i : i + 3] for i in range(len(t) + 1)} for t in (text, other)
    )
    return len(trigrams & other_trigrams) / max(len(trigrams | other_trigrams), 1)
