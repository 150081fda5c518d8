"""How often names that differ by one word name the same concept, as two ontologies themselves say.

Where an ontology has *kidney failure* and *renal failure* for one concept, the swap of *kidney* for
*renal* keeps the meaning; where *acute gout* and *chronic gout* are two concepts, that of *acute*
for *chronic* does not. The empty word stands for a word too many.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations

from termexplorer.trainer.mapping.sides import INEXACT, MappingSide

Swap = tuple[str, str]

_LONGEST = 12  # words of a name
_MOST = 40  # names that share all words but one and are compared with each other
_PRIOR = 2.0  # swaps of usual kind that are counted in addition


@dataclass(frozen=True, eq=False)
class WordSwaps:
    """Counts of swaps.

    Attributes:
        same: how often a swap leads to another name of the same concept.
        different: how often to a name of another one.
        usual: the share of the former in all swaps.
    """

    same: Counter[Swap]
    different: Counter[Swap]
    usual: float

    def rate_swap(self, word: str, other: str) -> tuple[float, int]:
        """Return the share of names that keep their concept, and of how many names."""
        same, different = self.same[word, other], self.different[word, other]
        share = (same + _PRIOR * self.usual) / (same + different + _PRIOR)
        return share, same + different


def count_swaps(sides: Iterable[MappingSide]) -> WordSwaps:
    """Count the swaps among the names of each ontology, none between two of them."""
    same: Counter[Swap] = Counter()
    different: Counter[Swap] = Counter()
    for side in sides:
        for members in _group_by_context(side).values():
            for (word, concept), (other, other_concept) in permutations(members[:_MOST], 2):
                if word != other:
                    (same if concept == other_concept else different)[word, other] += 1
    total = same.total() + different.total()
    return WordSwaps(same, different, same.total() / total if total else 0.5)


def _group_by_context(side: MappingSide) -> dict[tuple[str, ...], list[tuple[str, int]]]:
    """Group (word, concept) by the other words of a name; the empty word by all of them."""
    groups: dict[tuple[str, ...], list[tuple[str, int]]] = defaultdict(list)
    rows = zip(side.forms.words, side.concepts.tolist(), side.kinds.tolist(), strict=True)
    for words, concept, kind in rows:
        if kind != INEXACT and len(words) <= _LONGEST:
            for context, word in _split_off_word(words):
                groups[context].append((word, concept))
    return groups


def _split_off_word(words: Sequence[str]) -> Iterator[tuple[tuple[str, ...], str]]:
    yield tuple(words), ""
    if len(words) > 1:
        for index, word in enumerate(words):
            yield (*words[:index], *words[index + 1 :]), word
