"""A slider over the levels, below a strip that says what is on each."""

from PySide6.QtCore import QRectF, QSignalBlocker, QSize, Qt, Signal, Slot
from PySide6.QtGui import QColor, QFont, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QSlider, QVBoxLayout, QWidget

from termexplorer.texts import number, tr, trn
from termexplorer.views.inputs import Slider
from termexplorer.views.theme import Theme

MOST_SHOWN = 20  # of a deep ontology the strip shows those around the chosen one
_HANDLE = 16


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
        told = tr(
            "Level {level}: {classes:,} classes, {names:,} names",
            level=self.level,
            classes=classes,
            names=names,
        )
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
        self.setToolTip(tr("Classes and names on each level; click to go there"))
        theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:  # noqa: N802
        """Three lines."""
        return QSize(400, 3 * self.fontMetrics().height() + 20)

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Goes to the level that is clicked."""
        at = int(event.position().x() * len(self.levels) / max(self.width(), 1))
        self.clicked.emit(self.levels[min(max(at, 0), len(self.levels) - 1)])

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802
        """Draws the cells."""
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            width = self.width() / len(self.levels)
            for number, level in enumerate(self.levels):
                cell = QRectF(number * width + 2, 0, width - 4, self.height())
                self._draw(painter, cell, level)

    def _draw(self, painter: QPainter, cell: QRectF, level: int) -> None:
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
        long = self._fits(cell.width() - 4)
        self._write(painter, area, tr("Level {level}", level=level) if long else f"{level}")
        painter.setFont(self.font())
        if level in self.counts:
            classes, names = _texts(*self.counts[level], long)
            painter.setPen(QColor(colours.text))
            self._write(painter, area.translated(0, line), classes)
            painter.setPen(QColor(colours.quiet))
            self._write(painter, area.translated(0, 2 * line), names)

    def _fits(self, room: float) -> bool:
        """Whether every cell has room for words beside its numbers."""
        shown = [self.counts[level] for level in self.levels if level in self.counts]
        texts = [text for counts in shown for text in _texts(*counts, long=True)]
        return all(self.fontMetrics().horizontalAdvance(text) <= room for text in texts)

    def _write(self, painter: QPainter, area: QRectF, text: str) -> None:
        painter.drawText(area, Qt.AlignmentFlag.AlignCenter, text)


def _texts(classes: int, names: int, long: bool) -> tuple[str, str]:
    """What a cell says of its classes and its names."""
    if not long:
        return number(classes), number(names)
    return trn("{n:,} class", "{n:,} classes", classes), trn("{n:,} name", "{n:,} names", names)
