import contextlib
import csv
import io
import re
import zipfile
from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from importing import names, read, write
from openpyxl import Workbook

from termexplorer.errors import UserError
from termexplorer.importers.formats import detect
from termexplorer.importers.records import NameRecord
from termexplorer.importers.tables.guess import guess

ROWS = [
    ["Code", "Term", "Parents", "Definition"],
    ["A1", "one", "", "The first."],
    ["A2", "two, or so", "A1", ""],
    ["A2", "zwei", "A1|A3", "The second."],
]


def as_text(rows, delimiter=","):
    buffer = io.StringIO()
    csv.writer(buffer, delimiter=delimiter, lineterminator="\n").writerows(rows)
    return buffer.getvalue()


def as_workbook(path, rows):
    book = Workbook()
    for row in rows:
        book.active.append(row)
    book.save(path)
    return path


def table(tmp_path, rows, **options):
    return read("table", write(tmp_path, "toys.csv", as_text(rows)), **options)


def test_a_workbook_is_told_by_its_content(tmp_path):
    sound = as_workbook(tmp_path / "toys.xlsx", ROWS)
    renamed = sound.rename(tmp_path / "toys")
    assert [concept.code for concept in read("table", renamed).concepts] == ["A1", "A2"]


@pytest.mark.parametrize("delimiter", [",", "\t", ";", "|", "xlsx"])
def test_the_layout_is_guessed(tmp_path, delimiter):
    if delimiter == "xlsx":
        path = as_workbook(tmp_path / "toys.xlsx", ROWS)
    else:
        path = write(tmp_path, "toys.txt", as_text(ROWS, delimiter))
    guessed = guess(path)
    assert guessed.delimiter == ("" if delimiter == "xlsx" else delimiter)
    assert guessed.columns == {"id": 1, "name": 2, "parents": 3, "definition": 4}
    assert guessed.header == tuple(ROWS[0])
    assert guessed.preview == tuple(map(tuple, ROWS[1:]))
    assert detect(path) == "table"
    first, second = read("table", path).concepts
    assert (first.curie, first.code, first.line, first.definition) == (
        "toys:A1",
        "A1",
        2,
        "The first.",
    )
    assert second.names == (NameRecord("two, or so", "preferred"), NameRecord("zwei", "synonym"))
    assert second.parents == ("toys:A1", "toys:A3")
    assert second.definition == "The second."


def test_without_a_header_row_the_first_columns_are_id_and_name(tmp_path):
    guessed = guess(write(tmp_path, "toys.csv", as_text(ROWS[1:])))
    assert guessed.header == ()
    assert guessed.columns == {"id": 1, "name": 2}
    assert len(guessed.preview) == 3


@pytest.mark.parametrize("columns", [{"id": 1, "name": 4}, {"id": "code", "name": "Definition"}])
def test_columns_can_be_given_by_number_or_title(tmp_path, columns):
    imported = table(tmp_path, ROWS, columns=columns)
    assert [names(concept) for concept in imported.concepts] == [["The first."], ["The second."]]
    assert [skipped.line for skipped in imported.skipped] == [3]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"columns": {"id": 1, "name": 9}}, "no column '9'; it has 4 columns: code, term"),
        ({"columns": {"id": 0, "name": 2}}, "no column '0'"),
        ({"columns": {"id": "cod", "name": 2}}, "no column 'cod'"),
        ({"columns": {"id": 1}}, "which column is the name"),
        ({"columns": {"id": 1, "name": 2, "colour": 3}}, "no field 'colour'"),
        ({"columns": "1,2"}, "id=1,name=3"),
        ({"delimiter": "::"}, "one character"),
        ({"delimiter": "~"}, "fewer than two columns"),
    ],
)
def test_wrong_columns_are_refused(tmp_path, options, message):
    with pytest.raises(UserError, match=message):
        table(tmp_path, ROWS, **options)


def test_a_kind_is_the_name_s_where_it_names_one_and_else_the_concept_s(tmp_path):
    rows = [
        ["id", "name", "kind"],
        ["A1", "one (thing)", "FSN"],
        ["A1", "uno", "synonym"],
        ["A1", "one", "preferred"],
        ["A2", "two", "chapter"],
    ]
    first, second = table(tmp_path, rows).concepts
    assert first.names == (
        NameRecord("one", "preferred"),
        NameRecord("one (thing)", "fully specified"),
        NameRecord("uno", "synonym"),
    )
    assert (first.kind, second.kind) == ("", "chapter")


