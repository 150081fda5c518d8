"""A slider over the levels, below a strip that says what is on each."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QRectF, QSignalBlocker, QSize, Qt, Signal, Slot
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetrics,
    QHelpEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QSlider, QToolTip, QVBoxLayout, QWidget

from termexplorer.plain_text import plain_tip
from termexplorer.texts import short_count, tr, trn
from termexplorer.views.widgets.inputs import Slider
from termexplorer.views.widgets.theme import Theme

MOST_COUNTED = 20  # of a deep ontology those around the chosen one
_HANDLE = 16
_GAP, _PAD = 4, 6  # pixels between tiles, and around what is written in one
_EDGE = 16  # pixels of an arrow that leads to levels beside those on show

_Texts = Callable[[int, int], tuple[str, str]]  # what a tile says of its classes and its names


class LevelSlider(QWidget):
    """Chooses a level by mouse or keys.

    Signals:
        moved: the level that is chosen now.
    """

    moved = Signal(int)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.strip = _Strip(theme)
        self.slider = Slider()
        self.slider.setAccessibleName(tr("Level"))
        self.slider.setToolTip(tr("Arrow keys move it by a level, Home and End to the ends"))
        self.slider.setPageStep(1)
        self.slider.setTickPosition(QSlider.TickPosition.NoTicks)
        self.slider.setRange(1, 1)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(4)
        self._column.addWidget(self.strip)
        self._track = QHBoxLayout()
        self._track.addWidget(self.slider)
        self._column.addLayout(self._track)
        self.slider.valueChanged.connect(self._on_moved)
        self.strip.clicked.connect(self.slider.setValue)
        theme.changed.connect(self._paint_theme)
        self._paint_theme()

    @property
    def level(self) -> int:
        """The level that is chosen."""
        return self.slider.value()

    def show_levels(self, count: int, level: int) -> None:
        """Offers the levels from 1 to `count`, without telling."""
        with QSignalBlocker(self.slider):
            self.slider.setRange(1, max(count, 1))
            self.slider.setValue(level)
        self._place()

    def show_counts(self, counts: dict[int, tuple[int, int]]) -> None:
        """Says (classes, names) of levels, as far as they are known."""
        self.strip.counts = counts
        self._place()
        classes, names = counts.get(self.level, (0, 0))
        description = _describe_level(self.level, classes, names)
        self.slider.setAccessibleDescription(description if self.level in counts else "")

    def counted(self) -> range:
        """Return the levels that the strip may come to show next."""
        last = self.slider.maximum()
        first = min(max(self.level - MOST_COUNTED // 2, 1), max(last - MOST_COUNTED + 1, 1))
        return range(first, min(first + MOST_COUNTED, last + 1))

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        """Shows as many levels as there is room for at another text size."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._place()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        """Keeps the handle under its level."""
        super().resizeEvent(event)
        self._place()

    @Slot(int)
    def _on_moved(self, level: int) -> None:
        self._place()
        self.moved.emit(level)

    def _place(self) -> None:
        last = self.slider.maximum()
        self.strip.show_levels(last, self.level)
        aligned = len(self.strip.levels) == last > 1
        side = max(self.width() // (2 * last) - _HANDLE // 2, 0) if aligned else 0
        self.slider.setVisible(last > 1)
        self._track.setContentsMargins(side, 0, side, 0)

    @Slot()
    def _paint_theme(self) -> None:
        colours = self._theme.colours
        self.slider.setStyleSheet(
            f"QSlider {{ min-height: {_HANDLE + 4}px; }}"
            f"QSlider::groove:horizontal {{ height: 4px; border-radius: 2px;"
            f" background: {colours.line}; }}"
            f"QSlider::handle:horizontal {{ width: {_HANDLE}px; margin: -6px 0;"
            f" border-radius: {_HANDLE // 2}px; background: {colours.accent}; }}"
            f"QSlider::handle:horizontal:focus {{ border: 2px solid {colours.text};"
            f" width: {_HANDLE - 4}px; }}"
        )


class _Strip(QWidget):
    """A tile for each level: its number, classes and names.

    Where there is no room for all levels it scrolls with the one that is chosen.

    Attributes:
        levels: those on show.
        last: the lowest that there is.
    """

    clicked = Signal(int)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.levels = range(1, 2)
        self.level = self.last = 1
        self.counts: dict[int, tuple[int, int]] = {}
        self._texts: _Texts = _in_words
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    def show_levels(self, last: int, level: int) -> None:
        """Show as many levels as have room for what is written in them, the chosen one too."""
        self.last, self.level = last, level
        self._texts = next(
            (texts for texts in (_in_words, _in_thousands) if self._room(texts, 0) >= last),
            _in_thousands,
        )
        room = min(max(self._room(self._texts, 0), 1), last)
        if room < last:
            room = max(self._room(self._texts, 2 * _EDGE), 1)
        beside = 1 if room > 2 else 0  # levels on show at both sides of the chosen one
        first = max(self.levels.start, level + beside - room + 1)
        first = max(min(first, level - beside, last - room + 1), 1)
        self.levels = range(first, first + room)
        self.update()

    def tile(self, level: int) -> QRectF:
        """Return where the tile of a level on show is."""
        left, width = self._edge, self._tile_width
        number = level - self.levels.start
        return QRectF(left + number * width + _GAP / 2, 0, width - _GAP, self.height())

    def lines(self, level: int) -> list[str]:
        """Return what is written in a level's tile."""
        title = tr("Level {level}", level=level)
        return [title, *(self._texts(*self.counts[level]) if level in self.counts else ())]

    def sizeHint(self) -> QSize:  # noqa: N802
        """Three lines."""
        return QSize(400, 3 * self.fontMetrics().height() + 20)

    def event(self, event: QEvent) -> bool:
        """Tells of the level under the mouse what there may be no room for."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            level, tip = self._at(event.pos().x()), tr("Click to go to a level")
            if level in self.counts:
                tip = f"{_describe_level(level, *self.counts[level])}\n{tip}"
            QToolTip.showText(event.globalPos(), plain_tip(tip), self)
            return True
        return super().event(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Goes to the level that is clicked; an arrow goes to the next one that is not on show."""
        self.clicked.emit(self._at(event.position().x()))

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802
        """Draws the tiles, and arrows where there are more."""
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            for level in self.levels:
                self._draw(painter, self.tile(level), level)
            painter.setPen(QColor(self._theme.colours.quiet))
            right = self.width() - self._edge
            if self.levels.start > 1:
                self._write(painter, QRectF(0, 0, self._edge, self.height()), "‹")
            if self.levels.stop <= self.last:
                self._write(painter, QRectF(right, 0, self._edge, self.height()), "›")

    @property
    def _edge(self) -> int:
        return _EDGE if len(self.levels) < self.last else 0

    @property
    def _tile_width(self) -> float:
        return (self.width() - 2 * self._edge) / len(self.levels)

    def _at(self, x: float) -> int:
        """The level at so many pixels from the left, or the next one beside those on show."""
        number = int((x - self._edge) // max(self._tile_width, 1))
        return min(max(self.levels.start + min(max(number, -1), len(self.levels)), 1), self.last)

    def _room(self, texts: _Texts, taken: int) -> int:
        """How many tiles have room for the longest text of all levels beside so many pixels."""
        bold = QFontMetrics(self._bold())
        widths = [bold.horizontalAdvance(tr("Level {level}", level=self.last))]
        for counts in self.counts.values():
            widths += [self.fontMetrics().horizontalAdvance(text) for text in texts(*counts)]
        return (self.width() - taken) // (max(widths) + _GAP + 2 * _PAD)

    def _draw(self, painter: QPainter, tile: QRectF, level: int) -> None:
        colours = self._theme.colours
        current = level == self.level
        painter.setPen(QColor(colours.accent if current else colours.line))
        painter.setBrush(QColor(colours.selected if current else colours.panel))
        painter.drawRoundedRect(tile.adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)
        height = self.fontMetrics().height() + 2
        area = QRectF(tile.left() + 2, tile.top() + 5, tile.width() - 4, height)
        inks = (colours.accent if current else colours.text, colours.text, colours.quiet)
        for number, (text, ink) in enumerate(zip(self.lines(level), inks, strict=False)):
            painter.setFont(self.font() if number else self._bold())
            painter.setPen(QColor(ink))
            self._write(painter, area.translated(0, number * height), text)

    def _bold(self) -> QFont:
        font = QFont(self.font())
        font.setWeight(QFont.Weight.DemiBold)
        return font

    def _write(self, painter: QPainter, area: QRectF, text: str) -> None:
        painter.drawText(area, Qt.AlignmentFlag.AlignCenter, text)


def _describe_level(level: int, classes: int, names: int) -> str:
    of_classes, of_names = _in_words(classes, names)
    return tr("Level {level}: {classes}, {names}", level=level, classes=of_classes, names=of_names)


def _in_words(classes: int, names: int) -> tuple[str, str]:
    return trn("{n:,} class", "{n:,} classes", classes), trn("{n:,} name", "{n:,} names", names)


def _in_thousands(classes: int, names: int) -> tuple[str, str]:
    return (
        trn("{short} class", "{short} classes", classes, short=short_count(classes)),
        trn("{short} name", "{short} names", names, short=short_count(names)),
    )
