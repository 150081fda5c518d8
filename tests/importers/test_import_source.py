import gzip
import subprocess
import sys

import pytest
from importing import names, read, write

from termexplorer.errors import UserError
from termexplorer.importers.files.source import Source
from termexplorer.importers.format_table import FORMATS
from termexplorer.importers.formats import detect, open_importer

OBO = "format-version: 1.2\nontology: toy\n\n[Term]\nid: T:1\nname: one\n"
DICTIONARY = "T1||one|first\nT2||two\n"
TABLE = "id,name\nT1,one\nT2,two\n"
GRAPHS = '{"graphs": [{"id": "toy", "nodes": [{"id": "T:1", "lbl": "one", "type": "CLASS"}]}]}'
SAMPLES = {"obo": OBO, "dictionary": DICTIONARY, "table": TABLE, "obographs": GRAPHS}


@pytest.mark.parametrize("format_name", SAMPLES)
@pytest.mark.parametrize("ending", ["", ".gz"])
def test_every_format_is_told_by_content_and_read_to_its_end(tmp_path, format_name, ending):
    path = write(tmp_path, f"file{ending}", SAMPLES[format_name])
    assert detect(path) == format_name
    imported = read(format_name, path)
    assert imported.concepts[0].names[0].text == "one"
    assert imported.fraction == 1


def test_zipping_is_told_by_content_not_by_name(tmp_path):
    path = write(tmp_path, "plain.obo", gzip.compress(OBO.encode()))
    assert len(read("obo", path).concepts) == 1


@pytest.mark.parametrize("format_name", SAMPLES)
@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "empty"),
        (gzip.compress(b"", mtime=0), "empty"),
        (bytes(range(256)) * 9, "binary"),
        (gzip.compress(OBO.encode() * 999, mtime=0)[:-40], "truncated"),
        (gzip.compress(OBO.encode() * 999, mtime=0)[:40] + b"?" * 40, "damaged|truncated"),
    ],
)
def test_what_is_no_text_is_refused_in_one_line(tmp_path, format_name, content, message):
    path = write(tmp_path, "file", content)
    with pytest.raises(UserError, match=message) as error:
        read(format_name, path)
    assert "\n" not in str(error.value)
    assert str(path) in str(error.value)


@pytest.mark.parametrize("format_name", SAMPLES)
def test_a_missing_file_and_a_folder_are_refused(tmp_path, format_name):
    with pytest.raises(UserError, match="does not exist"):
        open_importer(format_name, tmp_path / "none")
    with pytest.raises(UserError, match="folder"):
        open_importer(format_name, tmp_path)


@pytest.mark.parametrize("format_name", ["obo", "dictionary", "table"])
def test_other_encodings_are_refused_with_their_line(tmp_path, format_name):
    latin = (SAMPLES[format_name] + "T9||caf\u00e9,x\n").encode("latin-1")
    line = latin.count(b"\n")
    with pytest.raises(UserError, match=f"line {line}: not UTF-8"):
        read(format_name, write(tmp_path, "file", latin))


@pytest.mark.parametrize("format_name", SAMPLES)
@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
def test_utf_16_is_called_by_its_name(tmp_path, format_name, encoding):
    path = write(tmp_path, "file", SAMPLES[format_name].encode(encoding))
    for door in (detect, lambda path: read(format_name, path)):
        with pytest.raises(UserError, match=r"file, line 1: the text is in UTF-16.*save it in UTF"):
            door(path)


@pytest.mark.parametrize("format_name", ["obo", "dictionary", "table"])
@pytest.mark.parametrize("times", [1, 20_000])
def test_a_nul_byte_is_told_with_its_line(tmp_path, format_name, times):
    content = SAMPLES[format_name].encode() * times
    path = write(tmp_path, "file", content + b"ab\0c\n")
    line = content.count(b"\n") + 1
    with pytest.raises(UserError, match=f"line {line}: binary.*NUL byte; choose"):
        read(format_name, path)


OTHERS = {
    "an OBO file": OBO,
    "JSON": GRAPHS,
    "XML or HTML": '<?xml version="1.0"?>\n<a x="1,2">\n<b>1,2</b>\n</a>\n',
    "an XLSX workbook": b"PK\x03\x04, and more",
    "an old Excel workbook": b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(99),
    "a PDF document": "%PDF-1.4\n1,2\n3,4\n",
}


@pytest.mark.parametrize("like", OTHERS)
@pytest.mark.parametrize("format_name", ["obo", "table", "dictionary"])
def test_a_format_that_is_plainly_wrong_is_refused(tmp_path, format_name, like):
    other_titles = {"obo": "an OBO file", "table": "an XLSX workbook"}
    if other_titles.get(format_name) == like:
        return
    with pytest.raises(UserError, match=f"file looks like {like}.*, not like a") as error:
        open_importer(format_name, write(tmp_path, "file", OTHERS[like]))
    assert "choose" in str(error.value) or "save it as XLSX" in str(error.value)


