"""Keeps the concepts of points as a list, also to train a class of them, or to have them judged."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QLineEdit, QPushButton, QWidget

from termexplorer.plain_text import plain_tip
from termexplorer.questions import LatestQueryWorker
from termexplorer.services.judge.drawn_work import FromList
from termexplorer.services.levels.concept_lists import add_to_list
from termexplorer.texts import mark, tr, translated
from termexplorer.views.judge.pairs_to_judge import PairDrawing
from termexplorer.views.widgets.forms import beside, plain_column
from termexplorer.views.window.page import Shared

_TIP = mark("A list of these concepts; under a title that is there already they are added to it")
_JUDGE_TIP = mark("Keeps the list, and goes to a new study of up to 100 pairs within it, at random")
_TRAIN_TIP = mark("Keeps the list, and goes to Train with it as a class of few-shot")


class MapKeep(QWidget):
    """A line for a title, and buttons."""

    def __init__(self, shared: Shared, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shared = shared
        self._release_id = 0
        self._curies: list[str] = []
        self._then: Callable[[str], None] | None = None
        self._title = ""
        self.title = QLineEdit(placeholderText=tr("Title of a list"))
        self.keep = QPushButton(tr("Keep as list"))
        self.train = QPushButton(tr("Train as class…"))
        self.judge = QPushButton(tr("Pairs to judge…"))
        self._drawing = PairDrawing(shared, self)
        self._writing = LatestQueryWorker(self)
        column = plain_column(self)
        column.addWidget(self.title)
        column.addLayout(beside(self.keep, self.train))
        column.addWidget(self.judge)
        self.title.setToolTip(translated(_TIP))
        self.title.setAccessibleName(tr("Title of a list"))
        self.title.textChanged.connect(self._allow)
        self.title.returnPressed.connect(self.keep.click)
        self.keep.clicked.connect(self._on_keep)
        self.train.clicked.connect(self._on_train)
        self.judge.clicked.connect(self._on_judge)
        self._writing.answered.connect(self._on_kept)
        self._writing.failed.connect(shared.notices.error)
        self._allow()

    def offer(self, release_id: int, curies: list[str]) -> None:
        """Takes concepts of a release, which may be there several times."""
        self._release_id, self._curies = release_id, curies
        self._allow()

    def close_keep(self) -> None:
        """Ends the thread; what is being written is finished."""
        self._writing.close()

    @Slot()
    def _allow(self) -> None:
        why = "" if self.title.text().strip() else tr("Write a title first")
        for button, tip in (
            (self.keep, _TIP),
            (self.train, _TRAIN_TIP),
            (self.judge, _JUDGE_TIP),
        ):
            button.setEnabled(not why)
            button.setToolTip(plain_tip(why or translated(tip)))

    @Slot()
    def _on_keep(self) -> None:
        self._write(None)

    @Slot()
    def _on_train(self) -> None:
        self._write(self._train)

    @Slot()
    def _on_judge(self) -> None:
        self._write(self._have_judged)

    def _write(self, then: Callable[[str], None] | None) -> None:
        title = self.title.text()
        self._then, self._title = then, " ".join(title.split())
        work = partial(add_to_list, self._shared.workspace, title, self._release_id, self._curies)
        self._writing.ask(work)

    @Slot(object)
    def _on_kept(self, message: str) -> None:
        self.title.clear()
        self._shared.notices.tell(message)
        self._shared.watch.look()
        if self._then is not None:
            self._then(self._title)

    def _train(self, title: str) -> None:
        errands = self._shared.errands
        errands.show_page.emit("train")
        errands.train_class.emit(title)

    def _have_judged(self, title: str) -> None:
        self._drawing.draw(FromList(title, self._release_id), title)
