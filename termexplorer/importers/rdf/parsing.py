"""The triples of a file, streamed by pyoxigraph, with every error told by its line."""

import re
from collections.abc import Iterator
from urllib.parse import quote

import pyoxigraph

from termexplorer.errors import UserError
from termexplorer.importers.files.source import BYTE_ORDER_MARK, Source
from termexplorer.importers.files.xml_guard import XmlGuard
from termexplorer.importers.rdf.json_guard import JsonGuard
from termexplorer.importers.rdf.turtle_guard import TurtleGuard
from termexplorer.importers.text.text import clean
from termexplorer.texts import mark, tr, translated

_PART = 1 << 14  # bytes read at a time: what stands in one is "near" its last line
_LONGEST = 1 << 23  # bytes without a triple; more is one text without end
_PLACE = re.compile(r"^Parser error at line \d+ (?:column \d+|between [^:]*): ?")
_XML = re.compile(rb"(?:\xef\xbb\xbf)?\s*<(?:[?!]|(?:[\w.-]+:)?RDF[\s>])")
_JSON = re.compile(rb"(?:\xef\xbb\xbf)?\s*(?:\{|\[\s*\{)")
_LONGEST_JSON = 1 << 28  # as JSON-LD is read whole, where its context may follow
_OF_CONTEXT = "LoadDocumentCallback"
_ENDS = ("unexpected end", "ended before", "unexpected eof")
_GUARDS: dict[pyoxigraph.RdfFormat, type[XmlGuard | TurtleGuard | JsonGuard]] = {
    pyoxigraph.RdfFormat.RDF_XML: XmlGuard,
    pyoxigraph.RdfFormat.TURTLE: TurtleGuard,
    pyoxigraph.RdfFormat.JSON_LD: JsonGuard,
}
_TITLES = {
    pyoxigraph.RdfFormat.RDF_XML: "RDF/XML",
    pyoxigraph.RdfFormat.TURTLE: mark("Turtle or N-Triples"),
    pyoxigraph.RdfFormat.JSON_LD: "JSON-LD",
}


class Triples:
    """Iterates over the triples of a file, once.

    IRIs are taken as they stand, sound or not; relative ones stand on the file's name where the
    file declares no base.

    Args:
        source: The file, RDF/XML, JSON-LD or Turtle, of which N-Triples are a part.

    Raises:
        UserError: While iterating: not sound, truncated, or nested without end.
    """

    def __init__(self, source: Source) -> None:
        source.check_text()
        self._source = source
        self._stream = source.stream()
        self._silent = 0
        self._ready, self._ended, self._is_start = b"", False, True
        self._format = _format_of(source.head())
        self._guard = _GUARDS[self._format](source.path)
        self._parser = pyoxigraph.parse(
            self,  # type: ignore[arg-type]  # all that is asked of a file is `read`
            self._format,
            base_iri=f"file:///{quote(source.path.name)}",
            lenient=True,
        )

    @property
    def prefixes(self) -> dict[str, str]:
        """Prefix -> IRI, as the part of the file that was read declares them."""
        if isinstance(self._guard, XmlGuard):
            return self._guard.prefixes
        return self._parser.prefixes

    def __iter__(self) -> Iterator[pyoxigraph.Quad]:
        """Yield each triple as it comes."""
        try:
            for triple in self._parser:
                self._silent = 0
                yield triple
        except SyntaxError as error:
            raise self._refusal(error) from None

    def read(self, size: int = -1) -> bytes:
        """Return the next bytes, for the parser; checked before it has them."""
        while not self._ready and not self._ended:
            self._ready = self._next_part()
        size = min(size, _PART) if size > 0 else _PART
        part, self._ready = self._ready[:size], self._ready[size:]
        return part

    def _next_part(self) -> bytes:
        part = self._stream.read(_PART)
        if self._is_start:
            part, self._is_start = part.removeprefix(BYTE_ORDER_MARK), False
        self._ended = not part
        self._silent += len(part)
        longest = _LONGEST_JSON if self._format == pyoxigraph.RdfFormat.JSON_LD else _LONGEST
        if self._silent > longest:
            raise UserError(
                tr(
                    "{path}, near line {line}: {size} MiB without a statement, which is no "
                    "ontology; choose another file",
                    path=self._source.path,
                    line=self._guard.line,
                    size=longest >> 20,
                )
            )
        checked = self._guard.feed(part)
        self._source.advance(0)
        return checked

    def _refusal(self, error: SyntaxError) -> UserError:
        reason = clean(_PLACE.sub("", str(error.msg)))
        if any(end in reason.lower() for end in _ENDS):
            reason = tr("the text ends within a statement; the file is truncated, fetch it again")
        elif _OF_CONTEXT in reason:
            reason = tr(
                "it refers to a context that is not in the file, and nothing is fetched; write "
                "the context into the file, or convert it to Turtle, as by ROBOT or rdflib"
            )
        else:
            kind = translated(_TITLES[self._format])
            reason = tr(
                "no sound {kind} ({reason}); correct it or choose another file",
                kind=kind,
                reason=reason[:200],
            )
        path = self._source.path
        if error.lineno:
            return UserError(
                tr("{path}, line {line}: {reason}", path=path, line=error.lineno, reason=reason)
            )
        near = self._guard.line
        return UserError(
            tr("{path}, near line {line}: {reason}", path=path, line=near, reason=reason)
        )


def _format_of(head: bytes) -> pyoxigraph.RdfFormat:
    if _XML.match(head):
        return pyoxigraph.RdfFormat.RDF_XML
    is_json = _JSON.match(head) is not None
    return pyoxigraph.RdfFormat.JSON_LD if is_json else pyoxigraph.RdfFormat.TURTLE
