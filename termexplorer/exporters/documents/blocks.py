"""What a report is made of: sections of headings, paragraphs, tables, rankings and charts.

A document holds plain text and numbers that are already worded; how it looks is decided by the
template of the format that it is written in (`html_page`, `pdf_file`).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import ClassVar, TypeAlias


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading within a section."""

    kind: ClassVar[str] = "heading"
    text: str


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph of plain text."""

    kind: ClassVar[str] = "paragraph"
    text: str


@dataclass(frozen=True, slots=True)
class BulletList:
    """Sentences, one a bullet."""

    kind: ClassVar[str] = "bullets"
    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TableCell:
    """A cell of a table.

    Attributes:
        text: in it.
        notes: lines below the text in small print, such as an interval.
        numeric: whether it is aligned right.
        bold: whether it is the best of its column.
        reference: number of the note below the table that explains it; "" for none.
    """

    text: str
    notes: tuple[str, ...] = ()
    numeric: bool = False
    bold: bool = False
    reference: str = ""


@dataclass(frozen=True, slots=True)
class ReportTable:
    """A table.

    Attributes:
        header: one cell a column.
        rows: each with as many cells as the header.
        caption: above it; "" for none.
        notes: below it in small print.
        number: in the document; 0 where tables are not numbered.
    """

    kind: ClassVar[str] = "table"
    header: tuple[TableCell, ...]
    rows: tuple[tuple[TableCell, ...], ...]
    caption: str = ""
    notes: tuple[str, ...] = ()
    number: int = 0

    @property
    def full_caption(self) -> str:
        """The caption with the number of the table."""
        return f"Table {self.number}. {self.caption}" if self.number else self.caption


@dataclass(frozen=True, slots=True)
class ListedName:
    """A name in a ranking, whether it is a right answer, and lines below it in small print."""

    name: str
    correct: bool
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RankingLists:
    """Rankings side by side, each below its title."""

    kind: ClassVar[str] = "rankings"
    titles: tuple[str, ...]
    lists: tuple[tuple[ListedName, ...], ...]


@dataclass(frozen=True, slots=True)
class LegendEntry:
    """A line of a chart's legend: its name, number of its colour, and dash pattern."""

    name: str
    colour: int
    dash: str


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart.

    Attributes:
        title: above it.
        svg: an `<svg>` element whose colours come from the classes of `chart_style`.
        width: of its view box.
        height: of its view box.
        legend: of its lines; () where the drawing has one itself, or needs none.
        number: in the document; 0 where charts are not numbered.
    """

    title: str
    svg: str
    width: int
    height: int
    legend: tuple[LegendEntry, ...] = ()
    number: int = 0

    @property
    def full_title(self) -> str:
        """The title with the number of the chart."""
        return f"Figure {self.number}. {self.title}" if self.number else self.title


@dataclass(frozen=True, slots=True)
class ChartGroup:
    """Charts, side by side where there is room."""

    kind: ClassVar[str] = "charts"
    charts: tuple[Chart, ...]


Block: TypeAlias = Heading | Paragraph | BulletList | ReportTable | RankingLists | ChartGroup
Blocks: TypeAlias = tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and the blocks below it."""

    heading: str
    blocks: Blocks


@dataclass(frozen=True, slots=True)
class ReportDocument:
    """A report: its title and sections."""

    title: str
    sections: tuple[Section, ...]

    @property
    def charts(self) -> list[Chart]:
        """All charts in their order."""
        return [
            chart
            for section in self.sections
            for block in section.blocks
            if isinstance(block, ChartGroup)
            for chart in block.charts
        ]


def number_tables_and_charts(document: ReportDocument) -> ReportDocument:
    """Number tables and charts through the whole document, so that a text can name them."""
    tables, charts = count(1), count(1)
    sections = [
        replace(
            section, blocks=tuple(_number_block(block, tables, charts) for block in section.blocks)
        )
        for section in document.sections
    ]
    return replace(document, sections=tuple(sections))


def _number_block(block: Block, tables: Iterator[int], charts: Iterator[int]) -> Block:
    if isinstance(block, ReportTable) and block.caption:
        return replace(block, number=next(tables))
    if isinstance(block, ChartGroup):
        return ChartGroup(_number_charts(block.charts, charts))
    return block


def _number_charts(charts: Sequence[Chart], numbers: Iterator[int]) -> tuple[Chart, ...]:
    return tuple(replace(chart, number=next(numbers)) for chart in charts)
