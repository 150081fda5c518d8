"""Takes a picture of each page for the help: `help_pictures.py WORKSPACE FOLDER [LANGUAGE]`.

See help_pictures.sh, which makes the workspace: ICD-10-CM (1), the built-in encoder (5), one that
was trained over it (6), a list of local codes that is mapped, and a study.
"""

import os
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication

from termexplorer.app import make_application
from termexplorer.desk import WindowController, claimed
from termexplorer.services.explore.browsing import search_names
from termexplorer.services.studies.judging import Judging, Seen
from termexplorer.views.widgets.language import Language, set_language
from termexplorer.views.widgets.theme import Scheme, Theme

SIZE = (1100, 720)
PATIENCE, MOMENT = 600, 0.5  # seconds: for an answer; without a change, when there is one
BUILT_IN, TRAINED = 5, 6
CHAPTER, CONCEPT = "Diseases of the respiratory system", "Asthma"
SEEN = Seen("2026-03-01T10:00:00.000+00:00", 1_500, 2_000)
SAYS = {"Anna Berg": 10, "Ben Lind": 8}  # pairs of ten
ERRS = "Ben Lind"  # once
WORDS = ("pneumonia", "bronch", "polyp")  # that two terms have when they mean the same


class Camera:
    """A window that is shown page by page."""

    def __init__(self, workspace: Path, folder: Path, language: str) -> None:
        self._folder = folder
        application = make_application()
        application.setCursorFlashTime(0)  # or a window with a text field never rests
        set_language(application, Language(language))
        theme = Theme(application)
        theme.use(Scheme.LIGHT)
        self.desk = WindowController(theme, claimed(workspace), workspace.with_name("settings"))
        self.desk.window.resize(*SIZE)
        self.desk.window.show()

    def show(self, key: str) -> Any:
        """Shows a page and returns it."""
        self.desk.shared.errands.show_page.emit(key)
        self.rest()
        return self.desk.window.page(key)

    def go(self, name: str) -> None:
        """Selects a concept."""
        hit = search_names(self.desk.shared.workspace, name, 1).hits[0]
        self.desk.shared.selection.go(hit.release_id, hit.concept_id)

    def wait(self, there: Callable[[], object]) -> None:
        """Lets the window work until something is there.

        Raises:
            SystemExit: it does not come.
        """
        end = time.monotonic() + PATIENCE
        while not there():
            QApplication.processEvents()
            time.sleep(0.01)
            if time.monotonic() > end:
                sys.exit(f"waited in vain for line {there.__code__.co_firstlineno}")

    def rest(self) -> None:
        """Waits until no job is left and nothing on the window moves."""
        jobs = self.desk.shared.jobs
        self.wait(lambda: not jobs.running() and not jobs.waiting())
        seen, since = QImage(), time.monotonic()

        def still() -> bool:
            nonlocal seen, since
            now = self.desk.window.grab().toImage()
            if now != seen:
                seen, since = now, time.monotonic()
            return time.monotonic() > since + MOMENT

        self.wait(still)

    def take(self, name: str) -> None:
        """Saves a picture of the window."""
        self.rest()
        self.desk.window.notice.hide()
        self.rest()
        picture = self.desk.window.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
        avoid = Qt.ImageConversionFlag.AvoidDither
        small = picture.convertToFormat(QImage.Format.Format_Indexed8, palette(picture), avoid)
        small.save(str(self._folder / f"{name}.png"), quality=0)


def palette(picture: QImage) -> list[int]:
    """The colours that a picture has most of, of those that differ to the eye, as many as fit."""
    pixels = memoryview(picture.constBits()).cast("I")
    counts = Counter(pixels)
    finest: dict[int, int] = {}
    for colour, _ in counts.most_common():
        finest.setdefault(colour & 0xF8F8F8, colour)
    return [each | 0xFF000000 for each in list(finest.values())[:256]]


