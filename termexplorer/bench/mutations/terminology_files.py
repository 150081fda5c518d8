"""Sound files of the formats that terminologies are imported from."""

from __future__ import annotations

import gzip
import io
import json
import re
import tarfile
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from termexplorer.bench.mutations.sound_file import (
    FileReading,
    SoundFile,
    make_file,
    make_rows,
    make_workbooks,
    pack_zip,
    read_folder,
)
from termexplorer.errors import UserError

_ROWS = 12
_NUMBER = re.compile(r"\d+")
_RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
_RDFS = "http://www.w3.org/2000/01/rdf-schema#"
_OWL = "http://www.w3.org/2002/07/owl#"
_SKOS = "http://www.w3.org/2004/02/skos/core#"
_OBO = "http://purl.obolibrary.org/obo/"


def read_terminology(format_name: str) -> Callable[[Path], FileReading]:
    """Return the door of importing: a file is read as what it is told to be, or else as named."""
    from termexplorer.importers.formats import choices_of, detect, open_importer
    from termexplorer.importers.records import ConceptRecord, Note, Repeated, Skipped

    def read(path: Path) -> FileReading:
        try:
            format_key = detect(path)
        except UserError:
            format_key = format_name
        choices_of(format_key, path)
        texts: list[str] = []
        counts: Counter[str] = Counter()
        for record in open_importer(format_key, path).records:
            if isinstance(record, ConceptRecord):
                texts += [record.curie, *(name.text for name in record.names)]
            elif isinstance(record, Note):
                counts[_NUMBER.sub("#", record.text)] += record.count
            elif isinstance(record, Skipped | Repeated):
                counts["left out"] += 1
        return FileReading("\n".join(texts), counts)

    return read


def make_obo_files(_folder: Path) -> list[SoundFile]:
    """Return OBO, plain and packed."""

    def write(number: int, name: str) -> str:
        above = f"is_a: T:{number // 2:07} ! above\n" if number > 1 else ""
        return (
            f'[Term]\nid: T:{number:07}\nname: {name}\ndef: "Text, \\"quoted\\"." [X:1]\n'
            f'synonym: "also {name}" EXACT [X:{number}]\nxref: MESH:D{number}\n{above}\n'
        )

    head = "format-version: 1.2\ndata-version: 2024-01-02\nontology: toy\n\n"
    file = make_file("toy.obo", read_terminology("obo"), make_rows(_ROWS, write), head)
    return [file, pack_gzip(file)]


def make_owl_files(_folder: Path) -> list[SoundFile]:
    """Return OWL and SKOS in RDF/XML."""

    def write_class(number: int, name: str) -> str:
        return (
            f'<owl:Class rdf:about="{_OBO}T_{number}"><rdfs:label xml:lang="en">{name}</rdfs:label>'
            f'<rdfs:subClassOf rdf:resource="{_OBO}T_{number // 2}"/></owl:Class>\n'
        )

    def write_concept(number: int, name: str) -> str:
        return (
            f'<skos:Concept rdf:about="http://a.org/{number}"><skos:prefLabel xml:lang="en">{name}'
            f'</skos:prefLabel><skos:broader rdf:resource="http://a.org/{number // 2}"/>'
            "</skos:Concept>\n"
        )

    head = (
        f'<?xml version="1.0"?>\n<rdf:RDF xmlns:rdf="{_RDF}" xmlns:rdfs="{_RDFS}" '
        f'xmlns:owl="{_OWL}" xmlns:skos="{_SKOS}">\n'
    )
    read = read_terminology("rdf")
    return [
        make_file("toy.owl", read, make_rows(_ROWS, write_class), head, "</rdf:RDF>\n"),
        make_file("toy.rdf", read, make_rows(_ROWS, write_concept), head, "</rdf:RDF>\n"),
    ]


