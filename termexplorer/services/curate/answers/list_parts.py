"""Lists of suggestions in parts, each for one person; some rows for two, blind to each other.

A part is a list of its own, so that it is packed, shared and exported like any other. Verdicts are
on suggestions, whichever list they stand in: what is said in a part is said in the whole list too.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from termexplorer.errors import UserError
from termexplorer.services.curate.answers.list_outcomes import ListOutcomes
from termexplorer.services.curate.suggestion_lists import (
    BLIND,
    KeptList,
    KeptSearch,
    Suggestion,
    find_list,
    find_person,
    kept_lists,
    read_list,
    read_verdicts,
)
from termexplorer.services.curate.suggestion_words import PART_TITLE
from termexplorer.services.verdicts.log import LATER, VerdictSubject, now
from termexplorer.services.verdicts.people import Judge
from termexplorer.store.judging import suggestions as kept
from termexplorer.texts import tr
from termexplorer.workers.process.limited import call_limited
from termexplorer.workspace import Workspace

if TYPE_CHECKING:
    from termexplorer.services.agreement.agreement import AgreementReport

__all__ = [
    "PART_OF",
    "TEAM_LIST",
    "ListPart",
    "ListParts",
    "collect_parts",
    "find_export_judge",
    "find_part_lists",
    "find_whole",
    "measure_parts",
    "read_parts",
    "split_list",
    "whole_of",
]

PART_OF = "part_of"  # of a part's parameters: the whole list
TEAM_LIST = "team_list"  # of the parameters of one that came from a team: what that knows it by
_OF_FILE = "rows"  # of an imported list's parameters: what tells its file, which a part is not


@dataclass(frozen=True, slots=True)
class ListPart:
    """What one person answers of a list.

    Attributes:
        list_id: of the part.
        person: whose it is.
        count: of its suggestions.
        answered: how many of them the person has answered, and not put off.
        blind: whether what others say of it is hidden from them until all is answered.
    """

    list_id: int
    person: Judge
    count: int
    answered: int
    blind: bool

    @property
    def hides_others(self) -> bool:
        """Return whether what others say is hidden from the person still."""
        return self.blind and self.answered < self.count


@dataclass(frozen=True, slots=True)
class ListParts:
    """A list with its parts.

    Attributes:
        suggestion_list: the whole list.
        parts: in the order in which they were dealt out.
        outcomes: what came of each suggestion.
    """

    suggestion_list: KeptList
    parts: tuple[ListPart, ...]
    outcomes: ListOutcomes


def find_whole(workspace: Workspace, list_id: int) -> int:
    """Return the list that a list is a part of; itself, where it is whole.

    Raises:
        UserError: there is no such list.
    """
    return whole_of(find_list(workspace, list_id))


def whole_of(suggestion_list: KeptList) -> int:
    """Return the id of the list that a list is a part of; its own, where it is whole."""
    return int(suggestion_list.head.parameters.get(PART_OF, suggestion_list.id))


def split_list(
    workspace: Workspace, list_id: int, people: Sequence[Judge], twice: float = 0.0
) -> list[KeptSearch]:
    """Deal out what nobody has judged of a list, in turn, in place of the parts that it had.

    Args:
        workspace: that has the list.
        list_id: of it.
        people: who answer.
        twice: the share of the suggestions that two of them answer, blind to each other.

    Raises:
        UserError: no such list, nobody, one person twice, one alone to answer twice, or nothing
            that is not judged.
    """
    suggestion_list = find_list(workspace, list_id)
    _check_people(suggestion_list, people, twice)
    suggestions = read_list(workspace, list_id)
    with workspace.store.reading() as connection:
        verdicts = read_verdicts(connection, suggestion_list, suggestions)
    open_rows = [row for row in suggestions if not verdicts.get(row.about)]
    if not open_rows:
        raise UserError(tr("list {id}: everything in it is judged", id=list_id))
    dealt = _deal_out(open_rows, len(people), twice)
    moment = now()
    heads = [_make_head(suggestion_list, person, twice > 0, moment) for person in people]
    former = [part.id for part in find_part_lists(workspace, list_id)]
    with workspace.store.writing() as connection:
        for part_id in former:
            kept.forget(connection, part_id)
        return [
            kept.keep(connection, head, rows)
            for head, rows in zip(heads, dealt, strict=True)
            if rows
        ]


def read_parts(workspace: Workspace, list_id: int) -> ListParts:
    """Read the parts of a list, how far each is, and what came of the suggestions.

    Raises:
        UserError: there is no such list.
    """
    suggestion_list, suggestions = find_list(workspace, list_id), read_list(workspace, list_id)
    with workspace.store.reading() as connection:
        verdicts = read_verdicts(connection, suggestion_list, suggestions)
    parts, assigned = collect_parts(workspace, list_id)
    return ListParts(suggestion_list, parts, ListOutcomes(suggestions, verdicts, assigned))


def collect_parts(
    workspace: Workspace, list_id: int
) -> tuple[tuple[ListPart, ...], Mapping[VerdictSubject, Sequence[Judge]]]:
    """Return the parts of a list, and whom each suggestion was given to; nothing without parts.

    Args:
        workspace: that has the parts.
        list_id: of the whole list, which may be gone.
    """
    assigned: dict[VerdictSubject, list[Judge]] = defaultdict(list)
    parts = []
    for part in find_part_lists(workspace, list_id):
        person, rows = find_person(part), read_list(workspace, part.id)
        with workspace.store.reading() as connection:
            verdicts = read_verdicts(connection, part, rows)
        answered = 0
        for row in rows:
            assigned[row.about].append(person)
            given = verdicts.get(row.about, ())
            answered += any(v.judge == person and v.answer.answer != LATER for v in given)
        blind = bool(part.head.parameters.get(BLIND))
        parts.append(ListPart(part.id, person, len(rows), answered, blind))
    return tuple(parts), assigned


def find_export_judge(workspace: Workspace, list_id: int, name: str = "") -> Judge | None:
    """Return whose verdicts alone somebody may export of a list; None for everybody's.

    Args:
        workspace: that has the list.
        list_id: of it, or of a part of it.
        name: who asks; "" where nobody says.

    Raises:
        UserError: there is no such list, or somebody still answers it blind, and it may be them who
            asks.
    """
    parts, _ = collect_parts(workspace, find_whole(workspace, list_id))
    waiting = [part.person for part in parts if part.hides_others]
    if waiting and not name:
        raise UserError(
            tr(
                "list {id} is still answered blind, by {people}; say who exports it, with "
                "--as NAME",
                id=list_id,
                people=", ".join(dict.fromkeys(person.name for person in waiting)),
            )
        )
    return next((person for person in waiting if person.name == name), None)


def measure_parts(workspace: Workspace, list_id: int) -> "AgreementReport | None":
    """Measure in a child how well people agree on what several answered; None where nobody did.

    Raises:
        UserError: there is no such list.
    """
    return call_limited(_measure_in_child, workspace.folder, list_id)


def _measure_in_child(folder: Path, list_id: int) -> "AgreementReport | None":
    with closing(Workspace(folder)) as workspace:
        return read_parts(workspace, list_id).outcomes.measure_agreement()


def find_part_lists(workspace: Workspace, list_id: int) -> list[KeptList]:
    """Return the parts of a list, in the order in which they were dealt out."""
    parts = [
        known for known in kept_lists(workspace) if known.head.parameters.get(PART_OF) == list_id
    ]
    return sorted(parts, key=lambda part: part.id)


def _check_people(suggestion_list: KeptList, people: Sequence[Judge], twice: float) -> None:
    if PART_OF in suggestion_list.head.parameters:
        raise UserError(tr("list {id} is itself a part; split the whole", id=suggestion_list.id))
    if not people:
        raise UserError(tr("say who answers the list"))
    if len(set(people)) < len(people):
        raise UserError(tr("name each person once"))
    if twice and len(people) < 2:
        raise UserError(tr("two people are needed to answer the same suggestions"))


def _deal_out(rows: Sequence[Suggestion], people: int, twice: float) -> list[list[Suggestion]]:
    """Return the rows of each person: in turn, and of those that go to two, to the next one too."""
    dealt: list[list[Suggestion]] = [[] for _ in range(people)]
    second = 0.0
    for number, row in enumerate(rows):
        dealt[number % people].append(row)
        second += twice
        if second >= 1 - 1e-9:  # so that they are spread over the whole list
            second -= 1
            dealt[(number + 1) % people].append(row)
    return dealt


def _make_head(suggestion_list: KeptList, person: Judge, blind: bool, moment: str) -> kept.ListHead:
    head = suggestion_list.head
    whole_alone = (_OF_FILE, TEAM_LIST)
    parameters: dict[str, Any] = {
        name: value for name, value in head.parameters.items() if name not in whole_alone
    }
    parameters |= {
        PART_OF: suggestion_list.id, "person": person.name, "orcid": person.orcid, BLIND: blind,
    }  # fmt: skip
    return replace(
        head,
        title=head.title + PART_TITLE.format(person=person.name),
        parameters=parameters,
        made_at=moment,
    )
