"""A study pack judged in a real window, in a process of its own: a key, and the next pair is there.

Prints how many seconds each key took, until its verdict was on the disk and the next pair drawn.
"""

import json
import sys
import time
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from termexplorer.app import collect_quietly, keep_imported, make_application
from termexplorer.bench.windows.event_wait import wait_until
from termexplorer.judging_app import judging_window
from termexplorer.views.judging.answer_guard import PAUSE_KEY
from termexplorer.views.judging.screen import JudgingScreen
from termexplorer.views.widgets.ui_state import UiState

_PAUSE = 20  # milliseconds in which somebody reads
_KEYS = (Qt.Key.Key_1, Qt.Key.Key_2)  # in turn


def main(pack: Path, folder: Path, count: int) -> None:
    """Judges so many pairs and prints the times as JSON."""
    application = make_application()
    keep_imported()
    UiState.of(folder, folder).keep_look(PAUSE_KEY, "0")  # the program is timed, not its pause
    with (
        collect_quietly(application),
        judging_window(application, pack, folder, folder) as window,
    ):
        window.show()
        screen = window.judging
        QTest.qWait(500)
        QTest.keyClick(_focused_widget(window), Qt.Key.Key_Return)
        QTest.qWait(500)
        seconds = [_time_key(application, screen, _KEYS[index % 2]) for index in range(count)]
    sys.stdout.write(json.dumps({"seconds": seconds}) + "\n")


def _time_key(application: QApplication, screen: JudgingScreen, key: Qt.Key) -> float:
    QTest.qWait(_PAUSE)
    before = screen.pair.turn

    def is_next_pair_shown() -> bool:
        if not screen.pair.isVisible():  # what comes after practice is a sheet
            QTest.keyClick(_focused_widget(screen.window()), Qt.Key.Key_Return)
        is_new = screen.pair.turn is not before and screen.pair.cards.seen
        return bool(is_new and not screen.writer.writing)

    started = time.perf_counter()
    QTest.keyClick(_focused_widget(screen.window()), key)
    wait_until(application, is_next_pair_shown)
    return time.perf_counter() - started


def _focused_widget(window: QWidget) -> QWidget:
    window.activateWindow()
    return window.focusWidget() or window


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]))
