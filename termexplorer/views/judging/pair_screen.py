"""What the screens have in common on which pairs are answered one after another."""

from PySide6.QtCore import QEvent, Qt, Slot
from PySide6.QtWidgets import QStackedWidget, QWidget

from termexplorer.store.judging.studies import StudyHead
from termexplorer.views.judging.answer_guard import AnswerGuard
from termexplorer.views.judging.answer_list import AnswerList, SetAside
from termexplorer.views.judging.attention_clock import AttentionClock
from termexplorer.views.judging.pair import JudgingPair
from termexplorer.views.judging.sheet import JudgingSheet
from termexplorer.views.widgets.ui_state import UiState


class PairScreen(QWidget):
    """Shows a sheet, a pair, or the earlier answers, and times the pair.

    Attributes:
        sheet: what is read between pairs.
        pair: a pair.
        list: what was answered.
    """

    def __init__(
        self, head: StudyHead, title: str, session: UiState, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("judging")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.sheet, self.pair = JudgingSheet(head.guidelines), JudgingPair(head, session)
        self.list = AnswerList(title, session)
        self._stack = QStackedWidget()
        self._guard = AnswerGuard(self, session)
        self._clock, self._shown_at = AttentionClock(), ""
        self._aside: SetAside | None = None  # while earlier answers are looked at
        self.pair.touched.connect(self._on_touched)
        self.pair.look_up.left.connect(self._on_browser)
        self.pair.full.clicked.connect(self._on_full)

    def event(self, event: QEvent) -> bool:
        """Count no time while another window is looked at."""
        if event.type() in (QEvent.Type.WindowActivate, QEvent.Type.WindowDeactivate):
            self._clock.be_there(event.type() == QEvent.Type.WindowActivate)
        return super().event(event)

    @property
    def _page(self) -> QWidget:
        """Return what is on show."""
        page = self._stack.currentWidget()
        assert page is not None  # noqa: S101 - the screen is laid out
        return page

    def _set_aside(self, asked: object) -> None:
        """Remember what is on show, unless earlier answers are looked at already."""
        if self._aside is None:
            note = self.pair.comment.text()
            self._aside = SetAside(self._page, self._clock, self._shown_at, note, asked)
            self._clock.set_aside(True)

    def _time_anew(self) -> None:
        """Time another pair, while one is set aside."""
        self._clock = AttentionClock()

    def _take_up(self, aside: SetAside) -> None:
        """Go on with the time of what was on show before."""
        self._clock, self._shown_at = aside.clock, aside.shown_at
        self._clock.set_aside(False)

    @Slot()
    def _on_touched(self) -> None:
        self._clock.touch()

    @Slot()
    def _on_browser(self) -> None:
        self._clock.go_elsewhere()

    @Slot()
    def _on_full(self) -> None:
        window = self.window()
        window.setWindowState(window.windowState() ^ Qt.WindowState.WindowFullScreen)
