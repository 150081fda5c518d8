"""Whatever a table holds is stored or counted: rows by reason, cells by column."""

import csv
import io
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from importing import names, read, write
from openpyxl import Workbook

ERRORS = ("#N/A", "#REF!", "#VALUE!", "#DIV/0!", "#NAME?", "#NULL!", "#NUM!", "#WERT!", "Err:502")
TITLES = ("id", "name", "kind", "parents", "definition", "synonyms", "obsolete")
ERROR = st.sampled_from(ERRORS)
WORD = st.sampled_from(["", "one", "two of three", "sound"])
NUMBER = st.integers(0, 9).map("A{}".format)


def listed(of):
    return st.lists(st.one_of(of, of, ERROR), max_size=3).map("|".join)


ROW = st.tuples(
    st.one_of(NUMBER, NUMBER, st.just(""), ERROR),
    st.one_of(WORD, ERROR),
    st.one_of(st.sampled_from(["", "disease", "finding"]), ERROR),
    listed(NUMBER),
    st.one_of(WORD, ERROR),
    listed(st.sampled_from(["red", "blue", "green"])),
    st.one_of(st.sampled_from(["", "true", "false"]), ERROR),
)


def as_csv(folder, rows):
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return write(folder, "toys.csv", text.getvalue())


def as_tsv(folder, rows):
    return write(folder, "toys.tsv", "".join("\t".join(row) + "\n" for row in rows))


def as_xlsx(folder, rows):
    book = Workbook()
    for row in rows:
        book.active.append([cell or None for cell in row])
    content = io.BytesIO()
    book.save(content)
    return write(folder, "toys.xlsx", content.getvalue())


def errors_in(rows, column):
    return sum(part in ERRORS for row in rows for part in row[column].split("|"))


def numbers_in(text):
    """Word -> number before it, as `2 ids, 1 name`."""
    words = text.replace(",", " ").replace(":", " ").split()
    return {word.rstrip("s"): int(n) for n, word in pairwise(words) if n.isdecimal()}


def note_text(imported, kind):
    return next((note.text for note in imported.notes if note.kind == kind), "")


@pytest.mark.parametrize("written", [as_csv, as_tsv, as_xlsx])
@given(st.lists(ROW, min_size=1, max_size=8))
def test_rows_and_cells_are_stored_or_counted(tmp_path_factory, written, more_rows):
    rows = [TITLES, ("A99", "last", "disease", "", "", "", "false"), *more_rows]
    imported = read("table", written(tmp_path_factory.mktemp("lost"), rows))
    whole = [row for row in rows[1:] if any(row)]
    counted = len(imported.concepts) + len(imported.repeated) + len(imported.skipped)
    assert counted == len(whole)
    sound = [row for row in whole if row[0] not in ("", *ERRORS) and row[1] not in ("", *ERRORS)]
    assert len(imported.skipped) == len(whole) - len(sound)
    numbers = numbers_in(note_text(imported, "error"))
    for column, word in enumerate(
        ("id", "name", "kind", "parent", "definition", "synonym", "mark")
    ):
        assert numbers.get(word, 0) == errors_in(rows[1:], column), word
    assert imported.note("error") == sum(errors_in(rows[1:], at) for at in range(len(TITLES)))
    for concept in imported.concepts:
        texts = [*names(concept), *concept.parents, concept.kind, concept.definition]
        assert not any(error in text for text in texts for error in ERRORS)
    # what a sound row says is there, or said to be left out
    for code, name, kind, parents, definition, synonyms, _obsolete in sound:
        of_code = [concept for concept in imported.concepts if concept.code == code]
        stored_names = {text.casefold() for concept in of_code for text in names(concept)}
        assert {name, *filter(None, synonyms.split("|"))} - {*ERRORS} <= stored_names
        above = {parent for concept in of_code for parent in concept.parents}
        wanted = {
            f"toys:{parent}" for parent in parents.split("|") if parent and parent not in ERRORS
        }
        assert wanted <= above
        assert definition in ("", *ERRORS) or _is_told(
            definition, [concept.definition for concept in of_code], imported.repeated
        )
        assert kind in ("", *ERRORS, *(concept.kind for concept in of_code)) or imported.note(
            "other kinds"
        )


def _is_told(definition, stored, repeated):
    return definition in stored or any(repeated_line.definition_lost for repeated_line in repeated)


