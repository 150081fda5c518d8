"""Where the pages of the window are: a page that is wider or higher is scrolled to."""

from PySide6.QtCore import QSize, Qt, Slot
from PySide6.QtWidgets import QFrame, QScrollArea, QStackedWidget, QWidget

_LEAST = 320  # pixels


class PageStack(QStackedWidget):
    """Pages one over the other, as small as the one on show can be."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.currentChanged.connect(self._on_current)

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        """Return the least size of the page on show, whatever the others need."""
        page = self.currentWidget()
        return page.minimumSizeHint() if page else super().minimumSizeHint()

    def heightForWidth(self, _width: int) -> int:  # noqa: N802
        """Return the least height, so that no page is scrolled that can be made smaller."""
        return self.minimumSizeHint().height()

    @Slot(int)
    def _on_current(self, _number: int) -> None:
        self.updateGeometry()


class PageArea(QScrollArea):
    """Shows a stack of pages whole, with scroll bars where large text leaves too little room."""

    def __init__(self, stack: PageStack, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setWidget(stack)

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        """Return what is left of it at least."""
        return QSize(_LEAST, _LEAST)
