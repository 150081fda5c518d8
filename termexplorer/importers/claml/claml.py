"""ClaML 2 and 3: classes with their rubrics in one language, and the codes that modifiers make.

The classification's name gives the prefix of its CURIEs (`ICD10` of `ICD-10-EN-2016`). A class goes
by its code where it has no name. See `claml_modifiers` for the codes that are built.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from termexplorer.errors import UserError
from termexplorer.importers.choices import ImportChoice, Option, chosen
from termexplorer.importers.claml.about import About, about, code_of, codes_in
from termexplorer.importers.claml.modifiers import Built
from termexplorer.importers.claml.rubrics import said
from termexplorer.importers.files.source import Source
from termexplorer.importers.files.xml_events import (
    Element,
    checked_root,
    ended,
    line_of,
    name_of,
    unread_notes,
)
from termexplorer.importers.records import (
    ConceptRecord,
    IsARecord,
    NameRecord,
    Note,
    Record,
    Skipped,
)
from termexplorer.importers.text.notes import count_by_sort, counted
from termexplorer.importers.text.text import NameCleaner, unique
from termexplorer.texts import mark_plural, tr, trn

_ALL, _POINT, _NONE = "all", "point", "none"
_VALUE = "ModifierClass"
_SHOWN = 20  # codes in a note


def choices(source: Source) -> tuple[ImportChoice, ...]:
    """The languages of the file, and what is to become of its modifiers, with counts.

    Raises:
        UserError: No sound ClaML.
    """
    return _make_choices(_read_about(source))


def read(source: Source, options: Mapping[str, object]) -> Iterator[Record]:
    """Yield the header, the classes, what was left out, the codes that modifiers make, and notes.

    Args:
        source: The file; its `passes` should be 2.
        options: `choices`: `language` and `modifiers`, where the file has several or any.

    Raises:
        UserError: No ClaML, damaged, refused (see `xml_events`), or without a class.
    """
    metadata = _read_about(source)
    taken = chosen(_make_choices(metadata), options)
    yield metadata.header(source)
    languages = taken.get("language") or metadata.languages() or [""]
    reading = _ClamlReading(metadata, metadata.prefix(source), languages[0])
    for element in ended(source, _VALUE, "Class"):
        if name_of(element) == _VALUE:
            reading.learn(element)
        else:
            yield from reading.records(element)
    if not reading.concepts_read:
        raise UserError(
            tr("{path} holds no <Class> of ClaML; choose another file", path=source.path)
        )
    yield from reading.built(*taken.get("modifiers", (_NONE,)))
    yield from reading.notes()


def _read_about(source: Source) -> About:
    if checked_root(source).name != "ClaML":
        raise UserError(tr("{path} is no ClaML; choose another file", path=source.path))
    return about(source)


def _make_choices(metadata: About) -> tuple[ImportChoice, ...]:
    offered = []
    if len(languages := metadata.languages()) > 1:
        options = tuple(
            Option(language, language or tr("not told"), metadata.in_language(language))
            for language in languages
        )
        hint = tr("Classes without a name in it keep the one that they have; the rest is left out")
        offered.append(
            ImportChoice(
                "language",
                tr("Language of the names"),
                options,
                (languages[0],),
                several=False,
                counted=tr("labels"),
                hint=hint,
            )
        )
    if metadata.modifiers.modified:
        offered.append(_modifier_choice(metadata))
    return tuple(offered)


def _modifier_choice(metadata: About) -> ImportChoice:
    counts = [metadata.modifiers.count(point) for point in (False, True)]
    return ImportChoice(
        "modifiers",
        tr("Codes that modifiers make"),
        (
            Option(_ALL, tr("all"), counts[0]),
            Option(_POINT, tr("those of fourth characters (.0 to .9) alone"), counts[1]),
            Option(_NONE, tr("none"), 0),
        ),
        (_ALL,),
        several=False,
        counted=tr("codes"),
        hint=tr("Fourth and further characters that stand once for many classes"),
    )


@dataclass(frozen=True, slots=True)
class _Value:
    """What a class of a modifier says of the codes that it makes."""

    name: str
    synonyms: tuple[NameRecord, ...] = ()
    definition: str = ""
    associations: tuple[str, ...] = ()


class _ClamlReading:
    """The classes of one file, in one language."""

    def __init__(self, metadata: About, prefix: str, language: str) -> None:
        self.concepts_read = 0
        self._about = metadata
        self._prefix = prefix
        self._language = language
        self._titles = metadata.titles.get("", {}) | metadata.titles.get(language, {})
        self._cleaner = NameCleaner()
        self._builds = False
        self._unnamed = self._foreign = self._modified = 0
        self._names: dict[str, str] = {}
        self._values: dict[tuple[str, str], _Value] = {}

    def learn(self, element: Element) -> None:
        """Keep what a class of a modifier is called, and its notes."""
        rubrics = said(element, self._language, self._titles)
        names = self._cleaner.distinct(rubrics.names)
        self._values[element.get("modifier") or "", code_of(element)] = _Value(
            names[0].text if names else code_of(element),
            tuple(NameRecord(name.text, "synonym") for name in names[1:]),
            rubrics.definition,
            self._referred(rubrics.referred),
        )

    def records(self, element: Element) -> Iterator[ConceptRecord | IsARecord | Skipped]:
        """A class, and links to classes below it that do not state them."""
        code, line = code_of(element), line_of(element)
        if not code:
            yield Skipped(line, tr("a class without a code"))
            return
        rubrics = said(element, self._language, self._titles)
        names = self._cleaner.distinct(rubrics.names)
        self.concepts_read += 1
        self._unnamed += not names
        self._foreign += rubrics.foreign
        names = names or (NameRecord(code, "preferred"),)
        full = (name.text for name in names if name.kind == "fully specified")
        self._names[code] = next(full, names[0].text)
        yield ConceptRecord(
            curie=self._curie(code),
            code=code,
            kind=element.get("kind") or "",
            names=names,
            parents=unique(map(self._curie, codes_in(element, "SuperClass"))),
            definition=rubrics.definition,
            associations=self._referred(rubrics.referred),
            line=line,
        )
        for child in codes_in(element, "SubClass"):
            if (child, code) not in self._about.links:
                yield IsARecord(self._curie(child), self._curie(code), line)

    def built(self, which: str) -> Iterator[ConceptRecord]:
        """The codes that modifiers make, each called as its class and what was added to it."""
        self._builds = which != _NONE
        if self._builds:
            for built_class in self._about.modifiers.built(which == _POINT):
                self._modified += 1
                yield self._concept(built_class)

    def notes(self) -> Iterator[Note]:
        """What there is to say in the end."""
        modified = self._about.modifiers.modified
        if modified:
            text = trn(
                "{n:,} class has modifiers; codes made of it: {codes:,}",
                "{n:,} classes have modifiers, of which {codes:,} codes are made",
                modified,
                codes=self._modified,
            )
            yield Note("modifiers", self._modified, text)
        if self._builds and (unplaced := self._about.modifiers.unplaced()):
            text = mark_plural(
                "{n:,} class has no fourth character to which its modifiers could add another, "
                "so no codes are made of it: {codes}",
                "{n:,} classes have no fourth character to which their modifiers could add "
                "another, so no codes are made of them: {codes}",
            )
            codes = ", ".join(unplaced[:_SHOWN])
            yield from counted("unplaced modifiers", len(unplaced), text, codes=codes)
        text = mark_plural(
            "{n:,} modifier of a class has no values in the file: {listed}",
            "{n:,} modifiers of classes have no values in the file: {listed}",
        )
        yield from count_by_sort("absent modifiers", self._about.modifiers.count_absent(), text)
        text = mark_plural(
            "{n:,} class without a name goes by its code",
            "{n:,} classes without a name go by their code",
        )
        yield from counted("without name", self._unnamed, text)
        language = self._language
        text = mark_plural(
            "{n:,} class has no name in {language}, but in another language",
            "{n:,} classes have no name in {language}, but in another language",
        )
        yield from counted("another language", self._foreign, text, language=language)
        other_labels = self._about.labels.total() - self._about.in_language(language)
        text = mark_plural(
            "{n:,} label in another language than {language}",
            "{n:,} labels in other languages than {language}",
        )
        yield from counted("labels", other_labels, text, language=language)
        yield from unread_notes(self._about.unread)
        yield from self._cleaner.notes()

    def _concept(self, built: Built) -> ConceptRecord:
        values = [self._values.get(key, _Value(key[1])) for key in built.values]
        parts = (self._names.get(built.origin, built.origin), *(value.name for value in values))
        preferred = NameRecord(": ".join(parts), "preferred")
        return ConceptRecord(
            curie=self._curie(built.code),
            code=built.code,
            kind="category",
            names=self._cleaner.distinct([preferred, *values[-1].synonyms]),
            parents=(self._curie(built.parent),),
            definition=values[-1].definition,
            associations=values[-1].associations,
        )

    def _referred(self, codes: Iterable[str]) -> tuple[str, ...]:
        return unique(f"REFERS TO {self._curie(code)}" for code in codes)

    def _curie(self, code: str) -> str:
        return f"{self._prefix}:{code}"
