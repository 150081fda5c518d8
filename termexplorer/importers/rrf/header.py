"""What a release says about itself, and what was taken from it."""

from collections import Counter
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from termexplorer.importers.files.entries import unread_files
from termexplorer.importers.records import Header, Note
from termexplorer.importers.rrf.concepts import Concepts, uncoded
from termexplorer.importers.rrf.offered import BY_CUI
from termexplorer.importers.rrf.relations import HierarchyLinks
from termexplorer.importers.rrf.rows import RrfReader
from termexplorer.importers.rrf.sources import SourceInfo, restricted, version
from termexplorer.importers.text.notes import absent, count_by_sort, counted
from termexplorer.importers.text.prefixes import prefix_of
from termexplorer.licences import licence_notes
from termexplorer.texts import mark, mark_plural, number, tr, trn

_UMLS, _RXNORM = "UMLS", "RxNorm"
_TITLES = {_UMLS: "UMLS Metathesaurus", _RXNORM: "RxNorm"}
_ABSENT = {
    "relations": mark("relations: there is no hierarchy"),
    "definitions": mark("definitions"),
    "types": mark("semantic types"),
}
_SHOWN = 20


class Story:
    """Tells of a release."""

    def __init__(
        self, reader: RrfReader, known: dict[str, SourceInfo], other_relations: Counter[str]
    ) -> None:
        self._release = reader.release
        self._reader = reader
        self._known = known
        self._other_relations = other_relations

    def vocabulary(self, source: str) -> str:
        """The vocabulary whose codes are the concepts."""
        return (_RXNORM if self._reader.rxnorm else _UMLS) if source == BY_CUI else source

    def header(self, source: str) -> Header:
        """The header of the release, or of the vocabulary whose codes are the concepts."""
        vocabulary = self.vocabulary(source)
        prefix = prefix_of(vocabulary)
        release_version = version(self._reader, self._known)
        title = _TITLES.get(vocabulary, vocabulary)
        if source != BY_CUI and (known := self._known.get(source)):
            title, release_version = known.title, known.version or release_version
        notes = licence_notes()
        notices = [notes[notice_key] for notice_key in (_UMLS, prefix) if notice_key in notes]
        return Header(prefix.lower(), title, release_version, " ".join(dict.fromkeys(notices)), {})

    def taken(
        self, concepts: Concepts, taken: NDArray[np.bool_], links: HierarchyLinks
    ) -> Iterator[Note]:
        """Say what was taken, and what the release holds besides."""
        count = len(self._release.members)
        release_name = self._release.path.name
        yield Note(
            "release",
            count,
            trn("{n} file of {release}", "{n} files of {release}", count, release=release_name),
        )
        yield self._sources(concepts)
        text = mark_plural(
            "{n:,} name of another vocabulary or language, or suppressed, left out",
            "{n:,} names of other vocabularies or languages, or suppressed, left out",
        )
        yield from counted("other names", int((~concepts.taken).sum()), text)
        text = mark_plural(
            "{n:,} name of the vocabulary has no code", "{n:,} names of the vocabulary have no code"
        )
        yield from counted("without code", uncoded(concepts, taken), text)
        text = mark_plural(
            "{n:,} relation leads to a concept that is not taken",
            "{n:,} relations lead to concepts that are not taken",
        )
        yield from counted("links elsewhere", links.elsewhere, text)
        text = mark_plural(
            "{n:,} relation names no atoms, so no codes",
            "{n:,} relations name no atoms, so no codes",
        )
        yield from counted("unresolved links", links.unresolved, text)
        text = mark_plural(
            "{n:,} relation is no hierarchy: {listed}", "{n:,} relations are no hierarchy: {listed}"
        )
        yield from count_by_sort("other relations", self._other_relations, text)
        for role, file_kind in _ABSENT.items():
            if role not in self._release.members:
                yield absent(file_kind)
        read = [member.name for member in self._release.members.values()]
        path = self._release.path
        yield from unread_files(path, read, lambda name: name.lower().endswith(".rrf"))

    def _sources(self, concepts: Concepts) -> Note:
        counts = concepts.sources()
        source_text = ", ".join(f"{source} {number(n)}" for source, n in counts.most_common(_SHOWN))
        source_text += tr(" and {n} more", n=len(counts) - _SHOWN) if len(counts) > _SHOWN else ""
        text = tr("names of {vocabularies}", vocabularies=source_text)
        if terms := restricted(self._known, list(counts)):
            listed = ", ".join(f"{source} ({level})" for source, level in sorted(terms.items()))
            text += tr("; with terms of their own (restriction level): {listed}", listed=listed)
        return Note("sources", len(counts), text)
