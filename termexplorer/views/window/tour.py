"""A tour of five steps: each points at a real part of the window, and can be left with Esc."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QSize, Qt, Slot
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPaintEvent, QPen, QRegion
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from termexplorer.texts import tr
from termexplorer.views.widgets.focus import can_take_keys, mark_parts
from termexplorer.views.widgets.plain_label import PlainLabel
from termexplorer.views.widgets.theme import Theme

_SHADE = QColor(0, 0, 0, 110)
_AROUND, _AWAY = 6, 14  # pixels of the frame around a part, and from there to the words
_WIDTH = 340
_FORWARD = (Qt.Key.Key_Right, Qt.Key.Key_Down)
_BACK = (Qt.Key.Key_Left, Qt.Key.Key_Up)


@dataclass(frozen=True, slots=True)
class TourStep:
    """What a step points at, and what it says."""

    target: QWidget
    title: str
    text: str


class Tour(QWidget):
    """Lies over the window; what it points at can be pressed through it."""

    def __init__(self, steps: Sequence[TourStep], theme: Theme, window: QWidget) -> None:
        super().__init__(window)
        self._steps, self._theme, self._window = list(steps), theme, window
        self._number = 0
        self._before = window.focusWidget()
        self.setAccessibleName(tr("Tour"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.words = _TourTexts(self)
        self.words.next.clicked.connect(self.go_on)
        self.words.back.clicked.connect(self.go_back)
        self.words.leave.clicked.connect(self.leave)
        for button in self.words.buttons:
            button.installEventFilter(self)
        self.setFocusProxy(self.words.next)
        mark_parts(self.words)
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
        if can_take_keys(self._before) and self._before:
            self._before.setFocus(Qt.FocusReason.OtherFocusReason)
        self.hide()
        self.deleteLater()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        """Leave on Esc."""
        if event.key() == Qt.Key.Key_Escape:
            self.leave()
        else:
            super().keyPressEvent(event)

    def focusNextPrevChild(self, forward: bool) -> bool:  # noqa: N802
        """Keep Tab among the buttons of the card."""
        buttons = [button for button in self.words.buttons if can_take_keys(button)]
        if not buttons:  # it hides
            return super().focusNextPrevChild(forward)
        focused = self.focusWidget()
        at = buttons.index(focused) if focused in buttons else -1
        buttons[(at + (1 if forward else -1)) % len(buttons)].setFocus(
            Qt.FocusReason.TabFocusReason if forward else Qt.FocusReason.BacktabFocusReason
        )
        return True

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        """Follow the window's size; the arrows go from step to step, not to what lies behind."""
        if watched is self._window and event.type() == QEvent.Type.Resize:
            self._place()
        if watched is not self._window and isinstance(event, QKeyEvent) and _is_press(event):
            if event.key() in _FORWARD:
                self.go_on()
                return True
            if event.key() in _BACK:
                self.go_back()
                return True
        return super().eventFilter(watched, event)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802
        """Shades all but what is pointed at."""
        painter = QPainter(self)
        painter.save()
        painter.setClipRegion(QRegion(self.rect()) - QRegion(self._hole()))
        painter.fillRect(self.rect(), _SHADE)
        painter.restore()
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
        self.words.take_room(self.size())
        self.words.move(self._card_corner(hole))
        self.setMask(QRegion(self.rect()) - QRegion(hole) + QRegion(self.words.geometry()))
        self.update()

    def _hole(self) -> QRect:
        target = self._steps[self._number].target
        corner = target.mapTo(self._window, QPoint(0, 0))
        rect = QRect(corner, target.size())
        return rect.adjusted(-_AROUND, -_AROUND, _AROUND, _AROUND) & self._window.rect()

    def _card_corner(self, hole: QRect) -> QPoint:
        """Where the card stands: beside the hole, else in the hole's lower right corner."""
        size, room = self.words.size(), self.rect()
        for x, y in (
            (hole.right() + _AWAY, hole.top()),
            (hole.left(), hole.bottom() + _AWAY),
            (hole.left(), hole.top() - _AWAY - size.height()),
            (hole.left() - _AWAY - size.width(), hole.top()),
        ):
            card = QRect(QPoint(x, y), size)
            card.moveBottom(min(card.bottom(), room.bottom()))
            card.moveRight(min(card.right(), room.right()))
            if room.contains(card) and not card.intersects(hole):
                return card.topLeft()
        corner = hole.bottomRight() - QPoint(size.width(), size.height()) - QPoint(_AWAY, _AWAY)
        return QPoint(max(corner.x(), 0), max(corner.y(), 0))


def _is_press(event: QKeyEvent) -> bool:
    return event.type() == QEvent.Type.KeyPress


class _TourTexts(QFrame):
    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("tour")
        self.title, self.text, self.count = PlainLabel(), PlainLabel(), PlainLabel()
        self.title.setProperty("title", True)
        self.text.setWordWrap(True)
        self.count.setProperty("quiet", True)
        self.leave, self.back = QPushButton(tr("Leave")), QPushButton(tr("Back"))
        self.next = QPushButton()
        self.next.setProperty("primary", True)
        self.buttons = (self.leave, self.back, self.next)
        row = self._row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.count, 1)
        for button in self.buttons:
            row.addWidget(button)
        column = self._column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 16)
        column.setSpacing(8)
        column.addWidget(self.title)
        column.addWidget(self.text)
        column.addLayout(row)

    def take_room(self, room: QSize) -> None:
        """Be as wide as the buttons need, and as high as the words are then."""
        self.ensurePolished()
        for child in self.findChildren(QWidget):
            child.ensurePolished()  # the style sheet makes the title larger
        layout = self._column
        self._row.invalidate()  # what other texts and letters needed
        layout.invalidate()
        frame = self.contentsMargins()
        across, down = frame.left() + frame.right(), frame.top() + frame.bottom()
        width = min(max(_WIDTH, layout.minimumSize().width() + across), room.width())
        height = layout.totalHeightForWidth(width - across) + down
        self.setFixedSize(width, min(height, room.height()))
        layout.activate()

    def show_step(self, title: str, text: str, number: int, of: int) -> None:
        self.title.setText(title)
        self.text.setText(text)
        self.count.setText(tr("{number} of {count}", number=number, count=of))
        if number == 1 and self.back.hasFocus():
            self.next.setFocus(Qt.FocusReason.OtherFocusReason)
        self.back.setEnabled(number > 1)
        self.back.setToolTip("" if number > 1 else tr("This is the first step"))
        self.next.setText(tr("Next") if number < of else tr("Done"))
        self.setAccessibleName(f"{title}. {text}")
