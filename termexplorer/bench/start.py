"""From process start to the first window on an imported workspace, beside a bare window."""

import json
import os
import subprocess
import sys
import time

from termexplorer.bench.figure import BenchContext, BenchFigure
from termexplorer.bench.releases.prepared import icd10cm_workspace

_RATIO = 3.0
_NOT_YET = ("numpy", "sqlalchemy", "torch", "sklearn", "fasttext")

# Each process tells the moments at which its windows are on the screen, then leaves.
_PROBE = """
import json, sys, time
from PySide6.QtWidgets import QApplication
moments = []
def exposed(*_):
    application = QApplication.instance()
    while not any(w.windowHandle() and w.windowHandle().isExposed()
                  for w in application.topLevelWidgets() if w.isVisible()):
        application.processEvents()
    moments.append(time.time())
def leave(*_):
    exposed()
    print(json.dumps([moments, sorted(set(sys.modules) & set({modules!r}))]), flush=True)
    for window in QApplication.topLevelWidgets():
        window.close()
    return 0
"""
_OURS = """
from termexplorer.views.window.opening import OpeningWindow
show_now = OpeningWindow.show_now
OpeningWindow.show_now = lambda self: (show_now(self), exposed())
QApplication.exec = leave
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
leave()
"""


def run(context: BenchContext) -> list[BenchFigure]:
    """Start both in turn, after one start of each that does not count."""
    workspace = icd10cm_workspace(context.folder)
    workspace.close()
    probe = _PROBE.format(modules=_NOT_YET)
    ours, bare = probe + _OURS.format(folder=str(workspace.folder)), probe + _BARE
    starts = [(_time_start(ours), _time_start(bare)) for _ in range(4 if context.quick else 8)][1:]
    too_early = sorted({name for (_, names), _ in starts for name in names})
    where = "on a display" if _has_display() else "offscreen"
    where += f"; imported too early: {', '.join(too_early) or 'nothing'}"
    pairs = [(times, bare_times[0]) for (times, _), (bare_times, _) in starts]
    return [
        _start_figure(
            f"first window, which says what is being opened, {where}", 0, pairs, too_early
        ),
        _start_figure(f"window with tree and search box, ICD-10-CM, {where}", 1, pairs, too_early),
    ]


def _start_figure(
    name: str, which: int, pairs: list[tuple[list[float], float]], too_early: list[str]
) -> BenchFigure:
    ratios = sorted((times[which] / bare, times[which], bare) for times, bare in pairs)
    ratio, seconds, bare = ratios[len(ratios) // 2]
    met = ratio < _RATIO and not too_early
    return BenchFigure(
        name, seconds, "s", "bare PySide6 window", bare, ratio, "under 3 times, about 1.2 s", met
    )


def _time_start(code: str) -> tuple[list[float], list[str]]:
    environment = dict(os.environ)
    if not _has_display():
        environment["QT_QPA_PLATFORM"] = "offscreen"
    start = time.time()
    output = subprocess.run(  # noqa: S603 - ourselves
        [sys.executable, "-c", code], check=True, capture_output=True, text=True, env=environment
    ).stdout
    moments, modules = json.loads(output.splitlines()[0])
    return [moment - start for moment in moments], modules


def _has_display() -> bool:
    return sys.platform != "linux" or bool(os.environ.get("DISPLAY"))
