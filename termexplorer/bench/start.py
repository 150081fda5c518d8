"""From process start to the first window on an imported workspace, beside a bare window."""

import json
import os
import subprocess
import sys
import time

from termexplorer.bench.figure import Context, Figure
from termexplorer.bench.prepared import icd10cm_workspace

_RATIO = 3.0
_NOT_YET = ("torch", "sklearn", "fasttext")

# Both processes tell the moment at which their window is exposed, then leave.
_EXPOSED = """
import json, sys, time
from PySide6.QtWidgets import QApplication
def exposed(*_):
    application = QApplication.instance()
    while not any(w.windowHandle() and w.windowHandle().isExposed()
                  for w in application.topLevelWidgets() if w.isVisible()):
        application.processEvents()
    print(json.dumps([time.time(), sorted(set(sys.modules) & set({modules!r}))]), flush=True)
    for window in application.topLevelWidgets():
        window.close()
    return 0
"""
_OURS = """
QApplication.exec = exposed
sys.argv = ["termexplorer", "--workspace", {folder!r}]
from termexplorer.cli.main import run
run()
"""
_BARE = """
from PySide6.QtWidgets import QMainWindow
application = QApplication([])
window = QMainWindow()
window.resize(1440, 900)
window.show()
exposed()
"""


def run(context: Context) -> list[Figure]:
    """Start both in turn, after one start of each that does not count."""
    workspace = icd10cm_workspace(context.folder)
    workspace.close()
    probe = _EXPOSED.format(modules=_NOT_YET)
    ours, bare = probe + _OURS.format(folder=str(workspace.folder)), probe + _BARE
    pairs = [(_start(ours), _start(bare)) for _ in range(4 if context.quick else 8)][1:]
    ratios = sorted((a[0] / b[0], a[0], b[0]) for a, b in pairs)
    ratio, seconds, bare_seconds = ratios[len(ratios) // 2]
    too_early = sorted({name for a, _ in pairs for name in a[1]})
    where = "on a display" if _display() else "offscreen"
    return [
        Figure(
            f"first window, ICD-10-CM, {where}; too early: {', '.join(too_early) or 'nothing'}",
            seconds, "s", "bare PySide6 window", bare_seconds, ratio, "under 3 times",
            ratio < _RATIO and not too_early,
        )
    ]  # fmt: skip


def _start(code: str) -> tuple[float, list[str]]:
    environment = dict(os.environ)
    if not _display():
        environment["QT_QPA_PLATFORM"] = "offscreen"
    start = time.time()
    output = subprocess.run(  # noqa: S603 - ourselves
        [sys.executable, "-c", code], check=True, capture_output=True, text=True, env=environment
    ).stdout
    shown, modules = json.loads(output.splitlines()[0])
    return shown - start, modules


def _display() -> bool:
    return sys.platform != "linux" or bool(os.environ.get("DISPLAY"))