def test_what_no_format_reads_is_called_by_its_name(tmp_path):
    for like in ("XML or HTML", "an old Excel workbook", "a PDF document"):
        with pytest.raises(UserError, match=f"looks like {like}.*cannot be imported"):
            detect(write(tmp_path, "file", OTHERS[like]))
    with pytest.raises(UserError, match="looks like XML or HTML"):
        detect(write(tmp_path, "page", "<html>\n<head>\n<title>no triples</title>\n"))


def test_every_format_leads_to_its_reader():
    for file_format in FORMATS.values():
        assert callable(file_format.reader().read)
        assert not file_format.likely or callable(file_format.reader().looks_like)
        if file_format.files:
            assert callable(file_format.release().holds_release)
            assert callable(file_format.release().open_release)


def test_what_formats_there_are_is_told_without_their_readers():
    code = """
import sys, termexplorer.services.importing.releases as importing
importing.formats(), importing.file_endings(), importing.format_title("rdf")
print(sorted({"lxml", "pyoxigraph", "fastobo", "ijson", "openpyxl"} & set(sys.modules)))
"""
    command = [sys.executable, "-c", code]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == "[]\n"


def test_rows_that_end_in_a_bar_are_no_dictionary(tmp_path):
    path = write(tmp_path, "file.RRF", "C1|ENG||one|\nC2|ENG||two|\n")
    with pytest.raises(UserError, match="--format"):
        detect(path)
    assert names(read("table", path, columns={"id": 1, "name": 4}).concepts[0]) == ["one"]


@pytest.mark.parametrize("format_name", SAMPLES)
@pytest.mark.parametrize("missing", [1, 8, 12])
def test_a_gzip_file_that_lacks_its_last_bytes_is_refused(tmp_path, format_name, missing):
    whole = gzip.compress(SAMPLES[format_name].encode())
    with pytest.raises(UserError, match="truncated"):
        read(format_name, write(tmp_path, "file", whole[:-missing]))


@pytest.mark.parametrize("format_name", SAMPLES)
def test_a_file_without_a_concept_is_refused(tmp_path, format_name):
    nothing = {
        "obo": "format-version: 1.2\n",
        "dictionary": "no bars\n",
        "table": "id,name\n,x\n",
        "obographs": '{"graphs": [{"id": "toy", "nodes": []}]}',
    }
    with pytest.raises(UserError, match="holds no"):
        read(format_name, write(tmp_path, "file", nothing[format_name]))


def test_text_in_no_format_and_unknown_formats_are_refused(tmp_path):
    with pytest.raises(UserError, match="--format"):
        detect(write(tmp_path, "file", "hello\nworld\n"))
    with pytest.raises(UserError, match="line 1: binary"):
        detect(write(tmp_path, "file", bytes(99)))
    with pytest.raises(UserError, match=", ".join(FORMATS)):
        open_importer("owl", tmp_path / "file")
    with pytest.raises(UserError, match="needs a file"):
        open_importer("obo", None)


def test_the_word_icd10cm_is_a_format_of_its_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert detect("icd10cm") == "icd10cm"


def test_progress_grows_as_lines_are_read(tmp_path):
    with Source(write(tmp_path, "long", "a line of text\n" * 50_000)) as source:
        seen = [source.fraction() for _ in source.lines()]
    assert seen == sorted(seen)
    assert 0 < seen[0] < seen[25_000] < seen[-1] <= 1


def test_a_byte_order_mark_and_foreign_line_ends_are_no_part_of_the_text(tmp_path):
    with Source(write(tmp_path, "file", b"\xef\xbb\xbfone\r\ntwo")) as source:
        assert list(source.lines()) == [(1, "one"), (2, "two")]
        assert not source.complete


@pytest.mark.parametrize("format_name", ["obo", "dictionary", "table"])
@pytest.mark.parametrize("end", ["\r", "\r\n"])
def test_returns_alone_end_lines_too(tmp_path, format_name, end):
    path = write(tmp_path, "mac", SAMPLES[format_name].replace("\n", end))
    assert detect(path) == format_name
    again = write(tmp_path, "unix", SAMPLES[format_name])
    mac, unix = ([c.names for c in read(format_name, form).concepts] for form in (path, again))
    assert mac == unix
    with Source(write(tmp_path, "long", b"a line of text\r" * 99_999 + b"end")) as source:
        assert sum(text == "a line of text" for _, text in source.lines()) == 99_999
        assert (source.line, source.complete) == (100_000, False)


def test_an_import_left_early_closes_its_file(tmp_path):
    opened = open_importer("dictionary", write(tmp_path, "file", DICTIONARY * 999))
    next(opened.records)
    next(opened.records)
    opened.records.close()
