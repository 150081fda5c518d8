"""MeSH XML: descriptors in their tree, or supplementary records with the headings they map to.

The two files of a year are two releases, as their records differ in kind. A supplementary record's
headings are where its articles are indexed, which need not be what it is: so they are
cross-references, and parents only where that is chosen.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from termexplorer.errors import UserError
from termexplorer.importers.choices import ImportChoice, Option, chosen
from termexplorer.importers.files.source import Source
from termexplorer.importers.files.xml_events import (
    Element,
    Root,
    checked_root,
    children,
    count_unread,
    ended,
    line_of,
    text_of,
    texts_of,
    unread_notes,
)
from termexplorer.importers.mesh.terms import (
    PERMUTED,
    RecordTerms,
    definition,
    preferred_name,
    registered,
)
from termexplorer.importers.mesh.tree import (
    KEY,
    LICENCE,
    PREFIXES,
    TITLE,
    Trees,
    curie,
    year_in,
)
from termexplorer.importers.records import (
    ConceptRecord,
    Header,
    NameRecord,
    Record,
    Skipped,
)
from termexplorer.importers.text.notes import counted
from termexplorer.importers.text.text import unique
from termexplorer.texts import mark_plural, tr

_REFERENCES, _PARENTS = "references", "parents"
_ENGLISH = "eng"
_REFERRED = "DescriptorReferredTo"
_READ_OF_RECORD = {
    "ConceptList", "TreeNumberList", "HeadingMappedToList", "Note", "SeeRelatedList",
    "PharmacologicalActionList",
}  # fmt: skip
_READ = {
    "DescriptorRecord": {*_READ_OF_RECORD, "DescriptorUI", "DescriptorName"},
    "SupplementalRecord": {*_READ_OF_RECORD, "SupplementalRecordUI", "SupplementalRecordName"},
    "ConceptList": {"Concept"},
    "Concept": {
        "ConceptUI", "ConceptName", "TermList", "ScopeNote", "RegistryNumber",
        "RegistryNumberList", "ConceptRelationList",
    },
    "TermList": {"Term"},
    "Term": {"TermUI", "String"},
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Set:
    """One of the two files: what its elements are called, and the kinds of its records."""

    record: str
    stem: str
    key: str
    title: str
    kinds: dict[str, str]


_SETS = {
    "DescriptorRecordSet": _Set(
        "DescriptorRecord",
        "Descriptor",
        KEY,
        TITLE,
        {
            "1": "topical descriptor",
            "2": "publication type",
            "3": "check tag",
            "4": "geographic descriptor",
        },
    ),
    "SupplementalRecordSet": _Set(
        "SupplementalRecord",
        "SupplementalRecord",
        f"{KEY}/supplementary",
        f"{TITLE} supplementary records",
        {
            "1": "chemical",
            "2": "protocol",
            "3": "disease",
            "4": "organism",
            "5": "population group",
            "6": "anatomy",
        },
    ),
}


def choices(source: Source) -> tuple[ImportChoice, ...]:
    """What can be chosen of such a file; nothing of it is counted.

    Raises:
        UserError: No XML of MeSH.
    """
    return _make_choices(_open_set(source)[0])


def read(source: Source, options: Mapping[str, object]) -> Iterator[Record]:
    """Yield the header, the records, what was left out, the tree's links, and notes.

    Args:
        source: The file.
        options: `choices`: `terms` and, of supplementary records, `headings`.

    Raises:
        UserError: No XML of MeSH, damaged, refused (see `xml_events`), or without a record.
    """
    of, root = _open_set(source)
    taken = chosen(_make_choices(of), options)
    yield _make_header(source, of, root)
    reading = _MeshReading(of, taken)
    for element in ended(source, of.record):
        yield from reading.records(element)
    if not reading.concepts_read:
        raise UserError(tr("{path} holds no record of MeSH; choose another file", path=source.path))
    yield from reading.notes()


def _open_set(source: Source) -> tuple[_Set, Root]:
    root = checked_root(source)
    if root.name not in _SETS:
        raise UserError(
            tr(
                "{path} holds <{element}>, no records of MeSH; choose another",
                path=source.path,
                element=root.name,
            )
        )
    return _SETS[root.name], root


def _make_choices(of: _Set) -> tuple[ImportChoice, ...]:
    terms = ImportChoice(
        "terms",
        tr("Names"),
        (
            Option("entry", tr("entry terms")),
            Option(PERMUTED, tr("permuted ones (Pneumonia, Viral)")),
        ),
        ("entry", PERMUTED),
        hint=tr("Permuted terms are made of entry terms by turning their words round"),
    )
    return (terms,) if of.key == KEY else (terms, _heading_choice())


def _heading_choice() -> ImportChoice:
    return ImportChoice(
        "headings",
        tr("Headings that a record maps to"),
        (Option(_REFERENCES, tr("cross-references")), Option(_PARENTS, tr("parents"))),
        (_REFERENCES,),
        several=False,
        hint=tr("As parents they give levels, though a record need not be a kind of its headings"),
    )


def _make_header(source: Source, of: _Set, root: Root) -> Header:
    """The year is the DTD's, or else in the file's name; a translation is an edition."""
    language = root.attributes.get("LanguageCode", _ENGLISH).lower()
    edition = "" if language == _ENGLISH else f"/{language}"
    title = of.title + (f" ({language})" if edition else "")
    year = year_in(root.system.rpartition("/")[2]) or year_in(source.path.name)
    return Header(of.key + edition, title, year, LICENCE, PREFIXES)


class _MeshReading:
    """The records of one file."""

    def __init__(self, of: _Set, taken: Mapping[str, tuple[str, ...]]) -> None:
        self.concepts_read = 0
        self._of = of
        self._terms = RecordTerms(taken["terms"])
        self._as_parents = taken.get("headings") == (_PARENTS,)
        self._trees = Trees()
        self._rootless = 0
        self._headings: set[str] = set()
        self._unread: Counter[str] = Counter()

    def records(self, element: Element) -> Iterator[ConceptRecord | Skipped]:
        """What an element tells: its concept, and headings that were not told of before."""
        line, stem = line_of(element), self._of.stem
        count_unread(self._unread, element, _READ)
        identifier = text_of(element, f"{stem}UI")
        preferred = preferred_name(element, f"{stem}Name")
        if not identifier or not preferred:
            lacks = tr("a record without a name") if identifier else tr("a record without a UI")
            yield Skipped(line, lacks)
            return
        headings = dict(self._mapped(element))
        if self._as_parents:
            yield from self._told(headings, line)
        self.concepts_read += 1
        yield ConceptRecord(
            curie=curie(identifier),
            code=identifier,
            kind=self._of.kinds.get(element.get(f"{_class_of(stem)}Class") or "", ""),
            names=self._terms.names(element, preferred),
            parents=unique(map(curie, headings)) if self._as_parents else (),
            definition=definition(element),
            cross_references=unique(
                [*registered(element), *(() if self._as_parents else map(curie, headings))]
            ),
            associations=unique(_associated_curies(element)),
            line=line,
        )
        yield from self._placed(element, identifier, line)

    def notes(self) -> Iterator[Record]:
        """The tree's links, and what there is to say in the end."""
        if self._of.key == KEY:
            yield from self._trees.records()
        text = mark_plural(
            "{n:,} descriptor without a tree number", "{n:,} descriptors without a tree number"
        )
        yield from counted("no tree number", self._rootless, text)
        text = mark_plural(
            "{n:,} heading that records map to is their parent, by name alone",
            "{n:,} headings that records map to are their parents, by name alone",
        )
        yield from counted("headings", len(self._headings), text)
        yield from unread_notes(self._unread)
        yield from self._terms.notes()

    def _placed(self, element: Element, identifier: str, line: int) -> Iterator[Skipped]:
        if self._of.key != KEY:
            return
        numbers = texts_of(element, "TreeNumberList", "TreeNumber")
        self._rootless += not numbers
        for number in numbers:
            yield from self._trees.add(number, identifier, line)

    def _mapped(self, element: Element) -> Iterator[tuple[str, str]]:
        """The ids and names of the headings; an asterisk marks one that is to be the main topic."""
        for child in children(element, "HeadingMappedToList"):
            for heading in children(child, "HeadingMappedTo"):
                identifier = text_of(heading, _REFERRED, "DescriptorUI").lstrip("*")
                if identifier:
                    yield identifier, text_of(heading, _REFERRED, "DescriptorName", "String")

    def _told(self, headings: Mapping[str, str], line: int) -> Iterator[ConceptRecord]:
        for identifier, name in headings.items():
            if identifier not in self._headings:
                self._headings.add(identifier)
                names = (NameRecord(name or identifier, "preferred"),)
                yield ConceptRecord(curie(identifier), identifier, "heading", names, line=line)


def _class_of(stem: str) -> str:
    return "SCR" if stem == "SupplementalRecord" else stem


def _associated_curies(element: Element) -> Iterator[str]:
    """Other descriptors that the record refers to."""
    for kind, path in (
        ("SEE ALSO", ("SeeRelatedList", "SeeRelatedDescriptor")),
        ("PHARMACOLOGICAL ACTION", ("PharmacologicalActionList", "PharmacologicalAction")),
    ):
        for identifier in texts_of(element, *path, _REFERRED, "DescriptorUI"):
            yield f"{kind} {curie(identifier.lstrip('*'))}"
