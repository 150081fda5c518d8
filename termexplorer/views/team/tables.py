"""The tables of the team's panel: its members, and how far its studies are."""

from collections.abc import Sequence

from termexplorer.models.sorted_table import SortedTableModel
from termexplorer.services.team.joining import TeamMember
from termexplorer.services.team.progress import TeamStudy
from termexplorer.store.team.members import Presence
from termexplorer.texts import mark, tr, translated
from termexplorer.views.widgets.tables.sorted_table import SortedTable
from termexplorer.views.widgets.tables.table import Column
from termexplorer.views.widgets.ui_state import UiState

_ROLES = {"reader": mark("reader"), "curator": mark("curator"), "author": mark("author")}
_HERE = mark("here")


class MemberTable(SortedTable):
    """Who is in the team, and what they look at."""

    def __init__(self, session: UiState) -> None:
        self._rows = SortedTableModel()
        columns = (
            Column("member", share=2, least=140),
            Column("role", f"{tr('curator')}____"),
            Column("seen", "2026-01-01 00:00_"),
            Column("works on", share=3, least=160),
            Column("to be sent", f"{tr('To be sent')}__"),
        )
        super().__init__(mark("Members"), self._rows, session, columns)
        self._rows.setParent(self)
        self.setToolTip(tr("{sorting}. Times are UTC", sorting=self.toolTip()))
        self.hint = tr("The server is being asked…")

    def show_members(self, members: Sequence[TeamMember], presence: Sequence[Presence]) -> None:
        """Shows members, in the order in which they were admitted."""
        header = (tr("Member"), tr("Role"), tr("Seen"), tr("Works on"), tr("To be sent"))
        seen = {present.person: present for present in presence}
        rows = [_describe_member(member, seen.get(member.person)) for member in members]
        if rows != self._rows.rows:
            self._rows.show_rows(header, rows, (4,))


def _describe_member(member: TeamMember, seen: Presence | None) -> tuple[object, ...]:
    role = translated(_ROLES[member.role]) if member.role else None
    if seen is None:
        return member.person, role, None, "", None
    moment = translated(_HERE) if seen.is_here else seen.seen_at[:16].replace("T", " ")
    return member.person, role, moment, seen.works_on if seen.is_here else "", seen.unsent


class TeamStudyTable(SortedTable):
    """How far each annotator of each shared study is."""

    def __init__(self, session: UiState) -> None:
        self._rows = SortedTableModel()
        columns = (
            Column("study", share=3, least=160),
            Column("annotator", share=2, least=120),
            Column("answered", f"{tr('Answered')}__"),
            Column("of", "00,000__"),
            Column("verdicts", f"{tr('open to all')}__"),
        )
        super().__init__(mark("Studies of the team"), self._rows, session, columns)
        self._rows.setParent(self)
        self.hint = tr("No study is shared yet")

    def show_studies(self, studies: Sequence[TeamStudy]) -> None:
        """Shows studies; a dash where the verdicts are not for one to see."""
        header = (tr("Study"), tr("Annotator"), tr("Answered"), tr("Of"), tr("Verdicts"))
        rows = [
            (
                study.title,
                study.annotator,
                study.judged,
                study.asked,
                tr("open to all") if study.is_open else tr("blind"),
            )
            for study in studies
        ]
        if rows != self._rows.rows:
            self._rows.show_rows(header, rows, (2, 3))
