"""Answers of which it is in doubt whose they are: the author chooses, and both are kept."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from termexplorer.questions import LatestQueryWorker
from termexplorer.services.studies.set_aside import list_doubtful
from termexplorer.services.studies.work import (
    AnswersChoice,
    DoubtfulAnswers,
    MergeOutcome,
    merge_each,
)
from termexplorer.store.judging.studies import KeptStudy
from termexplorer.texts import mark, tr, translated
from termexplorer.views.widgets.forms import form_column, heading, quiet, scrolled
from termexplorer.views.widgets.keys import add_key
from termexplorer.views.widgets.plain_label import PlainLabel
from termexplorer.views.window.page import Shared

_WIDEST = 800
_CHOICES = {
    AnswersChoice.ACCEPT: (
        mark("Take the file"),
        mark("Its answers count; what is here counts no more, and stays in the log"),
    ),
    AnswersChoice.ADD: (
        mark("Count both"),
        mark(
            "Both are this annotator's, as from two machines; of one pair the later answer counts"
        ),
    ),
    AnswersChoice.REJECT: (
        mark("Keep what is here"),
        mark("The file does not count; a copy of it stays in the workspace"),
    ),
}


class AnswersInDoubtForm(QWidget):
    """Asks which of two files of one annotator counts, one doubt after the other.

    Signals:
        left: the user goes back, or all is chosen.
        chosen: what came of a choice (a list of one `MergeOutcome`).

    Attributes:
        told: the file, why it is in doubt, and what is here.
        buttons: of the choices.
    """

    left = Signal()
    chosen = Signal(object)

    def __init__(self, shared: Shared, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shared = shared
        self._doubts: list[DoubtfulAnswers] = []
        self.title = heading("")
        self.message = PlainLabel(wordWrap=True)
        self.buttons = {
            choice: QPushButton(translated(text)) for choice, (text, _) in _CHOICES.items()
        }
        self.back = QPushButton(tr("Decide later"))
        self._merging, self._reading = LatestQueryWorker(self), LatestQueryWorker(self)
        self._lay_out()
        for choice, button in self.buttons.items():
            button.setToolTip(translated(_CHOICES[choice][1]))
            button.clicked.connect(partial(self._on_choice, choice))
        self.back.clicked.connect(self.left)
        self._merging.answered.connect(self._on_chosen)
        self._reading.answered.connect(self.show_doubts)
        for worker in (self._merging, self._reading):
            worker.failed.connect(shared.notices.error)
        add_key("Esc", self, self.left.emit)

    def close_form(self) -> None:
        """End the threads."""
        self._merging.close()
        self._reading.close()

    def entrance(self) -> QWidget:
        """Return what has the focus first: what changes nothing."""
        return self.back

    def show_study(self, study: KeptStudy) -> None:
        """Show what is in doubt in a study, as soon as it is read."""
        self._show_nothing(tr("Reading…"))
        self._reading.ask(partial(list_doubtful, self._shared.workspace, study))

    @Slot(object)
    def show_doubts(self, doubts: Sequence[DoubtfulAnswers]) -> None:
        """Show doubts, the first of them first."""
        self._doubts = list(doubts)
        if self._doubts:
            self._show_doubt(self._doubts[0])
        else:
            self._show_nothing(tr("There is nothing left to choose."))

    def _show_doubt(self, doubt: DoubtfulAnswers) -> None:
        self.title.setText(tr("Are these the answers of {annotator}?", annotator=doubt.annotator))
        lines = [
            tr("{file}: {why}.", file=doubt.file, why=doubt.doubt_told),
            tr("In the file: {answers}.", answers=doubt.file_told),
            tr("Here: {answers}.", answers=doubt.here_told),
        ]
        if doubt.rejected_at:
            lines.append(tr("You rejected it on {day}.", day=doubt.rejected_at[:10]))
        self.message.setText("\n\n".join(lines))
        self._allow(True)

    def _show_nothing(self, why: str) -> None:
        self.title.setText(tr("Answers in doubt"))
        self.message.setText(why)
        self._allow(False)

    def _allow(self, may: bool) -> None:
        for button in self.buttons.values():
            button.setEnabled(may)

    def _lay_out(self) -> None:
        self.back.setToolTip(tr("To the studies (Esc); a copy of the file is kept"))
        inside = QWidget()
        inside.setMaximumWidth(_WIDEST)
        column = form_column(inside)
        column.addWidget(self.title)
        column.addSpacing(8)
        column.addWidget(self.message)
        column.addWidget(
            quiet(
                tr(
                    "Ask the annotator for the key that their program shows when it saves the "
                    "answers. Whatever you choose, both are kept."
                )
            )
        )
        row = QHBoxLayout()
        row.setSpacing(8)
        for button in (*self.buttons.values(), self.back):
            row.addWidget(button)
        row.addStretch(1)
        column.addLayout(row)
        column.addStretch(1)
        whole = form_column(self)
        whole.setContentsMargins(0, 0, 0, 12)
        whole.addWidget(scrolled(inside), 1)

    @Slot()
    def _on_choice(self, choice: AnswersChoice) -> None:
        if self._doubts:
            self._allow(False)
            path = Path(self._doubts[0].file)
            self._merging.ask(partial(merge_each, self._shared.workspace, [path], choice))

    @Slot(object)
    def _on_chosen(self, outcomes: Sequence[MergeOutcome]) -> None:
        self.chosen.emit(outcomes)
        self._doubts = self._doubts[1:]
        if self._doubts:
            self._show_doubt(self._doubts[0])
        else:
            self.left.emit()
