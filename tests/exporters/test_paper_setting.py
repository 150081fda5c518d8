"""How a report is set on pages: nothing is cut, lost, or alone at the foot of a page."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from termexplorer.exporters.paper_parts import (
    HEADINGS,
    Chart,
    PaperCell,
    PaperTable,
    PaperText,
    Part,
)
from termexplorer.exporters.paper_setting import (
    STYLES,
    DrawnChart,
    Ruled,
    Style,
    WrittenLine,
    set_paper,
)

WIDTH, HEIGHT = 300.0, 240.0
WORD = st.text("abcdefgh", min_size=1, max_size=80)
WORDS = st.lists(WORD, min_size=1, max_size=12).map(" ".join)


def measure(text: str, style: Style) -> float:
    return len(text) * style.size * 0.5


@st.composite
def tables(draw: st.DrawFn) -> PaperTable:
    figures = draw(st.lists(st.booleans(), min_size=1, max_size=5))
    titles = [PaperCell(draw(WORD), figure=each) for each in figures]
    row = st.tuples(*(st.builds(PaperCell, WORDS if not f else st.just("0.123"),
                                st.just("0.1 – 0.2"),
                                st.just(f)) for f in figures))  # fmt: skip
    return PaperTable(titles, [list(each) for each in draw(st.lists(row, max_size=25))])


PARTS = st.one_of(
    st.builds(PaperText, st.sampled_from([*HEADINGS, "p", "note"]), WORDS),
    tables(),
    st.builds(Chart, st.just("<svg/>"), st.just(300), st.integers(20, 200)),
)


def letters(parts: list[Part]) -> list[str]:
    """All letters of texts and cells but titles, which come again."""
    found = []
    for part in parts:
        if isinstance(part, PaperText):
            found += list(part.text)
        elif isinstance(part, PaperTable):
            found += [c for row in part.rows for cell in row for c in cell.text + cell.small]
            found += [c for title in part.titles for c in title.text]
    return [each for each in found if each.strip()]


@given(st.lists(PARTS, min_size=1, max_size=8))
def test_all_is_on_pages_and_no_heading_is_last(parts: list[Part]) -> None:
    pages = set_paper(parts, WIDTH, HEIGHT, measure)
    written = [mark for page in pages for mark in page if isinstance(mark, WrittenLine)]
    there = [c for mark in written for c in mark.text if c.strip()]
    wanted = letters(parts)
    assert len(there) >= len(wanted)
    assert set(there) >= set(wanted)
    assert sum(isinstance(m, DrawnChart) for p in pages for m in p) == sum(
        isinstance(p, Chart) for p in parts
    )
    alone = all(isinstance(part, PaperText) for part in parts)
    for page, following in pairwise(pages):
        assert following
        last = max(page, key=lambda mark: mark.y)
        if isinstance(last, WrittenLine) and not alone:
            assert last.style not in {STYLES[kind] for kind in ("h1", "h2")}
    for mark in (each for page in pages for each in page if isinstance(each, Ruled | WrittenLine)):
        assert mark.y <= HEIGHT or alone


def test_a_long_table_has_its_titles_on_each_page_and_whole_rows() -> None:
    rows = [[PaperCell(f"row {n} of words that wrap"),
             PaperCell(f"0.{n:03}", "0.1 – 0.2", figure=True)]
            for n in range(40)]  # fmt: skip
    parts = [PaperText("h2", "Each set"), PaperText("caption", "Intervals"),
             PaperTable([PaperCell("set"), PaperCell("alpha", figure=True)], rows)]  # fmt: skip
    pages = set_paper([PaperText("p", "x " * 900), *parts], WIDTH, HEIGHT, measure)
    told = [[mark.text for mark in page if isinstance(mark, WrittenLine)] for page in pages]
    with_rows = [page for page in told if any(text.startswith("0.0") for text in page)]
    assert len(with_rows) > 3
    for page in with_rows:
        assert page.count("alpha") == 1
        figures = [text[2:] for text in page if text.startswith("0.0")]
        assert figures == [text.split()[1].zfill(3) for text in page if text.startswith("row ")]
        assert page.count("0.1 – 0.2") == len(figures)
    (home,) = [page for page in told if "Each set" in page]
    assert home.index("Each set") < home.index("Intervals") < home.index("alpha")
    assert "0.002" in home  # at least three rows stand below a heading


def test_the_last_row_of_a_table_is_never_alone_on_a_page() -> None:
    for count in range(8, 40):
        rows = [[PaperCell(f"row {n}"), PaperCell(f"0.{n:03}", figure=True)] for n in range(count)]
        table = PaperTable([PaperCell("set"), PaperCell("alpha", figure=True)], rows)
        pages = set_paper([PaperText("caption", "Each set"), table], WIDTH, HEIGHT, measure)
        last = [mark.text for mark in pages[-1] if isinstance(mark, WrittenLine)]
        assert len([text for text in last if text.startswith("row")]) > 1


def test_pages_are_filled_before_tables_that_can_be_parted() -> None:
    rows = [[PaperCell(f"row {n}"), PaperCell(f"0.{n:03}", figure=True)] for n in range(5)]
    table = PaperTable([PaperCell("set"), PaperCell("alpha", figure=True)], rows)
    parts = [part for _ in range(12) for part in (PaperText("h2", "A section"), table)]
    for page in set_paper(parts, WIDTH, HEIGHT, measure)[:-1]:
        assert max(mark.y for mark in page) > 0.6 * HEIGHT
