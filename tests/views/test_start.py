"""The window as the console script opens it, in a process of its own."""

import os
import subprocess
import sys
from pathlib import Path

START = """
import gc, sys
from PySide6.QtWidgets import QApplication
def leave(*_):
    print(gc.isenabled(), gc.get_freeze_count() > 0, "torch" in sys.modules)
    return 0
QApplication.exec = leave
sys.argv = ["termexplorer", "--workspace", sys.argv[1]]
from termexplorer.cli.main import run
run()
"""


def test_garbage_is_collected_once_the_window_shows(tmp_path: Path) -> None:
    environment = os.environ | {"XDG_CONFIG_HOME": str(tmp_path), "QT_QPA_PLATFORM": "offscreen"}
    command = [sys.executable, "-c", START, str(tmp_path / "workspace")]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    assert done.stdout.split() == ["True", "True", "False"]
