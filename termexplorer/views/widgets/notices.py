"""What the window has to tell: the last error or message, in a panel and never in a dialog."""

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QObject, QRect, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent, QShowEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QBoxLayout,
    QFrame,
    QHBoxLayout,
    QPushButton,
    QSizePolicy,
    QToolButton,
    QWidget,
)

from termexplorer.texts import tr, trn
from termexplorer.views.widgets.focus import WayBack
from termexplorer.views.widgets.icons import icon
from termexplorer.views.widgets.plain_label import PlainLabel
from termexplorer.views.widgets.theme import Theme

_WIDEST, _LEAST, _AWAY = 640, 360, 12  # pixels of the panel, and between it and the edges


@dataclass(frozen=True, slots=True)
class NoticeAction:
    """A button of a notice: what it is called, and what it does."""

    label: str
    act: Callable[[], None]


@dataclass(frozen=True, slots=True)
class Notice:
    """A line for people; `action` labels a button that calls `act`; `dismissed`: it was read.

    `further` is a second button; with it, all of them are below the line. `dismiss` says what to
    dismiss a question comes to.
    """

    text: str
    error: bool = False
    action: str = ""
    act: Callable[[], None] | None = None
    dismissed: Callable[[], None] | None = None
    further: NoticeAction | None = None
    dismiss: str = ""


class Notices(QObject):
    """Where pages and jobs leave what people should know.

    Signals:
        notice_shown: a `Notice`.
        outdated: a `Notice`, and the one that is true now instead, or None.
    """

    notice_shown = Signal(object)
    outdated = Signal(object, object)

    @Slot(str)
    def error(self, text: str, action: str = "", act: Callable[[], None] | None = None) -> None:
        """Tells an error: what happened, where, and what to do; perhaps with a button."""
        self.notice_shown.emit(Notice(text, True, action, act))

    def tell(
        self,
        text: str,
        action: str = "",
        act: Callable[[], None] | None = None,
        dismissed: Callable[[], None] | None = None,
    ) -> None:
        """Tells something else, perhaps with a button; `dismissed` is called if it is not used."""
        self.notice_shown.emit(Notice(text, False, action, act, dismissed))


