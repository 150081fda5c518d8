"""A small valid file of each format, or the files of a release, to be damaged by tests."""

import gzip
import json
from pathlib import Path

import test_import_claml as claml
import test_import_fhir as fhir
import test_import_icd10cm_files as icd10cm
import test_import_mesh as mesh
import test_import_obo as obo
import test_import_obographs as obographs
import test_import_omop as omop
import test_import_pubtator as pubtator
import test_import_rdf as rdf
import test_import_rrf as rrf
import test_import_table as table
from rf2_toy import release as rf2_release

FILES = {
    "obo": (obo.HEADER + obo.TERM * 3).encode(),
    "obographs": json.dumps({"graphs": [obographs.graph([obographs.NODE])]}, indent=1).encode(),
    "fhir": fhir.HOLDERS["one"].encode(),
    "fhir package": gzip.decompress(fhir.PACKAGE),
    "pubtator": pubtator.TEXT.encode(),
    "rdf turtle": (rdf.HEAD + rdf.OWL_TEXT).encode(),
    "rdf skos": (rdf.HEAD + rdf.SKOS_TEXT).encode(),
    "rdf xml": (rdf.XML % ("", "<o:l>x</o:l>")).encode(),
    "table": table.as_text(table.ROWS).encode(),
    "dictionary": b"D000001|D9||one|first\nD000002||two|second|zwei\n123456||three\n",
    "mesh": mesh.DESCRIPTORS.encode(),
    "mesh supplementary": mesh.SUPPLEMENTARY.encode(),
    "mesh-tree": mesh.TABLE.encode(),
    "icd10cm-order": "".join(icd10cm.LINES).encode(),
    "icd10cm-tabular": icd10cm.XML.encode(),
    "claml": claml.TEXT.encode(),
}
"""Format, perhaps with a word on which of its forms -> the bytes of a file."""

RELEASES = {"rf2": rf2_release, "rrf": rrf.release, "omop": omop.release}
"""Format -> what writes the files of a release into a folder."""


def workbook(folder: Path) -> bytes:
    """A table as XLSX."""
    return table.as_workbook(folder / "sound.xlsx", table.ROWS).read_bytes()
