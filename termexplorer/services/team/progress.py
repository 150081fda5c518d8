"""The team as a member sees it: who is there, how far its studies are, what is to be imported."""

from dataclasses import dataclass

from termexplorer.services.studies.status import StudyStatus, study_status
from termexplorer.services.studies.studies import studies_of
from termexplorer.services.team.joining import Membership, need_membership
from termexplorer.services.team.status import SharedWork, read_shared_work
from termexplorer.texts import tr, trn
from termexplorer.workspace import Workspace


@dataclass(frozen=True, slots=True)
class TeamStudy:
    """How far somebody is with a study of the team.

    Attributes:
        title: of the study.
        annotator: who judges.
        judged: how many questions have an answer in the log here; None where that is not known.
        asked: how many questions there are.
        is_open: whether all of the team may read the verdicts.
    """

    title: str
    annotator: str
    judged: int | None
    asked: int
    is_open: bool


@dataclass(frozen=True, slots=True)
class TeamView:
    """The team as a member sees it.

    Attributes:
        membership: which team it is, and who the member is.
        work: who is there, and what is shared.
        studies: a row for each annotator of each study that one may read.
        local_studies: those of the team that were made here, with all of their answers.
    """

    membership: Membership
    work: SharedWork
    studies: tuple[TeamStudy, ...]
    local_studies: tuple[StudyStatus, ...]

    @property
    def summary(self) -> str:
        """Return which team it is and how the workspace stands with it."""
        work = self.work
        if work.problem:
            return work.problem
        address, person = self.membership.address, self.membership.person
        whose = tr("{address}, as {person}", address=address, person=person)
        if not work.unsent:
            return whose
        return f"{whose}; {trn('{n:,} row to be sent', '{n:,} rows to be sent', work.unsent)}"

    @property
    def missing_told(self) -> str:
        """Return what is to be imported, as lists of the team are of it; "" for nothing."""
        files = ", ".join(self.work.missing_releases)
        return tr("Import {files}: lists of the team are of it", files=files) if files else ""


def read_team(workspace: Workspace, password: str = "") -> TeamView:
    """Return the team as it is now.

    Args:
        workspace: that is in it.
        password: to log in with; by default the one of the environment or the keyring.

    Raises:
        UserError: the workspace is in no team.
    """
    membership, work = need_membership(workspace), read_shared_work(workspace, password)
    shared = {pack.study_key for pack in work.packs}
    local = tuple(
        study_status(workspace, study.id)
        for study in studies_of(workspace)
        if study.head.key in shared
    )
    judged = {
        (status.study.head.key, seat.annotator): seat.judged
        for status in local
        for seat in status.seats
    }
    rows = [
        TeamStudy(
            pack.title,
            pack.annotator,
            judged.get((pack.study_key, pack.annotator)),
            pack.turns,
            pack.is_open,
        )
        for pack in work.packs
    ]
    return TeamView(membership, work, tuple(rows), local)
