"""A real window under load, in a process of its own: jobs run, somebody types and moves about.

Prints from when to when ticks were missed of a timer that wants to tick every two milliseconds: so
long the window could not answer. The clock is the one that all processes share.
"""

import itertools
import json
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Qt, QTimer, Slot
from PySide6.QtTest import QTest

from termexplorer.app import collect_quietly, keep_imported, last_theme, make_application
from termexplorer.bench.releases.prepared import ICD10CM
from termexplorer.desk import WindowController, claimed
from termexplorer.services.compare.comparison import CompareRequest, ComparisonSubject, compare
from termexplorer.services.encoders.vectors import TrainVectorsRequest, train_vectors
from termexplorer.services.explore.ontologies import list_ontologies
from termexplorer.services.importing.releases import ImportRequest, import_release
from termexplorer.services.recipes.run_requests import LevelChoice, RunRequest, SplitRule, add_run
from termexplorer.services.train.training import train_run
from termexplorer.store.encoders.infos import LEXICAL
from termexplorer.views.explore.page import ExplorePage
from termexplorer.views.map.page import MapPage
from termexplorer.views.widgets.ui_state import UiState

_TICK, _TYPE, _MOVE = 2, 180, 60  # milliseconds
_WARM_UP = 3.0  # seconds in which the window settles; then the jobs start, and it counts
_TYPED = "pneumonia due to virus, fracture of left femur, diabetes mellitus type 2 with "


class _User(QObject):
    """Types, moves about, and takes the time of every tick."""

    def __init__(
        self, desk: WindowController, seconds: float, move: Callable[[WindowController], None]
    ) -> None:
        super().__init__()
        self._move_about = move
        self.gaps: list[tuple[float, float]] = []
        self._desk = desk
        self._letters = itertools.cycle(_TYPED)
        self._began = self._last = time.perf_counter()
        self._end = self._began + _WARM_UP + seconds
        for milliseconds, act in (
            (_TICK, self._tick),
            (_TYPE, self._type),
            (_MOVE, self._move),
        ):
            timer = QTimer(self)
            timer.setTimerType(Qt.TimerType.PreciseTimer)
            timer.timeout.connect(act)
            timer.start(milliseconds)

    @Slot()
    def _tick(self) -> None:
        now = time.perf_counter()
        if now - self._began > _WARM_UP:
            self.gaps.append((self._last + _TICK / 1000, now))
        self._last = now
        if now > self._end:
            self._desk.window.leave()

    @Slot()
    def _type(self) -> None:
        box = self._desk.window.top_bar.search
        letter = next(self._letters)
        if letter == ",":
            box.clear()
        else:
            QTest.keyClicks(box, letter)

    @Slot()
    def _move(self) -> None:
        self._move_about(self._desk)


def _scroll_tree(desk: WindowController) -> None:
    """Opens the tree, row after row."""
    page = desk.window.page("explore")
    assert isinstance(page, ExplorePage)  # noqa: S101 - that is what the key stands for
    tree = page.tree
    index = tree.indexBelow(tree.currentIndex()) if tree.currentIndex().isValid() else None
    tree.setCurrentIndex(index or tree.model().index(0, 0))
    tree.expand(tree.currentIndex())


def _pan_map(desk: WindowController) -> None:
    """Moves the map while it is made."""
    page = desk.window.page("map")
    assert isinstance(page, MapPage)  # noqa: S101 - that is what the key stands for
    for plot in page.area.panels.plots:
        if plot.positions is not None and len(plot.positions):
            plot.look(plot.view.moved(3, 2))


def main(folder: Path, vectors_id: int, seconds: float, scene: str) -> None:
    """Opens the window, starts the jobs of a scene, and prints what the user met as JSON."""
    application = make_application()
    keep_imported()
    theme = last_theme(application, UiState.of(folder, folder))
    desk = WindowController(theme, claimed(folder), settings=folder)
    desk.upkeep.looked.connect(keep_imported)
    desk.window.show()
    page, start, move = _SCENES[scene]
    desk.shared.errands.show_page.emit(page)
    user = _User(desk, seconds, move)
    QTimer.singleShot(int(1000 * _WARM_UP), partial(start, desk, vectors_id))
    with collect_quietly(application):
        application.exec()
    running = [job.title for job in desk.shared.jobs.running()]
    desk.close()
    print(json.dumps({"gaps": user.gaps, "running": running}))  # noqa: T201 - it is the answer


def _start_analysis(desk: WindowController, vectors_id: int) -> None:
    """A live t-SNE of all concepts, and the ranks of two encoders for all names."""
    page = desk.window.page("map")
    assert isinstance(page, MapPage)  # noqa: S101 - that is what the key stands for
    page.form.draw.click()
    subject = ComparisonSubject("neighbours", list_ontologies(desk.shared.workspace)[0].id, None, 1)
    request = CompareRequest(desk.shared.workspace.folder, subject, (LEXICAL, vectors_id))
    desk.shared.jobs.add("compare", partial(compare, desk.shared.workspace, request), "compare")


def _start_training(desk: WindowController, vectors_id: int) -> None:
    """An import, fastText, and a DAN."""
    workspace, jobs = desk.shared.workspace, desk.shared.jobs
    ontology = list_ontologies(workspace)[0]
    run_id = add_run(workspace, _dan_request(ontology.id, vectors_id))
    request = ImportRequest(workspace.folder, ICD10CM)
    fasttext = TrainVectorsRequest(workspace.folder, ontology.id, epochs=50)
    jobs.add("import", partial(import_release, workspace, request), "import")
    jobs.add("fastText", partial(train_vectors, workspace, ontology, fasttext), "vectors")
    jobs.add("DAN", partial(train_run, workspace, run_id), "training")


def _dan_request(ontology_id: int, vectors_id: int) -> RunRequest:
    return RunRequest(
        recipe="dan",
        preset="quick",
        ontology_id=ontology_id,
        vectors_id=vectors_id,
        choice=LevelChoice(level=1, cap=1000),
        rule=SplitRule("dan"),
        hyperparameters={},
        device="cpu",
    )


_SCENES = {
    "training": ("explore", _start_training, _scroll_tree),
    "analysis": ("map", _start_analysis, _pan_map),
}

if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3]), sys.argv[4])
