"""How a workspace stands with its team: who is there, what is shared, what is still to be sent."""

from collections.abc import Sequence
from dataclasses import dataclass, fields

from termexplorer.errors import UserError
from termexplorer.services.team.joining import connect_workspace, need_membership
from termexplorer.services.team.sync import TeamSync
from termexplorer.store.releases.ontologies import Ontology, ontologies
from termexplorer.store.team.chains import ChainRow, fetch_rows, list_heads
from termexplorer.store.team.incoming import compute_log_hash, count_refused
from termexplorer.store.team.members import Presence, TeamMember, list_members, list_presence
from termexplorer.store.team.outgoing import find_local_head
from termexplorer.store.team.server import TeamServer
from termexplorer.store.team.shared import SharedPack, SharedRelease, list_packs, list_shared_lists
from termexplorer.texts import tr
from termexplorer.workspace import Workspace

_FETCHED = 2_000  # rows of one statement


@dataclass(frozen=True, slots=True)
class SharedWork:
    """What the server of a team has, and what is still to be sent to it.

    Attributes:
        role: of the member: reader, curator or author; "" where the server is not reached.
        unsent: rows of the log here that are still to be sent.
        members: all of the team.
        presence: who is there, or was lately.
        packs: packs of studies that one may read.
        missing_releases: what to import, as lists of suggestions are of it.
        problem: why the server is not reached; "" where it is.
    """

    role: str = ""
    unsent: int = 0
    members: tuple[TeamMember, ...] = ()
    presence: tuple[Presence, ...] = ()
    packs: tuple[SharedPack, ...] = ()
    missing_releases: tuple[str, ...] = ()
    problem: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamStatus(SharedWork):
    """How a workspace stands with its team.

    Attributes:
        address: of the team's database.
        person: as whom verdicts are sent.
        rows: rows of the team's log that are here.
        log_hash: of these, in whatever order; the same for all who may read the same.
        refused: rows that were no sound verdicts, and were not taken in.
    """

    address: str
    person: str
    rows: int
    log_hash: str
    refused: int


def read_status(workspace: Workspace) -> TeamStatus:
    """Return how a workspace stands with its team, as far as is known where that is not reached.

    Raises:
        UserError: the workspace is in no team.
    """
    membership = need_membership(workspace)
    with workspace.store.reading() as connection:
        rows, log_hash = compute_log_hash(connection)
        refused = count_refused(connection)
    work = read_shared_work(workspace)
    return TeamStatus(
        **{part.name: getattr(work, part.name) for part in fields(work)},
        address=membership.address,
        person=membership.person,
        rows=rows,
        log_hash=log_hash,
        refused=refused,
    )


def read_shared_work(workspace: Workspace, password: str = "") -> SharedWork:
    """Return what the server of a team has; why not, where it is not reached.

    Args:
        workspace: that is in a team.
        password: to log in with; by default the one of the environment or the keyring.
    """
    try:
        with connect_workspace(workspace, password) as server:
            sync = TeamSync(workspace, server)
            with server.transaction() as connection:
                members, presence = list_members(connection), list_presence(connection)
                packs, lists = list_packs(connection), list_shared_lists(connection)
            sync.set_scope(packs)
            missing = _list_missing(workspace, {r for shared in lists for r in shared.releases})
            return SharedWork(
                sync.member.role, sync.count_unsent(), tuple(members), tuple(presence),
                tuple(packs), missing,
            )  # fmt: skip
    except UserError as error:
        return SharedWork(problem=str(error))


def _list_missing(workspace: Workspace, releases: set[SharedRelease]) -> tuple[str, ...]:
    with workspace.store.reading() as connection:
        local = ontologies(connection)
    hashes = {ontology.content_hash for ontology in local}
    missing = [release for release in releases if release.content_hash not in hashes]
    return tuple(sorted({_describe_missing(release, local) for release in missing}))


def _describe_missing(release: SharedRelease, local: Sequence[Ontology]) -> str:
    """Return a release and its file, with which others of its terminology are here."""
    versions = [x.version or x.label for x in local if x.terminology == release.terminology]
    if versions:
        return tr(
            "{release} ({file}; you have {versions})",
            release=release.label,
            file=release.file,
            versions=", ".join(versions),
        )
    return f"{release.label} ({release.file})" if release.file else release.label


@dataclass(frozen=True, slots=True)
class CheckedTeam:
    """What a check of the team's log found.

    Attributes:
        chains: how many were read: those of studies that one may read.
        rows: of them.
        problems: a sentence for each chain that is not as it was written.
    """

    chains: int
    rows: int
    problems: tuple[str, ...]


def check_team(workspace: Workspace, server: TeamServer) -> CheckedTeam:
    """Hold all of the team's log that one may read against its hashes, and against the log here.

    Args:
        workspace: that is in the team.
        server: of the team.
    """
    with server.transaction() as connection:
        heads = list_heads(connection)
    with workspace.store.looking() as reader:
        local = {chain: find_local_head(reader, chain) for chain in heads}
    problems: dict[tuple[str, str], str] = {}
    links = dict.fromkeys(heads, "0" * 64)
    count = 0
    for row in read_all_rows(server):
        chain = (row.device, row.study)
        count += 1
        if chain not in heads or row.seq > heads[chain].seq:
            continue  # came meanwhile
        if row.before != links[chain] or not row.is_sound():
            problems.setdefault(chain, _say_broken(row))
        links[chain] = row.link
        if row.seq == local[chain].seq and row.link != local[chain].link:
            problems.setdefault(chain, _say_broken(row))
    return CheckedTeam(len(heads), count, tuple(problems.values()))


def _say_broken(row: ChainRow) -> str:
    return tr(
        "row {row} of chain {chain} is not what was sent; put back a backup of the server, after "
        "which all members send what is missing there",
        row=row.seq,
        chain=row.device[:8],
    )


def read_all_rows(server: TeamServer) -> list[ChainRow]:
    """Return all rows of the team's log that one may read, in the order in which they came."""
    rows: list[ChainRow] = []
    known: dict[tuple[str, str], int] = {}
    with server.transaction() as connection:
        heads = list_heads(connection)
        while True:
            behind = {c: known.get(c, 0) for c, head in heads.items() if known.get(c, 0) < head.seq}
            page = fetch_rows(connection, behind, _FETCHED) if behind else []
            if not page:
                return rows
            rows += page
            known.update({(row.device, row.study): row.seq for row in page})