def make_turtle_files(_folder: Path) -> list[SoundFile]:
    """Return OWL and SKOS in Turtle, and N-Triples."""

    def write_class(number: int, name: str) -> str:
        return (
            f'obo:T_{number} a owl:Class ; rdfs:label "{name}"@en ;\n'
            f'    rdfs:comment """long\ntext""" ; rdfs:subClassOf obo:T_{number // 2} .\n\n'
        )

    def write_concept(number: int, name: str) -> str:
        return (
            f'<http://a.org/{number}> a skos:Concept ; skos:prefLabel "{name}"@en ;\n'
            f'    skos:altLabel "also {name}"@en ; skos:broader <http://a.org/{number // 2}> .\n\n'
        )

    def write_triples(number: int, name: str) -> str:
        return (
            f"<{_OBO}T_{number}> <{_RDF}type> <{_OWL}Class> .\n"
            f'<{_OBO}T_{number}> <{_RDFS}label> "{name}"@en .\n'
        )

    head = (
        f"@prefix rdfs: <{_RDFS}> .\n@prefix owl: <{_OWL}> .\n@prefix skos: <{_SKOS}> .\n"
        f"@prefix obo: <{_OBO}> .\n\n"
    )
    read = read_terminology("rdf")
    return [
        make_file("owl.ttl", read, make_rows(_ROWS, write_class), head),
        make_file("skos.ttl", read, make_rows(_ROWS, write_concept), head),
        make_file("toy.nt", read, make_rows(_ROWS, write_triples)),
    ]


def make_json_files(_folder: Path) -> list[SoundFile]:
    """Return OBO Graphs, and a FHIR CodeSystem alone and in a package."""

    def write_node(number: int, name: str) -> str:
        node = {
            "id": f"{_OBO}T_{number}", "lbl": name, "type": "CLASS",
            "meta": {"synonyms": [{"pred": "hasExactSynonym", "val": f"also {name}"}]},
        }  # fmt: skip
        return json.dumps(node)

    def write_code(number: int, name: str) -> str:
        concept = {
            "code": f"c{number}", "display": name, "definition": "What it is.",
            "designation": [{"language": "en", "value": f"also {name}"}],
            "property": [{"code": "weight", "valueDecimal": 1.5}],
        }  # fmt: skip
        return json.dumps(concept)

    edges = [
        {"sub": f"{_OBO}T_{n}", "pred": "is_a", "obj": f"{_OBO}T_{n // 2}"} for n in range(2, _ROWS)
    ]
    graphs = make_file(
        "toy.json", read_terminology("obographs"), make_rows(_ROWS, write_node),
        f'{{"graphs": [{{"id": "{_OBO}toy.owl", "nodes": [\n',
        f'],\n"edges": {json.dumps(edges)}}}]}}\n', ",\n",
    )  # fmt: skip
    system = make_file(
        "system.json", read_terminology("fhir"), make_rows(_ROWS, write_code),
        '{"resourceType": "CodeSystem", "url": "http://a.org/toys", "version": "1",\n'
        '"name": "Toys", "status": "active", "content": "complete", "concept": [\n',
        "]}\n", ",\n",
    )  # fmt: skip
    package = io.BytesIO()
    with tarfile.open(fileobj=package, mode="w") as archive:
        for name, content in (
            ("package/package.json", b'{"name": "toys", "version": "1.0.0"}'),
            ("package/CodeSystem-toys.json", system.contents["system.json"]),
        ):
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    read = read_terminology("fhir")
    packed = {"toys.tgz": gzip.compress(package.getvalue())}
    return [
        graphs, pack_gzip(graphs), system,
        SoundFile("toys.tgz", packed, read),
        SoundFile("toys.tar", {"toys.tar": package.getvalue()}, read),
    ]  # fmt: skip