def test_an_id_that_comes_again_later_adds_synonyms(tmp_path):
    rows = [["id", "name"], ["A1", "one"], ["A2", "two"], ["A1", "uno"]]
    concepts = table(tmp_path, rows).concepts
    assert [(concept.curie, concept.names[0].kind) for concept in concepts] == [
        ("toys:A1", "preferred"),
        ("toys:A2", "preferred"),
        ("toys:A1", "synonym"),
    ]


def test_rows_of_an_id_that_came_before_are_told_with_their_lines(tmp_path):
    rows = [
        ["id", "name", "definition"],
        ["A1", "one", ""],
        ["A1", "uno", "The first."],
        ["A1", "ONE ", "Another."],
        ["A2", "two", ""],
    ]
    imported = table(tmp_path, rows)
    assert [
        (repeated_line.line, repeated_line.curie, repeated_line.definition_lost)
        for repeated_line in imported.repeated
    ] == [
        (3, "toys:A1", False),
        (4, "toys:A1", True),
    ]
    assert imported.note("repeated names") == 1
    assert imported.concepts[0].definition == "The first."


def test_formulas_without_a_stored_value_are_told(tmp_path):
    rows = [
        ["id", "name", "parents"],
        ["A1", "=1+1", ""],
        ["=A1", "two", ""],
        ["A3", "three", '=CONCATENATE("A",1)'],
        ["A4", "", "=A1"],
        ["A5", "=not a formula", ""],
    ]
    path = as_workbook(tmp_path / "toys.xlsx", rows)
    imported = read("table", path)
    assert names(imported.concepts[0]) == ["three"]
    assert [(skipped.line, skipped.reason.split(";")[0]) for skipped in imported.skipped] == [
        (2, "name: a formula without a stored value"),
        (3, "id: a formula without a stored value"),
        (4, "parents: a formula without a stored value"),
        (5, "no name"),
        (6, "name: a formula without a stored value"),
    ]


def test_a_stored_value_of_a_formula_is_taken(tmp_path):
    rows = [["id", "name"], ["A1", "=1+1"], ["A2", "=2+2"], ["A3", '=""']]
    path = as_workbook(tmp_path / "toys.xlsx", rows)
    with zipfile.ZipFile(path) as book:
        parts = {name: book.read(name) for name in book.namelist()}
    sheet = parts["xl/worksheets/sheet1.xml"]
    sheet = re.sub(rb"(1\+1</f>)<v ?(?:/>|></v>)", rb"\1<v>2</v>", sheet)  # written as it may be
    sheet = sheet.replace(b'<c r="B4">', b'<c r="B4" t="str">')  # its value is the empty text
    parts["xl/worksheets/sheet1.xml"] = sheet
    with zipfile.ZipFile(path, "w") as book:
        for name, content in parts.items():
            book.writestr(name, content)
    imported = read("table", path)
    assert [names(concept) for concept in imported.concepts] == [["2"]]
    assert [(skipped.line, skipped.reason[:14]) for skipped in imported.skipped] == [
        (3, "name: a formul"),
        (4, "no name"),
    ]


def test_rows_without_id_or_name_are_skipped(tmp_path):
    imported = table(tmp_path, [["id", "name"], ["", "x"], ["A1", ""], ["A2", "two"], ["A3"]])
    assert [(skipped.line, skipped.reason) for skipped in imported.skipped] == [
        (2, "no id"),
        (3, "no name"),
        (5, "no name"),
    ]


def test_lines_count_on_over_cells_of_several_lines(tmp_path):
    text = 'id,name\nA1,"one\nand more"\n,x\nA2,two\n'
    imported = read("table", write(tmp_path, "toys.csv", text))
    assert names(imported.concepts[0]) == ["one and more"]
    assert imported.skipped[0].line == 4


def test_a_quotation_mark_that_is_never_closed_is_refused(tmp_path):
    for more in ("A3,three\n", "A3,three\n" * 30_000):
        path = write(tmp_path, "toys.csv", 'id,name\nA1,one\nA2,"two\n' + more)
        with pytest.raises(UserError, match=r"line 3: a quoted cell .*close its quotation mark"):
            read("table", path)
        assert detect(path) == "table"


