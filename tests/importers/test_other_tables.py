"""Files that hold no terminology, or that no format reads, are called by their names."""

import io
import zipfile
from functools import partial

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
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return made.getvalue()


OFFICE = {
    "OpenDocument": zipped({"mimetype": "application/vnd.oasis.opendocument.spreadsheet"}),
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
    with pytest.raises(UserError, match="suggest import"):
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
