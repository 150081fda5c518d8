"""What is not exported to somebody who still answers blind: others' verdicts on the same."""

from collections.abc import Iterator

from termexplorer.errors import UserError
from termexplorer.services.curate.answers.list_parts import ListPart, collect_parts, whole_of
from termexplorer.services.curate.suggestion_lists import BLIND, kept_lists, read_list
from termexplorer.services.verdicts.log import VerdictSubject
from termexplorer.store.team.membership import find_membership
from termexplorer.texts import tr
from termexplorer.workspace import Workspace


class BlindAnswers:
    """The verdicts that whoever exports may not read yet.

    Attributes:
        name: who exports; "" where nobody answers blind.
        left_out: how many verdicts were asked about and may not be read.
    """

    def __init__(self, name: str, subjects: frozenset[VerdictSubject]) -> None:
        self.name = name
        self.left_out = 0
        self._subjects = subjects

    def hides(self, about: VerdictSubject, judge: str) -> bool:
        """Return whether a verdict may not be read, and count it if so.

        Args:
            about: what was judged.
            judge: the name of who said it.
        """
        is_hidden = judge != self.name and about in self._subjects
        self.left_out += is_hidden
        return is_hidden


def find_blind_answers(workspace: Workspace, name: str = "") -> BlindAnswers:
    """Return which verdicts on suggestions somebody may not read yet.

    Args:
        workspace: that has lists in parts.
        name: who asks; "" for the member, where the workspace is in a team.

    Raises:
        UserError: nobody says who asks, and somebody still answers a list blind.
    """
    with workspace.store.reading() as connection:
        membership = find_membership(connection)
    name = name or (membership.person if membership else "")
    waiting = list(_find_waiting(workspace))
    if waiting and not name:
        raise UserError(
            tr(
                "{people} still answer lists blind; say who exports, with --as NAME",
                people=", ".join(dict.fromkeys(part.person.name for part in waiting)),
            )
        )
    subjects = frozenset(
        row.about
        for part in waiting
        if part.person.name == name
        for row in read_list(workspace, part.list_id)
    )
    return BlindAnswers(name, subjects)


def _find_waiting(workspace: Workspace) -> Iterator[ListPart]:
    """Yield the parts that their people have not answered, and may not see others' answers of."""
    blind = (part for part in kept_lists(workspace) if part.head.parameters.get(BLIND))
    for whole_id in sorted({whole_of(part) for part in blind}):
        parts, _ = collect_parts(workspace, whole_id)
        yield from (part for part in parts if part.hides_others)