def make_xml_files(_folder: Path) -> list[SoundFile]:
    """Return ClaML, MeSH, and the tabular list of ICD-10-CM."""

    def write_class(number: int, name: str) -> str:
        above = f'<SuperClass code="C{number // 2}"/>' if number > 1 else ""
        return (
            f'<Class code="C{number}" kind="category">{above}<Rubric id="R{number}" '
            f'kind="preferred"><Label xml:lang="en">{name}</Label></Rubric></Class>\n'
        )

    def write_descriptor(number: int, name: str) -> str:
        return (
            f'<DescriptorRecord DescriptorClass="1"><DescriptorUI>D{number:06}</DescriptorUI>'
            f"<DescriptorName><String>{name}</String></DescriptorName><TreeNumberList>"
            f"<TreeNumber>A01.{number:03}</TreeNumber></TreeNumberList><ConceptList>"
            f'<Concept PreferredConceptYN="Y"><ConceptUI>M{number}</ConceptUI><ConceptName><String>'
            f"{name}</String></ConceptName><TermList><Term><TermUI>T{number}</TermUI><String>{name}"
            "</String></Term></TermList></Concept></ConceptList></DescriptorRecord>\n"
        )

    def write_diagnosis(number: int, name: str) -> str:
        return f"<diag><name>B{number:02}</name><desc>{name}</desc></diag>\n"

    xml = '<?xml version="1.0" encoding="UTF-8"?>\n'
    return [
        make_file(
            "toy.xml", read_terminology("claml"), make_rows(_ROWS, write_class),
            f'{xml}<!DOCTYPE ClaML SYSTEM "ClaML.dtd">\n<ClaML version="2.0.0"><Title name="Toy" '
            'version="1">Toy</Title><ClassKinds><ClassKind name="category"/></ClassKinds>\n',
            "</ClaML>\n",
        ),
        make_file(
            "desc.xml", read_terminology("mesh"), make_rows(_ROWS, write_descriptor),
            f'{xml}<DescriptorRecordSet LanguageCode="eng">\n', "</DescriptorRecordSet>\n",
        ),
        make_file(
            "tabular.xml", read_terminology("icd10cm-tabular"), make_rows(_ROWS, write_diagnosis),
            f'{xml}<ICD10CM.tabular><version>2021</version><chapter><name>1</name><desc>All (B00-'
            'B99)</desc><section id="B00-B99"><desc>Some (B00-B99)</desc>\n',
            "</section></chapter></ICD10CM.tabular>\n",
        ),
    ]  # fmt: skip


def make_table_files(_folder: Path) -> list[SoundFile]:
    """Return tables as text and workbook, a dictionary, a MeSH tree, and a PubTator corpus."""

    def cells_of(number: int, name: str) -> tuple[str, ...]:
        return f"T:{number}", name, f'also "{name}"', f"T:{number // 2}" if number > 1 else ""

    titles = ("id", "name", "synonyms", "parent")
    csv = make_rows(
        _ROWS,
        lambda n, name: f'T:{n},{name},"also, ""{name}""",{f"T:{n // 2}" if n > 1 else ""}\r\n',
    )
    tsv = make_rows(_ROWS, lambda n, name: "\t".join(cells_of(n, name)).replace('"', "") + "\n")
    cells = (cells_of(n, f"Zq{n}q") for n in range(1, _ROWS + 1))
    read = read_terminology("table")
    names = make_rows(_ROWS, lambda n, name: f"D{n:06}||{name}|also {name}\n")
    tree = make_rows(_ROWS, lambda n, name: f"A{n:02}\tD{n}\t{name}\n")
    order = make_rows(_ROWS, lambda n, name: f"{n:05} B{n:02}     1 {name:<60} {name} in full\n")
    corpus = make_rows(
        _ROWS,
        lambda n, name: (
            f"{n}|t|{name} in mice\n{n}|a|Text.\n{n}\t0\t{len(name)}\t{name}\tDisease\tD{n}\n\n"
        ),
    )
    text = make_file("table.csv", read, csv, ",".join(titles) + "\r\n")
    return [
        text, pack_gzip(text),
        make_file("table.tsv", read, tsv, "\t".join(titles) + "\n"),
        *make_workbooks("table.xlsx", read, (titles, *cells)),
        make_file("names.txt", read_terminology("dictionary"), names),
        make_file("tree.tsv", read_terminology("mesh-tree"), tree, "Tree Number\tDesc Ui\tTerm\n"),
        make_file("order.txt", read_terminology("icd10cm-order"), order),
        make_file("corpus.txt", read_terminology("pubtator"), corpus),
    ]  # fmt: skip


