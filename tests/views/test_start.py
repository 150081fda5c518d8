"""The window as the console script opens it, in a process of its own."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

START = """
import gc, json, sys
from PySide6.QtWidgets import QApplication
def leave(*_):
    from termexplorer.views.explore.concept_tree import ConceptTree
    application = QApplication.instance()
    window, = (w for w in application.topLevelWidgets() if w.isVisible() and w.isWindow())
    while not window.windowHandle().isExposed():
        application.processEvents()
    tree = window.findChild(ConceptTree)
    print(json.dumps({
        "garbage": [gc.isenabled(), gc.get_freeze_count() > 0],
        "roots": [tree.model().index(row, 0).data() for row in range(tree.model().rowCount())],
        "heavy": [name for name in ("torch", "numpy", "sqlalchemy") if name in sys.modules],
    }))
    window.close()
    return 0
QApplication.exec = leave
sys.argv = ["termexplorer", *sys.argv[3:]]
from termexplorer.cli.main import run
run()
"""

SWITCH = """
import json, sys, weakref
from pathlib import Path
from PySide6.QtWidgets import QApplication
from termexplorer.main_window import MainWindow
seen = []
def leave(*_):
    shown = (each for each in QApplication.topLevelWidgets() if each.isVisible())
    window, = (each for each in shown if isinstance(each, MainWindow))
    seen.append(weakref.ref(window))
    if len(seen) == 1:
        window.workspace_wanted.emit(Path(sys.argv[2]) / "other")
    else:
        print(json.dumps([each() is not None for each in seen]))
        window.close()
    return 0
QApplication.exec = leave
from termexplorer.app import run_window
run_window(Path(sys.argv[1]), False)
"""


def told_by(script: str, folder: Path, settings: Path, *words: str, **variables: str) -> Any:
    own_variables = {"XDG_CONFIG_HOME": str(settings), "QT_QPA_PLATFORM": "offscreen"}
    environment = os.environ | own_variables | variables
    command = [sys.executable, "-c", script, str(folder), str(settings), *words]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    return json.loads(done.stdout)


def test_the_tree_shows_before_anything_heavy_is_imported(folder: Path, tmp_path: Path) -> None:
    answer = told_by(START, folder, tmp_path, "--workspace", str(folder))
    assert answer["garbage"] == [False, True]  # a timer collects it, what was imported aside
    assert answer["roots"]
    assert answer["heavy"] == []


def test_the_environment_says_which_workspace_the_window_shows(
    folder: Path, tmp_path: Path
) -> None:
    assert told_by(START, folder, tmp_path, TERMEXPLORER_WORKSPACE=str(folder))["roots"]


def test_of_a_window_that_another_took_the_place_of_nothing_is_left(
    folder: Path, tmp_path: Path
) -> None:
    assert told_by(SWITCH, folder, tmp_path) == [False, True]
