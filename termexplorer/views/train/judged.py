"""Which verdicts are learned: a part of the form of the Train page."""

from collections.abc import Callable
from functools import partial
from typing import TypeAlias

from PySide6.QtCore import QSignalBlocker, Qt, Signal, Slot
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QCheckBox, QWidget

from termexplorer.errors import UserError
from termexplorer.questions import LatestQueryWorker
from termexplorer.services.studies.judged_pairs import JudgedChoice, judged_in_study
from termexplorer.services.studies.studies import KeptStudy, studies_of
from termexplorer.services.verdicts.log import last_row
from termexplorer.texts import mark, number, tr, translated, trn
from termexplorer.views.widgets.forms import choice, offer, plain_column, quiet, reveal
from termexplorer.views.window.page import Shared
from termexplorer.views.window.store_reading import StoreReading
from termexplorer.workspace import Workspace

_ABOUT = mark(
    "Choose the encoder that is to learn above, such as one that was judged. Some of the pairs are "
    "held out, those drawn at random first: the figures are on these, before and after."
)
_Known: TypeAlias = tuple[list[KeptStudy], int]  # the studies, and the last row of the log
_NONE = mark("There is no study. On the page Judge, tab Studies, have pairs judged first.")


class TrainJudged(QWidget):
    """Studies to choose from, and what their verdicts come to.

    Signals:
        changed: there is something else to learn from, or nothing.
    """

    changed = Signal()

    def __init__(self, shared: Shared, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shared = shared
        self._wanted: int | None = None
        self._preferred: int | None = None
        self._choice: JudgedChoice | None = None
        self._why = translated(_NONE)
        self._known: _Known | None = None
        self.study = choice(tr("Study whose verdicts are learned"))
        self.votes = QCheckBox(tr("“Don't know” is a vote for neither"))
        self.votes.setChecked(True)
        self.votes.setToolTip(tr("As in the study's report; otherwise it is no vote at all"))
        self.pair_counts = quiet()
        column = plain_column(self)
        for widget in (quiet(translated(_ABOUT)), self.study, self.votes, self.pair_counts):
            column.addWidget(widget)
        self._studies = StoreReading(shared, self, self._question)
        self._studies.answered.connect(self._on_studies)
        self._verdicts = LatestQueryWorker(self)
        self._verdicts.answered.connect(self._on_verdicts)
        self._verdicts.failed.connect(self._on_failed)
        self.study.currentIndexChanged.connect(self._ask)
        self.votes.toggled.connect(self._ask)
        self._on_studies(([], 0))

    def close_choice(self) -> None:
        """Ends the threads."""
        self._studies.close()
        self._verdicts.close()

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        """Reads what has changed."""
        super().showEvent(event)
        self._studies.look()

    def prefer(self, study_id: int | None) -> None:
        """Has a study chosen as soon as it is offered, if none is yet."""
        self._preferred = study_id

    def choose(self, study_id: int) -> None:
        """Chooses a study and goes there, now or as soon as it is offered."""
        self._wanted = study_id
        self._go()

    @property
    def why_not(self) -> str:
        """Why nothing can be learned, in words; empty if something can."""
        return self._why

    def choice(self) -> JudgedChoice:
        """What is chosen, as it was when it was shown.

        Raises:
            UserError: there is nothing to learn from.
        """
        if self._choice is None:
            raise UserError(self._why)
        return self._choice

    def _question(self) -> Callable[[], object]:
        return partial(_read_known, self._shared.workspace)

    @Slot(object)
    def _on_studies(self, known: _Known) -> None:
        if known == self._known:  # anything may have been written, such as the epochs of a run
            return
        self._known, current = known, self.study.currentData()
        current = self._preferred if current is None else current
        rows = [(f"{study.id} · {study.head.title}", study.id) for study in reversed(known[0])]
        with QSignalBlocker(self.study):
            offer(self.study, rows, None)
            self.study.setCurrentIndex(max(self.study.findData(current), 0) if rows else -1)
        for widget in (self.study, self.votes):
            widget.setVisible(bool(rows))
        self._go()
        self._ask()

    def _go(self) -> None:
        at = self.study.findData(self._wanted)
        if self._wanted is not None and at >= 0:
            self._wanted = None
            self.study.setCurrentIndex(at)
            self.study.setFocus(Qt.FocusReason.OtherFocusReason)
            reveal(self.study)

    @Slot()
    def _ask(self) -> None:
        study_id = self.study.currentData()
        if study_id is None:
            self._verdicts.forget()
            self._show(None, translated(_NONE))
            return
        self._show(None, tr("Reading the verdicts…"))
        self._verdicts.ask(
            partial(
                judged_in_study,
                self._shared.workspace,
                study_id,
                dont_know_votes=self.votes.isChecked(),
            )
        )

    @Slot(object)
    def _on_verdicts(self, judged_choice: JudgedChoice) -> None:
        similar = sum(pair.similar for pair in judged_choice.pairs)
        counts = [
            trn(
                "{n:,} similar pair, {dissimilar:,} dissimilar",
                "{n:,} similar pairs, {dissimilar:,} dissimilar",
                similar,
                dissimilar=len(judged_choice.pairs) - similar,
            )
        ]
        counts += [
            f"{number(count)} {translated(reason)}"
            for reason, count in judged_choice.left_out.items()
        ]
        self._show(judged_choice, " · ".join(counts))

    @Slot(str)
    def _on_failed(self, why: str) -> None:
        self._show(None, why[:1].upper() + why[1:])

    def _show(self, judged_choice: JudgedChoice | None, message: str) -> None:
        self._choice, self._why = judged_choice, "" if judged_choice else message
        self.pair_counts.setText(message)
        self.changed.emit()


def _read_known(workspace: Workspace) -> _Known:
    return studies_of(workspace), last_row(workspace)
