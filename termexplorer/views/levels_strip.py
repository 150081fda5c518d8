"""A slider over the levels, below a strip that says what is on each."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QRectF, QSignalBlocker, QSize, Qt, Signal, Slot
from PySide6.QtGui import (
    QColor,
    QFont,
    QHelpEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QSlider, QToolTip, QVBoxLayout, QWidget

from termexplorer.texts import number, short_count, tr, trn
from termexplorer.views.inputs import Slider
from termexplorer.views.theme import Theme

MOST_SHOWN = 20  # of a deep ontology the strip shows those around the chosen one
_HANDLE = 16

_Texts = Callable[[int, int], tuple[str, str]]  # what a cell says of its classes and its names


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
        self.strip.update()
        classes, names = counts.get(self.level, (0, 0))
        told = _told(self.level, classes, names)
        self.slider.setAccessibleDescription(told if self.level in counts else "")

    def shown(self) -> range:
        """The levels that the strip has room for."""
        return self.strip.levels

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
        first = min(max(self.level - MOST_SHOWN // 2, 1), max(last - MOST_SHOWN + 1, 1))
        self.strip.levels = range(first, min(first + MOST_SHOWN, last + 1))
        self.strip.level = self.level
        self.strip.update()
        aligned = 1 < last <= MOST_SHOWN
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
    """A cell for each level: its number, classes and names."""

    clicked = Signal(int)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.levels = range(1, 2)
        self.level = 1
        self.counts: dict[int, tuple[int, int]] = {}
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:  # noqa: N802
        """Three lines."""
        return QSize(400, 3 * self.fontMetrics().height() + 20)

    def event(self, event: QEvent) -> bool:
        """Tells of the level under the mouse what there may be no room for."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            level, told = self._at(event.pos().x()), tr("Click to go to a level")
            if level in self.counts:
                told = f"{_told(level, *self.counts[level])}\n{told}"
            QToolTip.showText(event.globalPos(), told, self)
            return True
        return super().event(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Goes to the level that is clicked."""
        self.clicked.emit(self._at(event.position().x()))

    def _at(self, place: float) -> int:
        """The level at a place from the left."""
        at = int(place * len(self.levels) / max(self.width(), 1))
        return self.levels[min(max(at, 0), len(self.levels) - 1)]

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802
        """Draws the cells."""
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            width = self.width() / len(self.levels)
            texts = self._fitting(width - 8)
            for number, level in enumerate(self.levels):
                cell = QRectF(number * width + 2, 0, width - 4, self.height())
                self._draw(painter, cell, level, texts)

    def _draw(self, painter: QPainter, cell: QRectF, level: int, texts: _Texts) -> None:
        colours = self._theme.colours
        current = level == self.level
        painter.setPen(QColor(colours.accent if current else colours.line))
        painter.setBrush(QColor(colours.selected if current else colours.panel))
        painter.drawRoundedRect(cell.adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)
        line = self.fontMetrics().height() + 2
        area = QRectF(cell.left() + 2, cell.top() + 5, cell.width() - 4, line)
        bold = QFont(self.font())
        bold.setWeight(QFont.Weight.DemiBold)
        painter.setFont(bold)
        painter.setPen(QColor(colours.accent if current else colours.text))
        titled = texts is _in_words
        self._write(painter, area, tr("Level {level}", level=level) if titled else f"{level}")
        painter.setFont(self.font())
        if level in self.counts:
            classes, names = texts(*self.counts[level])
            painter.setPen(QColor(colours.text))
            self._write(painter, area.translated(0, line), classes)
            painter.setPen(QColor(colours.quiet))
            self._write(painter, area.translated(0, 2 * line), names)

    def _fitting(self, room: float) -> _Texts:
        """The longest way to say what is on the levels for which every cell has room."""
        counts = [self.counts[level] for level in self.levels if level in self.counts]
        for texts in (_in_words, _in_figures):
            said = [text for each in counts for text in texts(*each)]
            if all(self.fontMetrics().horizontalAdvance(text) <= room for text in said):
                return texts
        return _in_thousands

    def _write(self, painter: QPainter, area: QRectF, text: str) -> None:
        painter.drawText(area, Qt.AlignmentFlag.AlignCenter, text)


def _told(level: int, classes: int, names: int) -> str:
    of_classes, of_names = _in_words(classes, names)
    return tr("Level {level}: {classes}, {names}", level=level, classes=of_classes, names=of_names)


def _in_words(classes: int, names: int) -> tuple[str, str]:
    return trn("{n:,} class", "{n:,} classes", classes), trn("{n:,} name", "{n:,} names", names)


def _in_figures(classes: int, names: int) -> tuple[str, str]:
    return number(classes), number(names)


def _in_thousands(classes: int, names: int) -> tuple[str, str]:
    return short_count(classes), short_count(names)
