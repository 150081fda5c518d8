import gzip

import pytest
from importing import read, write

from termexplorer.errors import UserError
from termexplorer.importers.formats import FORMATS, detect, open_importer
from termexplorer.importers.source import Source

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
        (gzip.compress(b""), "empty"),
        (bytes(range(256)) * 9, "binary"),
        (gzip.compress(OBO.encode() * 999)[:-40], "truncated"),
        (gzip.compress(OBO.encode() * 999)[:40] + b"?" * 40, "damaged|truncated"),
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
    with pytest.raises(UserError, match="--format"):
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


def test_an_import_left_early_closes_its_file(tmp_path):
    opened = open_importer("dictionary", write(tmp_path, "file", DICTIONARY * 999))
    next(opened.records)
    next(opened.records)
    opened.records.close()
