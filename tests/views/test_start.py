"""The window as the console script opens it, in a process of its own."""

import json
import os
import subprocess
import sys
from pathlib import Path

START = """
import gc, json, sys
from PySide6.QtWidgets import QApplication
def leave(*_):
    from termexplorer.views.concept_tree import ConceptTree
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
sys.argv = ["termexplorer", "--workspace", sys.argv[1]]
from termexplorer.cli.main import run
run()
"""


def test_the_tree_shows_before_anything_heavy_is_imported(folder: Path, tmp_path: Path) -> None:
    environment = os.environ | {"XDG_CONFIG_HOME": str(tmp_path), "QT_QPA_PLATFORM": "offscreen"}
    command = [sys.executable, "-c", START, str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    found = json.loads(done.stdout)
    assert found["garbage"] == [True, True]  # it is collected, what was imported aside
    assert found["roots"]
    assert found["heavy"] == []
