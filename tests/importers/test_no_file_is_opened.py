"""Whatever XML names, only the file itself is opened, and no network: told by system calls."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

STRACE = shutil.which("strace") or ""
pytestmark = pytest.mark.skipif(
    not STRACE, reason="strace is not there; setup.sh --dev installs it"
)

_BEGIN = "/from here on it counts"
_READ = f"""
import sys
from pathlib import Path
from termexplorer.errors import UserError
from termexplorer.importers.formats import choices_of, detect, open_importer

def read(path):
    try:
        detect(path)
        choices_of(path.stem.split("_")[0], path)
        records = open_importer(path.stem.split("_")[0], path).records
        return [name.text for record in records for name in getattr(record, "names", ())]
    except UserError as error:
        return str(error)

folder = Path(sys.argv[1])
for path in sorted(folder.glob("*_sound.xml")):
    assert "Zq1q" in read(path), (path, read(path))  # and imports all that it needs
for path in sorted(folder.glob("*_refused.xml")):
    read(path)
tried = sorted(folder.glob("*_tried_*.xml"))
try:
    open({_BEGIN!r})
except OSError:
    pass
for path in tried:
    print(path.name, read(path))
"""
_BODIES = {
    "mesh": """<DescriptorRecordSet LanguageCode="eng">{include}<DescriptorRecord>
<DescriptorUI>D000001</DescriptorUI><DescriptorName><String>Zq1q{entity}</String></DescriptorName>
<ConceptList><Concept PreferredConceptYN="Y"><ConceptName><String>Zq1q</String></ConceptName>
<TermList><Term><String>Zq1q{entity}</String></Term></TermList></Concept></ConceptList>
</DescriptorRecord></DescriptorRecordSet>""",
    "claml": """<ClaML version="2.0.0"><Title name="a" version="1">a</Title>{include}
<Class code="A" kind="category"><Rubric kind="preferred"><Label>Zq1q{entity}</Label></Rubric>
</Class></ClaML>""",
    "icd10cm-tabular": """<ICD10CM.tabular><version>2021</version>{include}<chapter>
<name>1</name><desc>All (B00-B99)</desc><section id="B00-B99"><desc>Some (B00-B99)</desc>
<diag><name>B01</name><desc>Zq1q{entity}</desc></diag></section></chapter></ICD10CM.tabular>""",
    "rdf": """<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
xmlns:rdfs="http://www.w3.org/2000/01/rdf-schema#" xmlns:owl="http://www.w3.org/2002/07/owl#">
{include}<owl:Class rdf:about="http://a.org/A_1"><rdfs:label>Zq1q{entity}</rdfs:label></owl:Class>
</rdf:RDF>""",
}
_DTDS = ("leak.dtd", "file://{folder}/pipe", "http://127.0.0.1:9/leak.dtd")
_DOCTYPES = (
    *(f'<!DOCTYPE {{root}} SYSTEM "{dtd}">' for dtd in _DTDS),
    *(f'<!DOCTYPE {{root}} PUBLIC "-//A//B" "{dtd}">' for dtd in _DTDS),
    *(f'<!DOCTYPE {{root}} [<!ENTITY % p SYSTEM "{dtd}"> %p;]>' for dtd in _DTDS),
    *(f'<!DOCTYPE {{root}} [<!ENTITY leak SYSTEM "{dtd}">]>' for dtd in _DTDS),
    *(f'<!DOCTYPE {{root}} SYSTEM "{dtd}" [<!ENTITY a "b">]>' for dtd in _DTDS),
    '<?xml-stylesheet type="text/xsl" href="leak.dtd"?>',
)
_INCLUDE = '<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="leak.dtd" parse="text"/>'
_CALL = re.compile(r"^\d+ +(open|openat|connect)\((.*)$", re.MULTILINE)
_NAME = re.compile(r'"((?:[^"\\]|\\.)*)"')


def write_files(folder: Path) -> int:
    """Write XML in each format with each DOCTYPE, and what they name; return how many there are."""
    (folder / "leak.dtd").write_text('<!ENTITY leak "LEAKED">')
    os.mkfifo(folder / "pipe")
    for name, body in _BODIES.items():
        root = re.findall(r"<([\w.:]+)", body)[0]
        sound = body.format(entity="", include="")
        (folder / f"{name}_sound.xml").write_text(f'<?xml version="1.0"?>\n{sound}')
        (folder / f"{name}_refused.xml").write_text(f"{sound[:-9]}&leak;")
        for number, doctype in enumerate(_DOCTYPES):
            head = doctype.format(folder=folder, root=root)
            for entity in ("", "&leak;"):
                text = f'<?xml version="1.0"?>\n{head}\n' + body.format(
                    entity=entity, include=_INCLUDE if not entity and name != "rdf" else ""
                )
                (folder / f"{name}_tried_{number}{bool(entity)}.xml").write_text(text)
    return len(_BODIES) * len(_DOCTYPES) * 2


def test_no_doctype_opens_a_file_or_the_network(tmp_path: Path) -> None:
    files, trace = tmp_path / "files", tmp_path / "trace"
    files.mkdir()
    count = write_files(files)
    process = subprocess.run(
        [STRACE, "-f", "-qq", "-s", "4096", "-e", "trace=open,openat,connect", "-o", str(trace),
         sys.executable, "-c", _READ, str(files)],
        capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    if "ptrace" in process.stderr or "PTRACE" in process.stderr:
        pytest.skip(f"strace is not allowed to trace here: {process.stderr.strip()}")
    assert process.returncode == 0, process.stderr
    assert len(process.stdout.splitlines()) == count
    assert "LEAKED" not in process.stdout
    _, begin, counted = trace.read_text("utf-8", "replace").partition(_BEGIN)
    assert begin
    calls = _CALL.findall(counted)
    opened = {name for call, rest in calls for name in _NAME.findall(rest)[:1] if call != "connect"}
    assert [rest for call, rest in calls if call == "connect"] == []
    assert opened == {str(path) for path in files.glob("*_tried_*.xml")}
