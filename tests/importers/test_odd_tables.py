"""Odd tables: what of them is read, and what a report says of the rest."""

import json

import openpyxl
import pytest
from importing import names, read, write

from termexplorer.errors import UserError
from termexplorer.importers.formats import detect


def test_decimal_commas_do_not_part_a_table_of_tabs(tmp_path):
    rows = "code\tname\n1,01E+15\tone\n1,02E+15\ttwo\n"
    imported = read("table", write(tmp_path, "t.tsv", rows))
    assert [(c.code, names(c)) for c in imported.concepts] == [
        ("1,01E+15", ["one"]),
        ("1,02E+15", ["two"]),
    ]
    assert imported.note("shortened") == 2


@pytest.mark.parametrize("row", ["E9,nine,E1,lost,cells", "E9,a name, with a comma,E1"])
def test_cells_beyond_the_titles_are_told(tmp_path, row):
    rows = "".join(f"E{n},name {n},E1\n" for n in range(2, 9))
    imported = read("table", write(tmp_path, "t.csv", f"id,name,parent\nE1,one,\n{rows}{row}\n"))
    assert imported.note("wide rows") == 1
    (note,) = (note for note in imported.notes if note.kind == "wide rows")
    assert "line 10" in note.text
    assert (
        read("table", write(tmp_path, "u.csv", f"id,name,\nE1,one,\n{rows}")).note("wide rows") == 0
    )


@pytest.mark.parametrize(
    ("sign", "word"),
    [(",", "comma"), (";", "semicolon"), ("\t", "tab"), ("|", "bar"), ("^", "“^”")],
)
def test_the_sign_is_named_that_parts_a_name(tmp_path, sign, word):
    rows = [["id", "name", "parent"], *([f"E{n}", f"name {n}", "E1"] for n in range(2, 9))]
    rows.append(["E9", "a name", " in two", "E1"])
    text = "".join(sign.join(row) + "\n" for row in rows)
    imported = read("table", write(tmp_path, "t.csv", text), delimiter=sign)
    (note,) = (note for note in imported.notes if note.kind == "wide rows")
    assert f"{word} in a name" in note.text


def test_all_columns_that_are_counted_are_listed(tmp_path):
    rows = "id;name;;parent\n1;one;;\n2;a name; in two;1;;more\n"
    path = write(tmp_path, "t.csv", rows)
    with pytest.raises(UserError, match=r"it has 6 columns: id, name, 3, parent, 5, 6$"):
        read("table", path, columns={"id": 1, "name": 9})


def test_ids_that_a_program_wrote_as_decimals_are_told(tmp_path):
    imported = read("table", write(tmp_path, "t.csv", "id,name,parent\n1.0,one,\n2.0,two,1.0\n"))
    assert imported.concepts[1].parents == (imported.concepts[0].curie,)
    assert imported.note("decimal ids") == 2


def test_a_sheet_that_is_shown_goes_before_a_hidden_one(tmp_path):
    book = openpyxl.Workbook()
    hidden, shown = book.active, book.create_sheet("Codes")
    hidden.title, hidden.sheet_state = "Old", "hidden"
    for sheet, identifier in ((hidden, "X1"), (shown, "E10")):
        sheet.append(["id", "name"])
        sheet.append([identifier, "one"])
    book.active = 1
    book.save(tmp_path / "book.xlsx")
    imported = read("table", tmp_path / "book.xlsx")
    assert [concept.code for concept in imported.concepts] == ["E10"]
    assert imported.note("other sheets") == 1
    asked = read("table", tmp_path / "book.xlsx", sheet="Old")
    assert [concept.code for concept in asked.concepts] == ["X1"]


MAPPING = {"subject_id": "A:1", "predicate_id": "skos:exactMatch", "object_id": "B:1"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (json.dumps({"mapping_set_id": "x", "mappings": [MAPPING]}), "suggestion import"),
        (json.dumps([{"id": "E10", "name": "one"}]), "as a table in CSV"),
        ('{"id": "E10", "name": "one"}\n{"id": "E11", "name": "two"}\n', "as a table in CSV"),
        (json.dumps({"E10": ["one", "first"], "E11": ["two"]}), "names in JSON.*names dictionary"),
        (json.dumps({"E10": "one", "E11": "two"}), "names in JSON.*names dictionary"),
    ],
)
def test_json_of_other_kinds_leads_to_what_is_read(tmp_path, text, message):
    with pytest.raises(UserError, match=message):
        detect(write(tmp_path, "file.json", text))


def test_obo_graphs_is_not_taken_for_names(tmp_path):
    nodes = [{"id": "http://purl.obolibrary.org/obo/A_1", "lbl": "one", "type": "CLASS"}]
    for graphs in ({"graphs": [{"nodes": nodes}]}, {"id": "x", "graphs": [{"nodes": nodes}]}):
        assert detect(write(tmp_path, "file.json", json.dumps(graphs))) == "obographs"


def _note_of(imported, kind):
    return next((note.text for note in imported.notes if note.kind == kind), "")


def test_an_id_written_as_a_decimal_is_shown_as_it_stands(tmp_path):
    text = "id,name,parents\n12.0,one,\n13,two,\n"
    assert "12.0" in _note_of(read("table", write(tmp_path, "toys.csv", text)), "decimal ids")
    text = "id,name,parents\n12,one,\n13,two,12.0\n"
    shown = _note_of(read("table", write(tmp_path, "toys.csv", text)), "decimal parents")
    assert "12.0" in shown
    assert "1.0 " not in shown


@pytest.mark.parametrize(
    "titles",
    [
        "ICD-10 Code,Description,Short Description",
        "Code,Long Description,Short Description",
        "Kode,Bezeichnung,Kurzbezeichnung",
    ],
)
@pytest.mark.parametrize("order", [(0, 1, 2), (0, 2, 1), (2, 1, 0)])
def test_the_full_name_is_taken_and_the_choice_is_told(tmp_path, titles, order):
    rows = [titles.split(","), ["E11", "diabetes mellitus", "diab"], ["E12", "gout attack", "gout"]]
    text = "".join(",".join(row[at] for at in order) + "\n" for row in rows)
    imported = read("table", write(tmp_path, "toys.csv", text))
    assert [names(concept) for concept in imported.concepts] == [
        ["diabetes mellitus"],
        ["gout attack"],
    ]
    full, short = titles.split(",")[1:]
    note = _note_of(imported, "choice of name")
    assert note.index(full) < note.index(short, note.index(full) + len(full))


@pytest.mark.parametrize(
    "titles",
    ["Kode;Prüfziffer", "Schlüsselnummer;Prüfziffer", "Bezeichnung;Sonstiges", "Was;Prüfziffer"],
)
def test_usual_german_titles_are_no_concept(tmp_path, titles):
    path = write(tmp_path, "toys.csv", f"{titles}\nalpha;eins\nbeta;zwei\n")
    imported = read("table", path, columns={"id": "1", "name": "2"})
    assert sorted(concept.code for concept in imported.concepts) == ["alpha", "beta"]


def test_a_second_column_of_what_is_obsolete_is_told_as_not_read(tmp_path):
    text = "id,name,status,obsolete\nT1,one,a,0\nT2,two,b,1\n"
    imported = read("table", write(tmp_path, "toys.csv", text))
    assert [concept.obsolete for concept in imported.concepts] == [False, True]
    assert "status" in _note_of(imported, "obsolete not read")
