"""Follows XML as it is read, and refuses what would blow up in the reader behind it.

An internal DTD that names prefixes (`<!ENTITY obo "http://…">`, as Protégé writes it) is harmless;
entities of entities, external ones and elements in elements without end are not. The reader gets
the names of entities in the one form that it knows, and no address of a DTD outside the file.
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
        self._entities: dict[str, str] = {}
        self._before_root: bytes | None = b""
        self._root_start = -1
        self._parser = expat.ParserCreate()
        self._parser.ordered_attributes = True
        self._parser.XmlDeclHandler = self._declared
        self._parser.EntityDeclHandler = self._entity
        self._parser.SkippedEntityHandler = self._skipped
        self._parser.StartElementHandler = self._root
        self._parser.EndElementHandler = self._end

    @property
    def line(self) -> int:
        """The line up to which it was fed."""
        return self._parser.CurrentLineNumber

    def feed(self, data: bytes) -> bytes:
        """Take the next part, b"" being the end, and return what the reader is to have of it.

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
        return self._without_prologue(data)

    def _without_prologue(self, data: bytes) -> bytes:
        """Hold back what stands before the root, until the DTD can be written anew."""
        if self._before_root is None:
            return data
        self._before_root += data
        if self._root_start < 0:
            return b""
        prologue = self._before_root[: self._root_start]
        rest = self._before_root[self._root_start :]
        self._before_root = None
        declared = "".join(
            f'<!ENTITY {name} "{value}">'
            for name, value in self._entities.items()
            if '"' not in value
        )
        doctype = f"<!DOCTYPE root [{declared}]>" if declared else ""
        return doctype.encode() + b"\n" * prologue.count(b"\n") + rest

    def _refuse(self, reason: str, line: int | None = None) -> UserError:
        line = self.line if line is None else line
        return UserError(
            tr("{path}, line {line}: {reason}", path=self._path, line=line, reason=reason)
        )

    def _declared(self, _version: str, encoding: str | None, _alone: int) -> None:
        if encoding and encoding.lower() not in _UTF_8:
            raise self._refuse(tr("the XML is in {encoding}; save it in UTF-8", encoding=encoding))

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
        if parameter or value is None:
            raise self._refuse(
                tr("the entity {name!r} refers to elsewhere, which is refused", name=name[:60])
            )
        if "&" in value or "%" in value or "<" in value:
            raise self._refuse(
                tr("the entity {name!r} is made of others, which is refused", name=name[:60])
            )
        self._entities.setdefault(name, value)
        if len(value) > _LONGEST_ENTITY or len(self._entities) > _MOST_ENTITIES:
            raise self._refuse(tr("its entities are longer or more than prefixes are"))
        self.prefixes.setdefault(name, value)

    def _skipped(self, name: str, _parameter: int) -> None:
        text = tr(
            "{entity} stands for a text that is not in the file; write the text itself",
            entity=f"&{name[:60]};",
        )
        raise self._refuse(text)

    def _root(self, _name: str, attributes: list[str]) -> None:
        for key, value in zip(attributes[::2], attributes[1::2], strict=True):
            if key.startswith("xmlns:"):
                self.prefixes[key.removeprefix("xmlns:")] = value
        self._depth = 1
        self._root_start = self._parser.CurrentByteIndex
        self._parser.StartElementHandler = self._start

    def _start(self, _name: str, _attributes: list[str]) -> None:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise self._refuse(tr("elements are nested too deeply"))

    def _end(self, _name: str) -> None:
        self._depth -= 1
