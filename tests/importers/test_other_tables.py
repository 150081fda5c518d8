"""Files that hold no terminology, or that no format reads, are called by their names."""

import gzip
import io
import zipfile
from functools import partial

import openpyxl
import pytest
from importing import read, write

from termexplorer.errors import UserError
from termexplorer.importers.formats import detect
from termexplorer.workers.importing.file_look import TableLook, run_preview
from termexplorer.workers.process.child import Channel

SSSOM = "subject_id\tpredicate_id\tobject_id\tmapping_justification\n"
PAIRS = {
    "ours": "left\tright\tlabel\tleft_concept\nheart\tliver\t0\tT:1\nheart\tcor\t1\tT:1\n",
    "numbered": "Mean,Stdev,Term1,Term2,CUI1,CUI2\n3.5,1,heart,liver,C0000001,C0000002\n",
    "lettered": "term_a;term_b;score\nheart;liver;0.5\nskin;hair;0.25\n",
    "bare": "heart\tliver\t3.5\nskin\thair\t2\n",
}
TABLES = {
    "weights": "id,name,score\nT1,heart,3.5\nT2,liver,2\n",
    "bare": "T1,heart,3.5\nT2,liver,2\n",
    "codes": "HEART,heart,3.5\nLIVER,liver,2\n",
    "levels": "code,name,label,level\nT1,heart,x,1\n",
    "sides": "source,target,code,name\na,b,T1,heart\n",
}


def zipped(members):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return buffer.getvalue()


OFFICE = {
    "OpenDocument": zipped({"mimetype": "application/vnd.oasis.opendocument.text"}),
    "binary workbook": zipped({"[Content_Types].xml": "", "xl/workbook.bin": ""}),
    "Word document": zipped({"[Content_Types].xml": "", "word/document.xml": ""}),
    "Numbers": zipped({"Index/Document.iwa": ""}),
}


@pytest.mark.parametrize("kind", OFFICE)
def test_files_of_office_programs_are_called_by_their_names(tmp_path, kind):
    path = write(tmp_path, "file", OFFICE[kind])
    channel = Channel(None)  # that is told nothing
    preview = partial(run_preview, _channel=channel)
    for door in (detect, lambda path: read("table", path), lambda path: preview(TableLook(path))):
        with pytest.raises(UserError, match=f"looks like an? {kind}.*(?:as XLSX|another format)"):
            door(path)


def test_another_zip_is_none_of_an_office_program(tmp_path):
    with pytest.raises(UserError, match="holds no release"):
        detect(write(tmp_path, "file.zip", zipped({"table.csv": "id,name\n"})))


@pytest.mark.parametrize("head", ["", "#mapping_set_id: http://example.org/s\n#license: x\n"])
def test_a_set_of_mappings_is_sent_to_suggestions(tmp_path, head):
    row = "D:1\tskos:exactMatch\tE:1\tsemapv:LexicalMatching\n"
    path = write(tmp_path, "file.tsv", head + SSSOM + row)
    with pytest.raises(UserError, match="suggestion import"):
        detect(path)
    columns = {"id": "subject_id", "name": "object_id"}
    assert read("table", path, columns=columns).concepts[0].curie == "D:1"


@pytest.mark.parametrize("kind", PAIRS)
def test_scored_pairs_are_sent_to_evaluate(tmp_path, kind):
    with pytest.raises(UserError, match="evaluate pairs"):
        detect(write(tmp_path, "file", PAIRS[kind]))


@pytest.mark.parametrize("kind", TABLES)
def test_tables_of_concepts_are_none(tmp_path, kind):
    assert detect(write(tmp_path, "file", TABLES[kind])) == "table"


RATINGS = {
    "letters": "unit,A,B,C\n1,1,2,1\n2,2,2,*\n3,3,3,3\n4,1,.,1\n5,2,2,2\n",
    "terms": "term,other,rater1,rater2\n" + "heart,liver,yes,no\nskin,hair,no,no\n" * 3,
    "semicolons": "item;coder_1;coder_2\na1;same;same\na2;same;other\n" + "a3;other;other\n" * 3,
}


@pytest.mark.parametrize("kind", RATINGS)
def test_ratings_lead_to_agreement(tmp_path, kind):
    with pytest.raises(UserError, match=r"ratings.*study agreement --ratings"):
        detect(write(tmp_path, "ratings.csv", RATINGS[kind].encode()))


def test_answers_beside_names_are_a_terminology(tmp_path):
    for name in ("heart", "HEART"):
        rows = "".join(f"T{n},{name} {n},{n % 2},{(n + 1) % 2}\n" for n in range(9))
        path = write(tmp_path, "t.csv", f"id,name,billable,active\n{rows}".encode())
        assert detect(path) == "table"


VECTORS = {
    "fastText": b"\xba\x16\x4f\x2f\x0c\0\0\0",
    "matrix": b"\x93NUMPY\x01\0v\0{'descr': '<f4'}",
    "word2vec": b"2 3\nheart 0.1 0.2 0.3\nliver 0.1 0.2 0.3\n",
    "marked": b"\xef\xbb\xbf2 3\r\nheart 1 2 3\r\nliver 0.1 0.2 0.3\r\n",
    "binary": b"2 2\nheart \0\0\x80?\0\0\x80?\nliver \0\0\x80?\0\0\x80?\n",
    "GloVe": b"heart 0.1 -0.2 3e-05 .5\nliver 0.1 0.2 0.3 0.4\n".replace(b"3e-05", b"3.1e-05"),
}


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("kind", VECTORS)
def test_vectors_lead_to_encoders(tmp_path, kind, packed):
    content = gzip.compress(VECTORS[kind]) if packed else VECTORS[kind]
    with pytest.raises(UserError, match="termexplorer vectors add"):
        detect(write(tmp_path, "file.bin", content))


PARTS = {
    "OMOP, its cells parted by commas": "concept_id_1,concept_id_2,relationship_id\n1,2,Is a\n",
    "OMOP, its cells parted by tabs": "concept_id\tconcept_synonym_name\n1\theart\n",
    "RF2, its cells parted by tabs": "id\teffectiveTime\tactive\tmoduleId\tterm\n1\t2\t1\t3\tx\n",
    "RRF, its cells parted by bars": "C0000001|T047|B2|Disease|AT1||\n" * 2,
}


@pytest.mark.parametrize("kind", PARTS)
@pytest.mark.parametrize("packed", [False, True])
def test_one_file_of_a_release_leads_to_its_folder(tmp_path, kind, packed):
    content = PARTS[kind].encode()
    path = write(tmp_path, "part.txt", gzip.compress(content) if packed else content)
    with pytest.raises(UserError, match=f"one file of a release in {kind}.*folder"):
        detect(path)


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([["subject_id", "predicate_id", "object_id"], ["A:1", "skos:exactMatch", "B:1"]], "SSSOM"),
        ([["term1", "term2", "score"], ["heart", "liver", 2.5], ["a b", "c d", 1]], "score a line"),
        ([["unit", "A", "B"], *[[n, n % 3, n % 3] for n in range(8)]], "study agreement"),
    ],
)
def test_workbooks_of_other_tables_are_told_as_texts_are(tmp_path, rows, message):
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    book.save(tmp_path / "book.xlsx")
    with pytest.raises(UserError, match=message):
        detect(tmp_path / "book.xlsx")
