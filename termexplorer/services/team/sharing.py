"""What an author shares with a team: studies, and what is opened to all."""

from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

from termexplorer.errors import UserError
from termexplorer.services.studies.packs import write_pack
from termexplorer.services.studies.studies import find_study
from termexplorer.services.team.joining import check_author
from termexplorer.services.verdicts.log import CURATORS
from termexplorer.store.judging import studies
from termexplorer.store.judging.decisions import decisions_on
from termexplorer.store.team.server import TeamServer
from termexplorer.store.team.shared import SharedPack, list_packs, open_study, share_pack
from termexplorer.texts import tr
from termexplorer.workspace import Workspace


def share_study(workspace: Workspace, server: TeamServer, study_id: int) -> Mapping[str, int]:
    """Share a study: each annotator gets their pack, as `study export` writes it, and no labels.

    Args:
        workspace: that has the study.
        server: to which an author is connected.
        study_id: of the study.

    Returns:
        How often each annotator is asked.

    Raises:
        UserError: no such study, the member is no author, or what the server refuses.
    """
    check_author(server)
    study = find_study(workspace, study_id)
    with workspace.store.reading() as connection:
        names = [seat.annotator for seat in studies.seats_of(connection, study.id)]
    contents: dict[str, tuple[int, bytes]] = {}
    with TemporaryDirectory(prefix="termexplorer-team-") as folder:
        path = Path(folder) / "shared.termstudy"
        for name in names:
            turns = write_pack(workspace, study.id, name, path)
            contents[name] = (turns, path.read_bytes())
    with server.transaction() as connection:
        for name, (turns, content) in contents.items():
            pack = SharedPack(study.head.key, name, study.head.title, turns, is_open=False)
            share_pack(connection, pack, content)
    return {name: turns for name, (turns, _content) in contents.items()}


def open_to_all(workspace: Workspace, server: TeamServer, study_id: int | None = None) -> str:
    """Let all members read the verdicts of a study, or those on suggestions; it stays so.

    Args:
        workspace: that has the study.
        server: to which an author is connected.
        study_id: of the study; None for the verdicts on suggestions.

    Returns:
        The title of the study; "" of the verdicts on suggestions.

    Raises:
        UserError: no such study, one that is not shared, or the member is no author.
    """
    check_author(server)
    study = None if study_id is None else find_study(workspace, study_id)
    with server.transaction() as connection:
        if study and study.head.key not in {pack.study_key for pack in list_packs(connection)}:
            raise UserError(
                tr(
                    "study {id} is not shared with the team; share it by `termexplorer team share "
                    "{id}`",
                    id=study.id,
                )
            )
        if study is None:
            open_study(connection, CURATORS)
        else:
            open_study(connection, study.head.key)
            open_study(connection, decisions_on(study.head.key))
    return study.head.title if study else ""