def make_release_files(folder: Path) -> list[SoundFile]:
    """Return releases in RF2, RRF and OMOP, as folders and packed."""
    from termexplorer.bench.releases import rf2_release, rrf_release

    size = rf2_release.Rf2Size(concepts=20, descriptions=60, relationships=60, definitions=3)
    rf2 = rf2_release.write_release(folder / "rf2", size, ("Snapshot",))
    rrf = rrf_release.write_release(folder / "META", rrf_release.RrfSize(30, definitions=3, seed=0))
    files = [
        _mark_names("release", read_folder(rf2), "sct2_Description_", (7, b"\t"), "rf2"),
        _mark_names("META", read_folder(rrf), "MRCONSO", (14, b"|"), "rrf"),
        _make_omop_release(),
    ]
    packed = [replace(file, name=f"{file.name}.zip", is_packed=True) for file in files]
    wholes = [
        replace(
            file,
            contents={file.name: pack_zip(file.contents)},
            is_packed=False,
            is_folder=False,
            rows={},
            heads={},
        )
        for file in packed
    ]
    return [*files, *files, *packed, *wholes]


def _mark_names(
    folder: str, contents: dict[str, bytes], file: str, column: tuple[int, bytes], format_name: str
) -> SoundFile:
    """Return a release with a token in each name of one of its files."""
    at, separator = column
    name = next(entry for entry in contents if file in entry)
    lines = contents[name].splitlines(keepends=True)
    rows = []
    for number, line in enumerate(lines, 1):
        cells = line.split(separator)
        cells[at] += f" Zq{number}q".encode()
        rows.append(separator.join(cells))
    head = lines[0] if format_name == "rf2" else b""
    rows = rows[bool(head) :]
    contents = {**contents, name: head + b"".join(rows)}
    return SoundFile(
        folder, contents, read_terminology(format_name), is_folder=True,
        rows={name: tuple(rows)}, heads={name: head},
    )  # fmt: skip


def _make_omop_release() -> SoundFile:
    from termexplorer.importers.omop.files import CONCEPTS, LAYOUT, RELATIONS, SYNONYMS

    dates = "20020131\t20991231"
    concepts = make_rows(
        _ROWS,
        lambda n, name: f"{n}\t{name}\tCondition\tToys\tFinding\tS\tc{n}\t{dates}\t\n",
    )
    synonyms = make_rows(_ROWS, lambda n, name: f"{n}\talso {name}\t4180186\n")
    relations = make_rows(_ROWS - 1, lambda n, _: f"{n + 1}\t{n}\tIs a\t{dates}\t\n")
    files = {
        "CONCEPT.csv": (CONCEPTS, concepts), "CONCEPT_SYNONYM.csv": (SYNONYMS, synonyms),
        "CONCEPT_RELATIONSHIP.csv": (RELATIONS, relations),
    }  # fmt: skip
    heads = {
        name: ("\t".join(LAYOUT.columns[role]) + "\n").encode() for name, (role, _) in files.items()
    }
    contents = {name: heads[name] + b"".join(rows) for name, (_, rows) in files.items()}
    return SoundFile(
        "omop", contents, read_terminology("omop"), is_folder=True,
        rows={"CONCEPT.csv": concepts}, heads=heads,
    )  # fmt: skip


def pack_gzip(file: SoundFile) -> SoundFile:
    """Return a file packed by gzip, whose packed bytes are damaged."""
    (content,) = file.contents.values()
    name = f"{file.name}.gz"
    return SoundFile(name, {name: gzip.compress(content, mtime=0)}, file.read)
