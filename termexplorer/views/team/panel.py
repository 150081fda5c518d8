"""The team on a panel: who is there and on what, how far its studies are and how well it agrees."""

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QPushButton, QWidget

from termexplorer.questions import LatestQueryWorker
from termexplorer.services.team.joining import leave_team
from termexplorer.services.team.progress import TeamView, read_team
from termexplorer.texts import tr
from termexplorer.views.team.agreement import TeamAgreement
from termexplorer.views.team.connection import TeamConnection
from termexplorer.views.team.sharing import SharingBar
from termexplorer.views.team.tables import MemberTable, TeamStudyTable
from termexplorer.views.widgets.panel import Panel
from termexplorer.views.widgets.plain_label import PlainLabel
from termexplorer.views.window.page import Shared

if TYPE_CHECKING:
    from termexplorer.services.team.background import TeamState

_WIDEST = 480
_AGAIN_MS = 3_000  # between two looks at the server, as long as the panel is open


class TeamPanel(Panel):
    """Shows the team as it is now, and lets its author share and open work.

    Signals:
        left: the workspace is in no team any more.
    """

    left = Signal()

    def __init__(
        self, shared: Shared, connection: TeamConnection, parent: QWidget | None = None
    ) -> None:
        super().__init__(tr("Team"), parent)
        self._shared, self._connection = shared, connection
        self.summary = PlainLabel(wordWrap=True)
        self.password = QLineEdit(
            echoMode=QLineEdit.EchoMode.Password,
            placeholderText=tr("Password, if the server asks for one; press Enter"),
        )
        self.password.setAccessibleName(tr("Password"))
        self.members = MemberTable(shared.session)
        self.studies = TeamStudyTable(shared.session)
        self.agreement = TeamAgreement(shared.workspace)
        self.missing = PlainLabel(wordWrap=True)
        self.sharing = SharingBar(shared)
        self.leave = QPushButton(tr("Leave the team…"))
        self._questions = LatestQueryWorker(self)
        self._timer = QTimer(self, interval=_AGAIN_MS)
        self._lay_out()
        self._timer.timeout.connect(self._look)
        self._questions.answered.connect(self._on_read)
        self._questions.failed.connect(self.summary.setText)
        self.sharing.shared_something.connect(self._look)
        self.password.returnPressed.connect(self._on_password)
        self.leave.clicked.connect(self._on_leave)
        connection.state_changed.connect(self._on_state)
        self.setFocusProxy(self.members)
        self._timer.start()
        self._look()

    def release(self) -> None:
        """Ends its threads."""
        self._timer.stop()
        self._connection.state_changed.disconnect(self._on_state)
        self._questions.close()
        self.agreement.release()
        self.sharing.release()

    def _lay_out(self) -> None:
        row = QHBoxLayout()
        row.addWidget(self.sharing)
        row.addStretch(1)
        row.addWidget(self.leave)
        self.missing.hide()
        self.password.hide()
        self.password.setMaximumWidth(_WIDEST)
        self.content.addWidget(self.summary)
        self.content.addWidget(self.password)
        self.content.addWidget(self.members, 2)
        self.content.addWidget(self.studies, 2)
        self.content.addWidget(self.agreement)
        self.content.addWidget(self.missing)
        self.content.addLayout(row)

    @Slot()
    def _look(self) -> None:
        self._questions.ask(partial(read_team, self._shared.workspace, self._connection.password))

    @Slot(object)
    def _on_read(self, team: TeamView) -> None:
        self.summary.setText(team.summary)
        self.password.setVisible(bool(team.work.problem))
        if team.work.problem:
            return
        self.members.show_members(team.work.members, team.work.presence)
        self.studies.show_studies(team.studies)
        self.agreement.show_studies(team.local_studies)
        self.missing.setText(team.missing_told)
        self.missing.setVisible(bool(team.missing_told))
        self.sharing.show_role(team.work.role, self._connection.password)

    @Slot(object)
    def _on_state(self, _state: "TeamState") -> None:
        self._look()

    @Slot()
    def _on_password(self) -> None:
        self._connection.stop()
        self._connection.start(self.password.text())
        self._look()

    @Slot()
    def _on_leave(self) -> None:
        question = tr("Leave? The log stays here; what is not sent is not sent any more.")
        self._shared.notices.tell(question, tr("Leave the team"), self._leave)

    def _leave(self) -> None:
        leave_team(self._shared.workspace)
        self.left.emit()
        self.closed.emit()
