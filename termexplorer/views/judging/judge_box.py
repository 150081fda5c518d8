"""Who judges: chosen from those that were entered, or entered here."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QSignalBlocker, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent, QWheelEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QPushButton, QStackedWidget, QWidget

from termexplorer.questions import LatestQueryWorker
from termexplorer.services.verdicts.people import Judge, add_person
from termexplorer.texts import mark, tr, translated
from termexplorer.views.widgets.elided_box import ElidedBox
from termexplorer.views.widgets.forms import offer, shrinking
from termexplorer.views.widgets.plain_label import PlainLabel
from termexplorer.views.window.page import Shared

_KEY = "judge"
_ADD = mark("Somebody else…")
_CHOSEN, _FRESH = 0, 1  # what is on show
_OPENING_KEYS = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Space, Qt.Key.Key_F4)


class JudgeBox(QStackedWidget):
    """A choice of people, with a form for a new one behind it.

    Signals:
        changed: somebody else judges.
        settled: who judges was entered or chosen by hand, and the keys are free for the work.
    """

    changed = Signal()
    settled = Signal()

    def __init__(self, shared: Shared, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shared = shared
        self._people: dict[str, Judge] = {}
        self.box = shrinking(_JudgeChoice(), tr("Who judges"))
        self.box.setToolTip(tr("Verdicts are kept under this name; those of others stay apart"))
        self.name = QLineEdit(placeholderText=tr("Your name"))
        self.name.setAccessibleName(tr("Name of the annotator"))
        self.orcid = QLineEdit(placeholderText=tr("ORCID, if any"))
        self.orcid.setAccessibleName(tr("ORCID of the annotator"))
        self.enter = QPushButton(tr("Enter", sense="a name"))
        self.back = QPushButton(tr("Cancel"))
        self._entering = LatestQueryWorker(self)
        self._lay_out()
        self._connect()
        self.show_people([])

    @property
    def judge(self) -> Judge | None:
        """Who judges; None until somebody is entered."""
        return self._people.get(self.box.currentData() or "")

    def close_box(self) -> None:
        """Ends the thread."""
        self._entering.close()

    def show_people(self, people: Sequence[Judge]) -> None:
        """Offers people; who judged last still does."""
        before = self.judge
        self._people = {_judge_key(person): person for person in people}
        rows: list[tuple[str, object]] = [
            (person.name, key) for key, person in self._people.items()
        ]
        remembered = self._shared.session.place(_KEY)
        with QSignalBlocker(self.box):
            self.box.clear()
            usual = remembered if remembered in self._people else next(iter(self._people), "")
            offer(self.box, [*rows, (translated(_ADD), "")] if rows else [], usual)
        self.back.setVisible(bool(people))
        if not people:
            self.setCurrentIndex(_FRESH)
        elif not before:
            self.setCurrentIndex(_CHOSEN)
        if self.judge != before:
            self.changed.emit()

    def _lay_out(self) -> None:
        chosen, fresh = QWidget(), QWidget()
        for part, widgets in (
            (chosen, (PlainLabel(tr("Judged by")), self.box)),
            (fresh, (PlainLabel(tr("Who judges?")), self.name, self.orcid, self.enter, self.back)),
        ):
            row = QHBoxLayout(part)
            row.setContentsMargins(0, 0, 0, 0)
            row.setSpacing(8)
            row.addStretch(1)
            for widget in widgets:
                row.addWidget(widget)
            self.addWidget(part)

    def _connect(self) -> None:
        self.box.activated.connect(self._on_chosen)
        self.enter.clicked.connect(self._on_enter)
        self.back.clicked.connect(self._on_back)
        for field in (self.name, self.orcid):
            field.returnPressed.connect(self._on_enter)
        self._entering.answered.connect(self._on_entered)
        self._entering.failed.connect(self._shared.notices.error)

    @Slot()
    def _on_chosen(self) -> None:
        if self.judge is None:
            self.setCurrentIndex(_FRESH)
            self.name.setFocus()
        else:
            self._shared.session.keep_place(_KEY, _judge_key(self.judge))
            self.changed.emit()
            self.settled.emit()

    @Slot()
    def _on_enter(self) -> None:
        work = partial(add_person, self._shared.workspace, self.name.text(), self.orcid.text())
        self._entering.ask(work)

    @Slot(object)
    def _on_entered(self, judge: Judge) -> None:
        self._shared.session.keep_place(_KEY, _judge_key(judge))
        self.name.clear()
        self.orcid.clear()
        self.show_people(list(dict.fromkeys((*self._people.values(), judge))))
        self._show_chosen()

    @Slot()
    def _on_back(self) -> None:
        self.name.clear()
        self.orcid.clear()
        self.show_people(list(self._people.values()))
        self._show_chosen()

    def _show_chosen(self) -> None:
        self.setCurrentIndex(_CHOSEN)
        self.box.setFocus()
        if self.judge is not None:
            self.settled.emit()


class _JudgeChoice(ElidedBox):
    """A choice of a person, which no key and no wheel changes before it is opened.

    An answer key that is meant for the table would have somebody else judge, without a word.
    """

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        """Open the list by arrows and by Space; leave other keys to what is around."""
        if event.key() in _OPENING_KEYS:
            self.showPopup()
        else:
            event.ignore()

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802
        """Leave the wheel to what is around."""
        event.ignore()


def _judge_key(judge: Judge) -> str:
    return f"{judge.name}\t{judge.orcid}"
