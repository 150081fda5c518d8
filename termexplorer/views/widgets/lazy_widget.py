"""A part of a page that is made behind the first sight of it, so that the window shows sooner."""

from collections.abc import Callable
from typing import Generic, TypeVar

from PySide6.QtCore import QTimer, Slot
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

Content = TypeVar("Content", bound=QWidget)

_LATER_MS = 20  # after it was painted: what was painted is on the screen by then


class LazyWidget(QWidget, Generic[Content]):
    """The place of a widget that is made once the place was painted, or when it is asked for.

    Args:
        make: makes the widget.
    """

    def __init__(self, make: Callable[[], Content]) -> None:
        super().__init__()
        self._make = make
        self._content: Content | None = None
        self._waiting = QTimer(self, singleShot=True, interval=_LATER_MS)
        self._waiting.timeout.connect(self._fill)
        self._wanted = True
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)

    @property
    def made(self) -> Content | None:
        """The widget, if it is there."""
        return self._content

    @property
    def content(self) -> Content:
        """The widget, which is made now if it was not there."""
        if self._content is None:
            self._content = self._make()
            self._column.addWidget(self._content)
            self._content.show()  # a layout that is seen would do so only after what is going on
        return self._content

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        """Has the widget made when the window has been painted."""
        super().paintEvent(event)
        if self._content is None and self._wanted and not self._waiting.isActive():
            self._waiting.start()

    def forgo(self) -> None:
        """Has nothing made by itself any more: the window closes, and nobody would end it."""
        self._wanted = False
        self._waiting.stop()

    @Slot()
    def _fill(self) -> None:
        _ = self.content
