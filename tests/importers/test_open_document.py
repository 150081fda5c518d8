"""Sheets in OpenDocument: what their cells show, and nothing without end."""

import io
import zipfile
from xml.sax.saxutils import escape, quoteattr

import pytest
from hypothesis import given
from hypothesis import strategies as st
from importing import names, read, write

from termexplorer.errors import UserError
from termexplorer.importers.formats import detect

_SPACES = (
    " ".join(
        f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
        for name in ("office", "table", "text", "style")
    )
    + ' xmlns:calcext="urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0"'
)


def _written_cell(cell):
    if cell is None:
        return "<table:table-cell/>"
    if isinstance(cell, str):
        cell = (cell, {"office:value-type": "string"})
    text, attributes = cell
    message = " ".join(f"{name}={quoteattr(value)}" for name, value in attributes.items())
    shown = "".join(
        f"<text:p>{escape(paragraph)}</text:p>" for paragraph in text.split("\n") if text
    )
    return f"<table:table-cell {message}>{shown}</table:table-cell>"


def written_row(*cells, times=1):
    inner = "".join(map(_written_cell, cells))
    return f'<table:table-row table:number-rows-repeated="{times}">{inner}</table:table-row>'


def written_sheet(name, *rows, style="shown"):
    inner = "".join(rows)
    return f'<table:table table:name="{name}" table:style-name="{style}">{inner}</table:table>'


def as_ods(folder, *sheets, before="", name="toys.ods"):
    styles = "".join(
        f'<style:style style:name="{style_name}">'
        f'<style:table-properties table:display="{display}"/></style:style>'
        for style_name, display in (("shown", "true"), ("hidden", "false"))
    )
    content = (
        f"{before}<office:document-content {_SPACES}><office:automatic-styles>{styles}"
        "</office:automatic-styles><office:body><office:spreadsheet>"
        f"{''.join(sheets)}</office:spreadsheet></office:body></office:document-content>"
    )
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as parts:
        parts.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        parts.writestr("content.xml", content, zipfile.ZIP_DEFLATED)
    return write(folder, name, buffer.getvalue())


TITLES = written_row("id", "name", "definition")
REST = written_row(None, times=1_048_000)


def test_a_sheet_is_read_as_its_cells_show(tmp_path):
    error = ("#N/A", {"office:value-type": "string", "calcext:value-type": "error"})
    rounded = ("1.01E+15", {"office:value-type": "float", "office:value": "1.01E+15"})
    date = ("2 Jan", {"office:value-type": "date", "office:date-value": "2024-01-02"})
    formula = ("", {"table:formula": "of:=1+1"})
    rows = [
        written_row("001", "one", error), written_row(rounded, "two", formula),
        written_row("A3", date, "d"), written_row(None, times=3), written_row("A4", "four"),
    ]  # fmt: skip
    path = as_ods(tmp_path, written_sheet("Codes", TITLES, *rows, REST), written_sheet("More"))
    assert detect(path) == "table"
    imported = read("table", path)
    assert [(c.code, names(c)[0], c.line) for c in imported.concepts] == [
        ("001", "one", 2), ("1.01E+15", "two", 3), ("A3", "2 Jan", 4), ("A4", "four", 8),
    ]  # fmt: skip
    counted = {"error": 1, "rounded": 1, "date": 1, "other sheets": 1}
    assert {kind: imported.note(kind) for kind in counted} == counted
    assert [skipped_line.line for skipped_line in imported.skipped] == [
        3
    ]  # the formula without a value
    assert imported.fraction == 1


def test_sheets_are_chosen_and_hidden_ones_come_last(tmp_path):
    sheets = [
        written_sheet(name, TITLES, written_row(f"{name}1", "one"), style=style)
        for name, style in (("X", "hidden"), ("Y", "shown"))
    ]
    path = as_ods(tmp_path, *sheets)
    assert [c.code for c in read("table", path).concepts] == ["Y1"]
    assert [c.code for c in read("table", path, sheet="X").concepts] == ["X1"]
    with pytest.raises(UserError, match="no sheet 'Z'; there are Y, X"):
        read("table", path, sheet="Z")


@given(st.lists(st.tuples(st.integers(1, 3), st.text(st.sampled_from("ab é&<")).filter(str.strip)),
                min_size=1, max_size=8))  # fmt: skip
def test_each_row_is_stored_or_counted(tmp_path_factory, written_names):
    rows = [
        written_row(f"A{n}", name, times=times) for n, (times, name) in enumerate(written_names)
    ]
    path = as_ods(tmp_path_factory.mktemp("ods"), written_sheet("S", TITLES, *rows, REST))
    imported = read("table", path)
    counted = len(imported.concepts) + len(imported.repeated) + len(imported.skipped)
    assert counted == sum(times for times, _ in written_names)
    assert [names(c)[0] for c in imported.concepts] == [
        " ".join(name.split()) for _, name in written_names
    ]


@pytest.mark.parametrize(
    ("row", "before", "message"),
    [
        (written_row("A1", "one", times=1_500_000), "", "more rows or cells"),
        ('<table:table-row><table:table-cell table:number-columns-repeated="90000">'
         "<text:p>x</text:p></table:table-cell></table:table-row>", "", "more rows or cells"),
        (written_row("A1", "one"), '<!DOCTYPE x [<!ENTITY a "b">]>', "declares an entity"),
        ("<table:table-row>", "", "no sound XML"),
    ],
)  # fmt: skip
def test_what_has_no_end_or_is_damaged_is_refused(tmp_path, row, before, message):
    path = as_ods(tmp_path, written_sheet("S", TITLES, row), before=before)
    with pytest.raises(UserError, match=message):
        read("table", path)


def test_a_document_without_content_is_refused(tmp_path):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as parts:
        parts.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
    with pytest.raises(UserError, match=r"damaged zip \(content\.xml\)"):
        read("table", write(tmp_path, "x.ods", buffer.getvalue()))
