"""A tour of five steps: each points at a real part of the window, and can be left with Esc."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt, Slot
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPaintEvent, QPen, QRegion
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from termexplorer.texts import tr
from termexplorer.views.theme import Theme

_SHADE = QColor(0, 0, 0, 110)
_AROUND, _AWAY = 6, 14  # pixels of the frame around a part, and from there to the words
_WIDTH = 340


@dataclass(frozen=True, slots=True)
class Step:
    """What a step points at, and what it says."""

    target: QWidget
    title: str
    text: str


class Tour(QWidget):
    """Lies over the window; what it points at can be pressed through it."""

    def __init__(self, steps: Sequence[Step], theme: Theme, window: QWidget) -> None:
        super().__init__(window)
        self._steps, self._theme, self._window = list(steps), theme, window
        self._number = 0
        self._before = window.focusWidget()
        self.setAccessibleName(tr("Tour"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.words = _Words(self)
        self.words.next.clicked.connect(self.go_on)
        self.words.back.clicked.connect(self.go_back)
        self.words.leave.clicked.connect(self.leave)
        window.installEventFilter(self)
        self._show_step()
        self.show()
        self.raise_()
        self.words.next.setFocus(Qt.FocusReason.OtherFocusReason)

    @Slot()
    def go_on(self) -> None:
        """The next step; after the last one the tour is over."""
        self._go_to(self._number + 1)

    @Slot()
    def go_back(self) -> None:
        """The step before."""
        self._go_to(max(self._number - 1, 0))

    @Slot()
    def leave(self) -> None:
        """Ends the tour; the keys are where they were."""
        self._window.removeEventFilter(self)
        self.hide()
        if self._before is not None:
            self._before.setFocus(Qt.FocusReason.OtherFocusReason)
        self.deleteLater()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        """Esc leaves."""
        if event.key() == Qt.Key.Key_Escape:
            self.leave()
        else:
            super().keyPressEvent(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        """Follows the window's size."""
        if event.type() == QEvent.Type.Resize:
            self._place()
        return super().eventFilter(watched, event)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802
        """Shades all but what is pointed at."""
        painter = QPainter(self)
        painter.fillRect(self.rect(), _SHADE)
        painter.setPen(QPen(QColor(self._theme.colours.accent), 3))
        painter.drawRect(self._hole().adjusted(-2, -2, 2, 2))
        painter.end()

    def _go_to(self, number: int) -> None:
        if number == len(self._steps):
            self.leave()
            return
        self._number = number
        self._show_step()

    def _show_step(self) -> None:
        step = self._steps[self._number]
        self.words.show_step(step.title, step.text, self._number + 1, len(self._steps))
        self._place()

    def _place(self) -> None:
        self.setGeometry(self._window.rect())
        hole = self._hole()
        self.setMask(QRegion(self.rect()) - QRegion(hole))
        self.words.setFixedWidth(_WIDTH)
        self.words.adjustSize()
        self.words.move(self._beside(hole))
        self.update()

    def _hole(self) -> QRect:
        target = self._steps[self._number].target
        corner = target.mapTo(self._window, QPoint(0, 0))
        rect = QRect(corner, target.size())
        return rect.adjusted(-_AROUND, -_AROUND, _AROUND, _AROUND) & self._window.rect()

    def _beside(self, hole: QRect) -> QPoint:
        """At the right of the hole where there is room, else below it, else above."""
        size, room = self.words.size(), self.rect()
        if hole.right() + _AWAY + size.width() <= room.right():
            x, y = hole.right() + _AWAY, hole.top()
        elif hole.bottom() + _AWAY + size.height() <= room.bottom():
            x, y = hole.left(), hole.bottom() + _AWAY
        else:
            x, y = hole.left(), hole.top() - _AWAY - size.height()
        return QPoint(
            max(min(x, room.right() - size.width()), 0),
            max(min(y, room.bottom() - size.height()), 0),
        )


class _Words(QFrame):
    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("tour")
        self.title, self.text, self.count = QLabel(), QLabel(), QLabel()
        self.title.setProperty("title", True)
        self.text.setWordWrap(True)
        self.count.setProperty("quiet", True)
        self.leave, self.back = QPushButton(tr("Leave")), QPushButton(tr("Back"))
        self.next = QPushButton()
        self.next.setProperty("primary", True)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.count, 1)
        for button in (self.leave, self.back, self.next):
            row.addWidget(button)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 16)
        column.setSpacing(8)
        column.addWidget(self.title)
        column.addWidget(self.text)
        column.addLayout(row)

    def show_step(self, title: str, text: str, number: int, of: int) -> None:
        self.title.setText(title)
        self.text.setText(text)
        self.count.setText(tr("{number} of {count}", number=number, count=of))
        self.back.setEnabled(number > 1)
        self.back.setToolTip("" if number > 1 else tr("This is the first step"))
        self.next.setText(tr("Next") if number < of else tr("Done"))
        self.setAccessibleName(f"{title}. {text}")
