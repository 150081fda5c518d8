"""How a report is set on pages: nothing is cut, lost, or alone at the foot of a page."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from termexplorer.exporters.paper_parts import HEADINGS, Cell, Chart, Part, Rows, Text
from termexplorer.exporters.paper_setting import STYLES, Drawn, Ruled, Style, Written, set_paper

WIDTH, HEIGHT = 300.0, 240.0
WORD = st.text("abcdefgh", min_size=1, max_size=80)
WORDS = st.lists(WORD, min_size=1, max_size=12).map(" ".join)


def measure(text: str, style: Style) -> float:
    return len(text) * style.size * 0.5


@st.composite
def tables(draw: st.DrawFn) -> Rows:
    figures = draw(st.lists(st.booleans(), min_size=1, max_size=5))
    titles = [Cell(draw(WORD), figure=each) for each in figures]
    row = st.tuples(*(st.builds(Cell, WORDS if not f else st.just("0.123"), st.just("0.1 – 0.2"),
                                st.just(f)) for f in figures))  # fmt: skip
    return Rows(titles, [list(each) for each in draw(st.lists(row, max_size=25))])


PARTS = st.one_of(
    st.builds(Text, st.sampled_from([*HEADINGS, "p", "note"]), WORDS),
    tables(),
    st.builds(Chart, st.just("<svg/>"), st.just(300), st.integers(20, 200)),
)


def letters(parts: list[Part]) -> list[str]:
    """All letters of texts and cells but titles, which come again."""
    found = []
    for part in parts:
        if isinstance(part, Text):
            found += list(part.text)
        elif isinstance(part, Rows):
            found += [c for row in part.rows for cell in row for c in cell.text + cell.small]
            found += [c for title in part.titles for c in title.text]
    return [each for each in found if each.strip()]


@given(st.lists(PARTS, min_size=1, max_size=8))
def test_all_is_on_pages_and_no_heading_is_last(parts: list[Part]) -> None:
    pages = set_paper(parts, WIDTH, HEIGHT, measure)
    written = [mark for page in pages for mark in page if isinstance(mark, Written)]
    there = [c for mark in written for c in mark.text if c.strip()]
    wanted = letters(parts)
    assert len(there) >= len(wanted)
    assert set(there) >= set(wanted)
    assert sum(isinstance(m, Drawn) for p in pages for m in p) == sum(
        isinstance(p, Chart) for p in parts
    )
    alone = all(isinstance(part, Text) for part in parts)
    for page, following in pairwise(pages):
        assert following
        last = max(page, key=lambda mark: mark.y)
        if isinstance(last, Written) and not alone:
            assert last.style not in {STYLES[kind] for kind in ("h1", "h2")}
    for mark in (each for page in pages for each in page if isinstance(each, Ruled | Written)):
        assert mark.y <= HEIGHT or alone


def test_a_long_table_has_its_titles_on_each_page_and_whole_rows() -> None:
    rows = [[Cell(f"row {n} of words that wrap"), Cell(f"0.{n:03}", "0.1 – 0.2", figure=True)]
            for n in range(40)]  # fmt: skip
    parts = [Text("h2", "Each set"), Text("caption", "Intervals"),
             Rows([Cell("set"), Cell("alpha", figure=True)], rows)]  # fmt: skip
    pages = set_paper([Text("p", "x " * 900), *parts], WIDTH, HEIGHT, measure)
    told = [[mark.text for mark in page if isinstance(mark, Written)] for page in pages]
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
        rows = [[Cell(f"row {n}"), Cell(f"0.{n:03}", figure=True)] for n in range(count)]
        table = Rows([Cell("set"), Cell("alpha", figure=True)], rows)
        pages = set_paper([Text("caption", "Each set"), table], WIDTH, HEIGHT, measure)
        last = [mark.text for mark in pages[-1] if isinstance(mark, Written)]
        assert len([text for text in last if text.startswith("row")]) > 1


def test_pages_are_filled_before_tables_that_can_be_parted() -> None:
    rows = [[Cell(f"row {n}"), Cell(f"0.{n:03}", figure=True)] for n in range(5)]
    table = Rows([Cell("set"), Cell("alpha", figure=True)], rows)
    parts = [part for _ in range(12) for part in (Text("h2", "A section"), table)]
    for page in set_paper(parts, WIDTH, HEIGHT, measure)[:-1]:
        assert max(mark.y for mark in page) > 0.6 * HEIGHT
