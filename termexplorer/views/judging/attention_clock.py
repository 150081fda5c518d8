"""How long somebody is at something, and how long it lies there."""

import time
from collections.abc import Callable

LONGEST_THOUGHT = 120.0  # seconds without a key, after which nobody is believed to be there


class AttentionClock:
    """Counts time that goes by, and of that the time in which somebody was there.

    Args:
        now: seconds, of a clock that never goes back.
    """

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._is_present = True
        self._aside = self._elsewhere = False
        self.start()

    @property
    def wall_ms(self) -> int:
        """Milliseconds since the start."""
        return round((self._now() - self._started) * 1_000)

    @property
    def active_ms(self) -> int:
        """Milliseconds of these in which somebody was there."""
        return round((self._active + self._thought()) * 1_000)

    def start(self) -> None:
        """Counts from 0 again."""
        self._started = self._touched = self._now()
        self._active = 0.0
        self._elsewhere = False

    def set_aside(self, aside: bool) -> None:
        """Note that something else is on show, or that this is again."""
        self.touch()
        self._aside = aside

    def go_elsewhere(self) -> None:
        """Note that another program was opened on purpose: to go there now is to be at it."""
        self.touch()
        self._elsewhere = True

    def touch(self) -> None:
        """Notes that something was done."""
        self._active += self._thought()
        self._touched = self._now()

    def be_there(self, is_there: bool) -> None:
        """Notes that the window is looked at, or another one."""
        self.touch()
        self._is_present = is_there or self._elsewhere
        self._elsewhere = self._elsewhere and not is_there

    def _thought(self) -> float:
        """Seconds since something was done, if they count."""
        is_there = self._is_present and not self._aside
        return min(self._now() - self._touched, LONGEST_THOUGHT) if is_there else 0.0