@pytest.mark.parametrize("end", ["beta", 'round "table"', '"quoted"', '"open again', 'delta"'])
def test_a_mark_that_begins_a_name_in_a_file_with_tabs_swallows_no_row(tmp_path, end):
    text = f'id\tname\n1\talpha\n2\t"beta\n3\tgamma\n4\t{end}\n5\tzeta\n'
    imported = read("table", write(tmp_path, "toys.tsv", text))
    assert [concept.code for concept in imported.concepts] == ["1", "2", "3", "4", "5"]
    assert names(imported.concepts[1]) == ['"beta']
    assert not imported.skipped


def test_a_cell_of_several_lines_in_a_file_with_tabs_is_one_cell_and_told(tmp_path):
    text = 'id\tname\tdefinition\nA1\tone\t"First,\nand last."\nA2\ttwo\tx\n'
    imported = read("table", write(tmp_path, "toys.tsv", text))
    assert [concept.definition for concept in imported.concepts] == ["First, and last.", "x"]
    assert imported.note("long rows") == 1


@pytest.mark.parametrize(
    ("rows", "message"),
    [('2,"beta\n3,gamma\n4,"delta"\n', "ends within"), ('2,"be"ta\n3,"x\ny"z\n', "ends within")],
)
def test_a_quoted_cell_that_ends_within_the_text_of_another_row_is_refused(tmp_path, rows, message):
    with pytest.raises(UserError, match=message):
        read("table", write(tmp_path, "toys.csv", f"id,name\n1,alpha\n{rows}5,zeta\n"))


def test_a_row_of_several_lines_is_told(tmp_path):
    imported = read("table", write(tmp_path, "toys.csv", 'id,name\n2,"beta\n3,gamma"\n4,x\n'))
    assert imported.note("long rows") == 1
    assert "2\N{EN DASH}3" in imported.notes[0].text


@pytest.mark.parametrize("dimension", ["A1:B3", "A1", "A1:A9", "A1:ZZ99", ""])
def test_a_workbook_is_read_whole_whatever_size_it_says_it_is_of(tmp_path, dimension):
    rows = [["id", "name"], *([f"A{n}", f"name {n}"] for n in range(1, 13))]
    whole = as_workbook(tmp_path / "toys.xlsx", rows).read_bytes()
    with zipfile.ZipFile(io.BytesIO(whole)) as parts:
        sheet = parts.read("xl/worksheets/sheet1.xml")
    message = f'<dimension ref="{dimension}"/>'.encode() if dimension else b""
    stale = re.sub(rb'<dimension ref="[^"]*" ?/>', message, sheet)
    assert stale != sheet
    path = write(tmp_path, "stale.xlsx", _with_part(whole, "xl/worksheets/sheet1.xml", stale))
    assert len(read("table", path).concepts) == 12


TITLES = [
    ["ATC code,ATC level name", "A,digestive", "A10,sugar drugs"],
    ["dmd_type,dmd_id,dmd_name,bnf_code", "VMP,1001,made-up inhaler,B1", "AMP,1002,syrup,B2"],
    ["ICD-Kode;Bezeichnung", "E10;Diabetes, Typ 1", "E11;Diabetes, Typ 2"],
    ["Schlüsselnummer;Klassentitel", "E10;Diabetes", "E11;Gicht"],
    ["Kode;Text", "1-202;Diagnostik", "1-204;Untersuchung"],
    ["conceptId,preferredTerm", "73211009,Diabetes", "44054006,Type 2"],
    ["ICD10,Diagnosis", "E10,type 1", "E11,type 2"],
    ["Disease Name,Disease ID,Parent IDs", "heart disease,D1,", "angina,D2,D1"],
    ["code,description", "E10,type 1", "E11,type 2"],
    ["Class ID,Preferred Label,Synonyms,CUI", "X:1,one,uno|eins,C0000001", "X:2,two,,C0000002"],
    ["# made in 2024", "#", "#database_id\tdisease_name\ttext", "O:1\tone\tx", "O:2\ttwo\ty"],
    ["List of the clinic", "", "code,name,unit", "E10,type 1,a", "E11,type 2,b"],
    ["gene_id,symbol", "1,A1BG", "2,A2M"],
    ["MeSH Unique ID,MeSH Heading", "D000001,Calcimycin", "D000002,Temefos"],
    ["LOINC_NUM,WORDS", "1-2,glucose", "3-4,sodium"],
    ["rxcui,str", "123,aspirin", "124,ibuprofen"],
    ["sep=;", "code;name", "E10;type 1", "E11;type 2"],
    ['"sep=|"', "code|name", "E10|type 1", "E11|type 2"],
]


