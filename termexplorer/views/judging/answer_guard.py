"""Which presses count as answers: none of a key held down, none to what only just came."""

import time
from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent, QWindow
from PySide6.QtWidgets import QAbstractButton, QApplication, QCheckBox, QWidget

from termexplorer.texts import mark, tr, translated
from termexplorer.views.widgets.ui_state import UiState

PAUSE_MS = 250  # nobody reads a pair and answers it sooner
PAUSE_KEY = "judging/pause"  # in the session: milliseconds
_SAME_MS = 1  # X11 gives the release and the press of a key that repeats one time
_FORGOTTEN_MS = 2_000  # without a repeat, after which a key's release is believed to be lost
_MODIFIERS = frozenset(
    {
        Qt.Key.Key_Shift, Qt.Key.Key_Control, Qt.Key.Key_Alt, Qt.Key.Key_AltGr, Qt.Key.Key_Meta,
        Qt.Key.Key_CapsLock, Qt.Key.Key_NumLock,
    }
)  # fmt: skip
_PRESSING = frozenset({Qt.Key.Key_Space, Qt.Key.Key_Select, Qt.Key.Key_Return, Qt.Key.Key_Enter})
_STILL_DOWN = mark("Not counted: a key was still down. Release all keys, then press again.")
_TOO_SOON = mark("Not counted: this had been on show for less than {pause} ms. Press again.")


class PressedKeys(QObject):
    """Follows which keys are down in the window of a widget.

    X11 tells Qt that a key repeats only if the next press is queued already when the key seems to
    be released; but that press has the time of the release, which no finger manages.

    Attributes:
        repeats: whether the newest press is a repeat of a key that is held down.
        others_down: whether another key was down at the newest press.
        lost: whether the key was pressed before, and no release of it came.
    """

    def __init__(self, within: QWidget) -> None:
        super().__init__(within)
        self.repeats = self.others_down = self.lost = False
        self._within = within
        self._window: QWindow | None = None
        self._down: dict[int, int] = {}  # keys with the times of their newest events
        self._released = (0, 0)  # the newest one, and when
        within.installEventFilter(self)
        self._follow_window()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        """Look at keys before shortcuts and buttons do; drop repeats on buttons."""
        if watched is self._within:
            if event.type() == QEvent.Type.Show:
                self._follow_window()
            elif event.type() == QEvent.Type.WindowDeactivate:
                self._down.clear()  # releases go to the other window
            return False
        return isinstance(event, QKeyEvent) and self._follow_key(event)

    def _follow_window(self) -> None:
        window = self._within.window().windowHandle()
        if window is None or window is self._window:
            return
        if self._window is not None:
            self._window.removeEventFilter(self)
        self._window = window
        window.installEventFilter(self)

    def _follow_key(self, event: QKeyEvent) -> bool:
        """Return whether nobody else is to see the event."""
        if not event.timestamp() or event.key() in _MODIFIERS:
            self.repeats = self.others_down = self.lost = False
            return False
        if event.type() == QEvent.Type.ShortcutOverride:
            self._press(event)
        elif event.type() == QEvent.Type.KeyRelease and not event.isAutoRepeat():
            key = _key_code(event)
            self._down.pop(key, None)
            self._released = (key, event.timestamp())
        pressing = event.type() == QEvent.Type.KeyPress and event.key() in _PRESSING
        return pressing and self.repeats and self._is_on_button()

    def _press(self, event: QKeyEvent) -> None:
        key, at = _key_code(event), event.timestamp()
        down = {pressed for pressed, seen in self._down.items() if at - seen < _FORGOTTEN_MS}
        released, released_at = self._released
        repeated = released == key and abs(at - released_at) <= _SAME_MS
        self.lost = key in down and not event.isAutoRepeat()
        self.repeats = event.isAutoRepeat() or repeated
        self.others_down = bool(down - {key})
        self._down = {pressed: self._down[pressed] for pressed in down} | {key: at}

    def _is_on_button(self) -> bool:
        focused = QApplication.focusWidget()
        return isinstance(focused, QAbstractButton) and self._within.isAncestorOf(focused)


class AnswerGuard(QObject):
    """Lets a press count once, and as an answer only to what could be seen.

    Args:
        within: the page or the screen on which people answer.
        session: keeps the pause.
        now: seconds, of a clock that never goes back.

    Signals:
        refused: a press does not count; why, and what to do, in words.
    """

    refused = Signal(str)

    def __init__(
        self, within: QWidget, session: UiState, now: Callable[[], float] = time.monotonic
    ) -> None:
        super().__init__(within)
        self._session, self._now = session, now
        self._keys = PressedKeys(within)

    @property
    def pause_ms(self) -> int:
        """Return how long something has to be on show before an answer to it counts."""
        return read_pause(self._session)

    def press(self, act: Callable[[], object]) -> None:
        """Call `act`, unless the key in use is held down."""
        if not self._keys.repeats:
            act()

    def press_answer(self, act: Callable[[], object]) -> None:
        """Call `act`, unless the key in use or another one is held down."""
        if self._keys.others_down or self._keys.lost:
            self.refused.emit(translated(_STILL_DOWN))
        elif not self._keys.repeats:
            act()

    def allows_answer(self, drawn_at: float | None) -> bool:
        """Return whether something drawn then may be answered now; say why not, if it may not."""
        pause = self.pause_ms
        seen = drawn_at is not None and (self._now() - drawn_at) * 1_000 >= pause
        if not seen:
            self.refused.emit(translated(_TOO_SOON, pause=pause))
        return seen


class PauseTick(QCheckBox):
    """Switches the pause on and off, for all pages on which people answer."""

    def __init__(self, session: UiState, parent: QWidget | None = None) -> None:
        super().__init__(tr("{pause} ms pause", pause=PAUSE_MS), parent)
        self._session = session
        self.setToolTip(
            tr(
                "An answer counts only after its question has been on show for {pause} ms, so that "
                "nothing is answered unseen; without the tick it counts at once",
                pause=PAUSE_MS,
            )
        )
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._show_pause()
        self.toggled.connect(self._on_toggled)

    def showEvent(self, event: object) -> None:  # noqa: N802
        """Show what another page has set."""
        super().showEvent(event)  # type: ignore[arg-type]
        self._show_pause()

    def _show_pause(self) -> None:
        before = self.blockSignals(True)
        self.setChecked(read_pause(self._session) > 0)
        self.blockSignals(before)

    @Slot(bool)
    def _on_toggled(self, on: bool) -> None:
        self._session.keep_look(PAUSE_KEY, str(PAUSE_MS if on else 0))


def read_pause(session: UiState) -> int:
    """Return the pause that is kept, in milliseconds; 0 where it is switched off."""
    stored = session.look(PAUSE_KEY)
    return int(stored) if stored.isdecimal() else PAUSE_MS


def _key_code(event: QKeyEvent) -> int:
    """Return what tells a key from others, whatever is held with it."""
    return event.nativeScanCode() or event.key()
