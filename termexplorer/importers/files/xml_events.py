"""The one door by which XML comes in: element by element, in bounded memory, nothing ever fetched.

A file may name a DTD (`<!DOCTYPE ClaML SYSTEM "ClaML.dtd">`), which stays unread: libxml2 opens it
whatever it is told, so its address is taken out first. A file that declares entities is refused,
and so is what has no end: depth, text, tags, or elements between those that are asked for. The
limits on depth (256), texts and tags (10 million bytes) are libxml2's own.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias, cast
from xml.parsers import expat

from lxml import etree

from termexplorer.errors import UserError
from termexplorer.importers.files.source import Source
from termexplorer.importers.records import Note
from termexplorer.importers.text.notes import count_by_sort, count_key
from termexplorer.importers.text.text import clean
from termexplorer.texts import mark, mark_plural, tr, translated

Element: TypeAlias = etree._Element
_CHUNK = 1 << 16
_FARTHEST = 1 << 22  # bytes between the ends of two elements that are asked for
_LITERAL = rb"""(?:"[^"]*+"|'[^']*+')"""
_EXTERNAL = re.compile(
    rb"\A((?:\xef\xbb\xbf)?(?>\s+|<\?.*?\?>|<!--.*?-->)*+<!DOCTYPE\s++[^\s\[>]++)"
    rb"(\s++(?:SYSTEM|PUBLIC\s++" + _LITERAL + rb")\s*+" + _LITERAL + rb")",
    re.DOTALL,
)
_UNDEFINED = re.compile(r"Entity '([^']+)' not defined")
_DEEP = mark("nested too deeply; no terminology is written so")
_ENDLESS = mark("a text or tag without end; no terminology is written so")


@dataclass(slots=True)
class Root:
    """The outermost element of a file.

    Attributes:
        name: Without its namespace's prefix.
        attributes: As they are written.
        system: The address of the DTD that the file names, or "".
        entity_line: The line on which it declares an entity; 0 where it declares none.
    """

    name: str = ""
    attributes: dict[str, str] = field(default_factory=dict)
    system: str = ""
    entity_line: int = 0


class _Met(Exception):  # noqa: N818 - no error: it ends the look
    """The root was met."""


def root_of(head: bytes) -> Root | None:
    """The root of the XML that a file begins with; None where that is no XML, or goes on longer."""
    root = Root()
    parser = expat.ParserCreate()

    def doctype(_name: str, system: str | None, _public: str | None, _internal: bool) -> None:
        root.system = system or ""

    def entity(*_declared: object) -> None:
        root.entity_line = root.entity_line or parser.CurrentLineNumber

    def start(name: str, attributes: dict[str, str]) -> None:
        root.name, root.attributes = name.rpartition(":")[2], attributes
        raise _Met

    parser.StartDoctypeDeclHandler = doctype
    parser.EntityDeclHandler = entity
    parser.StartElementHandler = start
    try:
        parser.Parse(head)
    except _Met:
        return root
    except (expat.ExpatError, ValueError, LookupError):
        return None
    return None


def checked_root(source: Source) -> Root:
    """The root of a file.

    Raises:
        UserError: The file is no XML, or declares entities.
    """
    source.check_text()
    root = root_of(source.head())
    masked = root_of(without_external_dtd(source.head()))
    if root is None or masked is None or masked.system:
        raise UserError(
            tr("{path} does not begin as XML does; choose another file", path=source.path)
        )
    if root.entity_line:
        raise UserError(
            tr(
                "{path}, line {line}: declares an entity, which can make a file without end of a "
                "short one; write the text itself in its place",
                path=source.path,
                line=root.entity_line,
            )
        )
    return root


def without_external_dtd(head: bytes) -> bytes:
    """Return the first bytes of a file, blanks in the place of the address of its DTD."""
    return _EXTERNAL.sub(lambda match: match[1] + re.sub(rb"[^\n]", b" ", match[2]), head)


def ended(source: Source, *names: str) -> Iterator[Element]:
    """Yield each element of these names when it is whole; see `events`."""
    for event, element in events(source, *names):
        if event == "end":
            yield element


def events(source: Source, *names: str) -> Iterator[tuple[str, Element]]:
    """Yield `start` and `end` of each element of these names, whatever its namespace.

    At `start` only its attributes and what stands before it may be looked at. After `end` it is
    emptied, and all before it that is whole is freed, its parents' earlier children among it.

    Raises:
        UserError: No sound XML, truncated, or refused, with the line.
    """
    checked_root(source)
    feed = _Feed(source, names)
    for chunk in feed.chunks():
        for event, element in feed.taken(chunk):
            if event == "end":
                feed.check(element)
            yield event, element
            if event == "end":
                _free_element(element)
    feed.close()