@pytest.mark.parametrize("lines", TITLES, ids=lambda lines: lines[0])
def test_titles_are_known_by_the_words_of_the_field(tmp_path, lines):
    path = write(tmp_path, "toys.csv", "\n".join(lines) + "\n")
    assert detect(path) == "table"
    imported = read("table", path)
    assert guess(path).header
    last = imported.concepts[-1]
    assert len(imported.concepts) == 2
    assert names(last)[0] in lines[-1]
    assert last.code in lines[-1]
    assert last.code not in names(last)
    assert not imported.skipped


@pytest.mark.parametrize(
    "lines",
    [
        ["E10,type", "E11,other type"],
        ["T1,term", "T2,name", "T3,code"],
        ["E10;Zucker, Typ 1", "E11;Zucker, Typ 2", "E13;Zucker, sonstiger"],
        ["A01,disease name", "A02,other name"],
        ["1,label", "2,text"],
        ["A,brand name", "A10,other", "A11,third"],
    ],
)
def test_a_row_that_looks_like_the_others_has_no_titles(tmp_path, lines):
    imported = read("table", write(tmp_path, "toys.csv", "\n".join(lines) + "\n"))
    assert [concept.code for concept in imported.concepts] == [
        re.split("[,;]", line)[0] for line in lines
    ]


def test_ids_and_names_without_titles_are_told_by_what_is_in_them(tmp_path):
    lines = [
        "3;N;X;01;A00;A00.-;A00;A00;made-up gut disease",
        "4;T;X;01;A00;A00.0;A00.0;A000;made-up gut disease, kind 0",
        "4;T;X;01;A00;A00.1;A00.1;A001;made-up gut disease, kind 1",
    ]
    imported = read("table", write(tmp_path, "toys.txt", "\n".join(lines)))
    assert [concept.code for concept in imported.concepts] == ["A00", "A00.0", "A00.1"]
    assert names(imported.concepts[1]) == ["made-up gut disease, kind 0"]
    assert imported.note("no titles") == 1
    assert imported.note("columns not read") == 7


def test_what_is_not_told_is_asked(tmp_path):
    lines = [f"C{n // 2:02},S{n:02},text {n}" for n in range(10, 30)]
    path = write(tmp_path, "toys.csv", "\n".join(lines))
    with pytest.raises(UserError, match=r"which column is the id\? .*it has 3 columns: C05, S10"):
        read("table", path)
    imported = read("table", path, columns={"id": 1, "name": 3})
    assert len(imported.concepts) == 10


def test_columns_by_title_tell_the_row_of_titles(tmp_path):
    rows = [["kennz", "wort"], ["A1", "one"], ["A2", "two"]]
    imported = table(tmp_path, rows, columns={"id": "Kennz", "name": "wort"})
    assert [concept.code for concept in imported.concepts] == ["A1", "A2"]


@pytest.mark.parametrize(("titles", "codes"), [(True, ["A2"]), (False, ["A1", "A2"]), (None, 2)])
def test_it_can_be_said_whether_the_first_row_has_titles(tmp_path, titles, codes):
    imported = table(tmp_path, [["A1", "one"], ["A2", "two"]], titles=titles)
    codes_read = [concept.code for concept in imported.concepts]
    assert (len(codes_read) if codes == 2 else codes_read) == codes
    imported = table(tmp_path, [["code", "name"], ["A2", "two"]], titles=titles)
    assert len(imported.concepts) == (2 if titles is False else 1)


def test_what_may_be_titles_is_told(tmp_path):
    imported = table(tmp_path, [["kennz", "wort"], ["A1", "one"], ["A2", "two"]])
    assert imported.note("perhaps titles") == 1


