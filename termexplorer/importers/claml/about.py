"""What a file in ClaML says of itself and of its modifiers; read before its classes are."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from lxml import etree

from termexplorer.importers.claml.modifiers import Modified, Modifiers, ModifierValue
from termexplorer.importers.claml.rubrics import LANGUAGE, languages, linked_modifiers
from termexplorer.importers.files.source import Source
from termexplorer.importers.files.xml_events import (
    Element,
    children,
    count_unread,
    ended,
    name_of,
    text_of,
)
from termexplorer.importers.records import Header
from termexplorer.importers.text.notes import count_key
from termexplorer.importers.text.text import clean
from termexplorer.licences import licence_notes

_META_LICENCE = ("licence", "license", "copyright", "rights")
_YEAR = re.compile(r"[-_. ]?(?:19|20)\d\d$")
_NOT_IN_PREFIX = re.compile(r"[^0-9A-Za-z]")
_LONGEST_PREFIX = 20
_OF_CLASS = {"SuperClass", "SubClass", "ModifiedBy", "ExcludeModifier", "Rubric"}
_READ = {
    "Class": _OF_CLASS,
    "ModifierClass": {*_OF_CLASS, "Meta"},
    "Rubric": {"Label"},
    "ModifiedBy": {"ValidModifierClass"},
}
_AT_THE_TOP = {  # what is read, and lists of what may stand there
    "Meta", "Identifier", "Title", "ClassKinds", "RubricKinds", "Modifier", "ModifierClass",
    "Class",
}  # fmt: skip


@dataclass(slots=True)
class About:
    """What a file says of itself.

    Attributes:
        modifiers: Of its classes.
        name: Of the classification (`ICD-10-GM`), with version and long title.
        labels: How many labels of classes there are in each language.
        titles: Language -> kind of rubric -> what it is called.
        links: Child and parent, as children state them.
        unread: Name of an element -> how many are not read.
    """

    modifiers: Modifiers
    name: str = ""
    title: str = ""
    version: str = ""
    identifier: str = ""
    licence: str = ""
    language: str = ""
    labels: Counter[str] = field(default_factory=Counter)
    titles: dict[str, dict[str, str]] = field(default_factory=dict)
    links: set[tuple[str, str]] = field(default_factory=set)
    unread: Counter[str] = field(default_factory=Counter)

    def in_language(self, language: str) -> int:
        """How many labels of classes are in a language, or in none that is told."""
        return self.labels[language] + (self.labels[""] if language else 0)

    def languages(self) -> list[str]:
        """The most frequent first; labels that tell none are in the file's own, if it has one."""
        counts = Counter[str]()
        for language, count in self.labels.items():
            counts[language or self.language] += count
        return [language for language, _ in counts.most_common()]

    def prefix(self, source: Source) -> str:
        """The prefix of its CURIEs: `ICD10` of `ICD-10-EN-2016` in English, `ICD10GM`, `ATC`."""
        name = self.short_name()
        for language in (self.language, *self.languages()):
            if language and re.search(rf"[-_. ]{language[:2]}$", name, re.IGNORECASE):
                name = name[: -len(language[:2])]
                break
        tried = (name, self.identifier, source.path.name.partition(".")[0])
        short = (_NOT_IN_PREFIX.sub("", candidate) for candidate in tried)
        return next(
            (candidate.upper() for candidate in short if 0 < len(candidate) <= _LONGEST_PREFIX),
            "CLAML",
        )

    def short_name(self) -> str:
        """The name without the year of its release."""
        return _YEAR.sub("", self.name)

    def header(self, source: Source) -> Header:
        """What is kept of it."""
        prefix = self.prefix(source)
        licence = self.licence or licence_notes().get(prefix, "")
        return Header(prefix.lower(), self.short_name() or self.title, self.version, licence, {})


def about(source: Source) -> About:
    """Go over the file once.

    Raises:
        UserError: No sound XML; see `xml_events`.
    """
    metadata = About(Modifiers(source.path))
    readers = {
        "Identifier": _read_identifier,
        "Title": _read_title,
        "RubricKinds": _rubric_kinds,
        "ModifierClass": _read_value,
        "Class": _read_class,
    }
    for element in ended(source, *readers):
        for meta in element.itersiblings("{*}Meta", preceding=True):
            _read_meta(metadata, meta)
        for before in element.itersiblings(etree.Element, preceding=True):
            if name_of(before) not in _AT_THE_TOP:
                count_key(metadata.unread, name_of(before))
        count_unread(metadata.unread, element, _READ)
        readers[name_of(element)](metadata, element)
    return metadata


def _read_meta(metadata: About, element: Element) -> None:
    name = (element.get("name") or "").casefold()
    value = clean(element.get("value") or "")
    if name in _META_LICENCE:
        metadata.licence = metadata.licence or value
    elif name == "lang":
        metadata.language = value


def _read_identifier(metadata: About, element: Element) -> None:
    metadata.identifier = metadata.identifier or clean(element.get("uid") or "")


def _read_title(metadata: About, element: Element) -> None:
    metadata.name = clean(element.get("name") or "")
    metadata.version = clean(element.get("version") or element.get("date") or "")
    metadata.title = text_of(element)


def _rubric_kinds(metadata: About, element: Element) -> None:
    for kind in children(element, "RubricKind"):
        for display in children(kind, "Display"):
            titles = metadata.titles.setdefault(display.get(LANGUAGE) or "", {})
            titles[kind.get("name") or ""] = text_of(display)


def _read_value(metadata: About, element: Element) -> None:
    excluded = (
        (child.get("value") or "").partition(" ")
        for child in children(element, "Meta")
        if child.get("name") == "excludeOnPrecedingModifier"
    )
    pairs = frozenset((modifier, code.strip()) for modifier, _, code in excluded)
    modifier, code = element.get("modifier") or "", element.get("code") or ""
    if modifier and code:
        metadata.modifiers.add_value(modifier, ModifierValue(code, pairs))


def _read_class(metadata: About, element: Element) -> None:
    code = code_of(element)
    metadata.labels.update(languages(element))
    up = {(code, parent) for parent in codes_in(element, "SuperClass")}
    metadata.links |= up
    metadata.modifiers.add_class(
        code,
        links=[*up, *((child, code) for child in codes_in(element, "SubClass"))],
        modified=tuple(_modified_by(element)),
        excluded=frozenset(codes_in(element, "ExcludeModifier")),
        linked=tuple(dict.fromkeys(linked_modifiers(element))),
    )


def _modified_by(element: Element) -> Iterator[Modified]:
    for child in children(element, "ModifiedBy"):
        valid = frozenset(codes_in(child, "ValidModifierClass"))
        every = (child.get("all") or "true").casefold() != "false"
        yield Modified(code_of(child), None if every else valid)


def code_of(element: Element) -> str:
    """The code of a class or of what refers to one, or ""."""
    return clean(element.get("code") or "")


def codes_in(element: Element, name: str) -> Iterator[str]:
    """The codes that an element refers to by children of a name."""
    return filter(None, map(code_of, children(element, name)))
