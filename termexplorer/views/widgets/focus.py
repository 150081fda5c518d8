"""Where the keys go: from part to part of the window, and back from what hides again."""

from PySide6.QtCore import QObject, Qt, Slot
from PySide6.QtWidgets import QApplication, QWidget
from shiboken6 import delete, isValid

_PART = "part"
_BARS = ("rail", "topBar", "notice", "statusBar")  # the style sheet knows them by name too


def mark_parts(*widgets: QWidget) -> None:
    """Has F6 stop at these parts of a page, besides the bars of the window."""
    for widget in widgets:
        widget.setProperty(_PART, True)


def go_to_part(window: QWidget, step: int) -> None:
    """Moves the focus to the next part as one reads, or with -1 to the one before.

    It goes where it was in that part before, or else to what comes first there.
    """
    parts = [part for part in window.findChildren(QWidget) if _can_stop(part)]
    parts.sort(key=lambda part: _corner_of(window, part))
    if not parts:
        return
    now = window.focusWidget()
    here = next((n for n, part in enumerate(parts) if now and _holds_widget(part, now)), None)
    start = (-1 if step > 0 else 0) if here is None else here
    target = _focus_stop(parts[(start + step) % len(parts)])
    if target is not None:
        target.setFocus(Qt.FocusReason.TabFocusReason)


def put_last(window: QWidget, *parts: QWidget) -> None:
    """Has Tab come to these parts after all else that is in the window by now.

    Qt's own order is that of making, in which a page comes after the bars below it.
    """
    end = before = QWidget(window)  # what is made last is the last
    end.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # or nothing can come after it
    for part in parts:
        for widget in part.findChildren(QWidget):
            # a menu of a part is a window of its own
            if widget.window() is window and widget.focusPolicy() & Qt.FocusPolicy.TabFocus:
                QWidget.setTabOrder(before, widget)
                before = widget
    delete(end)  # at once, as it comes here at each change of pages


def can_take_keys(widget: QWidget | None) -> bool:
    """Whether the focus may go there."""
    return (
        widget is not None
        and isValid(widget)
        and widget.isVisible()
        and widget.isEnabled()
        and bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus)
    )


class WayBack(QObject):
    """Remembers where the focus was before it came into a widget that will hide again."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self._widget = widget
        self._before: QWidget | None = None
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.focusChanged.connect(self._on_changed)

    def go(self) -> None:
        """Gives the focus back, if it is in the widget."""
        now = QApplication.focusWidget()
        if (
            now
            and _holds_widget(self._widget, now)
            and can_take_keys(self._before)
            and self._before
        ):
            self._before.setFocus(Qt.FocusReason.OtherFocusReason)

    @Slot(QWidget, QWidget)
    def _on_changed(self, before: QWidget | None, now: QWidget | None) -> None:
        if (
            before
            and now
            and _holds_widget(self._widget, now)
            and not _holds_widget(self._widget, before)
        ):
            self._before = before


def _holds_widget(part: QWidget, widget: QWidget) -> bool:
    return part is widget or part.isAncestorOf(widget)


def _can_stop(part: QWidget) -> bool:
    named = part.objectName() in _BARS or bool(part.property(_PART))
    return named and part.isVisible() and _focus_stop(part) is not None


def _focus_stop(part: QWidget) -> QWidget | None:
    """The widget of a part that takes the focus: the last that had it, or what one reads first.

    PySide takes a widget that `nextInFocusChain` gives for the child of the one that was asked,
    and believes it is gone when that one is: so it is not used.
    """
    last = part.focusWidget()
    if can_take_keys(last):
        return last
    stops = [widget for widget in part.findChildren(QWidget) if can_take_keys(widget)]
    first = min(stops, key=lambda widget: _corner_of(part, widget), default=None)
    return first or (part if can_take_keys(part) else None)


def _corner_of(window: QWidget, part: QWidget) -> tuple[int, int]:
    """Row and column of a part's corner."""
    corner = part.mapTo(window, part.rect().topLeft())
    return corner.y(), corner.x()