class NoticePanel(QFrame):
    """Shows the last notice until it is dismissed.

    One with a button stays until that is pressed or it is dismissed: notices that come after it
    are shown over it.
    """

    def __init__(self, notices: Notices, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("notice")
        self._theme = theme
        self._notice = Notice("")
        self._under: list[Notice] = []  # with buttons, the last one uppermost
        self._more = PlainLabel()
        self._sign = PlainLabel()
        self._text = PlainLabel(wordWrap=True)
        self._text.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self._text.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self._act, self._further = QPushButton(), QPushButton()
        self._dismiss = QPushButton(tr("Dismiss"))
        self._act.clicked.connect(self._on_act)
        self._further.clicked.connect(self._on_further)
        self._dismiss.clicked.connect(self.dismiss)
        self._dismiss.setToolTip(tr("Esc while focused; F6 moves the focus here"))
        self._way_back = WayBack(self)
        self._around: QWidget | None = None
        self._bar: QWidget | None = None
        self._lay_out()
        self.hide()
        notices.notice_shown.connect(self._on_told)
        notices.outdated.connect(self._on_outdated)
        theme.changed.connect(self._paint_sign)

    def _lay_out(self) -> None:
        message_row, buttons = QHBoxLayout(), QHBoxLayout()
        for part in (message_row, buttons):
            part.setSpacing(12)
        message_row.addWidget(self._sign)
        message_row.addWidget(self._text, 1)
        buttons.addWidget(self._more)
        buttons.addStretch()
        for button in (self._act, self._further, self._dismiss):
            buttons.addWidget(button)
        self._box = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._box.setContentsMargins(16, 8, 16, 8)
        self._box.setSpacing(12)
        self._box.addLayout(message_row, 1)
        self._box.addLayout(buttons)

    def lie_over(self, around: QWidget, bar: QWidget | None = None) -> None:
        """Lie over what is in a widget, so that nothing moves when it comes; but over no button.

        It lies lower right, or as near to that as buttons leave room; where there is not enough,
        over none of the main ones.

        Args:
            around: the widget.
            bar: at its lower edge, which stays free.
        """
        self._around, self._bar = around, bar
        shown = self.isVisibleTo(around)
        self.setParent(around)
        self.setVisible(shown)
        around.installEventFilter(self)
        application = QApplication.instance()
        if isinstance(application, QApplication):  # another page or tab has other buttons
            queued = Qt.ConnectionType.QueuedConnection
            application.focusChanged.connect(self._on_focus_moved, queued)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        """Follow the size of what it lies over."""
        if event.type() in (QEvent.Type.Resize, QEvent.Type.LayoutRequest):
            self._place()
        return super().eventFilter(watched, event)

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        """Come to its place when its style is known."""
        super().showEvent(event)
        self._place()

    @Slot()
    def _on_focus_moved(self) -> None:
        self._place()

    def _place(self) -> None:
        if self._around is None or self.isHidden():
            return
        bottom = self._bar.y() if self._bar else self._around.height()
        main, minor = self._find_buttons()
        free = self._find_free_place(bottom, main + minor) or self._find_free_place(bottom, main)
        self.setGeometry(free or self._find_place(self._widest, self._around.width(), bottom))
        self.raise_()

    @property
    def _widest(self) -> int:
        return min(_WIDEST, (self._around or self).width() - 2 * _AWAY)

    def _find_free_place(self, bottom: int, buttons: list[QRect]) -> QRect | None:
        """Return the lowest place of the panel that is over no button; None where there is none."""
        edges = {bottom, *(button.top() for button in buttons if button.top() < bottom)}
        columns = self._list_columns(buttons)
        for edge in sorted(edges, reverse=True):
            for width, right in columns:
                rectangle = self._find_place(width, right, edge)
                is_whole = rectangle.top() >= 0 and rectangle.height() >= self.heightForWidth(width)
                if is_whole and not any(rectangle.intersects(button) for button in buttons):
                    return rectangle
        return None

    def _list_columns(self, buttons: list[QRect]) -> list[tuple[int, int]]:
        """Return widths and right edges: at the window's edge, or right or left of buttons."""
        right, widest = (self._around or self).width(), self._widest
        widths = {right - button.right() - 2 * _AWAY for button in buttons}
        narrower = sorted((width for width in widths if _LEAST <= width < widest), reverse=True)
        lefts = sorted({button.left() for button in buttons}, reverse=True)
        moved = [(min(widest, left - 2 * _AWAY), left) for left in lefts]
        return [
            (widest, right),
            *((width, right) for width in narrower),
            *((width, left) for width, left in moved if width >= _LEAST),
        ]

    def _find_place(self, width: int, right: int, bottom: int) -> QRect:
        """Return where the panel lies that is so wide, left of one edge and over another."""
        height = min(self.heightForWidth(width), max(bottom - 2 * _AWAY, 0))
        return QRect(right - width - _AWAY, bottom - height - _AWAY, width, height)

    def _find_buttons(self) -> tuple[list[QRect], list[QRect]]:
        """Return where the main buttons are of what it lies over, and where all others are."""
        around = self._around or self
        main: list[QRect] = []
        minor: list[QRect] = []
        for button in around.findChildren(QAbstractButton):
            is_pressed = isinstance(button, QPushButton | QToolButton)
            if not is_pressed or not button.isVisible() or button.window() != self.window():
                continue
            shown = _find_shown_part(button, around)
            if not shown.isEmpty() and not self.isAncestorOf(button):
                (main if button.property("primary") else minor).append(shown)
        return main, minor

    @property
    def text(self) -> str:
        """What is told."""
        return self._notice.text

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        """Esc dismisses."""
        if event.key() == Qt.Key.Key_Escape:
            self.dismiss()
        else:
            super().keyPressEvent(event)

    @Slot()
    def dismiss(self) -> None:
        """Goes away, as it was read."""
        notice = self._notice
        self._go_away()
        if notice.dismissed:
            notice.dismissed()

    @Slot(object)
    def _on_told(self, notice: Notice) -> None:
        if not self.isHidden() and self._notice.act is not None:
            self._under.append(self._notice)
        self._under = [waiting for waiting in self._under if waiting.text != notice.text]
        self._show_notice(notice)

    def _go_away(self) -> None:
        """Show the notice under this one, or none."""
        if self._under:
            self._show_notice(self._under.pop())
        else:
            self._way_back.go()
            self.hide()

    def _show_notice(self, notice: Notice) -> None:
        self._notice = notice
        self._tell_more()
        self._text.setText(notice.text)
        self._text.setTextFormat(Qt.TextFormat.PlainText)
        self.setAccessibleName(tr("Error") if notice.error else tr("Message"))
        self.setAccessibleDescription(notice.text)
        self._act.setText(notice.action)
        self._act.setVisible(notice.act is not None)
        self._show_further(notice.further)
        self._dismiss.setText(notice.dismiss or tr("Dismiss"))
        self._paint_sign()
        self.show()
        self._place()

    @Slot(object, object)
    def _on_outdated(self, notice: Notice, instead: Notice | None) -> None:
        """Shows the other in its place, if it still is on show or under the one that is."""
        if self.isHidden():
            return
        if self._notice is not notice:
            remaining = [instead if waiting is notice else waiting for waiting in self._under]
            self._under = [waiting for waiting in remaining if waiting is not None]
            self._tell_more()
        elif instead is not None:
            self._show_notice(instead)
        else:
            self._go_away()

    def _tell_more(self) -> None:
        count = len(self._under)
        self._more.setText(trn("{n:,} more message", "{n:,} more messages", count) if count else "")
        self._more.setVisible(bool(count))

    @Slot()
    def _paint_sign(self) -> None:
        colours = self._theme.colours
        name, colour = ("warning", colours.down) if self._notice.error else ("info", colours.accent)
        self._sign.setPixmap(icon(name, colour).pixmap(20, 20))

    def _show_further(self, further: NoticeAction | None) -> None:
        way = QBoxLayout.Direction
        self._box.setDirection(way.TopToBottom if further else way.LeftToRight)
        self._further.setText(further.label if further else "")
        self._further.setVisible(further is not None)

    @Slot()
    def _on_act(self) -> None:
        self._leave_for(self._notice.act)

    @Slot()
    def _on_further(self) -> None:
        self._leave_for(self._notice.further.act if self._notice.further else None)

    def _leave_for(self, act: Callable[[], None] | None) -> None:
        self._go_away()
        if act:
            act()


def _find_shown_part(widget: QWidget, around: QWidget) -> QRect:
    """Return the part of a widget that its parents do not cut, in what is around it."""
    part = widget.rect()
    while widget is not around and (parent := widget.parentWidget()):
        part = part.translated(widget.pos()) & parent.rect()
        widget = parent
    return part
