"""From what is said of a class, concept or scheme to a record."""

import re
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field

from termexplorer.importers.rdf.contents import NO_SCHEME, ChosenContents, local_part, place_of
from termexplorer.importers.rdf.staging import RdfSubject, Staging
from termexplorer.importers.rdf.vocabulary import CLASS, THING
from termexplorer.importers.records import ConceptRecord, NameRecord
from termexplorer.importers.text.curies import Curies
from termexplorer.importers.text.languages import Namer, Spoken, may_stand_as_preferred
from termexplorer.importers.text.properties import LABELS, NAMES, RDFS, SKOS, SYNONYMS, is_true
from termexplorer.importers.text.text import clean, unique

_BARE = frozenset({"type"})  # all that a file says of a class of another ontology
_WORD = re.compile(r"[^\W\d]{3,}[^\W\d_-]*(?:[_-][^\W\d]+)*")  # `MeatyPizza`, but no `T_12`


@dataclass(slots=True)
class RdfBuilder:
    """Makes the records of one file.

    Attributes:
        heads: Schemes that stand above their top concepts.
        counts: What was left out, and what goes by another name than a preferred one -> how many.
        head_names: Names of the schemes that became concepts.
    """

    staging: Staging
    curies: Curies
    namer: Namer
    wanted: ChosenContents
    heads: Collection[str]
    counts: Counter[str] = field(default_factory=Counter)
    head_names: list[str] = field(default_factory=list)

    def record(self, subject: RdfSubject) -> ConceptRecord | None:
        """The concept that a subject is, or None where it is none or not wanted."""
        is_head = subject.iri in self.heads
        if not is_head and (self.wanted.kind not in subject.values("type") or subject.iri == THING):
            return None
        if not self._is_chosen(subject):
            self.counts["not chosen"] += 1
            return None
        if self._is_reference(subject):
            self.counts["references"] += 1
            return None
        concept = self._concept(subject, "scheme" if is_head else "")
        if is_head:
            self.head_names.append(concept.names[0].text)
        return concept

    def _is_chosen(self, subject: RdfSubject) -> bool:
        if self.wanted.kind == CLASS:
            prefixes = self.wanted.prefixes
            return prefixes is None or place_of(subject.iri, self.curies) in prefixes
        if self.wanted.schemes is None:
            return True
        schemes = {subject.iri} if subject.iri in self.heads else _schemes_of(subject)
        return not schemes.isdisjoint(self.wanted.schemes)

    def _is_reference(self, subject: RdfSubject) -> bool:
        """Whether nothing is said of a class but that it is one, and nothing stands below it."""
        if self.wanted.kind != CLASS or not subject.values_by_field.keys() <= _BARE:
            return False
        query = "SELECT count(*) FROM row WHERE field = 'parent' AND value = ?"
        return not self.staging.number(query, subject.iri)

    def _concept(self, subject: RdfSubject, kind: str) -> ConceptRecord:
        curie = self.curies.shorten(clean(subject.iri))
        local_code = local_part(curie) if curie == clean(subject.iri) else curie
        notations = unique(map(clean, subject.values("notation")))
        self._count_unread(subject, len(notations))
        return ConceptRecord(
            curie=curie,
            code=notations[0] if len(notations) == 1 else local_code,
            kind=kind,
            names=self.namer.names(list(self._names(subject, local_code))),
            parents=unique(self.curies.shorten(clean(iri)) for iri in self._above(subject)),
            definition=self._definition(subject),
            alternative_ids=self._ids(subject, "alternative"),
            cross_references=self._ids(subject, "xref"),
            obsolete=any(map(is_true, subject.values("deprecated"))),
            replaced_by=self._ids(subject, "replaced"),
            consider=self._ids(subject, "consider"),
        )

    def _count_unread(self, subject: RdfSubject, notations: int) -> None:
        property_counts = self.staging.unknown_properties
        property_counts[f"{RDFS}comment"] += len(subject.values("comment"))
        property_counts[f"{SKOS}notation"] += notations if notations > 1 else 0

    def _ids(self, subject: RdfSubject, which: str) -> tuple[str, ...]:
        return unique(self.curies.shorten(clean(value)) for value in subject.values(which))

    def _above(self, subject: RdfSubject) -> Iterator[str]:
        yield from (iri for iri in subject.values("parent") if iri != THING)
        yield from subject.values("broader")
        yield from (iri for iri in subject.values("top") if iri in self.heads)

    def _names(self, subject: RdfSubject, local_code: str) -> Iterator[Spoken]:
        labels = LABELS if self.wanted.kind == CLASS else sorted(LABELS, key="pref".__ne__)
        names = [
            Spoken(NAMES[name_field]._replace(text=text), language)
            for name_field in (*labels, *SYNONYMS)
            for text, language in subject.texts(name_field)
            if clean(text)
        ]
        if not any(spoken.name.kind == "preferred" for spoken in names):
            replaces_preferred = any(may_stand_as_preferred(spoken.name) for spoken in names)
            if not replaces_preferred:
                yield Spoken(
                    NameRecord(_name_of(subject.iri, local_code), "preferred"), self.namer.first
                )
            if subject.iri not in self.heads:
                self.counts["named by synonyms" if replaces_preferred else "without names"] += 1
        yield from names

    def _definition(self, subject: RdfSubject) -> str:
        for which in ("definition", "note"):
            if texts := subject.texts(which):
                every = len(subject.texts("definition", "note"))
                self.counts["further definitions"] += every - 1
                return clean(self.namer.text(texts))
        return ""


def _schemes_of(subject: RdfSubject) -> set[str]:
    return set(subject.values("scheme", "top")) or {NO_SCHEME}


def _name_of(iri: str, local_code: str) -> str:
    """A name for what has none: the end of its IRI where that is a word, else its id."""
    local = local_part(iri)
    return local if _WORD.fullmatch(local) else local_code
