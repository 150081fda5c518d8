"""Where the team is in the window: a button in the bar at the top, and a panel behind it."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QTimer, Signal, Slot
from PySide6.QtWidgets import QToolButton

from termexplorer.plain_text import plain_tip
from termexplorer.texts import tr
from termexplorer.views.team.connection import TeamConnection
from termexplorer.views.window.page import Shared

if TYPE_CHECKING:
    from termexplorer.services.team.background import TeamState

_LATER_MS = 400  # the window shows first


class TeamPlace(QObject):
    """Keeps the workspace together with its team. Panels are imported when they open.

    Signals:
        panel_wanted: a panel to be shown in the place of the page.

    Attributes:
        button: says how it stands; hidden where the workspace is in no team.
    """

    panel_wanted = Signal(object)

    def __init__(self, shared: Shared, parent: QObject) -> None:
        super().__init__(parent)
        self._shared = shared
        self.connection = TeamConnection(shared.workspace, self)
        self.button = QToolButton()
        self.button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.button.clicked.connect(self.open_panel)
        self.connection.state_changed.connect(self._on_state)
        shared.errands.works_on.connect(self.connection.tell_work)
        self.button.hide()
        self._timer = QTimer(self, singleShot=True, interval=_LATER_MS)
        self._timer.timeout.connect(self.connection.start)
        self._timer.start()

    @Slot()
    def open_panel(self) -> None:
        """Show the team, or ask for the address of one."""
        self._timer.stop()
        self.connection.start()
        if self.connection.state is None:
            self._open_joining()
            return
        from termexplorer.views.team.panel import TeamPanel

        panel = TeamPanel(self._shared, self.connection)
        panel.left.connect(self._on_left)
        self.panel_wanted.emit(panel)

    def close(self) -> None:
        """End the thread that sends and receives."""
        self._timer.stop()
        self.connection.stop()

    def _open_joining(self) -> None:
        from termexplorer.views.team.joining import JoiningPanel

        panel = JoiningPanel(self._shared.workspace)
        panel.joined.connect(self._on_joined)
        self.panel_wanted.emit(panel)

    @Slot(str)
    def _on_joined(self, password: str) -> None:
        self.connection.start(password)
        self.open_panel()

    @Slot()
    def _on_left(self) -> None:
        self.connection.stop()
        self.button.hide()

    @Slot(object)
    def _on_state(self, state: "TeamState") -> None:
        self.button.show()
        self.button.setText(name_state(state))
        self.button.setToolTip(plain_tip(state.problem) or tr("Who is in the team, and on what"))
        self._shared.watch.look()


def name_state(state: "TeamState") -> str:
    """Return how a workspace stands with its team, in a few words."""
    if state.problem:
        return tr("Team: not reached")
    if not state.connected:
        return tr("Team: connecting…")
    if state.unsent:
        return tr("Team: {count:,} to be sent", count=state.unsent)
    return tr("Team: all sent")
