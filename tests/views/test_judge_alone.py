"""`termexplorer judge`, in a process of its own: what it imports, what it refuses."""

import os
import subprocess
import sys
from pathlib import Path

from judging_windows import make_pack

START = """
import sys
from PySide6.QtWidgets import QApplication
def leave(*_):
    heavy = ("torch", "fasttext", "hnswlib", "sklearn", "numpy", "scipy", "pyqtgraph", "numba")
    print([name for name in heavy if name in sys.modules], len(QApplication.topLevelWidgets()) > 0)
    return 0
QApplication.exec = leave
from termexplorer.cli.main import run
run()
"""


def judge(tmp_path: Path, *words: str, **more: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"XDG_CONFIG_HOME": str(tmp_path), "QT_QPA_PLATFORM": "offscreen"}
    command = [sys.executable, "-c", START, "judge", *words]
    workspace_variable = {"TERMEXPLORER_WORKSPACE": str(tmp_path / "clinic")}
    whole = {**environment, **workspace_variable, **more}
    return subprocess.run(command, capture_output=True, text=True, env=whole, check=False)


def test_nothing_heavy_is_imported(tmp_path: Path) -> None:
    done = judge(tmp_path, str(make_pack(tmp_path)))
    assert (done.stdout.strip(), done.returncode) == ("[] True", 0), done.stderr
    assert (tmp_path / "clinic" / "workspace.sqlite").exists()


def test_what_is_no_pack_is_one_line(tmp_path: Path) -> None:
    path = tmp_path / "a.termstudy"
    path.write_text("{}", "utf-8")
    for words in ([str(path)], [str(tmp_path / "none")]):
        done = judge(tmp_path, *words)
        assert done.returncode == 1
        assert len(done.stderr.splitlines()) == 1
        assert words[0] in done.stderr


def test_without_a_display_it_says_so(tmp_path: Path) -> None:
    done = judge(tmp_path, "x", QT_QPA_PLATFORM="", DISPLAY="", WAYLAND_DISPLAY="")
    assert (done.returncode, "no display" in done.stderr) == (1, True)