@pytest.mark.parametrize("written", [as_csv, as_tsv, as_xlsx])
@pytest.mark.parametrize(
    ("column", "message"),
    [("kind", "1 kind"), ("parents", "1 parent"), ("definition", "1 definition"),
     ("synonyms", "1 synonym"), ("obsolete", "1 mark")],
)  # fmt: skip
def test_an_error_in_any_column_is_told_before_the_first_concept(
    tmp_path, written, column, message
):
    rows = [TITLES, *([f"A{n}", f"name {n}", "", "", "", "", ""] for n in range(4))]
    rows[2][TITLES.index(column)] = "#N/A"
    imported = read("table", written(tmp_path, rows))
    assert message in note_text(imported, "error")
    (lost,) = (note.lost_lines for note in imported.notes if note.kind == "error")
    assert lost == (3,)


@pytest.mark.parametrize(
    ("comment", "cells"),
    [("# see the list of 2024", ["", ""]), ("#A7", ["commented out", ""]), ("#", ["", ""])],
)
@pytest.mark.parametrize("written", [as_csv, as_tsv, as_xlsx])
def test_a_comment_among_rows_is_left_out_and_counted(tmp_path, written, comment, cells):
    rows = [["id", "name", "parents"], ["A1", "one", ""], [comment, *cells], ["A2", "two", "A1"]]
    imported = read("table", written(tmp_path, rows))
    assert [concept.code for concept in imported.concepts] == ["A1", "A2"]
    assert [
        (skipped_line.line, "comment" in skipped_line.reason) for skipped_line in imported.skipped
    ] == [(3, True)]


def test_ids_and_names_that_begin_with_a_number_sign_are_no_comments(tmp_path):
    rows = [["id", "name"], *([f"#{n}", f"name {n}"] for n in range(4))]
    assert len(read("table", as_csv(tmp_path, rows)).concepts) == 4
    rows = [["name", "id"], ["#one", "A1"], ["two", "A2"], ["# a remark", ""], ["three", "A3"]]
    imported = read("table", as_csv(tmp_path, rows))
    assert [concept.code for concept in imported.concepts] == ["A1", "A2", "A3"]
    assert [skipped_line.line for skipped_line in imported.skipped] == [4]


@pytest.mark.parametrize(
    ("title", "yes", "no"),
    [
        ("obsolete", "true", "false"),
        ("is_obsolete", "1", "0"),
        ("Deprecated", "yes", "no"),
        ("isDeprecated", "TRUE", ""),
        ("retired", "x", ""),
        ("Veraltet", "ja", "nein"),
        ("active", "0", "1"),
        ("is_active", "no", "yes"),
        ("Status", "inactive", "active"),
        ("status", "Retired", "Current"),
        ("concept status", "obsolete", ""),
    ],
)
def test_a_column_of_what_is_obsolete_is_read(tmp_path, title, yes, no):
    rows = [["id", "name", title], ["A1", "one", no], ["A2", "two", yes], ["A3", "three", no]]
    imported = read("table", as_csv(tmp_path, rows))
    assert [concept.obsolete for concept in imported.concepts] == [False, True, False]
    assert not imported.note("obsolete not understood")
    assert not imported.note("columns not read")


@pytest.mark.parametrize(
    ("title", "values", "message"),
    [
        ("obsolete", ["true", "perhaps"], "perhaps 1"),
        ("status", ["1", "0"], "0 1, 1 1"),
        ("active", ["1", ""], "empty cells 1"),
    ],
)
def test_what_is_not_understood_of_such_a_column_is_told(tmp_path, title, values, message):
    rows = [["id", "name", title], *([f"A{n}", f"name {n}", v] for n, v in enumerate(values))]
    imported = read("table", as_csv(tmp_path, rows))
    assert not any(concept.obsolete for concept in imported.concepts)
    text = note_text(imported, "obsolete not understood")
    assert title in text
    assert message in text


def test_the_column_of_what_is_obsolete_can_be_said(tmp_path):
    rows = [["id", "name", "flag"], ["A1", "one", "n"], ["A2", "two", "y"]]
    asked = {"id": "id", "name": "name", "obsolete": "flag"}
    imported = read("table", as_csv(tmp_path, rows), columns=asked)
    assert [concept.obsolete for concept in imported.concepts] == [False, True]


def test_one_row_makes_a_concept_obsolete_and_what_differs_is_told(tmp_path):
    rows = [["id", "name", "obsolete"], ["A1", "one", "false"], ["A1", "uno", "true"]]
    imported = read("table", as_csv(tmp_path, [*rows, ["A2", "two", "no"], ["A2", "due", ""]]))
    assert [concept.obsolete for concept in imported.concepts] == [True, False]
    assert imported.note("obsolete and not") == 1