class _Feed:
    """A parser, and how far it was fed."""

    def __init__(self, source: Source, names: tuple[str, ...]) -> None:
        self._source = source
        self._line = 1
        self._since = 0
        self._parser = etree.XMLPullParser(
            events=("start", "end"),
            tag=[f"{{*}}{name}" for name in names],
            resolve_entities=False,
            load_dtd=False,
            no_network=True,
            huge_tree=False,
            remove_comments=True,
            remove_pis=True,
            collect_ids=False,
        )

    def chunks(self) -> Iterator[bytes]:
        """The file, in small parts; the progress is watched at each."""
        stream = self._source.stream()
        head = self._source.head()
        read = 0
        while chunk := stream.read(_CHUNK if read >= len(head) else len(head) - read):
            if self._source.watch:
                self._source.watch()
            read += len(chunk)
            if read > len(head):
                yield chunk
            elif read == len(head):
                yield without_external_dtd(head)

    def taken(self, chunk: bytes) -> Iterator[tuple[str, Element]]:
        """Feed a part to the parser, and yield what it makes of it."""
        self._since += len(chunk)
        if self._since > _FARTHEST:
            raise self._refusal(self._line, translated(_ENDLESS))
        try:
            self._parser.feed(chunk)
        except etree.XMLSyntaxError as error:
            raise self._refusal(error.lineno or self._line, _syntax_reason(error)) from None
        self._check_entities()
        self._line += chunk.count(b"\n")
        yield from cast(Iterator[tuple[str, Element]], self._parser.read_events())

    def check(self, element: Element) -> None:
        """Refuse an element in which text is missing, as it stands in the DTD."""
        self._since = 0
        for entity in element.iter(etree.Entity):
            raise self._refusal(line_of(element), _absent_entity_reason(str(entity.text)))

    def close(self) -> None:
        """See that the XML is whole."""
        try:
            self._parser.close()
        except etree.XMLSyntaxError:
            text = tr("the XML ends too early; the file is truncated, fetch it again")
            raise self._refusal(self._line, text) from None

    def _check_entities(self) -> None:
        """Refuse a reference to an entity that nothing declares; the parser goes on silently."""
        for entry in self._parser.feed_error_log:
            if undefined := _UNDEFINED.search(str(entry.message)):
                raise self._refusal(entry.line, _absent_entity_reason(f"&{undefined[1][:60]};"))

    def _refusal(self, line: int, reason: str) -> UserError:
        return UserError(
            tr("{path}, line {line}: {reason}", path=self._source.path, line=line, reason=reason)
        )


def _syntax_reason(error: etree.XMLSyntaxError) -> str:
    message = clean(str(error.msg or error)).partition(", line ")[0]
    if "depth" in message:
        return translated(_DEEP)
    if "XML_PARSE_HUGE" in message or "too big" in message or "amplification" in message:
        return translated(_ENDLESS)
    return tr("no sound XML ({reason}); fetch the file again, or choose another", reason=message)


def _absent_entity_reason(entity: str) -> str:
    return tr(
        "{entity} stands for a text that is not in the file; write the text itself", entity=entity
    )


def _free_element(element: Element) -> None:
    node: Any = element
    node.clear(keep_tail=True)
    while (parent := node.getparent()) is not None:
        while node.getprevious() is not None:
            del parent[0]
        node = parent


def name_of(element: Element) -> str:
    """An element's name without its namespace."""
    return str(element.tag).rpartition("}")[2]


def line_of(element: Element) -> int:
    """The line on which an element starts; 0 where it is unknown."""
    line: Any = element.sourceline
    return line or 0


def children(element: Element, name: str) -> Iterator[Element]:
    """The children of one name, whatever their namespace."""
    return element.iterchildren(f"{{*}}{name}")


def count_unread(
    counts: Counter[str], element: Element, read: Mapping[str, Collection[str]]
) -> None:
    """Count the elements within one that nobody reads, by the path of their names.

    Args:
        counts: Is added to.
        element: A whole one.
        read: Name of an element -> names of those in it that are read; elements without a line
            here are read as a whole.
    """
    if (known := read.get(name_of(element))) is None:
        return
    for child in element.iterchildren(etree.Element):
        if name_of(child) in known:
            count_unread(counts, child, read)
        else:
            count_key(counts, name_of(child))


def unread_notes(counts: Counter[str]) -> Iterator[Note]:
    """Say which elements nobody read."""
    text = mark_plural(
        "{n:,} element is not read: {listed}", "{n:,} elements are not read: {listed}"
    )
    yield from count_by_sort("unread elements", counts, text)


def text_of(element: Element, *path: str) -> str:
    """The text in an element, or in the first one down a path of names; "" where there is none."""
    for name in path:
        child = next(children(element, name), None)
        if child is None:
            return ""
        element = child
    return clean("".join(map(str, element.itertext())))


def texts_of(element: Element, *path: str) -> tuple[str, ...]:
    """The non-empty texts of all elements down a path of names."""
    elements = [element]
    for name in path:
        elements = [child for parent in elements for child in children(parent, name)]
    return tuple(text for leaf in elements if (text := text_of(leaf)))
