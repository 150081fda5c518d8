"""A workspace kept together with its team, in a thread for which nothing waits."""

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from threading import Event

from termexplorer.errors import UserError
from termexplorer.services.team.joining import connect, need_membership, read_address
from termexplorer.services.team.sync import TeamSync
from termexplorer.services.verdicts.log import now
from termexplorer.workspace import Workspace

_LOOK = 0.1  # seconds between two looks whether something was judged here
_SHARED = 2.0  # seconds between two looks for studies and lists, of which there are few
_PRESENCE = 20.0  # seconds between two messages that one is there
_MOVED = 1.0  # seconds at least between two messages that one looks at something else
_FIRST_WAIT, _LONGEST_WAIT = 0.2, 15.0  # seconds before the server is tried again


@dataclass(frozen=True, slots=True)
class TeamState:
    """How a workspace stands with its team.

    Attributes:
        connected: whether the server is reached.
        sent: rows of the log that went out since this began.
        received: rows that came in.
        unsent: rows that are still to be sent.
        received_at: when something came in last, ISO 8601 in UTC; "" where nothing did.
        problem: why the server is not reached, in a sentence; "" where it is.
    """

    connected: bool = False
    sent: int = 0
    received: int = 0
    unsent: int = 0
    received_at: str = ""
    problem: str = ""


class TeamLoop:
    """Sends and receives until it is stopped, and connects again after every break.

    Args:
        workspace: that is in a team.
        on_state: is told how it stands, each time that this changes.
        works_on: says what is looked at, in words, for the others.
        password: to log in with; by default the one of the environment or the keyring.
    """

    def __init__(
        self,
        workspace: Workspace,
        on_state: Callable[[TeamState], None] = lambda _state: None,
        works_on: Callable[[], str] = lambda: "",
        password: str = "",
    ) -> None:
        self._workspace = workspace
        self._on_state = on_state
        self._works_on = works_on
        self._password = password
        self._stop = Event()
        self._state = TeamState()

    def stop(self) -> None:
        """Have it end soon; what is not sent by then is sent when it runs again."""
        self._stop.set()

    def run(self) -> None:
        """Send and receive until it is stopped.

        Raises:
            UserError: the workspace is in no team.
        """
        address = read_address(need_membership(self._workspace).address)
        wait = _FIRST_WAIT
        while not self._stop.is_set():
            try:
                with connect(address, self._password) as server:
                    if self._is_running():
                        self._run_connected(TeamSync(self._workspace, server))
            except UserError as error:
                if self._state.connected:
                    wait = _FIRST_WAIT
                self._tell(connected=False, problem=str(error))
            self._stop.wait(wait)
            wait = min(2 * wait, _LONGEST_WAIT)

    def _run_connected(self, sync: TeamSync) -> None:
        sync.listen()
        looked_at = told_at = float("-inf")
        told_work = ""
        changed = True
        while self._is_running():
            if changed:
                received = sync.receive_rows(self._is_running)
                if received:
                    self._tell(received=self._state.received + received, received_at=now())
            if time.monotonic() - looked_at > _SHARED:
                looked_at = time.monotonic()
                if sync.receive_packs() + sync.receive_lists():
                    self._tell(received_at=now())
            if sync.has_new_rows():
                sent = sync.send_rows(self._is_running)
                self._tell(sent=self._state.sent + sent)
            works_on = self._works_on()
            if time.monotonic() - told_at > (_PRESENCE if works_on == told_work else _MOVED):
                sync.tell_presence(works_on)
                told_work, told_at = works_on, time.monotonic()
            self._tell(connected=True, problem="", unsent=0)
            changed = sync.wait_for_change(_LOOK)

    def _is_running(self) -> bool:
        return not self._stop.is_set()

    def _tell(self, **changes: object) -> None:
        state = replace(self._state, **changes)  # type: ignore[arg-type]
        if state != self._state and self._is_running():
            self._state = state
            self._on_state(state)
