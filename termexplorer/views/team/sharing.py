"""What an author does in the team's panel: share a study or a list, and open verdicts to all."""

from functools import partial

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from termexplorer.questions import LatestQueryWorker
from termexplorer.services.curate.suggestion_lists import kept_lists
from termexplorer.services.studies.studies import studies_of
from termexplorer.services.team.joining import connect_workspace
from termexplorer.services.team.lists import share_list
from termexplorer.services.team.sharing import open_to_all, share_study
from termexplorer.texts import tr
from termexplorer.views.widgets.inputs import ChoiceBox
from termexplorer.views.window.page import Shared
from termexplorer.workspace import Workspace

_STUDY, _LIST = "study", "list"
_LETTERS = 30


class SharingBar(QWidget):
    """A choice of studies and lists, and what is done with the chosen one; authors alone see it.

    Signals:
        shared_something: something was shared or opened.
    """

    shared_something = Signal()

    def __init__(self, shared: Shared, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shared = shared
        self._password = ""
        self.work = ChoiceBox()
        self.work.setAccessibleName(tr("Study or list"))
        self.work.setSizeAdjustPolicy(
            ChoiceBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        )
        self.work.setMinimumContentsLength(_LETTERS)
        self.share = QPushButton(tr("Share with the team"))
        self.open_verdicts = QPushButton(tr("Open verdicts to all…"))
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        for widget in (self.work, self.share, self.open_verdicts):
            row.addWidget(widget)
        row.addStretch(1)
        self._questions = LatestQueryWorker(self)
        self._questions.answered.connect(self._on_done)
        self._questions.failed.connect(self._on_failed)
        self.work.currentIndexChanged.connect(self._allow)
        self.share.clicked.connect(self._on_share)
        self.open_verdicts.clicked.connect(self._on_open)
        self._fill()
        self.hide()

    def release(self) -> None:
        """Ends its thread."""
        self._questions.close()

    def show_role(self, role: str, password: str) -> None:
        """Shows itself to an author."""
        self._password = password
        self.setVisible(role == "author")

    def _fill(self) -> None:
        workspace = self._shared.workspace
        for study in studies_of(workspace):
            if study.head.plan:
                text = tr("Study: {title}", title=study.head.title)
                self.work.addItem(text, (_STUDY, study.id))
        for kept_list in kept_lists(workspace):
            text = tr("List: {title}", title=kept_list.head.title)
            self.work.addItem(text, (_LIST, kept_list.id))
        self._allow()

    @Slot()
    def _allow(self) -> None:
        chosen = self.work.currentData()
        why = "" if chosen else tr("There is no study and no list of suggestions yet")
        self.share.setEnabled(not why)
        self.share.setToolTip(why)
        is_study = bool(chosen) and chosen[0] == _STUDY
        self.open_verdicts.setEnabled(is_study)
        self.open_verdicts.setToolTip("" if is_study else tr("Choose a study"))

    @Slot()
    def _on_share(self) -> None:
        self.share.setEnabled(False)
        chosen = self.work.currentData()
        self._questions.ask(partial(_share_work, self._shared.workspace, self._password, *chosen))

    @Slot()
    def _on_open(self) -> None:
        question = tr("All members will read the verdicts. This cannot be taken back.")
        act = partial(self._open, self.work.currentData()[1])
        self._shared.notices.tell(question, tr("Open them"), act)

    def _open(self, study_id: int) -> None:
        self._questions.ask(partial(_open_study, self._shared.workspace, self._password, study_id))

    @Slot(object)
    def _on_done(self, message: str) -> None:
        self._allow()
        self._shared.notices.tell(message)
        self.shared_something.emit()

    @Slot(str)
    def _on_failed(self, error: str) -> None:
        self._allow()
        self._shared.notices.error(error)


def _share_work(workspace: Workspace, password: str, kind: str, number: int) -> str:
    with connect_workspace(workspace, password) as server:
        if kind == _STUDY:
            turns = share_study(workspace, server, number)
            return tr("Shared with {names}", names=", ".join(turns))
        return tr("{title} is shared", title=share_list(workspace, server, number).title)


def _open_study(workspace: Workspace, password: str, study_id: int) -> str:
    with connect_workspace(workspace, password) as server:
        title = open_to_all(workspace, server, study_id)
    return tr("All members read the verdicts of {title}", title=title)
