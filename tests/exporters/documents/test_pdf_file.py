"""How a document is set on pages of PDF: nothing is cut or lost, and columns stand apart."""

from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pypdf import PdfReader

from termexplorer.exporters.documents.blocks import (
    BulletList,
    Chart,
    ChartGroup,
    Heading,
    LegendEntry,
    ListedName,
    Paragraph,
    RankingLists,
    ReportDocument,
    ReportTable,
    Section,
    TableCell,
)
from termexplorer.exporters.documents.pdf_file import write_pdf

WORD = st.text("abcdefgh<#$*_\\@[]`", min_size=1, max_size=60)
WORDS = st.lists(WORD, min_size=1, max_size=12).map(" ".join)
SVG = '<svg viewBox="0 0 400 200"><g class="c1"><path d="M0 0L400 200"/></g></svg>'


@dataclass(frozen=True)
class PlacedText:
    """A piece of text, its place in points from the left and from the foot, and its font."""

    text: str
    x: float
    y: float
    font: str
    size: float


def placed_texts(path: Path, page: int = 0) -> list[PlacedText]:
    seen: list[PlacedText] = []

    def keep(text: str, page_matrix: Any, text_matrix: Any, font: Any, size: float) -> None:
        if text.strip():
            name = str(font["/BaseFont"]) if font else ""
            across, down = text_matrix[4:]
            x = across * page_matrix[0] + down * page_matrix[2] + page_matrix[4]
            y = across * page_matrix[1] + down * page_matrix[3] + page_matrix[5]
            seen.append(PlacedText(text.strip(), x, y, name, size))

    PdfReader(path).pages[page].extract_text(visitor_text=keep)
    return seen


def page_texts(path: Path) -> list[str]:
    return [page.extract_text().replace("\u200b", "") for page in PdfReader(path).pages]


def table_of(count: int) -> ReportTable:
    rows = [
        (
            TableCell(f"row {n}"),
            TableCell(f"0.{n:03}", ("0.1 – 0.2",), numeric=True, bold=n == 1),
            TableCell(f"{n * 500}", numeric=True),
        )
        for n in range(count)
    ]
    header = (TableCell("set"), TableCell("alpha", numeric=True), TableCell("n", numeric=True))
    return ReportTable(header, tuple(rows), "Agreement", ("95 % intervals: exact",), number=1)


def written(tmp_path: Path, *blocks: Any) -> Path:
    path = tmp_path / "report.pdf"
    write_pdf(path, ReportDocument("A report", (Section("A section", blocks),)))
    return path


def test_columns_lines_and_weights_are_where_they_belong(tmp_path: Path) -> None:
    texts = placed_texts(written(tmp_path, table_of(3)))
    by_text = {text.text: text for text in reversed(texts)}  # the title stands at the foot, too
    rows = [by_text[f"row {n}"] for n in range(3)]
    figures = [by_text[f"0.{n:03}"] for n in range(3)]
    assert len({round(table_row.x, 1) for table_row in rows}) == 1
    assert figures[0].x == pytest.approx(figures[2].x, abs=0.5)  # the bold one is wider
    assert by_text["0"].x > by_text["500"].x + 5 > by_text["1000"].x + 5  # aligned right
    assert rows[0].x + 20 < figures[0].x < by_text["1000"].x - 5
    assert [table_row.y for table_row in rows] == sorted(
        (table_row.y for table_row in rows), reverse=True
    )
    for row, figure in zip(rows, figures, strict=True):
        assert row.y == pytest.approx(figure.y, abs=0.5)
    caption = next(text for text in texts if text.text.startswith("Table 1. Agreement"))
    below = next(text for text in texts if text.text.startswith("95 % intervals"))
    assert by_text["A report"].y > by_text["A section"].y > caption.y > by_text["set"].y
    assert by_text["set"].y > rows[0].y
    assert rows[-1].y > below.y
    for title in ("A report", "A section", "set", "alpha", "0.001"):
        assert "Bold" in by_text[title].font, title
    for plain in ("row 0", "0.000", "0.002"):
        assert "Bold" not in by_text[plain].font, plain


