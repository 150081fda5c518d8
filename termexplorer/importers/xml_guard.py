"""Follows XML as it is read, and refuses what would blow up in the reader behind it.

An internal DTD that names prefixes (`<!ENTITY obo "http://…">`, as Protégé writes it) is harmless;
entities of entities, external ones and elements in elements without end are not.
"""

from pathlib import Path
from xml.parsers import expat

from termexplorer.errors import UserError
from termexplorer.texts import tr

_DEEPEST = 200  # elements within each other
_LONGEST_ENTITY, _MOST_ENTITIES = 1_000, 10_000
_TRUNCATED = frozenset(
    {
        expat.errors.XML_ERROR_NO_ELEMENTS,
        expat.errors.XML_ERROR_UNCLOSED_TOKEN,
        expat.errors.XML_ERROR_UNCLOSED_CDATA_SECTION,
        expat.errors.XML_ERROR_PARTIAL_CHAR,
    }
)
_UTF_8 = ("utf-8", "us-ascii", "ascii")


class XmlGuard:
    """Is fed an XML file part by part, before anybody else reads the part.

    Attributes:
        prefixes: Prefix -> IRI, of the root element and of the DTD.
    """

    def __init__(self, path: Path) -> None:
        self.prefixes: dict[str, str] = {}
        self._path = path
        self._depth = 0
        self._entities = 0
        self._parser = expat.ParserCreate()
        self._parser.ordered_attributes = True
        self._parser.XmlDeclHandler = self._declared
        self._parser.StartDoctypeDeclHandler = self._doctype
        self._parser.EntityDeclHandler = self._entity
        self._parser.StartElementHandler = self._root
        self._parser.EndElementHandler = self._end

    @property
    def line(self) -> int:
        """The line up to which it was fed."""
        return self._parser.CurrentLineNumber

    def feed(self, data: bytes) -> None:
        """Take the next part; b"" is the end.

        Raises:
            UserError: No sound XML in UTF-8, truncated, or harmful.
        """
        try:
            self._parser.Parse(data, not data)
        except expat.ExpatError as error:
            reason = expat.ErrorString(error.code)
            if not data and reason in _TRUNCATED:
                reason = tr("the XML ends too early; the file is truncated, fetch it again")
            else:
                reason = tr(
                    "no sound XML ({reason}); fetch the file again or choose another",
                    reason=reason,
                )
            raise self._refuse(reason, error.lineno) from None

    def _refuse(self, reason: str, line: int | None = None) -> UserError:
        line = self.line if line is None else line
        return UserError(
            tr("{path}, line {line}: {reason}", path=self._path, line=line, reason=reason)
        )

    def _declared(self, _version: str, encoding: str | None, _alone: int) -> None:
        if encoding and encoding.lower() not in _UTF_8:
            raise self._refuse(tr("the XML is in {encoding}; save it in UTF-8", encoding=encoding))

    def _doctype(self, _name: str, system: str | None, public: str | None, _own: int) -> None:
        if system or public:
            raise self._refuse(
                tr("refers to a DTD outside the file, which is not followed; remove it")
            )

    def _entity(
        self,
        name: str,
        parameter: int,
        value: str | None,
        _base: str | None,
        _system: str | None,
        _public: str | None,
        _notation: str | None,
    ) -> None:
        self._entities += 1
        if parameter or value is None:
            raise self._refuse(
                tr("the entity {name!r} refers to elsewhere, which is refused", name=name[:60])
            )
        if "&" in value or "%" in value or "<" in value:
            raise self._refuse(
                tr("the entity {name!r} is made of others, which is refused", name=name[:60])
            )
        if len(value) > _LONGEST_ENTITY or self._entities > _MOST_ENTITIES:
            raise self._refuse(tr("its entities are longer or more than prefixes are"))
        self.prefixes.setdefault(name, value)

    def _root(self, _name: str, attributes: list[str]) -> None:
        for key, value in zip(attributes[::2], attributes[1::2], strict=True):
            if key.startswith("xmlns:"):
                self.prefixes[key.removeprefix("xmlns:")] = value
        self._depth = 1
        self._parser.StartElementHandler = self._start

    def _start(self, _name: str, _attributes: list[str]) -> None:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise self._refuse(tr("elements are nested too deeply"))

    def _end(self, _name: str) -> None:
        self._depth -= 1
