"""How a paper is set: lines, rows and charts on pages, with nothing cut and nothing alone.

No line of a row is parted from the others, titles stand over a table again on each page, and a
heading never at the foot of one, nor a table's last row alone at the head.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from termexplorer.exporters.paper_parts import HEADINGS, Chart, PaperCell, PaperTable, Part

Measure = Callable[[str, "Style"], float]  # how wide a text is in a style

_KEPT = 0.18  # of a page; a table that is no higher stays on one, and less stays empty
_FEWEST = 3  # rows that stand below a heading at least
_GAP, _PAD = 10.0, 3.0  # between columns, and above and below a row
_WIDEST_WORD = 0.3  # of the page, to which a column is widened for a word


@dataclass(frozen=True, slots=True)
class Style:
    """Of letters: how high in points, and which."""

    size: int
    bold: bool = False
    quiet: bool = False

    @property
    def line(self) -> float:
        """From a ground line to the next."""
        return self.size * 1.35


STYLES = {
    "h1": Style(17, bold=True),
    "h2": Style(13, bold=True),
    "h3": Style(10, bold=True),
    "h4": Style(9, bold=True),
    "p": Style(9),
    "caption": Style(8, quiet=True),
    "note": Style(7, quiet=True),
}
_ABOVE = {"h1": 0.0, "h2": 18.0, "h3": 12.0, "h4": 8.0, "p": 4.0, "caption": 8.0, "note": 2.0}
_TITLE, _CELL, _BOLD, _SMALL = (
    Style(8, bold=True),
    Style(8),
    Style(8, bold=True),
    Style(6, quiet=True),
)


@dataclass(frozen=True, slots=True)
class WrittenLine:
    """A line of text from a place on its ground line."""

    x: float
    y: float
    text: str
    style: Style


@dataclass(frozen=True, slots=True)
class Ruled:
    """A line across the page, so many points thick."""

    y: float
    thick: float


@dataclass(frozen=True, slots=True)
class DrawnChart:
    """A chart, as wide as the page."""

    y: float
    height: float
    chart: Chart


Mark = WrittenLine | Ruled | DrawnChart


@dataclass(frozen=True, slots=True)
class _Box:
    """What stays on one page: its height and marks from its own top; `above` only below others."""

    height: float
    marks: tuple[Mark, ...]
    above: float = 0.0
    leads: bool = False  # belongs to what follows


@dataclass
class _Pages:
    height: float
    pages: list[list[Mark]] = field(default_factory=lambda: [[]])
    y: float = 0.0

    @property
    def room(self) -> float:
        return self.height - self.y

    def turn(self) -> None:
        self.pages.append([])
        self.y = 0.0

    def put(self, box: _Box) -> None:
        above = box.above if self.y else 0.0
        self.pages[-1] += [_move_mark(mark, self.y + above) for mark in box.marks]
        self.y += above + box.height


def set_paper(
    parts: Sequence[Part], width: float, height: float, measure: Measure
) -> list[list[Mark]]:
    """The marks of each page, in points from the top left of its text.

    Args:
        parts: what is set.
        width: of the text.
        height: of it.
        measure: of texts.
    """
    pages = _Pages(height)
    leads: list[_Box] = []
    for part in parts:
        boxes, titles = _part_boxes(part, width, height, measure)
        if boxes and boxes[0].leads:
            leads += boxes
            continue
        _put_whole(pages, leads, boxes, titles)
        leads = []
    _put_whole(pages, leads, [], None)  # headings that nothing follows
    return pages.pages


def _put_whole(
    pages: _Pages, leads: Sequence[_Box], boxes: Sequence[_Box], titles: _Box | None
) -> None:
    """Puts what leads with as much of what follows as has to stand below it."""
    head = [*leads, *([titles] if titles else [])]
    everything = _total_height([*head, *boxes])
    least = (
        everything
        if everything <= _KEPT * pages.height
        else _total_height([*head, *boxes[:_FEWEST]])
    )
    if least > pages.room and pages.y:
        pages.turn()
    for box in head:
        pages.put(box)
    for at, box in enumerate(boxes):
        last_two = at == len(boxes) - 2 and at >= _FEWEST and _total_height(boxes[at:]) > pages.room
        if last_two or box.above + box.height > pages.room:
            pages.turn()
            if titles:
                pages.put(titles)
        pages.put(box)


def _total_height(boxes: Sequence[_Box]) -> float:
    return sum(box.above + box.height for box in boxes)


def _part_boxes(
    part: Part, width: float, height: float, measure: Measure
) -> tuple[list[_Box], _Box | None]:
    """The boxes of a part, and the one that comes again on each page."""
    if isinstance(part, PaperTable):
        return _of_table(part, width, height, measure)
    if isinstance(part, Chart):
        high = width * part.height / part.width
        return [_Box(high, (DrawnChart(0, high, part),), above=4)], None
    style = STYLES[part.kind]
    leads = part.kind in (*HEADINGS, "caption")
    lines = wrapped(part.text, style, width, measure)
    if leads:
        return [_line_box(lines, style, _ABOVE[part.kind], leads=True)], None
    boxes = [_line_box([line], style, 0.0) for line in lines]
    if boxes:
        boxes[0] = _Box(boxes[0].height, boxes[0].marks, _ABOVE[part.kind])
    return boxes, None


def _line_box(lines: Sequence[str], style: Style, above: float, *, leads: bool = False) -> _Box:
    marks = tuple(
        WrittenLine(0, (at + 0.75) * style.line, line, style) for at, line in enumerate(lines)
    )
    return _Box(len(lines) * style.line, marks, above, leads)


def wrapped(text: str, style: Style, width: float, measure: Measure) -> list[str]:
    """A text as lines that are no wider; a word that is wider itself is broken."""
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else ""
        if longer and measure(longer, style) <= width:
            lines[-1] = longer
            continue
        *whole, rest = _break_word(word, style, width, measure)
        lines += [*whole, rest]
    return lines


def _break_word(word: str, style: Style, width: float, measure: Measure) -> Iterator[str]:
    while measure(word, style) > width and len(word) > 1:
        at = next(
            n for n in range(len(word) - 1, 0, -1) if n == 1 or measure(word[:n], style) <= width
        )
        yield word[:at]
        word = word[at:]
    yield word


def _of_table(
    table: PaperTable, width: float, height: float, measure: Measure
) -> tuple[list[_Box], _Box]:
    widths = _column_widths(table, width, measure)
    titles = _row_box(_set_row(table.titles, widths, measure, title=True), widths, 1.0, low=True)
    rows = (_set_row(row, widths, measure) for row in table.rows)
    boxes = [
        _row_box(some, widths, 0.4)
        for row in rows
        for some in _fit_row(row, height - titles.height)
    ]
    return boxes, _Box(titles.height, titles.marks, above=3)


@dataclass(frozen=True, slots=True)
class _SetCell:
    lines: tuple[tuple[str, Style, float], ...]  # each with its width
    figure: bool

    @property
    def height(self) -> float:
        return sum(style.line for _, style, _ in self.lines)


def _set_row(
    row: Sequence[PaperCell], widths: Sequence[float], measure: Measure, *, title: bool = False
) -> list[_SetCell]:
    found = []
    for cell, width in zip(row, widths, strict=True):
        style = _TITLE if title else _BOLD if cell.bold else _CELL
        lines = [(each, style) for each in wrapped(cell.text, style, width, measure)]
        lines += [(each, _SMALL) for each in wrapped(cell.small, _SMALL, width, measure)]
        told = tuple((text, style, measure(text, style)) for text, style in lines)
        found.append(_SetCell(told, cell.figure))
    return found


def _fit_row(row: Sequence[_SetCell], room: float) -> Iterator[list[_SetCell]]:
    """A row, in as many as it takes where it is higher than a page."""
    most = max(1, int((room - 2 * _PAD) // _CELL.line))
    longest = max(len(cell.lines) for cell in row)
    for start in range(0, max(longest, 1), most):
        yield [_SetCell(cell.lines[start : start + most], cell.figure) for cell in row]


def _row_box(
    row: Sequence[_SetCell], widths: Sequence[float], thick: float, *, low: bool = False
) -> _Box:
    """Cells side by side above a line; titles stand low."""
    high = max(cell.height for cell in row) + 2 * _PAD
    marks: list[Mark] = [Ruled(high, thick)]
    x = 0.0
    for cell, width in zip(row, widths, strict=True):
        y = high - _PAD - cell.height if low else _PAD
        for text, style, wide in cell.lines:
            marks.append(
                WrittenLine(
                    x + (width - wide if cell.figure else 0), y + 0.75 * style.line, text, style
                )
            )
            y += style.line
        x += width + _GAP
    return _Box(high, tuple(marks))


def _column_widths(table: PaperTable, width: float, measure: Measure) -> list[float]:
    """How wide each column is: figures as they need, texts share the rest."""
    room = width - _GAP * (len(table.titles) - 1)
    wanted, least = [], []
    for at, title in enumerate(table.titles):
        column = [row[at] for row in table.rows]
        words = max((measure(word, _TITLE) for word in title.text.split()), default=0.0)
        texts = [measure(cell.text, _CELL) for cell in column]
        smalls = [measure(cell.small, _SMALL) for cell in column]
        own = [measure(word, _CELL) for cell in column for word in cell.text.split()]
        if title.figure:
            wanted.append(max([words, *texts, *smalls]))
            least.append(wanted[-1])
        else:
            wanted.append(max([measure(title.text, _TITLE), *texts]))
            least.append(min(max([words, *own, 0.0]), _WIDEST_WORD * width))
    return _share_room(wanted, least, [title.figure for title in table.titles], room)


def _share_room(
    wanted: Sequence[float], least: Sequence[float], figures: Sequence[bool], room: float
) -> list[float]:
    spare = room - sum(wanted)
    if spare >= 0:
        some = [not figure for figure in figures] if not all(figures) else [True] * len(figures)
        more = spare / sum(some)
        return [each + more * one for each, one in zip(wanted, some, strict=True)]
    if sum(least) >= room:
        return [each * room / sum(least) for each in least]
    found = dict(enumerate(least))
    waiting = sorted(found, key=lambda at: wanted[at] - least[at])
    left = room - sum(least)
    for number, at in enumerate(waiting):  # who wants little gets it, the others share alike
        more = min(wanted[at] - least[at], left / (len(waiting) - number))
        found[at] += more
        left -= more
    return list(found.values())


def _move_mark(mark: Mark, y: float) -> Mark:
    if isinstance(mark, WrittenLine):
        return WrittenLine(mark.x, mark.y + y, mark.text, mark.style)
    if isinstance(mark, Ruled):
        return Ruled(mark.y + y, mark.thick)
    return DrawnChart(mark.y + y, mark.height, mark.chart)