def test_a_long_table_has_its_titles_on_each_page_and_whole_rows(tmp_path: Path) -> None:
    path = written(tmp_path, Paragraph("word " * 400), Heading("Each set"), table_of(90))
    texts = page_texts(path)
    with_rows = [text for text in texts if "row " in text]
    assert len(with_rows) > 1
    for text in with_rows:
        assert text.count("alpha") == 1
        numbers = [line.split()[1] for line in text.splitlines() if line.startswith("row ")]
        assert all(f"0.{int(number):03}" in text for number in numbers)
        assert text.count("0.1 – 0.2") == len(numbers)
    (home,) = [text for text in texts if "Each set" in text]
    assert home.index("Each set") < home.index("Agreement") < home.index("alpha")
    assert "0.001" in home


@pytest.mark.parametrize("level", ["section", "heading"])
def test_no_heading_stands_at_the_foot_and_no_row_alone(tmp_path: Path, level: str) -> None:
    path = tmp_path / "report.pdf"
    above = False
    for count in range(34, 50):
        lines = [Paragraph(f"line {n}") for n in range(count)]
        if level == "section":
            parts = (Section("First", (*lines,)), Section("Rows", (table_of(4),)))
        else:
            parts = (Section("First", (*lines, Heading("Rows"), table_of(4))),)
        write_pdf(path, ReportDocument("A report", parts))
        texts = page_texts(path)
        (home,) = [text for text in texts if "Rows" in text]
        assert "row 1" in home.split("Rows")[1]
        assert all(text.count("row ") != 1 for text in texts)
        above |= home is texts[0]
    assert above  # some stood on the first page, some went on to the second


@pytest.mark.parametrize("first", range(28, 46, 6))
def test_the_last_row_of_a_table_is_never_alone(tmp_path: Path, first: int) -> None:
    for count in range(first, first + 6):
        for text in page_texts(written(tmp_path, table_of(count))):
            assert text.count("row ") != 1


def test_a_row_higher_than_a_page_goes_on_and_loses_nothing(tmp_path: Path) -> None:
    words = [f"w{n}" for n in range(4000)]
    header = (TableCell("term"), TableCell("comment"))
    table = ReportTable(header, ((TableCell("heart"), TableCell(" ".join(words))),))
    message = "".join(page_texts(written(tmp_path, table))).split()
    assert set(words) <= set(message)


@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(WORDS, WORDS, st.lists(WORDS, min_size=1, max_size=4))
def test_all_text_is_there_and_none_is_markup(
    tmp_path: Path, message: str, cell: str, names: list[str]
) -> None:
    ranked = tuple(ListedName(name, number == 0, ("+1",)) for number, name in enumerate(names))
    path = written(
        tmp_path,
        Heading(message),
        Paragraph(message),
        BulletList((message,)),
        ReportTable((TableCell(cell),) * 2, ((TableCell(cell),) * 2,), message),
        RankingLists(("before", "after"), (ranked, ranked)),
    )
    text = "".join("".join(page_texts(path)).split())
    # a mark such as fi or gg is one letter of the font
    assert text.count("".join(message.split())) >= 4
    assert text.count("".join(cell.split())) >= 4
    for name in names:
        assert text.count("".join(name.split())) >= 2


def test_charts_have_their_title_and_legend(tmp_path: Path) -> None:
    entries = (LegendEntry("first <b>", 1, "6 3"), LegendEntry("second", 2, ""))
    path = written(tmp_path, ChartGroup((Chart("Curves", SVG, 400, 200, entries, 3),)))
    (text,) = page_texts(path)
    assert "Figure 3. Curves" in text
    assert "first <b>" in text
    assert "second" in text


def test_pages_are_filled_before_tables_that_can_be_parted(tmp_path: Path) -> None:
    blocks = [part for _ in range(20) for part in (Heading("A part"), table_of(5))]
    path = written(tmp_path, *blocks)
    pages = len(PdfReader(path).pages)
    assert pages > 2
    for page in range(pages - 1):
        body = [
            placed_text.y
            for placed_text in placed_texts(path, page)
            if not placed_text.text.endswith(f"of {pages}")
        ]
        assert min(y for y in body if y > 50) < 842 * 0.4


def test_the_number_of_pages_stands_on_each(tmp_path: Path) -> None:
    texts = page_texts(written(tmp_path, table_of(150)))
    assert all(f"{n} of {len(texts)}" in text for n, text in enumerate(texts, 1))
    assert all(first != second for first, second in pairwise(texts))