@pytest.mark.parametrize(
    ("title", "curie"),
    [
        ("mesh_id", "MESH:D003924"),
        ("MeSH ID", "MESH:D003924"),
        ("Desc_UI", "MESH:D003924"),
        ("OMIM", "OMIM:D003924"),
        ("icd_10_cm_code", "ICD10CM:D003924"),
        ("mesh_or_omim_id", "toys:D003924"),
        ("code", "toys:D003924"),
    ],
)
def test_a_prefix_is_of_the_vocabulary_that_the_title_names(tmp_path, title, curie):
    rows = [[title, "name", "parent"], ["D003924", "one", "D1"], ["C0011860", "two", ""]]
    first, second = table(tmp_path, rows).concepts
    assert (first.curie, second.curie) == (curie, "UMLS:C0011860")
    assert first.parents == (curie.replace("003924", "1"),)


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        ("MI|myocardial infarction", 3),
        ("MI; myocardial infarction", 3),
        ("a; b|c", 3),
        ("|x", 2),
        ("", 1),
    ],
)
def test_synonyms_in_one_cell_are_names(tmp_path, cell, expected):
    rows = [["id", "name", "synonyms"], ["1", "heart attack", cell], ["2", "stroke", "CVA"]]
    first, second = table(tmp_path, rows).concepts
    assert len(first.names) == expected
    assert first.names[0] == NameRecord("heart attack", "preferred")
    assert second.names[1] == NameRecord("CVA", "synonym")


def test_what_parts_synonyms_is_of_the_whole_column_and_told(tmp_path):
    rows = [["id", "name", "synonyms"], ["1", "attack", "foo;bar|baz"], ["2", "stroke", "CVA; old"]]
    imported = table(tmp_path, rows)
    assert [names(concept)[1:] for concept in imported.concepts] == [
        ["foo;bar", "baz"],
        ["CVA; old"],
    ]
    (note,) = (note for note in imported.notes if note.kind == "synonym separator")
    assert note.count == 2
    assert "line 2" in note.text
    parted = table(tmp_path, [*rows[:1], ["1", "attack", "foo;bar"]])
    assert names(parted.concepts[0])[1:] == ["foo", "bar"]
    assert parted.note("synonym separator") == 1


def test_ids_that_a_workbook_shows_shortened_are_not_merged(tmp_path):
    ids = [(1010000000001, "0.00E+00"), (1010000000002, "0.00E+00")]
    rows = [["code", "name"], [ids[0], "one"], [ids[1], "two"], ["A3", "three"]]
    imported = read("table", as_formatted(tmp_path / "toys.xlsx", rows))
    assert [concept.code for concept in imported.concepts] == ["A3"]
    assert imported.note("shortened") == len(imported.skipped) == 2


def test_a_column_of_synonyms_can_be_given(tmp_path):
    rows = [["id", "name", "words"], ["1", "heart attack", "MI"]]
    columns = {"id": "id", "name": "name", "synonyms": "words"}
    assert names(table(tmp_path, rows, columns=columns).concepts[0]) == ["heart attack", "MI"]


def test_columns_that_are_not_read_are_told(tmp_path):
    imported = table(tmp_path, [["id", "name", "weight", ""], ["1", "one", "3", "x"]])
    (note,) = (note for note in imported.notes if note.kind == "columns not read")
    assert (note.count, "weight, 4" in note.text) == (2, True)


def as_sheets(path, sheets):
    book = Workbook()
    book.remove(book.active)
    for title, rows in sheets.items():
        sheet = book.create_sheet(title)
        for row in rows:
            sheet.append(row)
    book.save(path)
    return path


SHEETS = {
    "Cover": [["About", "this file"], ["Version", "2024"]],
    "Codes": [["code", "name"], ["A1", "alpha"]],
    "More": [["code", "name"], ["B1", "beta"]],
}


@pytest.mark.parametrize(
    ("sheet", "codes"),
    [("", ["A1"]), ("More", ["B1"]), ("more", ["B1"]), ("3", ["B1"]), ("1", ["About", "Version"])],
)
def test_a_sheet_is_the_first_with_titles_or_the_one_that_is_asked_for(tmp_path, sheet, codes):
    imported = read("table", as_sheets(tmp_path / "toys.xlsx", SHEETS), sheet=sheet)
    assert [concept.code for concept in imported.concepts] == codes
    assert imported.note("other sheets") == 2
    with pytest.raises(UserError, match="no sheet 'None'; there are Cover, Codes, More"):
        read("table", tmp_path / "toys.xlsx", sheet="None")


def as_formatted(path, rows):
    """A workbook of (value, number format) or of values."""
    book = Workbook()
    for row, cells in enumerate(rows, 1):
        for column, held in enumerate(cells, 1):
            value, number_format = held if isinstance(held, tuple) else (held, "General")
            book.active.cell(row, column, value).number_format = number_format
    book.save(path)
    return path


