"""Controls that ask a run for something."""

from __future__ import annotations


class After:
    """Stops after a number of looks; pauses at one of them for some looks."""

    def __init__(self, looks: int, pause_at: int = -1):
        self.looks, self.pause_at, self.seen, self.pauses = looks, pause_at, 0, 0

    def stopped(self) -> bool:
        self.seen += 1
        return self.seen > self.looks

    def paused(self) -> bool:
        if self.seen >= self.pause_at > 0 and self.pauses < 3:
            self.pauses += 1
            return True
        return False
