"""A screen with a sheet, a pair and a list of answers, on which the pair is timed."""

from collections.abc import Hashable

from PySide6.QtCore import QEvent, Qt, Slot
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QStackedWidget, QWidget

from termexplorer.services.studies.judging import Seen, Turn
from termexplorer.services.verdicts.log import now
from termexplorer.store.judging.studies import StudyHead
from termexplorer.views.judging.answer_list import AnswerList, SetAside
from termexplorer.views.judging.attention_clock import AttentionClock
from termexplorer.views.judging.pair import JudgingPair
from termexplorer.views.judging.sheet import JudgingSheet
from termexplorer.views.widgets.ui_state import UiState


class TimedScreen(QWidget):
    """Shows one of three pages, and times the pair; what is typed and looked up is remembered.

    Attributes:
        sheet: what is read between pairs.
        pair: a pair.
        list: what was answered.
    """

    def __init__(
        self, study: StudyHead, answers: str, session: UiState, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("judging")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.sheet, self.pair = JudgingSheet(study.guidelines), JudgingPair(study, session)
        self.list = AnswerList(answers, session)
        self._stack = QStackedWidget()
        self._pair_page: QWidget = self.pair
        self._clock, self._shown_at = AttentionClock(), ""
        self._drafts: dict[Hashable, str] = {}  # comments on pairs that have no answer yet
        self._looked_up: set[Hashable] = set()
        self._aside: SetAside | None = None  # while earlier answers are looked at
        self.pair.touched.connect(self._on_touched)
        self.pair.look_up.used.connect(self._on_looked_up)
        self.pair.look_up.left.connect(self._on_browser)
        self.pair.full.clicked.connect(self._on_full)

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        """Take the keys."""
        super().showEvent(event)
        if not event.spontaneous():
            self._page.setFocus(Qt.FocusReason.OtherFocusReason)

    def event(self, event: QEvent) -> bool:
        """Count no time while another window is looked at."""
        if event.type() in (QEvent.Type.WindowActivate, QEvent.Type.WindowDeactivate):
            self._clock.be_there(event.type() == QEvent.Type.WindowActivate)
        return super().event(event)

    @property
    def _asked(self) -> Hashable | None:
        """Return what is asked now, by which drafts and look-ups are known; None for nothing."""
        raise NotImplementedError

    @property
    def _page(self) -> QWidget:
        """Return what is on show."""
        page = self._stack.currentWidget()
        assert page is not None  # noqa: S101 - the screen is laid out
        return page

    @property
    def _shows_pair(self) -> bool:
        return self._stack.currentWidget() is self._pair_page

    def _fill_stack(self, pair_page: QWidget) -> None:
        """Add the pages: sheet, pair and list.

        Args:
            pair_page: the pair, with what stands beside it.
        """
        self._pair_page = pair_page
        for page in (self.sheet, pair_page, self.list):
            self._stack.addWidget(page)

    def _ask(self, turn: Turn, note: str) -> None:
        """Show a pair with the comment that it had, unless another was typed since; time it."""
        self._stack.setCurrentWidget(self._pair_page)
        self.pair.show_turn(turn, self._drafts.pop(self._asked, "") or note)
        self._shown_at = now()
        self._clock.start()

    def _seen(self) -> Seen:
        looked_up = self._asked in self._looked_up
        return Seen(self._shown_at, self._clock.active_ms, self._clock.wall_ms, looked_up)

    def _leave_page(self) -> None:
        """Keep what was typed, here or on the pair that is set aside, before another is shown."""
        if self._aside is None and self._shows_pair and self._asked is not None:
            self._drafts[self._asked] = self.pair.comment.text()
        self._drop_aside()

    def _set_aside(self) -> None:
        """Remember what is on show, unless earlier answers are looked at already."""
        if self._aside is None:
            note = self.pair.comment.text()
            self._aside = SetAside(self._page, self._clock, self._shown_at, note, self._asked)
            self._clock.set_aside(True)

    def _time_anew(self) -> None:
        """Time another pair, while one is set aside."""
        self._clock = AttentionClock()

    def _take_up(self, aside: SetAside) -> None:
        """Go on with the time of what was on show before."""
        self._clock, self._shown_at = aside.clock, aside.shown_at
        self._clock.set_aside(False)

    def _drop_aside(self) -> None:
        """Forget what was on show before, but for what was typed there."""
        aside, self._aside = self._aside, None
        if aside is not None and aside.page is self._pair_page and aside.asked is not None:
            self._drafts[aside.asked] = aside.note

    @Slot()
    def _on_looked_up(self) -> None:
        self._clock.touch()
        if self._asked is not None:
            self._looked_up.add(self._asked)

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
