"""Packed files that are far larger than they seem, and workbooks that no program writes."""

import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from importing import read, write
from sound_files import FILES

from termexplorer.errors import UserError
from termexplorer.importers.tables.guess import guess
from termexplorer.importers.tables.workbook import sheet_names
from termexplorer.services.importing.releases import preview_table, read_column
from termexplorer.trainer.corpora.pubtator import read_pubtator
from termexplorer.trainer.corpora.text_file import check_text
from termexplorer.trainer.files.pairs import read_pairs
from termexplorer.trainer.representations.word_vectors import convert_text
from termexplorer.trainer.text.gzip_files import open_plain_or_gzip
from termexplorer.trainer.text.tokenizer import tokenized_lines
from termexplorer.workers.process.protocol import Limits

SPREADSHEET = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
KINDS = "application/vnd.openxmlformats-officedocument.spreadsheetml"
DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>'
ROWS = "".join(
    f'<row r="{n}"><c r="A{n}" t="s"><v>0</v></c><c r="B{n}" t="s"><v>1</v></c></row>'
    for n in (1, 2)
)


def workbook(
    folder: Path, rows: str = ROWS, strings: str = "", declaration: str = DECLARATION
) -> Path:
    """A workbook as a program would write it, but for the parts that are given."""
    parts = {
        "[Content_Types].xml": f'<Types xmlns="{PACKAGE}/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.'
        'relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>'
        f'<Override PartName="/xl/workbook.xml" ContentType="{KINDS}.sheet.main+xml"/>'
        f'<Override PartName="/xl/worksheets/sheet1.xml" ContentType="{KINDS}.worksheet+xml"/>'
        f'<Override PartName="/xl/sharedStrings.xml" ContentType="{KINDS}.sharedStrings+xml"/>'
        "</Types>",
        "_rels/.rels": f'<Relationships xmlns="{PACKAGE}/relationships"><Relationship Id="a" '
        f'Type="{OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{PACKAGE}/relationships">'
        f'<Relationship Id="a" Type="{OFFICE}/worksheet" Target="worksheets/sheet1.xml"/>'
        f'<Relationship Id="b" Type="{OFFICE}/sharedStrings" Target="sharedStrings.xml"/>'
        "</Relationships>",
        "xl/workbook.xml": f'<workbook xmlns="{SPREADSHEET}" xmlns:r="{OFFICE}"><sheets>'
        '<sheet name="S" sheetId="1" r:id="a"/></sheets></workbook>',
        "xl/sharedStrings.xml": f'{declaration}<sst xmlns="{SPREADSHEET}"><si><t>id</t></si>'
        f"<si><t>name</t></si>{strings}</sst>",
        "xl/worksheets/sheet1.xml": f'{declaration}<worksheet xmlns="{SPREADSHEET}"><sheetData>'
        f"{rows}</sheetData></worksheet>",
    }
    path = folder / "book.xlsx"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in parts.items():
            archive.writestr(name, text)
    return path


def test_a_workbook_of_these_parts_is_read(tmp_path: Path) -> None:
    seen = guess(workbook(tmp_path))
    assert (seen.header, seen.preview) == (("id", "name"), (("id", "name"),))


@pytest.mark.parametrize("door", [guess, sheet_names, lambda path: read("table", path)])
def test_a_workbook_that_unpacks_to_far_more_is_refused(
    tmp_path: Path, door: Callable[[Path], object]
) -> None:
    path = workbook(tmp_path, strings=f"<si><t>{'a' * 4_000_000}</t></si>")
    assert path.stat().st_size < 10_000
    with pytest.raises(UserError, match=r"sharedStrings.*packed more than text can be"):
        door(path)


def test_rows_and_cells_far_away_are_refused(tmp_path: Path) -> None:
    far = ROWS + '<row r="9999999999"><c r="A9999999999"><v>1</v></c></row>'
    with pytest.raises(UserError, match="more rows or cells"):
        read("table", workbook(tmp_path, far))


def test_cells_without_end_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wide = ROWS + "".join(f'<row r="{n}"><c r="XFD{n}"><v>1</v></c></row>' for n in range(3, 9))
    monkeypatch.setattr("termexplorer.importers.tables.workbook.MOST_CELLS", 50_000)
    with pytest.raises(UserError, match="more rows or cells"):
        read("table", workbook(tmp_path, wide))


def test_strings_without_end_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("termexplorer.importers.tables.workbook_limits._MOST_STRINGS", 1_000)
    strings = "".join(f"<si><t>{n}</t></si>" for n in range(1_000))
    with pytest.raises(UserError, match="holds more than a workbook of names"):
        guess(workbook(tmp_path, strings=strings))


@pytest.mark.parametrize(
    "declaration",
    [
        '<!DOCTYPE sst SYSTEM "{secret}">',
        DECLARATION + '<!DOCTYPE sst [<!ENTITY e SYSTEM "{secret}">]>',
        '<?xml version="1.0" encoding="UTF-7"?>+ADwAIQ-DOCTYPE sst SYSTEM "{secret}"+AD4-',
        " " * 2_000_000 + '<!DOCTYPE sst SYSTEM "{secret}">',
        "no XML at all",
    ],
)
def test_a_part_with_a_dtd_or_in_an_odd_encoding_is_refused(
    tmp_path: Path, declaration: str
) -> None:
    secret = write(tmp_path, "secret.dtd", b"<!ENTITY e 'secret'>")
    path = workbook(tmp_path, declaration=declaration.replace("{secret}", str(secret)))
    with pytest.raises(UserError, match=r"no sound XLSX workbook|packed more"):
        guess(path)


READERS: dict[str, Callable[[Path], object]] = {
    "pairs.csv.gz": read_pairs,
    "text.txt.gz": check_text,
    "tokens.txt.gz": lambda path: list(tokenized_lines(path)),
    "mentions.PubTator.gz": lambda path: list(read_pubtator(path)),
    "words.vec.gz": lambda path: convert_text(path, path.parent / "words"),
}


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hold files to the ratio from 100 KB on, so that no test unpacks more."""
    monkeypatch.setattr("termexplorer.trainer.text.gzip_files._SMALL", 100_000)


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("name", READERS)
def test_a_reader_of_the_trainer_refuses_what_unpacks_to_far_more(
    tmp_path: Path, name: str
) -> None:
    content = b"1|t|T\n1|a|A\n" + b"\n" * 400_000
    if "PubTator" not in name:
        content = b"a 1.0 2.0\n" * 40_000
    path = write(tmp_path, name, content)
    with pytest.raises(ValueError, match="packed more than text can be"):
        READERS[name](path)


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("form", ["obo", "table", "dictionary", "pubtator", "icd10cm-order"])
def test_an_importer_refuses_what_unpacks_to_far_more(tmp_path: Path, form: str) -> None:
    path = write(tmp_path, "file.gz", FILES[form] + b"\n" * 400_000)
    with pytest.raises(UserError, match="packed more than text can be"):
        read(form, path)


@pytest.mark.parametrize("door", [preview_table, lambda path: read_column(path, 1)])
def test_a_preview_is_made_in_a_child_with_limits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, door: Callable[[Path], object]
) -> None:
    monkeypatch.setattr(
        "termexplorer.services.importing.releases.FILE_LIMITS", Limits(seconds=1e-9)
    )
    with pytest.raises(UserError, match="gave up"):
        door(workbook(tmp_path))


def test_text_that_packs_well_is_read(tmp_path: Path) -> None:
    text = b"".join(b"%d one name after the other\n" % n for n in range(20_000))
    with open_plain_or_gzip(write(tmp_path, "a.txt.gz", text)) as file:
        assert file.read() == text
