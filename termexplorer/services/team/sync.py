"""One round between a workspace and its team: what is there comes in, what is new goes out."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from uuid import uuid4

from termexplorer.services.studies.packs import open_pack
from termexplorer.services.team.joining import check_member, need_membership
from termexplorer.services.team.lists import receive_lists
from termexplorer.store.judging import studies as study_store
from termexplorer.store.judging.decisions import decisions_on
from termexplorer.store.judging.log_index import find_last_row
from termexplorer.store.team.chains import Chain, ChainHead, fetch_rows, list_heads, send_rows
from termexplorer.store.team.incoming import take_rows
from termexplorer.store.team.members import TeamMember, tell_presence
from termexplorer.store.team.membership import begin_new_chains, send_anew
from termexplorer.store.team.outgoing import (
    SendScope,
    count_unsent,
    find_local_head,
    list_own_chains,
    list_unsent,
    mark_sent,
)
from termexplorer.store.team.server import BEHIND, FORKED, TeamError, TeamServer
from termexplorer.store.team.shared import SharedPack, list_packs, read_pack
from termexplorer.workspace import Workspace

_FETCHED, _SENT = 2_000, 500  # rows of one statement


@dataclass(frozen=True, slots=True)
class SyncCounts:
    """What a round did.

    Attributes:
        sent: rows of the log that went out.
        received: rows that came in and were new here.
        packs: packs of studies that came in.
        lists: lists of suggestions that came in.
    """

    sent: int = 0
    received: int = 0
    packs: int = 0
    lists: int = 0


class TeamSync:
    """What a workspace and its team have of each other, brought together over one connection.

    Args:
        workspace: that is in a team.
        server: of that team.

    Raises:
        UserError: the workspace is in no team, the server is of another version, or its author
            admitted nobody of this login.
    """

    def __init__(self, workspace: Workspace, server: TeamServer) -> None:
        self.member: TeamMember = check_member(server)
        self._workspace = workspace
        self._server = server
        self._membership = need_membership(workspace)
        self._has_new_chains = False
        self._after = 0  # rows of the log up to here were looked at, and sent
        self._scope = SendScope(self._membership.person)

    def sync(self, keep_on: Callable[[], bool] = lambda: True) -> SyncCounts:
        """Receive what is there, then send what is not.

        Args:
            keep_on: asked after each batch; what is left comes by the next call.

        Raises:
            UserError: the server went away, or its log was changed.
        """
        packs = self.receive_packs()
        lists = self.receive_lists()
        received = self.receive_rows(keep_on)
        sent = self.send_rows(keep_on)
        return SyncCounts(sent, received, packs, lists)

    def receive_lists(self) -> int:
        """Take lists of suggestions whose releases are here; return how many."""
        return receive_lists(self._workspace, self._server)

    def receive_packs(self) -> int:
        """Take packs of studies in which the member judges, and of opened ones; return how many."""
        with self._server.transaction() as connection:
            packs = list_packs(connection)
        self.set_scope(packs)
        wanted = [pack for pack in packs if pack.annotator == self.member.person or pack.is_open]
        new = [pack for pack in wanted if not self._has_seat(pack)]
        for pack in new:
            with self._server.transaction() as connection:
                content = read_pack(connection, pack)
            with TemporaryDirectory(prefix="termexplorer-team-") as folder:
                path = Path(folder) / "shared.termstudy"
                path.write_bytes(content)
                open_pack(self._workspace, path)
        return len(new)

    def set_scope(self, packs: Sequence[SharedPack]) -> None:
        """Take note of which studies the team has, whose verdicts are thus sent."""
        seated = frozenset(pack.study_key for pack in packs if pack.annotator == self.member.person)
        shared = [pack.study_key for pack in packs] if self.member.role == "author" else []
        all_of = frozenset([*shared, *map(decisions_on, shared)])
        scope = SendScope(self._membership.person, seated, all_of)
        if scope != self._scope:
            self._scope, self._after = scope, 0

    def _has_seat(self, pack: SharedPack) -> bool:
        """Return whether the workspace has a pack, or made its study."""
        with self._workspace.store.reading() as connection:
            for study in study_store.studies(connection):
                if study.head.key == pack.study_key:
                    seats = study_store.seats_of(connection, study.id)
                    names = {seat.annotator for seat in seats}
                    return bool(study.head.plan) or pack.annotator in names
        return False

    def receive_rows(self, keep_on: Callable[[], bool] = lambda: True) -> int:
        """Take in what the team has and the workspace has not; return how many were new."""
        new = 0
        while keep_on():
            with self._server.transaction() as connection:
                heads = list_heads(connection)
                self._send_lost_anew(heads)
                known = self._find_heads(heads)
                behind = {c: head.seq for c, head in known.items() if head.seq < heads[c].seq}
                rows = fetch_rows(connection, behind, _FETCHED) if behind else []
            if not rows:
                break
            new += take_rows(self._workspace.store, rows)
        return new

    def _send_lost_anew(self, heads: Mapping[Chain, ChainHead]) -> None:
        """Send once more what the server has lost, as after a backup was put back there."""
        sent = self._find_own_heads()
        if any(head.seq > heads.get(chain, ChainHead()).seq for chain, head in sent.items()):
            with self._workspace.store.writing() as connection:
                send_anew(connection, uuid4().hex)
            self._take_membership_anew()

    def _take_membership_anew(self) -> None:
        self._membership = need_membership(self._workspace)
        self._after = 0

    def _find_heads(self, chains: Iterable[Chain]) -> dict[Chain, ChainHead]:
        """Return how far chains are here."""
        with self._workspace.store.looking() as connection:
            return {chain: find_local_head(connection, chain) for chain in chains}

    def has_new_rows(self) -> bool:
        """Return whether the log grew since all of it was sent."""
        with self._workspace.store.looking() as connection:
            return find_last_row(connection) > self._after

    def send_rows(self, keep_on: Callable[[], bool] = lambda: True) -> int:
        """Send what the team has not; return how many rows went out."""
        sent = 0
        if self.member.role == "reader":
            return sent
        while keep_on():
            with self._workspace.store.reading() as connection:
                last = find_last_row(connection)
                rows = list_unsent(
                    connection, self._membership.device, self._scope, self._after, _SENT
                )
            if not rows:
                self._after = last
                break
            try:
                with self._server.transaction() as connection:
                    send_rows(connection, rows)
            except TeamError as error:
                self._mend_chain(error)
                continue
            with self._workspace.store.writing() as connection:
                mark_sent(connection, rows)
            self._after = int(rows[-1].values["id"])
            sent += len(rows)
        return sent

    def _mend_chain(self, error: TeamError) -> None:
        """Go on after the server refused rows that do not follow those that it has.

        It has rows that are not known here, as after a backup was put back, or when a copy of this
        workspace sent some; where it has none, new chains are begun.

        Raises:
            TeamError: the server refused them for another reason.
        """
        if error.state not in (FORKED, BEHIND):
            raise error
        before = self._find_own_heads()
        self.receive_rows()
        self._after = 0
        if self._find_own_heads() != before:
            return
        if self._has_new_chains:
            raise error
        with self._workspace.store.writing() as connection:
            begin_new_chains(connection, uuid4().hex)
        self._take_membership_anew()
        self._has_new_chains = True

    def _find_own_heads(self) -> dict[Chain, ChainHead]:
        with self._workspace.store.looking() as connection:
            chains = list_own_chains(connection, self._membership.device)
        return self._find_heads(chains)

    def count_unsent(self) -> int:
        """Return how many rows are still to be sent."""
        with self._workspace.store.reading() as connection:
            return count_unsent(connection, self._scope)

    def tell_presence(self, works_on: str = "") -> None:
        """Tell the team that one is there.

        Args:
            works_on: what is looked at, in words.
        """
        with self._server.transaction() as connection:
            tell_presence(connection, works_on, self.count_unsent())

    def wait_for_change(self, seconds: float) -> bool:
        """Return whether somebody shared something, as soon as it happens; see `listen`."""
        return self._server.wait_for_change(seconds)

    def listen(self) -> None:
        """Ask to be told whenever somebody shares anything."""
        self._server.listen()
