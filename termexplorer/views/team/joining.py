"""Joining a team: its address and the password that its server asks for."""

from functools import partial

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QFormLayout, QHBoxLayout, QLineEdit, QPushButton, QWidget

from termexplorer.questions import LatestQueryWorker
from termexplorer.services.team.joining import join_team, read_address
from termexplorer.texts import tr
from termexplorer.views.widgets.forms import make_primary
from termexplorer.views.widgets.panel import Panel
from termexplorer.views.widgets.plain_label import PlainLabel
from termexplorer.workspace import Workspace

_WIDEST = 640


class JoiningPanel(Panel):
    """Asks which team the workspace is to be in.

    Signals:
        joined: the password, which is not kept where there is no keyring.
    """

    joined = Signal(str)

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(tr("Join a team"), parent)
        self._workspace = workspace
        self.address = QLineEdit(placeholderText="postgresql://anna@host/team")
        self.address.setAccessibleName(tr("Address"))
        self.password = QLineEdit(echoMode=QLineEdit.EchoMode.Password)
        self.password.setAccessibleName(tr("Password"))
        self.join = QPushButton(tr("Join the team"))
        make_primary(self.join, self)
        self.message = PlainLabel(wordWrap=True)
        self._questions = LatestQueryWorker(self)
        self._lay_out()
        self.join.clicked.connect(self._on_join)
        for field in (self.address, self.password):
            field.returnPressed.connect(self.join.click)
        self.address.textChanged.connect(self._allow)
        self._questions.answered.connect(self._on_joined)
        self._questions.failed.connect(self._on_failed)
        self.setFocusProxy(self.address)
        self._allow()

    def release(self) -> None:
        """Ends its thread."""
        self._questions.close()

    def _lay_out(self) -> None:
        about = PlainLabel(
            tr(
                "A team shares verdicts, studies and lists of suggestions by a PostgreSQL server. "
                "Who runs it gives you the address and a password. Everything you judge is on "
                "your own disk first, and goes out in the background."
            ),
            wordWrap=True,
        )
        about.setProperty("quiet", True)
        for widget in (about, self.message, self.address, self.password):
            widget.setMaximumWidth(_WIDEST)
        form = QFormLayout()
        form.setSpacing(12)
        form.addRow(tr("Address"), self.address)
        form.addRow(tr("Password"), self.password)
        row = QHBoxLayout()
        row.addWidget(self.join)
        row.addStretch(1)
        self.content.addWidget(about)
        self.content.addLayout(form)
        self.content.addLayout(row)
        self.content.addWidget(self.message)
        self.content.addStretch(1)

    @Slot()
    def _allow(self) -> None:
        missing = "" if self.address.text().strip() else tr("Type the address first")
        self.join.setEnabled(not missing)
        self.join.setToolTip(missing)

    @Slot()
    def _on_join(self) -> None:
        self.join.setEnabled(False)
        self.message.setText(tr("Connecting…"))
        text, password = self.address.text().strip(), self.password.text()
        self._questions.ask(partial(_join_address, self._workspace, text, password))

    @Slot(object)
    def _on_joined(self, _member: QObject) -> None:
        self.joined.emit(self.password.text())

    @Slot(str)
    def _on_failed(self, error: str) -> None:
        self.message.setText(error)
        self._allow()


def _join_address(workspace: Workspace, address: str, password: str) -> object:
    return join_team(workspace, read_address(address), password)