def first_hour(camera: Camera) -> None:
    """The import panel, on a table of names that is written for it."""
    folder = camera.desk.shared.workspace.folder.parent
    os.chdir(folder)  # so that the panel shows the file's name alone
    file = Path("pneumonia.obo")
    terms = ["pneumonia", "viral pneumonia", "bacterial pneumonia", "lobar pneumonia"]
    stanzas = [
        f"[Term]\nid: EX:{number}\nname: {term}\n" + ("is_a: EX:0\n" if number else "")
        for number, term in enumerate(terms)
    ]
    head = "format-version: 1.2\ndata-version: 2026-01-01\nontology: example\n\n"
    file.write_text(head + "\n".join(stanzas), encoding="utf-8")
    camera.desk.window.releases.open_import_of(file)
    panel: Any = camera.desk.window.stack.currentWidget()
    camera.wait(lambda: panel.preview.isVisibleTo(panel) and panel.start.isEnabled())


def explore(camera: Camera) -> None:
    """A concept, with its neighbours by two encoders."""
    page = camera.show("explore")
    camera.go(CONCEPT)
    camera.wait(lambda: len(page.rankings.pane.model.columns) == 2)


def curate(camera: Camera) -> None:
    """Local codes that are mapped, one of them judged."""
    part = camera.show("curate").suggestions
    part.judge.name.setText("Anna Berg")
    part.judge.name.returnPressed.emit()
    camera.wait(lambda: part.desk.review is not None and part.judge.judge is not None)
    part.desk.shown.text.setText("exact")
    camera.rest()
    part.desk.bar.buttons["correct"].click()


def levels(camera: Camera) -> None:
    """The chapters."""
    page = camera.show("levels")
    camera.wait(lambda: page.content.classes.rowCount() > 0)


def train(camera: Camera) -> None:
    """The run that was."""
    page = camera.show("train")
    page.runs.table.selectRow(0)
    page.tabs.setCurrentIndex(1)  # its curves


def evaluate(camera: Camera) -> None:
    """Hypernyms by two encoders."""
    form = camera.show("evaluate").form
    form.tasks.choose("hypernyms")
    form.encoders.tick((BUILT_IN, TRAINED))
    form.evaluate.click()


def compare(camera: Camera) -> None:
    """Mentions by how much the two disagree on their chapter."""
    part = camera.show("compare").encoders
    part.form.encoders.choose((BUILT_IN, TRAINED))
    part.form.task.setCurrentIndex(part.form.task.findData("hypernyms"))
    camera.wait(part.form.compare.isEnabled)
    part.form.compare.click()
    camera.wait(lambda: part.mentions.model.rowCount() > 0)
    part.mentions.table.selectRow(0)
    camera.wait(part.side.isVisible)


def map_(camera: Camera) -> None:
    """A chapter on a plane."""
    page = camera.show("map")
    form = page.form
    form.method.setCurrentIndex(form.method.findData("tsne"))
    form.points.kind.setCurrentIndex(form.points.kind.findData("below"))
    camera.go(CHAPTER)
    form.points.root.current.click()
    camera.wait(lambda: not form.points.count.text().startswith(("0", "All")))
    camera.wait(form.draw.isEnabled)
    form.draw.click()
    camera.rest()
    camera.wait(lambda: page.area.shown is not None and page.area.plot.labels)


def judge(camera: Camera) -> None:
    """A study that two people have judged, one of them not all of it."""
    for annotator, most in SAYS.items():
        judging = Judging(camera.desk.shared.workspace, 1, annotator)
        for turn in judging.turns[:most]:
            terms = turn.left.lower(), turn.right.lower()
            alike = any(all(word in term for term in terms) for word in WORDS)
            slip = annotator == ERRS and turn.place == 2
            judging.judge(turn, "same" if alike is not slip else "not same", SEEN)
    page = camera.show("judge")
    page.show_part("Studies")
    camera.wait(lambda: page.studies.detail.agreement.model().rowCount() > 0)


STEPS = (first_hour, explore, levels, train, map_, judge, curate, evaluate, compare)


def main(workspace: str, folder: str, language: str = "en") -> None:
    """Takes them all."""
    Path(folder).mkdir(parents=True, exist_ok=True)
    camera = Camera(Path(workspace), Path(folder).resolve(), language)
    for step in STEPS:
        step(camera)
        camera.take(step.__name__.rstrip("_"))
    camera.desk.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
