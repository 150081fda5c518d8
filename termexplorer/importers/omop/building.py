"""Concepts of OMOP vocabularies, put together from their rows."""

from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np

from termexplorer.importers.files.block import Integers
from termexplorer.importers.files.grouped import Grouped
from termexplorer.importers.files.terms import TermStore
from termexplorer.importers.omop.concepts import STANDARDS, StagedConcepts
from termexplorer.importers.omop.relations import (
    ALTERNATIVE,
    IS_A,
    MAPPED,
    MAYBE,
    REPLACED,
    SAME,
    WAS_A,
)
from termexplorer.importers.records import ConceptRecord, NameRecord, Note
from termexplorer.importers.text.notes import counted
from termexplorer.importers.text.prefixes import code_curie
from termexplorer.importers.text.text import NameCleaner, clean
from termexplorer.texts import mark_plural, number, tr

OMOP_PREFIX = "OMOP"
_BLOCK = 4_096  # concepts whose rows are in memory as Python's own numbers
_FLAGS = {"S": "standard", "C": "classification"}
_ASSOCIATIONS = {WAS_A: "WAS A", ALTERNATIVE: "ALTERNATIVE"}


class OmopBuilder:
    """Makes concepts, and counts what is worth a line in the report.

    Args:
        staged: All concepts.
        rows: Places of those that are taken.
        terms: Has the texts.

    Attributes:
        made: How many concepts were made so far.
    """

    def __init__(self, staged: StagedConcepts, rows: Integers, terms: TermStore) -> None:
        self.concepts_made = 0
        self._staged = staged
        self._rows = rows
        self._terms = terms
        self._cleaner = NameCleaner()
        self._domains: Counter[str] = Counter()
        self._nameless = 0

    def concepts(self, synonyms: Grouped, related: Grouped) -> Iterator[ConceptRecord]:
        """Yield every concept, in the order of their ids."""
        for first in range(0, len(self._rows), _BLOCK):
            end = min(first + _BLOCK, len(self._rows))
            rows = self._rows[first:end].tolist()
            columns = *synonyms.of(first, end), *related.of(first, end)
            for row, places, sorts, targets in zip(rows, *columns, strict=True):
                self.concepts_made += 1
                yield self._concept(row, places, sorts, targets)

    def notes(self) -> Iterator[Note]:
        """What was counted."""
        most = self._domains.most_common(20)
        domain_text = ", ".join(f"{domain} {number(count)}" for domain, count in most)
        if domain_text:
            text = tr("domains of concepts: {domains}", domains=domain_text)
            yield Note("domains", sum(self._domains.values()), text)
        text = mark_plural(
            "{n:,} concept has no name and goes by its code",
            "{n:,} concepts have no name and go by their code",
        )
        yield from counted("without name", self._nameless, text)
        yield from self._cleaner.notes()

    def _concept(
        self, row: int, synonyms: Sequence[int], sorts: Sequence[int], targets: Sequence[int]
    ) -> ConceptRecord:
        name, domain, vocabulary, sort, _, code = self._cells(row)
        flag = STANDARDS[int(self._staged.standard[row])]
        kind = dict.fromkeys(label for label in (sort, domain, _FLAGS.get(flag, "")) if label)
        self._domains[domain] += 1
        code = clean(code)
        curie = code_curie(vocabulary, code)
        self._nameless += not clean(name)
        names = [NameRecord(name if clean(name) else code, "preferred")]
        names += [NameRecord(self._terms.at(synonym), "synonym") for synonym in synonyms]
        related = self._related(sorts, targets, curie)
        return ConceptRecord(
            curie=curie,
            code=code,
            kind=", ".join(kind),
            names=self._cleaner.distinct(names),
            parents=related(IS_A),
            alternative_ids=(f"{OMOP_PREFIX}:{int(self._staged.ids[row])}",),
            cross_references=related(MAPPED),
            obsolete=not self._staged.valid[row],
            replaced_by=related(REPLACED),
            same_as=related(SAME),
            consider=related(MAYBE),
            associations=tuple(
                f"{title} {other}" for key, title in _ASSOCIATIONS.items() for other in related(key)
            ),
            line=int(self._staged.line[row]),
        )

    def _related(self, sorts: Sequence[int], targets: Sequence[int], curie: str) -> "_Related":
        targets_by_sort: dict[int, dict[str, None]] = {}
        for sort, other in zip(sorts, targets, strict=True):
            target = self._curie(other)
            if target != curie:
                targets_by_sort.setdefault(sort, {})[target] = None
        return _Related(targets_by_sort)

    def _curie(self, row: int) -> str:
        _, _, vocabulary, _, _, code = self._cells(row)
        return code_curie(vocabulary, clean(code))

    def _cells(self, row: int) -> list[str]:
        return self._terms.at(int(self._staged.place[row])).split("\t")


class _Related:
    """The CURIEs of what a concept is related to, by sort."""

    def __init__(self, targets_by_sort: dict[int, dict[str, None]]) -> None:
        self._targets_by_sort = targets_by_sort

    def __call__(self, sort: int) -> tuple[str, ...]:
        return tuple(self._targets_by_sort.get(sort, ()))


def taken(staged: StagedConcepts, vocabularies: Sequence[str], standard: Sequence[str]) -> Integers:
    """The places of concepts of some vocabularies and flags."""
    is_taken = np.array([vocabulary in vocabularies for vocabulary in staged.vocabularies], bool)
    flags = np.array([status in standard for status in STANDARDS], bool)
    return np.flatnonzero(is_taken[staged.vocabulary] & flags[staged.standard])
