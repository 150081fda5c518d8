"""Two terms to be judged, large: side by side, or one below the other where they are long."""

from collections.abc import Iterator

from PySide6.QtCore import QSize, Qt, Slot
from PySide6.QtGui import QFont, QFontMetricsF, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QFrame, QScrollArea, QVBoxLayout, QWidget

from termexplorer.views.widgets.wrapped_label import WrappedLabel

_RATIOS = (2.4, 2.0, 1.7, 1.4, 1.2, 1.0)  # of the usual text, the largest for which there is room
_STEP = 48
_INSETS = (24, 10)  # around a term, and between two; less where there is little room
_LOW = 12  # lines of usual text, below which there is little
_SHORT, _TALL = 250, 20  # characters of both for which so many usual lines are room enough
_UNBOUND = (1 << 24) - 1  # Qt's QWIDGETSIZE_MAX
_WIDEST, _LINES = 1080, 3  # of both together; more lines than these read better across


class TermCards(QScrollArea):
    """Both terms whole; where even small letters do not fit, it scrolls.

    Attributes:
        left: the term at the left, or above.
        right: the other.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.left, self.right = WrappedLabel(), WrappedLabel()
        self._row = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._inset = 0
        self._inside: list[QVBoxLayout] = []
        for label in (self.left, self.right):
            card = QFrame()
            card.setProperty("card", True)
            inside = QVBoxLayout(card)
            inside.addWidget(label, 1)
            self._inside.append(inside)
            self._row.addWidget(card, 1)
        middle = QWidget()
        middle.setMaximumWidth(_WIDEST)
        middle.setLayout(self._row)
        around = QWidget()
        whole = QBoxLayout(QBoxLayout.Direction.LeftToRight, around)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addStretch()
        whole.addWidget(middle, 1000)
        whole.addStretch()
        self.setWidget(around)
        for widget in (self.viewport(), around):
            widget.setAutoFillBackground(False)

    @property
    def seen(self) -> bool:
        """Whether they were drawn since they came."""
        return self.drawn_at is not None

    @property
    def drawn_at(self) -> float | None:
        """Return when they were drawn first since they came, by `time.monotonic`."""
        return self.left.drawn_at

    def show_terms(self, left: str, right: str) -> None:
        """Shows two terms."""
        for label, term in ((self.left, left), (self.right, right)):
            label.show_text(term)
        short = len(left) + len(right) < _SHORT
        self.setMaximumHeight(self.fontMetrics().height() * _TALL if short else _UNBOUND)
        self.fit()
        self.verticalScrollBar().setValue(0)

    def scroll_by(self, steps: int) -> None:
        """Goes down, or up, where there is more to be read."""
        bar = self.verticalScrollBar()
        bar.setValue(bar.value() + steps * _STEP)

    @Slot()
    def fit(self) -> None:
        """Finds the best way for the room and the usual text; a new style sheet undoes it."""
        self._set_insets()
        direction, font = next(self._fitting())
        self._row.setDirection(direction)
        for label in (self.left, self.right):
            label.setFont(font)
            label.updateGeometry()

    def sizeHint(self) -> QSize:  # noqa: N802
        """Room for three lines."""
        return QSize(640, 2 * _INSETS[0] + self.fontMetrics().height() * 8)

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        """A line of a term above another."""
        return QSize(200, 2 * _INSETS[1] + self.fontMetrics().height() * 3)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        """Finds another size of letters."""
        super().resizeEvent(event)
        self.fit()

    def _set_insets(self) -> None:
        low = self.height() < self.fontMetrics().height() * _LOW
        inset = _INSETS[low]
        if inset != self._inset:
            self._inset = inset
            self._row.setSpacing(inset)
            for inside in self._inside:
                inside.setContentsMargins(inset, inset, inset, inset)

    def _fitting(self) -> Iterator[tuple[QBoxLayout.Direction, QFont]]:
        """The ways for which there is room, the best first, and in the end one for none."""
        width = min(self.viewport().width(), _WIDEST)
        room = self.viewport().height()
        beside, below = QBoxLayout.Direction.LeftToRight, QBoxLayout.Direction.TopToBottom
        for ratio in _RATIOS:
            font = self._font(ratio)
            half = (width - self._inset) // 2 - 2 * self._inset
            high = max(card.height_in(half, font) for card in (self.left, self.right))
            lines = int(QFontMetricsF(font).lineSpacing() * _LINES) + 2
            if high <= min(room - 2 * self._inset, lines) and self._unbroken(half, font):
                yield beside, font
            across = width - 2 * self._inset
            both = sum(card.height_in(across, font) for card in (self.left, self.right))
            if both + 4 * self._inset + self._inset <= room and self._unbroken(across, font):
                yield below, font
        yield below, self._font(_RATIOS[-1])

    def _unbroken(self, width: int, font: QFont) -> bool:
        """Whether no word has to be broken."""
        words = f"{self.left.text()} {self.right.text()}".split()
        metrics = QFontMetricsF(font)
        return all(metrics.horizontalAdvance(word) <= width for word in words)

    def _font(self, ratio: float) -> QFont:
        font = QFont(self.font())
        font.setPointSizeF(font.pointSizeF() * ratio)
        font.setWeight(QFont.Weight.DemiBold)
        return font
