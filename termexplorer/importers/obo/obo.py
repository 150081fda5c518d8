"""OBO 1.2 and 1.4: read stanza by stanza, so that one bad clause costs no more than itself.

A term without a name is kept, its id standing for the name. Relations (`Typedef`) and instances
are no concepts; they are counted.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, islice
from typing import TypeAlias

from termexplorer.errors import UserError
from termexplorer.importers.files.source import Source
from termexplorer.importers.obo.stanzas import Stanza, cut, truncated
from termexplorer.importers.obo.terms import TermReader
from termexplorer.importers.records import ConceptRecord, Header, Note, Record, Skipped
from termexplorer.importers.text.curies import Curies, release_version, terminology_key
from termexplorer.importers.text.notes import counted
from termexplorer.importers.text.text import NameCleaner, clean, mentions_licence
from termexplorer.licences import licence_notes
from termexplorer.texts import mark_plural, tr, trn

_BATCH = 100  # stanzas parsed in one call, eight times faster than one by one
_PEEK = 500  # stanzas looked at for the commonest prefix where the header names no ontology
_PROPERTY = re.compile(r'(\S+)\s+(?:"((?:[^"\\]|\\.)*)"|(\S+))')
_DATE = re.compile(r"(\d\d):(\d\d):(\d{4})")
_Cut: TypeAlias = Stanza | Skipped | Note


def read(source: Source, options: Mapping[str, object]) -> Iterator[Record]:
    """Yield the header, the concepts, and what was left out.

    Args:
        source: The file.
        options: None are known.

    Raises:
        UserError: No OBO file, damaged or truncated, or without a term.
    """
    stanzas = cut(source)
    peeked = list(islice(stanzas, _PEEK))
    yield from _make_header(peeked)
    curies = Curies(_declared_prefixes(_tags_of_header(peeked)))
    stanza_counts: Counter[str] = Counter()
    cleaner = NameCleaner()
    terms = TermReader(curies, cleaner)
    named: set[str] = set()
    unnamed: set[str] = set()
    for record in _read_records(chain(peeked, stanzas), terms, stanza_counts):
        if isinstance(record, ConceptRecord):
            is_named = record.names[0].text != record.curie
            (named if is_named else unnamed).add(record.curie)
        elif isinstance(record, Skipped) and record.line == source.line and not source.complete:
            raise truncated(source, record.line)
        yield record
    if not named and not unnamed:
        raise UserError(
            tr("{path} holds no [Term] of an OBO file; choose another file", path=source.path)
        )
    yield from _count_notes(stanza_counts, len(unnamed - named))
    yield from terms.notes()
    yield from cleaner.notes()


def _read_records(
    stanzas: Iterable[_Cut], terms: TermReader, stanza_counts: Counter[str]
) -> Iterator[ConceptRecord | Skipped | Note]:
    batch: list[Stanza] = []
    for stanza in stanzas:
        if isinstance(stanza, Skipped | Note):
            yield stanza
        elif stanza.kind == "Term":
            batch.append(stanza)
        elif stanza.kind:
            stanza_counts[stanza.kind] += 1
        if len(batch) == _BATCH:
            yield from terms.read_terms(batch)
            batch.clear()
    yield from terms.read_terms(batch)


def _count_notes(stanza_counts: Counter[str], unnamed: int) -> Iterator[Note]:
    for kind, count in sorted(stanza_counts.items()):
        text = trn(
            "{n:,} [{kind}] stanza is no concept",
            "{n:,} [{kind}] stanzas are no concepts",
            count,
            kind=kind,
        )
        yield Note(kind.lower(), count, text)
    text = mark_plural(
        "{n:,} term without a name goes by its id", "{n:,} terms without a name go by their id"
    )
    yield from counted("without name", unnamed, text)


def _make_header(peeked: list[_Cut]) -> Iterator[Header | Note]:
    tags = _tags_of_header(peeked)
    terminology, origin = _find_terminology(tags, peeked)
    yield Header(
        terminology=terminology,
        title=_header_property(tags, "title"),
        version=_find_version(tags),
        licence=_find_licence(tags) or licence_notes().get((terminology or "").upper(), ""),
        prefixes=_declared_prefixes(tags),
    )
    if origin:
        text = tr(
            "the header names no ontology; {terminology!r} is taken from {origin}",
            terminology=terminology,
            origin=origin,
        )
        yield Note("terminology", 1, text)


def _tags_of_header(peeked: list[_Cut]) -> dict[str, list[str]]:
    """The header's values by tag."""
    tags: dict[str, list[str]] = {}
    for stanza in peeked:
        if isinstance(stanza, Stanza) and not stanza.kind:
            for clause in stanza.clauses:
                tags.setdefault(clause.tag, []).append(clause.value)
    return tags


def _find_terminology(tags: Mapping[str, list[str]], peeked: list[_Cut]) -> tuple[str | None, str]:
    """The joining key, and where it is from unless `ontology:` gives it."""
    for tag in ("ontology", "default-namespace"):
        if key := terminology_key(next(iter(tags.get(tag, ())), "")):
            return key, "" if tag == "ontology" else tag
    prefixes = Counter(
        clause.value.partition(":")[0].lower()
        for stanza in peeked
        if isinstance(stanza, Stanza) and stanza.kind == "Term"
        for clause in stanza.clauses
        if clause.tag == "id" and ":" in clause.value
    )
    if not prefixes:
        return None, ""
    return prefixes.most_common(1)[0][0], tr("the commonest prefix of its ids")


def _find_version(tags: Mapping[str, list[str]]) -> str:
    for tag in ("data-version", "version"):
        if tags.get(tag):
            return release_version(tags[tag][0])
    date = _DATE.match(next(iter(tags.get("date", ())), ""))
    return f"{date[3]}-{date[2]}-{date[1]}" if date else ""


def _header_property(tags: Mapping[str, list[str]], name: str) -> str:
    """The value of the header's annotation whose relation ends in `name`, or ""."""
    for value in tags.get("property_value", ()):
        match = _PROPERTY.match(value)
        if match and re.split(r"[:/#]", match[1])[-1].lower() == name:
            return clean(match[2] if match[2] is not None else match[3])
    return ""


def _find_licence(tags: Mapping[str, list[str]]) -> str:
    stated = _header_property(tags, "license") or _header_property(tags, "rights")
    remarks = (clean(remark) for remark in tags.get("remark", ()))
    return stated or next((remark for remark in remarks if mentions_licence(remark)), "")


def _declared_prefixes(tags: Mapping[str, list[str]]) -> dict[str, str]:
    """CURIE prefix -> IRI, from `idspace: PREFIX IRI "description"`."""
    parts = (value.split(maxsplit=2) for value in tags.get("idspace", ()))
    return {part[0]: part[1].replace("\\", "") for part in parts if len(part) > 1}
