"""The signs by which a file's format is told from its first bytes."""

import re
from dataclasses import dataclass

from termexplorer.errors import UserError
from termexplorer.importers.icd10cm_order import ORDER_LINE
from termexplorer.importers.mesh_tree import HEADER
from termexplorer.importers.npm_package import is_package
from termexplorer.importers.source import Source
from termexplorer.importers.table_guess import looks_like
from termexplorer.importers.table_rows import XLSX_MAGIC
from termexplorer.importers.xml_events import root_of

_LINES = 200  # of the head that are looked at
_FORMATS = {
    "obo": "an OBO file",
    "obographs": "an OBO Graphs file",
    "fhir": "a FHIR CodeSystem",
    "pubtator": "a PubTator corpus",
    "rdf": "an OWL or SKOS file in RDF",
    "table": "a table",
    "dictionary": "a names dictionary",
    "mesh": "MeSH XML",
    "mesh-tree": "a MeSH tree table",
    "icd10cm-order": "an ICD-10-CM order file",
    "icd10cm-tabular": "an ICD-10-CM tabular list",
    "claml": "a ClaML file",
}


@dataclass(frozen=True, slots=True)
class _Kind:
    """A kind of file that is told beyond doubt.

    Attributes:
        like: What such a file is, with its article.
        format: The format that reads it, or "" if none does.
        advice: What to do where none does.
    """

    like: str
    format: str = ""
    advice: str = "choose a file in another format"


_SPREADSHEET = "open it in a spreadsheet program and save it as XLSX"
_BINARY = {
    XLSX_MAGIC: _Kind("an XLSX workbook", "table"),
    b"\xd0\xcf\x11\xe0": _Kind("an old Excel workbook (XLS)", advice=_SPREADSHEET),
    b"%PDF-": _Kind("a PDF document"),
}
_ROOTS = {  # of XML
    "DescriptorRecordSet": _Kind("MeSH descriptors", "mesh"),
    "SupplementalRecordSet": _Kind("MeSH supplementary records", "mesh"),
    "ICD10CM.tabular": _Kind("an ICD-10-CM tabular list", "icd10cm-tabular"),
    "ClaML": _Kind("a ClaML file", "claml"),
}
_AS_RDF = "save it as RDF/XML or Turtle, with Protégé or ROBOT"
_TEXT = {
    ORDER_LINE: _Kind("an ICD-10-CM order file", "icd10cm-order"),
    re.compile(r"\A\s*[^\s|]+\|t\|"): _Kind("a PubTator corpus", "pubtator"),
    re.compile(r"\A\s*(?=<[?!\w])[\s\S]*?<(?:[\w.-]+:)?RDF[\s>]"): _Kind("RDF/XML", "rdf"),
    re.compile(r"\A\s*(?=<[?!O])[\s\S]*?<Ontology\s"): _Kind("OWL/XML", advice=_AS_RDF),
    re.compile(r"^Ontology(?:\(|:\s)", re.MULTILINE): _Kind(
        "OWL in functional or Manchester syntax", advice=_AS_RDF
    ),
    re.compile(r"^\s*(?:@prefix\s+\S*:|PREFIX\s+\S*:|@base)\s*<", re.MULTILINE): _Kind(
        "Turtle", "rdf"
    ),
    re.compile(r"\A(?:\s*#.*\n|\s)*(?:<[^<>\s]+>|_:\S+)\s+<[^<>\s]+>\s+[<_\"]"): _Kind(
        "N-Triples", "rdf"
    ),
    re.compile(r"\A\s*<(?:\?xml|!DOCTYPE|html)\b", re.IGNORECASE): _Kind("XML or HTML"),
    re.compile(r'\A\s*\{[\s\S]*?"resourceType"\s*:\s*"(?:CodeSystem|Bundle)"'): _Kind(
        "a FHIR CodeSystem or Bundle", "fhir"
    ),
    re.compile(r'\A\s*\{[\s\S]*?"resourceType"\s*:\s*"'): _Kind(
        "a FHIR resource that is no CodeSystem", advice="choose a CodeSystem or a Bundle of them"
    ),
    re.compile(r'\A\s*(?:\{\s*"|\[\s*[\[{"])'): _Kind("JSON", "obographs"),
    re.compile(r"^(?:\[Term\]\s*$|format-version:)", re.MULTILINE): _Kind("an OBO file", "obo"),
}


def refuse_another(source: Source, name: str) -> None:
    """Refuse a file that is plainly in another format than `name`.

    Raises:
        UserError: It is, or it is to be text and is none; or it cannot be read.
    """
    found = _kind(source)
    if found and found.format != name:
        mend = f"choose the format {found.format}" if found.format else found.advice
        raise UserError(f"{source.path} looks like {found.like}, not like {_FORMATS[name]}; {mend}")


def told_format(source: Source) -> str:
    """The format of a file, or "" if it cannot be told.

    Raises:
        UserError: It is plainly of a kind that no format reads; or it cannot be read.
    """
    if found := _kind(source):
        if not found.format:
            raise UserError(
                f"{source.path} looks like {found.like}, which cannot be imported; {found.advice}"
            )
        return found.format
    lines = [line for line in _text(source).splitlines()[:_LINES] if line.strip()]
    whole = lines[:-1] or lines  # the head may end within a line
    if lines and lines[0] == HEADER:
        return "mesh-tree"
    if whole and all(line.endswith("|") for line in whole):
        return ""  # RRF, `a|b||c|`: no dictionary, and no title says what its columns are
    if sum("||" in line for line in lines) * 2 > len(lines):
        return "dictionary"
    return "table" if looks_like(lines) else ""


def _kind(source: Source) -> _Kind | None:
    head = source.head()
    if is_package(head):
        return _Kind("a package of FHIR", "fhir")
    binary = next((kind for magic, kind in _BINARY.items() if head.startswith(magic)), None)
    if binary:
        return binary
    source.check_text()
    root = root_of(head)
    if root and root.name in _ROOTS:
        return _ROOTS[root.name]
    text = _text(source)
    return next((kind for pattern, kind in _TEXT.items() if pattern.search(text)), None)


def _text(source: Source) -> str:
    return source.head().decode("utf-8-sig", "replace")
