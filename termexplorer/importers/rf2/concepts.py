"""Concepts of a release, put together from its rows."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from termexplorer.importers.files.block import Integers
from termexplorer.importers.files.grouped import Grouped
from termexplorer.importers.files.terms import TermStore
from termexplorer.importers.records import ConceptRecord, NameRecord, Note
from termexplorer.importers.rf2.grouping import (
    ACCEPTABLE,
    DEFINING,
    FOREIGN,
    FULL,
    PREFERRED,
    UNLISTED,
)
from termexplorer.importers.rf2.ids import ASSOCIATIONS, CORE_MODULE, REPLACEMENTS
from termexplorer.importers.rf2.staging import line_of
from termexplorer.importers.text.notes import counted
from termexplorer.importers.text.text import NameCleaner, clean
from termexplorer.texts import mark_plural, number, tr

PREFIX = "SNOMEDCT"
_BLOCK = 4_096  # concepts whose rows are in memory as Python's own numbers
_TAG = re.compile(r"(.*\S)\s*\(([^()]+)\)")


class Rf2Builder:
    """Makes concepts, and counts what is worth a line in the report.

    Attributes:
        made: How many concepts were made so far.
    """

    def __init__(self, terms: TermStore) -> None:
        self.concepts_made = 0
        self._terms = terms
        self._cleaner = NameCleaner()
        self._tags: Counter[str] = Counter()
        self._unpreferred = self._foreign = self._unnamed = self._undefined = self._unlisted = 0

    def concepts(
        self, table: Integers, texts: Grouped, parents: Grouped, associations: Grouped
    ) -> Iterator[ConceptRecord]:
        """Yield every concept, in the order of their ids; `table` is that of the staged ones."""
        for first in range(0, table.shape[1], _BLOCK):
            rows = table[:, first : first + _BLOCK].T.tolist()
            end = first + len(rows)
            columns = (
                column
                for group in (texts, parents, associations)
                for column in group.of(first, end)
            )
            for row, sorts, places, above, refsets, targets in zip(rows, *columns, strict=True):
                self.concepts_made += 1
                linked = list(zip(refsets, targets, strict=True))
                yield self._concept(row, sorts, places, above, linked)

    def notes(self) -> Iterator[Note]:
        """What was counted."""
        if self._tags:
            tag_text = ", ".join(f"{tag} {number(n)}" for tag, n in self._tags.most_common())
            text = tr("semantic tags of live concepts: {tags}", tags=tag_text)
            yield Note("semantic tags", sum(self._tags.values()), text)
        text = mark_plural(
            "{n:,} concept has no preferred name in this dialect; another of its names is shown",
            "{n:,} concepts have no preferred name in this dialect; another of their names "
            "is shown",
        )
        yield from counted("without preferred", self._unpreferred, text)
        text = mark_plural(
            "{n:,} concept has no name in this language; the fully specified name of "
            "another is shown",
            "{n:,} concepts have no name in this language; the fully specified name of "
            "another is shown",
        )
        yield from counted("foreign", self._foreign, text)
        text = mark_plural(
            "{n:,} concept has no name and goes by its id",
            "{n:,} concepts have no name and go by their id",
        )
        yield from counted("without name", self._unnamed, text)
        text = mark_plural(
            "{n:,} concept has several definitions; one is kept",
            "{n:,} concepts have several definitions; one is kept",
        )
        yield from counted("further definitions", self._undefined, text)
        text = mark_plural(
            "{n:,} description that the dialect does not list is left out",
            "{n:,} descriptions that the dialect does not list are left out",
        )
        yield from counted("not listed", self._unlisted, text)
        yield from self._cleaner.notes()

    def _concept(
        self,
        row: Sequence[int],
        sorts: Sequence[int],
        places: Sequence[int],
        parents: Sequence[int],
        associations: Sequence[tuple[int, int]],
    ) -> ConceptRecord:
        identifier, _, active, module, where = row
        by_sort: dict[int, list[str]] = {}
        for sort, address in zip(sorts, places, strict=True):
            by_sort.setdefault(sort, []).append(self._terms.at(address))
        full = by_sort.get(FULL) or by_sort.get(FOREIGN) or [""]
        tagged = _TAG.fullmatch(full[0].strip())
        tag = clean(tagged[2]) if tagged else ""
        if active and tag:
            self._tags[tag] += 1
        definitions = by_sort.get(DEFINING, [])
        self._undefined += len(definitions) > 1
        plain = tagged[1] if tagged else full[0]
        names = self._cleaner.distinct(self._names(by_sort, plain, str(identifier)))
        replaced, other_associations = _split_associations(associations)
        return ConceptRecord(
            curie=f"{PREFIX}:{identifier}",
            code=str(identifier),
            kind=tag,
            names=names,
            parents=tuple([f"{PREFIX}:{parent}" for parent in dict.fromkeys(parents)]),
            definition=clean(definitions[0]) if definitions else "",
            obsolete=not active,
            line=line_of(where),
            associations=other_associations,
            modules=() if module == CORE_MODULE else (f"{PREFIX}:{module}",),
            **replaced,
        )

    def _names(self, by_sort: dict[int, list[str]], plain: str, code: str) -> list[NameRecord]:
        """A concept's names, the preferred one first; `plain` and `code` stand in for it."""
        synonyms = by_sort.get(PREFERRED, []) + by_sort.get(ACCEPTABLE, [])
        self._unlisted += len(by_sort.get(UNLISTED, ())) if synonyms else 0
        synonyms = synonyms or by_sort.get(UNLISTED, [])
        full = by_sort.get(FULL, [])
        if PREFERRED not in by_sort:
            self._unpreferred += bool(synonyms or full)
            self._foreign += not (synonyms or full) and bool(plain)
            self._unnamed += not plain and not synonyms
        synonyms = synonyms or [plain or code]
        return [
            NameRecord(synonyms[0], "preferred"),
            *[NameRecord(text, "fully specified") for text in full],
            *[NameRecord(text, "synonym") for text in synonyms[1:]],
        ]


def _split_associations(
    associations: Sequence[tuple[int, int]],
) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Associations under the names that concepts have for them; others as `KIND CURIE`."""
    replaced: dict[str, Any] = {}
    remaining: tuple[str, ...] = ()
    for refset, target in associations:
        curie = f"{PREFIX}:{target}"
        if key := REPLACEMENTS.get(refset):
            replaced[key] = (*replaced.get(key, ()), curie)
        else:
            remaining += (f"{ASSOCIATIONS.get(refset, refset)} {curie}",)
    return replaced, remaining