@pytest.mark.parametrize(
    ("value", "number_format", "shown"),
    [
        (1, "000", "001"),
        (1.0, "000", "001"),
        (123456789, "000-00-0000", "123-45-6789"),
        (7, '"C"0000000', "C0000007"),
        (7, r"\C0000000", "C0000007"),
        (1, "0.0", "1.0"),
        (10.5, "General", "10.5"),
        (0.1 + 0.2, "General", "0.3"),
        (1234567, "#,##0", "1,234,567"),
        (0.5, "0%", "50%"),
        (73211009, "@", "73211009"),
        (73211009, "0.00E+00", "7.32E+07"),
        (-73211009, "0.0E-0", "-7.3E7"),
        (0.00021, "0.00E+00", "2.10E-04"),
        (0, "0.00E+00", "0.00E+00"),
        (99999, "0.0E+00", "1.0E+05"),
        (123456, "##0.0E+0", "123.5E+3"),
        (-3, "0;(0)", "(3)"),
        (-3, "000", "-003"),
        (datetime(2024, 1, 2), "d-mmm", "2-Jan"),
        (datetime(2024, 3, 1), "mmm-yy", "Mar-24"),
        (datetime(2024, 3, 1), "yyyy-mm-dd", "2024-03-01"),
        (datetime(2024, 3, 1), "[$-409]d\\ mmmm\\ yyyy;@", "1 March 2024"),
        (datetime(2024, 3, 1, 15, 4), "h:mm AM/PM", "3:04 PM"),
        (True, "General", "TRUE"),
    ],
)
def test_a_cell_is_read_as_it_shows(tmp_path, value, number_format, shown):
    rows = [["code", "name"], ["A1", (value, number_format)], ["A2", "two"]]
    imported = read("table", as_formatted(tmp_path / "toys.xlsx", rows))
    assert names(imported.concepts[0]) == [shown]


DAMAGED = {
    "shortened": ["1.01E+15", "1,01E+15", "7.3211E+17"],
    "rounded": ["101000000000000000"],
    "date": ["2-Jan", "1-Mrz", "Sep-02", "2024-01-02 00:00:00", "02.01.2024"],
    "truth": ["TRUE", "FALSCH"],
}


@pytest.mark.parametrize(("kind", "cell"), [(k, c) for k, cells in DAMAGED.items() for c in cells])
def test_ids_that_a_spreadsheet_has_spoiled_are_counted_and_not_merged(tmp_path, kind, cell):
    rows = [["id", "name"], [cell, "one"], [cell, "two"], ["73211009", "sound"]]
    imported = table(tmp_path, rows)
    assert [concept.code for concept in imported.concepts] == ["73211009"]
    assert [skipped.line for skipped in imported.skipped] == [2, 3]
    assert imported.note(kind) == 2
    imported = table(tmp_path, [["id", "name"], [cell, "one"], ["A2", cell]])
    assert [concept.code for concept in imported.concepts] == [cell, "A2"]
    assert imported.note(kind) == 2


@pytest.mark.parametrize("error", ["#N/A", "#REF!", "#NAME?", "#NV", "#DIV/0!"])
@pytest.mark.parametrize("as_workbook_too", [False, True])
def test_errors_of_a_spreadsheet_are_no_ids_and_no_names(tmp_path, error, as_workbook_too):
    rows = [["id", "name", "parents"], ["A1", error, ""], [error, "two", ""], ["A3", "x", error]]
    if as_workbook_too:
        imported = read("table", as_workbook(tmp_path / "toys.xlsx", rows))
    else:
        imported = table(tmp_path, rows)
    assert [(concept.code, concept.parents) for concept in imported.concepts] == [("A3", ())]
    assert [skipped.line for skipped in imported.skipped] == [2, 3]
    assert imported.note("error") == 3


def test_numbers_of_more_digits_than_a_workbook_keeps_are_counted(tmp_path):
    rows = [["id", "name"], [1.01e15, "one"], [1.01e15, "two"], [10**15 - 1, "three"]]
    imported = read("table", as_workbook(tmp_path / "toys.xlsx", rows))
    assert [concept.code for concept in imported.concepts] == ["999999999999999"]
    assert imported.note("rounded") == 2


@pytest.mark.parametrize(
    ("ids", "parent", "read_as"),
    [
        (["1", "2"], "1.0", "1"),
        (["1", "2"], "1", "1"),
        (["1.0", "2"], "1.0", "1.0"),
        (["410", "410.1"], "410.0", "410.0"),
    ],
)
def test_whole_numbers_as_decimals_are_parents(tmp_path, ids, parent, read_as):
    rows = [["id", "name", "parent_id"], [ids[0], "one", ""], [ids[1], "two", parent]]
    imported = table(tmp_path, rows)
    assert imported.concepts[1].parents == (f"toys:{read_as}",)
    assert imported.note("decimal parents") == (read_as != parent)


