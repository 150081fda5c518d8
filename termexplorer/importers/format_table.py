"""The table of formats: what each is called, how its files are told and named, and who reads them.

Whoever asks what there is imports this alone; the readers are imported when there is a file.
"""

import re
from dataclasses import dataclass, field
from importlib import import_module
from types import ModuleType

from termexplorer.texts import mark

ICD10CM, RF2, TABLE = "icd10cm", "rf2", "table"
WORKBOOK = re.compile(rb"PK\x03\x04")
"""How XLSX begins; so does any zip."""
OPEN_DOCUMENT = re.compile(
    rb"PK\x03\x04[\s\S]{26}mimetype(?:[\s\S]{0,64}?)application/vnd\.oasis\.opendocument"
)
"""How ODS and its relatives begin."""
OPEN_DOCUMENT_SHEET = re.compile(OPEN_DOCUMENT.pattern + rb"\.spreadsheet(?!-)")
"""How ODS begins."""
PACKAGE = re.compile(rb"[\s\S]{257}ustar")
"""How a tar begins, as which NPM packages come."""


@dataclass(frozen=True, slots=True)
class Sign:
    """What tells a kind of file beyond doubt: one of `head`, `member`, `root` and `text`.

    Attributes:
        like: What such a file is, with its article, marked; "" where it is what its format is.
        advice: What to do with one that nobody reads, marked; "" where its format does.
        head: How its bytes begin.
        member: The name of a file in it, if it is a zip.
        root: What the root of its XML is called.
        text: What its text has.
    """

    like: str = ""
    advice: str = field(default="", kw_only=True)
    head: re.Pattern[bytes] | None = field(default=None, kw_only=True)
    member: str = field(default="", kw_only=True)
    root: str = field(default="", kw_only=True)
    text: re.Pattern[str] | None = field(default=None, kw_only=True)


@dataclass(frozen=True, slots=True)
class Format:
    """A format.

    Attributes:
        key: What requests, commands and the store call it.
        title: For people, marked to be translated.
        like: What a file of it is, with its article; marked too.
        endings: Of its files, without a dot and besides `gz`.
        module: Its reader, with `read(source, options)` and perhaps `choices(source)`.
        signs: What tells it, or its relatives that are not read; the first that fits counts.
        likely: Whether `looks_like(lines)` of its reader tells it, where no sign does.
        passes: How often, in time, its reader goes over a file.
        files: Of a folder or zip: the module with `holds_release(path)` and `open_release(path)`.
    """

    key: str
    title: str
    like: str
    endings: tuple[str, ...]
    module: str
    signs: tuple[Sign, ...] = ()
    likely: bool = False
    passes: int = 1
    files: str = ""

    def reader(self) -> ModuleType:
        """Its `module`, imported."""
        return import_module(f"{__package__}.{self.module}")

    def release(self) -> ModuleType:
        """Its `files`, imported."""
        return import_module(f"{__package__}.{self.files}")


