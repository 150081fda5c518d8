"""A report's HTML as the parts that a paper is set of: texts, tables and charts."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import TypeAlias

HEADINGS = ("h1", "h2", "h3", "h4")
_SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_STYLE = re.compile(r"<style>(.*?)</style>", re.DOTALL)
_MEDIA = re.compile(r"@media[^{]*\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}")
_COLOUR = re.compile(r"--(\w+):\s*(#\w+)")
_VARIABLE = re.compile(r"var\(--(\w+)\)")
_RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
_OF_CHARTS = re.compile(r"(\.grid|\.axis|g path|circle|\.c\d)")
_SVG = re.compile(r"<svg viewBox=\"0 0 (\d+) (\d+)\".*?</svg>", re.DOTALL)


@dataclass(frozen=True, slots=True)
class PaperText:
    """A heading (one of `HEADINGS`), a "caption", a paragraph ("p"), or a "note" below a table."""

    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class PaperCell:
    """A cell of a table.

    Attributes:
        text: in it.
        small: below that, in small letters.
        figure: whether it stands at the right.
        bold: whether it stands out.
    """

    text: str
    small: str = ""
    figure: bool = False
    bold: bool = False


@dataclass(frozen=True, slots=True)
class PaperTable:
    """A table: its titles, and its rows."""

    titles: list[PaperCell] = field(default_factory=list)
    rows: list[list[PaperCell]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Chart:
    """A picture: SVG that stands by itself, and how wide and high it is in units of its own."""

    svg: str
    width: int
    height: int


Part: TypeAlias = PaperText | PaperTable | Chart


def paper_parts(title: str, sections: Sequence[str], page: str, family: str) -> list[Part]:
    """The parts of a report in their order.

    Args:
        title: of the report.
        sections: of it, HTML as `replicate.report` makes it.
        page: the page that a browser would be given, whose style says what charts look like.
        family: of the letters in charts.
    """
    style = _chart_style(page, family)
    charts: list[Chart] = []

    def numbered(found: re.Match[str]) -> str:
        opened, inside = found[0].split(">", 1)
        opened = opened.replace("<svg", '<svg xmlns="http://www.w3.org/2000/svg"', 1)
        svg = f"{opened}><style>{style}</style>{inside}"
        charts.append(Chart(svg, int(found[1]), int(found[2])))
        return f'<img alt="{len(charts) - 1}">'

    reader = _Reader(charts)
    reader.feed(_SVG.sub(numbered, "".join(sections)))
    return [PaperText("h1", title), *reader.parts]


class _Reader(HTMLParser):
    """Puts parts together from tags as they come."""

    def __init__(self, charts: Sequence[Chart]) -> None:
        super().__init__()
        self.parts: list[Part] = []
        self._charts = charts
        self._table: PaperTable | None = None
        self._words: list[str] = []
        self._small: list[str] = []
        self._in_small = self._bold = False
        self._cell: dict[str, str | None] = {}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = dict(attrs)
        if tag == "table":
            self._table = PaperTable()
        elif tag == "img":
            self.parts.append(self._charts[int(told["alt"] or 0)])
        elif tag == "tr" and self._table is not None:
            self._table.rows.append([])
        elif tag in ("td", "th"):
            self._cell, self._bold = told, False
            self._take()
        elif tag == "small":
            self._in_small = True
        elif tag == "b":
            self._bold = True
        elif tag in (*HEADINGS, "p", "caption", "figcaption"):
            self._take()

    def handle_endtag(self, tag: str) -> None:
        if tag in (*HEADINGS, "p", "caption"):
            self.parts.append(PaperText(tag, self._take()))
        elif tag == "figcaption":
            self.parts.append(PaperText("h4", self._take()))
        elif tag in ("td", "th"):
            self._end_cell()
        elif tag == "table":
            self._end_table()
        elif tag == "sup":
            self._words[-1:] = [word.translate(_SUPERSCRIPTS) for word in self._words[-1:]]
        elif tag == "small":
            self._end_small()

    def handle_data(self, data: str) -> None:
        (self._small if self._in_small else self._words).append(data)

    def _take(self) -> str:
        text = " ".join("".join(self._words).split())
        self._words = []
        return text

    def _end_cell(self) -> None:
        if self._table is not None:
            figure = self._cell.get("class") == "number"
            small = " ".join("".join(self._small).split())
            self._table.rows[-1].append(PaperCell(self._take(), small, figure, self._bold))
        self._small = []

    def _end_table(self) -> None:
        if self._table is not None and self._table.rows:
            self._table.titles.extend(self._table.rows.pop(0))
            self.parts.append(self._table)
        self._table = None

    def _end_small(self) -> None:
        self._in_small = False
        if self._table is None:  # why figures above are undefined
            self.parts.append(PaperText("note", " ".join("".join(self._small).split())))
            self._small = []


def _chart_style(page: str, family: str) -> str:
    """The rules that charts look by, in the colours of a page that is light."""
    found = _STYLE.search(page)
    style = _MEDIA.sub("", found[1]) if found else ""
    colours = dict(_COLOUR.findall(style))
    rules = [
        f"{one.strip()}{{{what}}}"
        for selectors, what in _RULE.findall(style)
        for one in selectors.split(",")
        if _OF_CHARTS.match(one.strip())
    ]
    text = "".join(rules) + f".axis{{font-family: '{family}'}}"
    return _VARIABLE.sub(lambda each: colours[each[1]], text)
