"""ICD-10-CM's tabular list: chapters, sections and codes nest; inclusion terms are synonyms.

What a category includes is a related name, too. Notes (includes, excludes, code first ...) make the
definition. 7th characters are rules there, not codes: what takes one is counted, and the codes
themselves are in the order file.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from termexplorer.errors import UserError
from termexplorer.importers.files.source import Source
from termexplorer.importers.files.xml_events import (
    Element,
    checked_root,
    events,
    line_of,
    name_of,
    text_of,
    texts_of,
)
from termexplorer.importers.icd10cm.codes import (
    KEY,
    LICENCE,
    TITLE,
    block_code,
    code_kind,
    curie,
    name_included,
)
from termexplorer.importers.records import (
    ConceptRecord,
    Header,
    NameRecord,
    Note,
    Record,
    Skipped,
)
from termexplorer.importers.text.notes import counted
from termexplorer.importers.text.text import NameCleaner, clean
from termexplorer.texts import mark_plural, tr, trn

ROOT = "ICD10CM.tabular"
_NESTING = ("chapter", "section", "diag")
_SEVENTH = "sevenChrDef"
_NOTES = {
    "includes": "Includes",
    "excludes1": "Excludes1",
    "excludes2": "Excludes2",
    "codeFirst": "Code first",
    "useAdditionalCode": "Use additional code",
    "codeAlso": "Code also",
    "notes": "Note",
    "sevenChrNote": "7th character",
    _SEVENTH: "7th characters",
}
_READ = {"name", "desc", "inclusionTerm", "sectionIndex", *_NESTING, *_NOTES}


def read(source: Source, options: Mapping[str, object]) -> Iterator[Record]:
    """Yield the header, then each chapter, section and code before what is in it, then notes.

    Args:
        source: The file.
        options: None are known.

    Raises:
        UserError: No such XML, damaged, refused (see `xml_events`), or without a code.
    """
    if checked_root(source).name != ROOT:
        raise UserError(
            tr("{path} is no tabular list of ICD-10-CM; choose another file", path=source.path)
        )
    reading, version, headed = _TabularReading(), "", False
    for event, element in events(source, "version", *_NESTING):
        if name_of(element) == "version":
            version = version or text_of(element) if event == "end" else version
            continue
        if not headed:
            headed = True
            yield Header(KEY, TITLE, version, LICENCE, {})
        yield from reading.started(element) if event == "start" else reading.ended(element)
    if not reading.concepts_read:
        raise UserError(
            tr("{path} holds no code of ICD-10-CM; choose another file", path=source.path)
        )
    yield from reading.notes()


@dataclass(slots=True)
class _Open:
    """An element that is not whole yet.

    Attributes:
        element: It.
        parent: The CURIE of what it is in, or "".
        curie: Its own, once `is_yielded`; the parent's where it has none.
        is_yielded: Whether its concept was yielded.
    """

    element: Element
    parent: str
    curie: str = ""
    is_yielded: bool = False


class _TabularReading:
    def __init__(self) -> None:
        self.concepts_read = 0
        self._open: list[_Open] = []
        self._cleaner = NameCleaner()
        self._unread_elements: Counter[str] = Counter()
        self._seventh = 0

    def started(self, element: Element) -> Iterator[ConceptRecord | Skipped]:
        """What `element` is in can be told now, as all of its own stands before it."""
        if self._open:
            before = list(element.itersiblings(preceding=True))[::-1]
            yield from self._tell(self._open[-1], before)
        self._open.append(_Open(element, self._open[-1].curie if self._open else ""))

    def ended(self, element: Element) -> Iterator[ConceptRecord | Skipped]:
        """The rest of an element."""
        yield from self._tell(self._open.pop(), list(element))

    def notes(self) -> Iterator[Note]:
        """What there is to say in the end."""
        for name, count in sorted(self._unread_elements.items()):
            text = trn(
                "{n:,} element <{name}> is left out",
                "{n:,} elements <{name}> are left out",
                count,
                name=name,
            )
            yield Note(name, count, text)
        text = mark_plural(
            "{n:,} code states which 7th characters are added to those below it; the codes "
            "with one are not in this file, but in the order file",
            "{n:,} codes state which 7th characters are added to those below them; the "
            "codes with one are not in this file, but in the order file",
        )
        yield from counted("7th characters", self._seventh, text)
        yield from self._cleaner.notes()

    def _tell(
        self, open_element: _Open, parts: Sequence[Element]
    ) -> Iterator[ConceptRecord | Skipped]:
        own_parts = [part for part in parts if name_of(part) not in _NESTING]
        if not open_element.is_yielded:
            open_element.is_yielded = True
            yield self._concept(open_element, own_parts)
        elif own_parts:
            reason = tr(
                "{code}: what stands after the codes in it is left out", code=open_element.curie
            )
            yield Skipped(line_of(own_parts[0]), reason)

    def _concept(
        self, open_element: _Open, own_parts: Sequence[Element]
    ) -> ConceptRecord | Skipped:
        kind, line = name_of(open_element.element), line_of(open_element.element)
        code = _code_of_element(open_element.element, own_parts)
        names = [NameRecord(text, "preferred") for text in _texts_below(own_parts, "desc")[:1]]
        names += [
            NameRecord(text, "synonym") for text in _texts_below(own_parts, "inclusionTerm", "note")
        ]
        names += name_included(_texts_below(own_parts, "includes", "note"))
        open_element.curie = curie(code) if code else open_element.parent
        records = self._cleaner.distinct(names)
        if not code:
            return Skipped(line, tr("a {element} without a code", element=kind))
        if not records:
            return Skipped(line, tr("a {element} without a name", element=kind))
        self.concepts_read += kind == "diag"
        self._seventh += any(name_of(part) == _SEVENTH for part in own_parts)
        self._unread_elements.update(
            name for part in own_parts if (name := name_of(part)) not in _READ
        )
        return ConceptRecord(
            curie=open_element.curie,
            code=code,
            kind={"diag": code_kind(code), "section": "block"}.get(kind, kind),
            names=records,
            parents=(open_element.parent,) if open_element.parent else (),
            definition=_join_notes(own_parts),
            line=line,
        )


def _code_of_element(element: Element, own_parts: Sequence[Element]) -> str:
    if name_of(element) == "section":
        code = clean(str(element.get("id") or ""))
        return block_code(code) if code else ""
    return next(iter(_texts_below(own_parts, "name")), "")


def _texts_below(parts: Sequence[Element], name: str, *path: str) -> list[str]:
    matching = (part for part in parts if name_of(part) == name)
    return [text for part in matching for text in texts_of(part, *path)]


def _join_notes(parts: Sequence[Element]) -> str:
    """`Includes: …; …. Excludes1: ….`, in the order of the file."""
    sentences = []
    for part in parts:
        title = _NOTES.get(name_of(part))
        notes = [*texts_of(part, "note"), *_extension_characters(part)]
        if title and notes:
            sentences.append(f"{title}: {'; '.join(notes).rstrip('.')}.")
    return " ".join(sentences)


def _extension_characters(part: Element) -> Iterator[str]:
    for extension in part.iterchildren("{*}extension"):
        yield clean(f"{extension.get('char') or ''} {text_of(extension)}")
