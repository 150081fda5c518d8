"""Names typed into the search box of a window with a large release, in a process of its own.

Prints how many seconds each letter took, until what answers it was shown.
"""

import json
import random
import sys
import time
from pathlib import Path

from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from termexplorer.app import collect_quietly, keep_imported, last_theme, make_application
from termexplorer.bench.windows.event_wait import wait_until
from termexplorer.desk import WindowController, claimed
from termexplorer.services.explore.ontologies import list_ontologies
from termexplorer.store.releases.corpus import release_names
from termexplorer.views.widgets.ui_state import UiState

_PAUSE = 60  # milliseconds between two letters of somebody who types
_MOST_LETTERS = 25


def main(folder: Path, count: int) -> None:
    """Type so many names, and as many with their words mixed; print the times as JSON."""
    application = make_application()
    keep_imported()
    desk = WindowController(last_theme(application, UiState.of(folder, folder)), claimed(folder))
    desk.upkeep.looked.connect(keep_imported)
    desk.window.show()
    QTest.qWait(5_000)  # the window settles
    workspace = desk.shared.workspace
    with workspace.store.reading() as connection:
        texts = release_names(connection, list_ontologies(workspace)[0].id).texts
    draw = random.Random(0)  # noqa: S311 - a sample, no secret
    names = draw.sample(list(texts), count)
    del texts
    mixed = [" ".join(draw.sample(words, len(words))) for words in map(str.split, names)]
    with collect_quietly(application):
        timed = (_time_letters(application, desk, name) for name in names + mixed)
        seconds = [duration for letters in timed for duration in letters]
    desk.close()
    sys.stdout.write(json.dumps({"seconds": seconds}) + "\n")


def _time_letters(application: QApplication, desk: WindowController, name: str) -> list[float]:
    """Return the seconds from each letter of a name until its answer was on the screen."""
    box = desk.window.top_bar.search
    answered: list[object] = []
    box.questions.answered.connect(answered.append)
    box.clear()
    seconds = []
    for letter in name[:_MOST_LETTERS]:
        QTest.qWait(_PAUSE)
        answered.clear()
        started = time.perf_counter()
        QTest.keyClicks(box, letter)
        wait_until(application, lambda: bool(answered) or not box.text().strip())
        box.list.repaint()
        seconds.append(time.perf_counter() - started)
    box.questions.answered.disconnect(answered.append)
    return seconds


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