def test_the_progress_of_a_workbook_ends_at_its_end(tmp_path):
    assert read("table", as_workbook(tmp_path / "toys.xlsx", ROWS)).fraction == 1


def test_a_strict_workbook_is_read(tmp_path):
    whole = as_workbook(tmp_path / "toys.xlsx", ROWS).read_bytes()
    buffer = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(whole)) as parts, zipfile.ZipFile(buffer, "w") as new:
        for part in parts.namelist():
            content = parts.read(part)
            for usual, strict in (
                (b"schemas.openxmlformats.org/spreadsheetml/2006/main", b"spreadsheetml/main"),
                (
                    b"schemas.openxmlformats.org/officeDocument/2006/relationships",
                    b"officeDocument/relationships",
                ),
            ):
                content = content.replace(usual, b"purl.oclc.org/ooxml/" + strict)
            new.writestr(part, content)
    path = write(tmp_path, "strict.xlsx", buffer.getvalue())
    assert [concept.code for concept in read("table", path).concepts] == ["A1", "A2"]


def test_numbers_in_a_workbook_are_ids_without_decimals(tmp_path):
    path = as_workbook(tmp_path / "toys.xlsx", [["id", "name"], [7.0, "seven"], [8, "eight"]])
    assert [concept.code for concept in read("table", path).concepts] == ["7", "8"]


def test_a_damaged_workbook_is_refused(tmp_path):
    whole = as_workbook(tmp_path / "toys.xlsx", ROWS).read_bytes()
    for damaged in (whole[:-400], b"PK\x03\x04 and no more"):
        with pytest.raises(UserError, match="no sound XLSX"):
            read("table", write(tmp_path, "bad.xlsx", damaged))


def _with_part(whole, name, content):
    """A workbook with something else in the place of one of its parts."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(whole)) as parts, zipfile.ZipFile(buffer, "w") as new:
        for part in parts.namelist():
            new.writestr(part, content if part == name else parts.read(part))
    return buffer.getvalue()


def test_a_workbook_that_is_damaged_within_is_refused(tmp_path):
    whole = as_workbook(tmp_path / "toys.xlsx", ROWS).read_bytes()
    with zipfile.ZipFile(io.BytesIO(whole)) as parts:
        sheet = parts.getinfo("xl/worksheets/sheet1.xml")
    start = sheet.header_offset + 30 + len(sheet.filename)
    styles = b'<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">'
    for damaged in (
        whole[:start] + b"\xff" * 9 + whole[start + 9 :],  # cannot be unpacked
        _with_part(whole, "xl/styles.xml", styles + b'<tableStyles odd="1"/></styleSheet>'),
        _with_part(whole, "xl/styles.xml", styles),
    ):
        with pytest.raises(UserError, match="no sound XLSX") as error:
            read("table", write(tmp_path, "bad.xlsx", damaged))
        assert "\n" not in str(error.value)


@given(st.text(st.sampled_from('ab,"\t;|\n\r0 é\x1f'), max_size=60))
def test_no_text_is_a_bug(tmp_path_factory, text):
    path = write(tmp_path_factory.mktemp("any"), "any.csv", text)
    with contextlib.suppress(UserError):
        assert all(concept.names for concept in read("table", path).concepts)


cell = st.text(st.sampled_from("abc é,;\"'|\n"), min_size=1).map(str.split).map(" ".join)


@given(st.lists(st.lists(cell.filter(bool), min_size=1, max_size=3), min_size=1, max_size=6))
def test_what_is_written_is_read(tmp_path_factory, entries):
    rows = [[f"T:{i}", name] for i, entry in enumerate(entries) for name in entry]
    path = write(tmp_path_factory.mktemp("trip"), "trip.csv", as_text([["id", "name"], *rows]))
    imported = read("table", path, delimiter=",")
    for number, (concept, entry) in enumerate(zip(imported.concepts, entries, strict=True)):
        expected = {synonym.casefold(): synonym for synonym in reversed(entry)}
        assert concept.curie == f"T:{number}"
        assert sorted(names(concept)) == sorted(expected.values())
