"""Commands about a team on one PostgreSQL server: `team init`, `team join`, `team sync`."""

import getpass
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import Annotated, TypeAlias

import typer

from termexplorer.cli.exporting import print_blind, tell_blind
from termexplorer.cli.json_words import name_fields
from termexplorer.cli.opening import opened
from termexplorer.cli.options import TABLES, TABLES_TOLD, JsonOption, WorkspaceOption, out_file
from termexplorer.cli.output import count_text, print_json, print_line, print_table
from termexplorer.errors import UserError
from termexplorer.services.curate.answers.blind_answers import find_blind_answers
from termexplorer.services.team.background import TeamLoop, TeamState
from termexplorer.services.team.exporting import export_team_log
from termexplorer.services.team.joining import (
    admit as admit_to_team,
)
from termexplorer.services.team.joining import (
    connect_workspace,
    init_team,
    join_team,
    leave_team,
    need_membership,
    read_address,
)
from termexplorer.services.team.lists import share_list
from termexplorer.services.team.passwords import find_password
from termexplorer.services.team.sharing import open_to_all, share_study
from termexplorer.services.team.status import TeamStatus, check_team, read_status
from termexplorer.services.team.sync import TeamSync
from termexplorer.store.team.server import TeamAddress, TeamServer
from termexplorer.store.team.shared import SharedList
from termexplorer.workspace import Workspace

AddressArgument: TypeAlias = Annotated[
    str,
    typer.Argument(metavar="ADDRESS", help="postgresql://NAME@HOST/DATABASE, without a password."),
]
OrcidOption: TypeAlias = Annotated[str, typer.Option("--orcid", help="Their ORCID.")]

app = typer.Typer(help="A team on one log of verdicts, on a PostgreSQL server; the extra `team`.")


@app.command()
def init(
    address: AddressArgument,
    name: Annotated[str, typer.Option("--as", metavar="NAME", help="Your name in the log.")],
    orcid: OrcidOption = "",
    blind_curation: Annotated[
        bool,
        typer.Option(
            "--blind-curation",
            help="Curators see each other's verdicts on suggestions only after `team open`.",
        ),
    ] = False,
    json: JsonOption = False,
) -> None:
    """Make a team in an empty database, or bring a team's database up to date."""
    target = read_address(address)
    author = init_team(
        target, name, orcid, password=_ask_password(target), blind_curation=blind_curation
    )
    if json:
        print_json(name_fields(author))
    else:
        print_line(f"{target.shown} is a team, whose author is {author.person}")


@app.command()
def admit(
    login: Annotated[str, typer.Argument(metavar="LOGIN", help="A login of the server.")],
    name: Annotated[str, typer.Argument(metavar="NAME", help="Theirs, as studies have it.")],
    role: Annotated[str, typer.Option("--role", help="reader, curator or author.")] = "curator",
    orcid: OrcidOption = "",
    workspace: WorkspaceOption = None,
    json: JsonOption = False,
) -> None:
    """Take somebody into the team; authors alone may."""
    with _connect_workspace(workspace) as (_workspace, server):
        member = admit_to_team(server, login, name, role, orcid)
    if json:
        print_json(name_fields(member))
    else:
        print_line(f"{member.person} is in the team as {member.role}")


@app.command()
def join(
    address: AddressArgument, workspace: WorkspaceOption = None, json: JsonOption = False
) -> None:
    """Bind the workspace to a team; its password is in the environment or keyring, or asked for."""
    target = read_address(address)
    with opened(workspace, make=True) as opened_workspace:
        member = join_team(opened_workspace, target, _ask_password(target))
    if json:
        print_json(name_fields(member))
    else:
        print_line(f"the workspace is in the team {target.shown} as {member.person}, {member.role}")


def _ask_password(address: TeamAddress) -> str:
    """Return a password that is typed, where none is known and somebody can type it."""
    if find_password(address) or not sys.stdin.isatty():
        return ""
    return getpass.getpass(f"Password of {address.login}: ")


@app.command()
def status(workspace: WorkspaceOption = None, json: JsonOption = False) -> None:
    """Show who is there, what is shared, and what is still to be sent."""
    with opened(workspace) as opened_workspace:
        team = read_status(opened_workspace)
    if json:
        print_json(name_fields(team))
    else:
        _print_status(team)
    if team.problem:
        raise UserError(team.problem)


def _print_status(team: TeamStatus) -> None:
    print_line(f"{team.address}, as {team.person}{team.role and f', {team.role}'}")
    unsent = "" if team.problem else f"; {team.unsent:,} still to be sent"
    print_line(f"{count_text(team.rows, 'row', 'rows')} of the team's log{unsent}")
    print_line(f"hash {team.log_hash}")
    if team.refused:
        print_line(f"{team.refused:,} refused, as they are no sound verdicts")
    here = {presence.person: presence for presence in team.presence}
    rows = [
        (member.person, member.role, here[member.person].seen_at, here[member.person].works_on)
        if member.person in here
        else (member.person, member.role, "", "")
        for member in team.members
    ]
    if rows:
        print_table(("member", "role", "seen", "works on"), rows)
    if team.packs:
        packs = [
            (pack.title, pack.annotator, pack.turns, "open" if pack.is_open else "blind")
            for pack in team.packs
        ]
        print_table(("study", "annotator", "questions", ""), packs)
    for file in team.missing_releases:
        print_line(f"import {file}: the team's suggestions are of it")


