"""The window's own connection to the team, in a thread for which nothing waits."""

from threading import Thread
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from termexplorer.workspace import Workspace

if TYPE_CHECKING:
    from termexplorer.services.team.background import TeamLoop, TeamState

_PATIENCE = 1.0  # seconds


class TeamConnection(QObject):
    """Sends and receives while the window is open, if its workspace is in a team.

    Signals:
        state_changed: the `TeamState`.

    Attributes:
        state: how the workspace stands with its team; None where it is in none.
        password: that was typed, or "".
    """

    state_changed = Signal(object)
    _told = Signal(object)  # in the loop's thread

    def __init__(self, workspace: Workspace, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.state: TeamState | None = None
        self.password = ""
        self._workspace = workspace
        self._works_on = ""
        self._loop: TeamLoop | None = None
        self._thread: Thread | None = None
        self._told.connect(self._on_told)

    def start(self, password: str = "") -> None:
        """Begin, if the workspace is in a team; with the password that was typed, if one was."""
        from termexplorer.services.team.joining import read_membership

        if self._loop or read_membership(self._workspace) is None:
            return
        from termexplorer.services.team.background import TeamLoop, TeamState

        self.password = password
        self._on_told(TeamState())
        self._loop = TeamLoop(self._workspace, self._told.emit, lambda: self._works_on, password)
        self._thread = Thread(target=self._loop.run, name="team", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End; what is not sent by then is sent at the next start.

        A server that does not answer is not waited for.
        """
        if self._loop and self._thread:
            self._loop.stop()
            self._thread.join(_PATIENCE)
        self._loop = self._thread = self.state = None

    def tell_work(self, works_on: str) -> None:
        """Say what is looked at, in words, for the others of the team."""
        self._works_on = works_on

    def _on_told(self, state: "TeamState") -> None:
        self.state = state
        self.state_changed.emit(state)