_AS_RDF = mark("save it as RDF/XML or Turtle, with Protégé or ROBOT")
_AS_XLSX = mark("open it in a spreadsheet program and save it as XLSX")
_OF_NUMBERS = "Document.iwa"
_ANOTHER = mark("choose a file in another format")
_FHIR_ROOTS = ("CodeSystem", "Bundle")
_FHIR_OTHER_ROOTS = ("ValueSet", "NamingSystem", "Parameters")
_FHIR_MAPPINGS = mark("a FHIR ConceptMap, which holds mappings and no concepts")
_AS_SSSOM = mark("write its mappings as SSSOM, and import these among suggestions")
_FHIR_OTHER = mark("a FHIR resource that is no CodeSystem")
_AS_CODE_SYSTEM = mark("choose a CodeSystem or a Bundle of them")
_AMONG_VECTORS = mark("open it among encoders: termexplorer vectors add")
_ROWS = (  # where the signs of several fit, the first counts
    Format(
        ICD10CM, mark("ICD-10-CM, which comes with the program"), "ICD-10-CM", (),
        "icd10cm.icd10cm",
    ),
    Format(
        "icd10cm-order", mark("ICD-10-CM order file"), mark("an ICD-10-CM order file"), ("txt",),
        "icd10cm.order",
        (Sign(
            text=re.compile(r"\A\ufeff?\d{5} [A-Z]\d[0-9A-Z][0-9A-Z ]{4} [01] [^\r\n]{61}\S"),
        ),),
        passes=2,
    ),
    Format(
        "icd10cm-tabular", mark("ICD-10-CM tabular list"), mark("an ICD-10-CM tabular list"),
        ("xml",), "icd10cm.tabular", (Sign(root="ICD10CM.tabular"),),
    ),
    Format(
        "claml", mark("ClaML"), mark("a ClaML file"), ("xml",), "claml.claml",
        (Sign(root="ClaML"),), passes=2,
    ),
    Format(
        "mesh", mark("MeSH XML"), "MeSH XML", ("xml",), "mesh.mesh",
        (
            Sign(mark("MeSH descriptors"), root="DescriptorRecordSet"),
            Sign(mark("MeSH supplementary records"), root="SupplementalRecordSet"),
        ),
    ),
    Format(
        "mesh-tree", mark("MeSH tree table"), mark("a MeSH tree table"), ("tsv", "txt"),
        "mesh.tree", likely=True,
    ),
    Format(
        "pubtator", mark("PubTator corpus; its mentions are names, without a hierarchy"),
        mark("a PubTator corpus"), ("txt",), "pubtator",
        (Sign(text=re.compile(r"\A\s*[^\s|]+\|t\|")),),
    ),
    Format(
        "rdf", mark("OWL or SKOS (RDF/XML, Turtle, N-Triples or JSON-LD)"),
        mark("an OWL or SKOS file in RDF"), ("owl", "rdf", "ttl", "nt", "jsonld"), "rdf.reading",
        (
            Sign("RDF/XML", text=re.compile(r"\A\s*(?=<[?!\w])[\s\S]*?<(?:[\w.-]+:)?RDF[\s>]")),
            Sign("OWL/XML", text=re.compile(r"\A\s*(?=<[?!O])[\s\S]*?<Ontology\s"), advice=_AS_RDF),
            Sign(
                mark("OWL in functional or Manchester syntax"),
                text=re.compile(r"^Ontology(?:\(|:\s)", re.MULTILINE), advice=_AS_RDF,
            ),
            Sign(
                "Turtle",
                text=re.compile(
                    r"^[ \t]*+(?:@prefix\s++\S*:|PREFIX\s++\S*:|@base)\s*<", re.MULTILINE
                ),
            ),
            Sign(
                "N-Triples",
                text=re.compile(
                    r"\A(?:#.*\n|\s)*+(?:<[^<>\s:]+:[^<>\s]*>|_:\S+)\s+<[^<>\s:]+:[^<>\s]*>\s+[<_\"]"
                ),
            ),
            Sign(
                "JSON-LD",
                text=re.compile(
                    r'\A\s*[\[{](?![\s\S]*"(?:graphs|resourceType)"\s*:)'
                    r'[\s\S]*?"@(?:context|graph|id)"\s*:'
                ),
            ),
        ),
        passes=3,  # reading it, and twice as long to put together and to store
    ),
    Format(
        "fhir", mark("FHIR CodeSystem (JSON, XML or package)"), mark("a FHIR CodeSystem"),
        ("json", "xml", "tgz"), "fhir.fhir",
        (
            *(
                Sign(mark("a FHIR CodeSystem or Bundle"), root=root)
                for root in _FHIR_ROOTS
            ),
            Sign(_FHIR_MAPPINGS, root="ConceptMap", advice=_AS_SSSOM),
            *(
                Sign(_FHIR_OTHER, root=root, advice=_AS_CODE_SYSTEM)
                for root in _FHIR_OTHER_ROOTS
            ),
            Sign(mark("a package of FHIR"), head=PACKAGE),
            Sign(
                _FHIR_MAPPINGS,
                text=re.compile(r'\A\s*\{[\s\S]*?"resourceType"\s*:\s*"ConceptMap"'),
                advice=_AS_SSSOM,
            ),
            Sign(
                mark("a FHIR CodeSystem or Bundle"),
                text=re.compile(r'\A\s*\{[\s\S]*?"resourceType"\s*:\s*"(?:CodeSystem|Bundle)"'),
            ),
            Sign(
                _FHIR_OTHER,
                text=re.compile(r'\A\s*\{[\s\S]*?"resourceType"\s*:\s*"'),
                advice=_AS_CODE_SYSTEM,
            ),
        ),
        passes=2,
    ),
    Format(
        "obographs", mark("OBO Graphs JSON"), mark("an OBO Graphs file"), ("json",),
        "obo.obographs",
        (
            Sign(
                mark("a set of mappings (SSSOM) in JSON"),
                text=re.compile(r'\A\s*\{[\s\S]*"mappings"\s*:\s*\[\s*\{[\s\S]*"subject_id"'),
                advice=mark(
                    "write it as SSSOM/TSV, and import that among suggestions: "
                    "termexplorer suggestion import"
                ),
            ),
            Sign(
                mark("a list of records in JSON"),
                text=re.compile(
                    r'\A\s*(?:\[\s*\{(?!\s*"(?:graphs|nodes)")|\{[^\n]*\}[ \r]*\n\s*\{)'
                ),
                advice=mark("write it as a table in CSV, with titles, and choose that"),
            ),
            Sign(
                mark("names in JSON"),
                text=re.compile(
                    r'\A\s*\{(?![\s\S]*"graphs"\s*:)\s*"(?!@)(?:[^"\\]|\\.)*"\s*:\s*(?:\[\s*)?"'
                ),
                advice=mark(
                    "write them as a names dictionary, `id||name|synonym` a line, or as a table in "
                    "CSV, with titles, and choose that"
                ),
            ),
            Sign("JSON", text=re.compile(r'\A\s*(?:\{\s*"|\[\s*[\[{"])')),), passes=3,
    ),
    Format(
        "obo", mark("OBO"), mark("an OBO file"), ("obo",), "obo.obo",
        (Sign(
            text=re.compile(r"\A(?!\s*<)[\s\S]*?^(?:\[Term\]\s*$|format-version:)", re.MULTILINE),
        ),),
    ),
    Format(
        "dictionary",
        mark("Names dictionary, one concept a line; it has no hierarchy, so no levels"),
        mark("a names dictionary"), ("txt",), "tables.dictionary", likely=True,
    ),
    Format(
        TABLE, mark("Names table (CSV, TSV, XLSX or ODS)"), mark("a table"),
        ("csv", "tsv", "txt", "xlsx", "ods"), "tables.names_table",
        (
            Sign(mark("a sheet in OpenDocument (ODS)"), head=OPEN_DOCUMENT_SHEET),
            Sign(mark("an OpenDocument file"), head=OPEN_DOCUMENT, advice=_AS_XLSX),
            Sign(mark("a binary workbook (XLSB)"), member="workbook.bin", advice=_AS_XLSX),
            Sign(mark("a Numbers file"), member=_OF_NUMBERS, advice=_AS_XLSX),
            Sign(mark("a Word document"), member="document.xml", advice=_ANOTHER),
            Sign(mark("an XLSX workbook"), head=WORKBOOK),
            Sign(
                mark("an old Excel workbook (XLS)"),
                head=re.compile(rb"\xd0\xcf\x11\xe0"), advice=_AS_XLSX,
            ),
        ),
        likely=True, passes=2,  # over what a spreadsheet has made of ids first
    ),
    Format(
        RF2, mark("SNOMED CT (RF2)"), mark("a release in RF2"), ("zip",), "rf2.reading",
        files="rf2.files",
    ),
    Format(
        "rrf", mark("UMLS or RxNorm (RRF)"), mark("a release in RRF"), ("RRF", "zip"),
        "rrf.reading", files="rrf.files",
    ),
    Format(
        "omop", mark("OMOP vocabularies"), mark("a release in OMOP"), ("zip",), "omop.reading",
        files="omop.files",
    ),
)  # fmt: skip
FORMATS: dict[str, Format] = {row.key: row for row in _ROWS}
"""All of them by their keys."""
RELEASES: tuple[Format, ...] = tuple(row for row in _ROWS if row.files)
"""Those of folders and zips, which are told by the names of the files inside."""
OWN: tuple[Sign, ...] = (
    Sign(
        mark("a database (SQLite), as the one in a workspace of this program"),
        head=re.compile(rb"SQLite format 3\0"),
        advice=mark(
            "open the folder that it is in, as a workspace: termexplorer --workspace FOLDER"
        ),
    ),
    Sign(
        mark("a study pack of this program"),
        text=re.compile(r'\A\s*\{\s*"termexplorer"\s*:\s*"study pack"'),
        advice=mark("judge its pairs: termexplorer judge FILE"),
    ),
    Sign(
        mark("the answers of an annotator"),
        text=re.compile(r'\A\s*\{\s*"termexplorer"\s*:\s*"study answers"'),
        advice=mark("take them into their study: termexplorer study merge FILE"),
    ),
    Sign(
        mark("the list of a folder of pair sets"),
        text=re.compile(r'\A\s*\{\s*"key"\s*:\s*"[0-9a-f]{64}"\s*,\s*"files"\s*:'),
        advice=mark(
            "measure encoders on the sets beside it: termexplorer evaluate pairs --pairs FOLDER"
        ),
    ),
)
"""What this program writes itself, told before any format, some of which any JSON may be."""
OTHERS: tuple[Sign, ...] = (
    Sign(mark("a fastText model"), head=re.compile(rb"\xba\x16\x4f\x2f"), advice=_AMONG_VECTORS),
    Sign(mark("a matrix of NumPy"), head=re.compile(rb"\x93NUMPY"), advice=_AMONG_VECTORS),
    Sign(
        mark("word vectors"),
        head=re.compile(
            rb"(?:\xef\xbb\xbf)?(?:\d+ \d+ *\r?\n\S+ |"  # word2vec: how many, how wide
            rb"\S+(?: [-+]?\d*\.\d+(?:e[-+]?\d+)?){3,} *\r?\n\S+ [-+]?\d*\.\d)",  # GloVe
            re.IGNORECASE,
        ),
        advice=_AMONG_VECTORS,
    ),
    Sign(mark("a PDF document"), head=re.compile(rb"%PDF-"), advice=_ANOTHER),
    Sign(
        mark("XML or HTML"),
        text=re.compile(r"\A\s*<(?:\?xml|!DOCTYPE|html)\b", re.IGNORECASE),
        advice=_ANOTHER,
    ),
)
"""What is told, and no relative of any format."""