@app.command()
def sync(
    watch: Annotated[
        bool, typer.Option("--watch", help="Go on until Ctrl+C; what is judged goes out at once.")
    ] = False,
    workspace: WorkspaceOption = None,
    json: JsonOption = False,
) -> None:
    """Send what the team has not, and receive what is new; a window may be open meanwhile."""
    with opened(workspace) as opened_workspace:
        if watch:
            _sync_until_stopped(opened_workspace)
            return
        with connect_workspace(opened_workspace) as server:
            sync_round = TeamSync(opened_workspace, server)
            counts = sync_round.sync()
            sync_round.tell_presence()
    if json:
        print_json(name_fields(counts))
    else:
        print_line(f"{counts.sent:,} sent, {counts.received:,} received")
        if counts.packs:
            print_line(f"{count_text(counts.packs, 'study is', 'studies are')} new")
    if not json and counts.lists:
        print_line(f"{count_text(counts.lists, 'list is', 'lists are')} new")


def _sync_until_stopped(workspace: Workspace) -> None:
    def tell(state: TeamState) -> None:
        print_line(state.problem or f"{state.sent:,} sent, {state.received:,} received")

    need_membership(workspace)
    loop = TeamLoop(workspace, tell)
    thread = Thread(target=loop.run)
    thread.start()
    try:
        while thread.is_alive():
            thread.join(0.5)
    finally:
        loop.stop()
        thread.join()


@app.command()
def share(
    study: Annotated[
        int | None, typer.Argument(metavar="ID", help="Id of a study that you made.")
    ] = None,
    suggestions: Annotated[
        int | None, typer.Option("--list", metavar="ID", help="A list of suggestions instead.")
    ] = None,
    workspace: WorkspaceOption = None,
    json: JsonOption = False,
) -> None:
    """Hand out a study, each annotator their pack, or a list of suggestions; authors alone may."""
    if (study is None) == (suggestions is None):
        raise typer.BadParameter("name a study or a list", param_hint="ID")
    with _connect_workspace(workspace) as (opened_workspace, server):
        if suggestions is not None:
            _print_shared_list(suggestions, share_list(opened_workspace, server, suggestions), json)
            return
        turns = share_study(opened_workspace, server, study or 0)
    if json:
        print_json({"study": study, "questions": dict(turns)})
    else:
        print_table(("annotator", "questions"), list(turns.items()))


def _print_shared_list(list_id: int, shared: SharedList, json: bool) -> None:
    needed = ", ".join(f"{release.label} ({release.file})" for release in shared.releases)
    if json:
        print_json({"list": list_id, "release_file": needed})
        return
    print_line(f"{shared.title} is shared")
    if needed:
        print_line(f"members need {needed}")


@app.command("open")
def open_command(
    study: Annotated[
        int | None, typer.Argument(metavar="ID", help="Id of a study; else of suggestions.")
    ] = None,
    workspace: WorkspaceOption = None,
    json: JsonOption = False,
) -> None:
    """Let all members read the verdicts of a study, or those on suggestions; this stays so."""
    with _connect_workspace(workspace) as (opened_workspace, server):
        title = open_to_all(opened_workspace, server, study)
    if json:
        print_json({"study": study, "opened": True})
    else:
        print_line(f"all members read {title or 'the verdicts on suggestions'}")


@app.command()
def check(workspace: WorkspaceOption = None, json: JsonOption = False) -> None:
    """Read the team's log on the server and hold it against its hashes; exit 1 where it differs."""
    with _connect_workspace(workspace) as (opened_workspace, server):
        checked = check_team(opened_workspace, server)
    if json:
        print_json(name_fields(checked))
    elif not checked.problems:
        print_line(
            f"the team's log is whole: {count_text(checked.rows, 'row', 'rows')} in "
            f"{count_text(checked.chains, 'chain', 'chains')}"
        )
    if checked.problems:
        raise UserError("; ".join(checked.problems))


@app.command()
def export(
    out: Annotated[
        Path,
        typer.Option(
            metavar="FILE", help=f"All that you may read, as {TABLES_TOLD}.",
            callback=out_file(*TABLES),
        ),
    ],
    workspace: WorkspaceOption = None,
    json: JsonOption = False,
) -> None:  # fmt: skip
    """Write the team's log as a table, with the server's time beside the client's."""
    with _connect_workspace(workspace) as (opened_workspace, server):
        blind = find_blind_answers(opened_workspace)
        count = export_team_log(server, out, blind)
    if json:
        print_json({"rows": count, "file": str(out)} | tell_blind(blind))
    else:
        print_line(f"{count_text(count, 'row is', 'rows are')} in {out}")
        print_blind(blind)


@app.command()
def leave(workspace: WorkspaceOption = None, json: JsonOption = False) -> None:
    """Leave the team; the log stays here as it is, with what came from the others."""
    with opened(workspace) as opened_workspace:
        membership = leave_team(opened_workspace)
    if json:
        print_json({"address": membership.address})
    else:
        print_line(f"the workspace left the team {membership.address}")


@contextmanager
def _connect_workspace(folder: Path | None) -> Iterator[tuple[Workspace, TeamServer]]:
    with opened(folder) as workspace, connect_workspace(workspace) as server:
        yield workspace, server
