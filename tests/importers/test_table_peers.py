"""Others' readers of tables count the rows that the importer counts, and see the same cells."""

import csv
import io
import re
import zipfile
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from importing import names, read, write
from openpyxl import Workbook, load_workbook

NAME = st.text(st.sampled_from("ab1,;|\"' é-/()#\u00a0\u00ad."), min_size=1, max_size=12)
LINES = st.text(st.sampled_from('ab,"\n '), min_size=1, max_size=12)
VALUE = st.one_of(
    NAME, st.integers(-5, 10**16), st.floats(-1e6, 1e6), st.booleans(), st.dates(), st.none()
)
# a weight that no reader takes for part of the name
SHAPES = {",": "id,name,weight", ";": "id;name;weight", "\t": "id\tname\tweight"}


def counted(path):
    imported = read("table", path)
    return len(imported.concepts) + len(imported.skipped) + len(imported.repeated)


def told_by_id(path):
    return {concept.code: names(concept) for concept in read("table", path).concepts}


def cleaned(text):
    return " ".join(text.replace("\u00ad", "").split())


def quoted(rows, delimiter):
    buffer = io.StringIO()
    csv.writer(buffer, delimiter=delimiter, lineterminator="\n").writerows(rows)
    return buffer.getvalue()


def numbered(written_names):
    """Rows of the names, and of one that is no damage, so that there is a concept."""
    names = enumerate([*written_names, "sound"])
    return [["id", "name", "weight"], *([f"A{n}", name, "x"] for n, name in names)]


@given(st.lists(st.one_of(NAME, LINES), min_size=1, max_size=9), st.sampled_from([",", ";"]))
def test_the_csv_module_reads_the_same_rows(tmp_path_factory, written_names, delimiter):
    path = write(
        tmp_path_factory.mktemp("csv"), "t.csv", quoted(numbered(written_names), delimiter)
    )
    with path.open(encoding="utf-8", newline="") as file:
        _, *rows = list(csv.reader(file, delimiter=delimiter))
    assert counted(path) == len(rows)
    for code, texts in told_by_id(path).items():
        assert texts == [cleaned(next(name for row_code, name, _ in rows if row_code == code))]


@given(st.lists(NAME, min_size=1, max_size=9))
def test_a_file_with_tabs_that_quotes_nothing_has_a_row_a_line(tmp_path_factory, written_names):
    text = "".join("\t".join(row) + "\n" for row in numbered(written_names))
    path = write(tmp_path_factory.mktemp("tsv"), "t.tsv", text)
    rows = list(csv.reader(io.StringIO(text), delimiter="\t", quoting=csv.QUOTE_NONE))
    assert counted(path) == len(rows) - 1


def as_workbook(folder, rows, dimension):
    book = Workbook()
    for row in rows:
        book.active.append(row)
    packed, stale = io.BytesIO(), io.BytesIO()
    book.save(packed)
    message = f'<dimension ref="{dimension}"/>'.encode()
    with zipfile.ZipFile(packed) as parts, zipfile.ZipFile(stale, "w") as copy:
        for name in parts.namelist():
            content = parts.read(name)
            copy.writestr(name, re.sub(rb'<dimension ref="[^"]*" ?/>', message, content))
    return write(folder, "t.xlsx", stale.getvalue())


@given(
    st.lists(VALUE, min_size=1, max_size=9),
    st.sampled_from(["A1", "A1:B2", "A1:C3", "A1:Z99", "B2:C3"]),
)
def test_openpyxl_reads_the_same_rows_whatever_the_dimension(
    tmp_path_factory, written_names, dimension
):
    rows = numbered(written_names)
    path = as_workbook(tmp_path_factory.mktemp("xlsx"), rows, dimension)
    sheet = load_workbook(path).active
    assert counted(path) == sum(1 for row in sheet.iter_rows(min_row=2) if row[0].value)


def cases() -> Iterator[tuple[str, str]]:
    for delimiter, titles in SHAPES.items():
        row = 'A{n}{d}na"me {n}{d}x\n'.format
        rows = "".join(row(n=n, d=delimiter) for n in range(40))
        yield delimiter, f"{titles}\n{rows}"
        yield delimiter, f"# made by hand\n{titles}\n{rows}"
        yield delimiter, f"{titles}\n{rows}".replace("\n", "\r")
        yield delimiter, f"\ufeff{titles}\n{rows}"


@pytest.mark.parametrize(("delimiter", "text"), list(cases()))
def test_pandas_counts_the_same_rows(tmp_path, delimiter, text):
    pandas = pytest.importorskip("pandas")
    path = write(tmp_path, "t.csv", text)
    frame = pandas.read_csv(path, sep=delimiter, comment="#", lineterminator=None)
    assert counted(path) == len(frame) == 40
    assert list(told_by_id(path).values()) == [[text] for text in frame["name"]]


@given(st.lists(NAME.filter(str.strip), min_size=1, max_size=9))
def test_pandas_reads_the_same_rows_of_a_workbook(tmp_path_factory, written_names):
    pandas = pytest.importorskip("pandas")
    path = as_workbook(tmp_path_factory.mktemp("pandas"), numbered(written_names), "A1:B2")
    frame = pandas.read_excel(path, dtype=str, keep_default_na=False)
    assert counted(path) == len(frame)
    for code, texts in told_by_id(path).items():
        assert texts == [cleaned(frame.loc[frame["id"] == code, "name"].item())]
