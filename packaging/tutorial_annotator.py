"""Answers a study pack as an annotator of a tutorial would: `tutorial_annotator.py PACK`.

Stands in for the hands at `termexplorer judge PACK`: the same pack, log and file of answers,
without a window. Of suggested mappings those to residual codes ("Other …") are called wrong; terms
that share a word of five letters or more are called the same, but for slips.
What the annotator sees first is kept as judging.png beside the pack.
"""

import os
import sys
import tempfile
import time
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from termexplorer.app import make_application
from termexplorer.judging_app import judging_window
from termexplorer.services.studies.answers import write_answers
from termexplorer.services.studies.judging import Judging, Seen
from termexplorer.services.studies.packs import open_pack
from termexplorer.workspace import Workspace

SEEN = Seen("2026-03-01T10:00:00.000+00:00", 6_500, 8_000)
SLIPS = {"Ben": 5}  # every so many pairs
LONG = 5
SIZE = (1000, 620)
SHOWN = 0.6  # seconds, until all is drawn


def collect_words(term: str) -> set[str]:
    """Return the long words of a term."""
    return {word for word in term.lower().replace(",", " ").split() if len(word) >= LONG}


def answer_pack(path: Path, folder: Path) -> Path:
    """Answer all pairs of a pack, and write the file to send back beside it."""
    workspace = Workspace(folder)
    pack = open_pack(workspace, path)
    judging = Judging(workspace, pack.study_id, pack.annotator)
    same, other = (choice.answer for choice in judging.study.head.answers[:2])
    is_mapping = same == "correct"
    for number, turn in enumerate(judging.turns, 1):
        is_same = bool(collect_words(turn.left) & collect_words(turn.right))
        if is_mapping:
            is_same = not any(": Other " in term for term in (turn.left, turn.right))
        slipped = number % SLIPS.get(pack.annotator, number + 1) == 0
        judging.judge(turn, same if is_same is not slipped else other, SEEN)
    answers = path.with_suffix(".termanswers")
    write_answers(workspace, pack.study_id, pack.annotator, answers)
    return answers


def take_picture(path: Path, folder: Path) -> None:
    """Save a picture of the first pair, as the judging screen shows it after the guidelines."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    application = make_application()
    with judging_window(application, path, folder / "seen", folder / "settings") as window:
        window.resize(*SIZE)
        window.show()
        for press in (True, False):
            end = time.monotonic() + SHOWN
            while time.monotonic() < end:
                application.processEvents()
            if press:
                QTest.keyClick(application.focusWidget() or window, Qt.Key.Key_Return)
        window.grab().save(str(path.with_name("judging.png")))


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as place:
        take_picture(Path(sys.argv[1]), Path(place))
        answer_pack(Path(sys.argv[1]), Path(place) / "workspace")
