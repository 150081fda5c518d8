"""What a record of MeSH XML says of its concepts: names with scopes, definition, registry numbers.

A record holds one preferred concept and others that are narrower, broader or related; the terms of
all of them are its entry terms.
"""

import re
from collections.abc import Collection, Iterator

from termexplorer.importers.files.xml_events import Element, children, text_of, texts_of
from termexplorer.importers.records import NameRecord, Note
from termexplorer.importers.text.notes import counted
from termexplorer.importers.text.text import NameCleaner
from termexplorer.texts import mark_plural

PERMUTED = "permuted"
_SCOPES = {"NRW": "NARROW", "BRD": "BROAD", "REL": "RELATED"}
_TURNED = {"NRW": "BRD", "BRD": "NRW"}
_TRANSLATED = re.compile(r"(.+?)\s*\[.+\]")
_NO_NUMBER = "0"
_REGISTRIES = {
    re.compile(r"EC (\S+)"): "EC",
    re.compile(r"txid(\d+)"): "NCBITaxon",
    re.compile(r"(\d{2,7}-\d\d-\d)"): "CAS",
    re.compile(r"([0-9A-Z]{10})"): "UNII",
}


def preferred_name(record: Element, element: str) -> str:
    """The name of a record; a translation's `Pied [Foot]` is `Pied`."""
    text = text_of(record, element, "String")
    match = _TRANSLATED.fullmatch(text)
    language = record.getparent()
    code = "" if language is None else language.get("LanguageCode") or ""
    return match[1] if match and code not in ("", "eng") else text


class RecordTerms:
    """The names of one file's records.

    Args:
        taken: Which terms are: `entry`, `permuted`.
    """

    def __init__(self, taken: Collection[str]) -> None:
        self._taken = taken
        self._cleaner = NameCleaner()
        self._permuted = self._further_notes = self._empty = 0

    def names(self, record: Element, preferred: str) -> tuple[NameRecord, ...]:
        """The preferred name, then all terms that are taken, each once."""
        names = [NameRecord(preferred, "preferred")]
        scopes = _scopes_of_concepts(record)
        defined = _preferred_concept(record)
        for concept in _concepts_of(record):
            self._further_notes += concept is not defined and bool(text_of(concept, "ScopeNote"))
            scope = scopes.get(text_of(concept, "ConceptUI"), "RELATED")
            terms = (term for term in self._terms(concept) if term != preferred)
            names += [NameRecord(term, "synonym", scope) for term in terms]
        return self._cleaner.distinct(names)

    def notes(self) -> Iterator[Note]:
        """How many terms are permuted ones, and how many names were dropped."""
        text = (
            mark_plural("{n:,} permuted term is a name too", "{n:,} permuted terms are names too")
            if PERMUTED in self._taken
            else mark_plural("{n:,} permuted term is left out", "{n:,} permuted terms are left out")
        )
        yield from counted("permuted terms", self._permuted, text)
        text = mark_plural(
            "{n:,} scope note of a concept beside the preferred one of its record is left out",
            "{n:,} scope notes of concepts beside the preferred one of their record are left out",
        )
        yield from counted("further definitions", self._further_notes, text)
        text = mark_plural(
            "{n:,} term without text is left out", "{n:,} terms without text are left out"
        )
        yield from counted("empty terms", self._empty, text)
        yield from self._cleaner.notes()

    def _terms(self, concept: Element) -> Iterator[str]:
        for child in children(concept, "TermList"):
            for term in children(child, "Term"):
                permuted = term.get("IsPermutedTermYN") == "Y"
                self._permuted += permuted
                if (PERMUTED if permuted else "entry") in self._taken:
                    text = text_of(term, "String")
                    self._empty += not text
                    yield text


def definition(record: Element) -> str:
    """The preferred concept's scope note, or else a supplementary record's note."""
    return text_of(_preferred_concept(record), "ScopeNote") or text_of(record, "Note")


def registered(record: Element) -> Iterator[str]:
    """The preferred concept's ids in registries: CAS, UNII, EC, NCBITaxon."""
    concept = _preferred_concept(record)
    numbers = texts_of(concept, "RegistryNumber")
    for number in (*numbers, *texts_of(concept, "RegistryNumberList", "RegistryNumber")):
        if number != _NO_NUMBER:
            yield _registry_curie(number)


def _registry_curie(number: str) -> str:
    for pattern, prefix in _REGISTRIES.items():
        if match := pattern.fullmatch(number):
            return f"{prefix}:{match[1]}"
    return number


def _concepts_of(record: Element) -> list[Element]:
    return [
        concept
        for list_ in children(record, "ConceptList")
        for concept in children(list_, "Concept")
    ]


def _preferred_concept(record: Element) -> Element:
    """The preferred concept; the first where none is marked, the record where there is none."""
    concepts = _concepts_of(record)
    marked = [concept for concept in concepts if concept.get("PreferredConceptYN") == "Y"]
    return next(iter(marked or concepts), record)


def _scopes_of_concepts(record: Element) -> dict[str, str]:
    """The UI of each concept -> how its terms stand to the preferred one's."""
    preferred = text_of(_preferred_concept(record), "ConceptUI")
    scopes = {}
    for concept in _concepts_of(record):
        for child in children(concept, "ConceptRelationList"):
            for relation in children(child, "ConceptRelation"):
                name = relation.get("RelationName") or ""
                first, other = text_of(relation, "Concept1UI"), text_of(relation, "Concept2UI")
                if other == preferred:
                    name, other = _TURNED.get(name, name), first
                scopes[other] = _SCOPES.get(name, "RELATED")
    return scopes | {preferred: "EXACT"}
