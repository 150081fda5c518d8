"""What came of suggestions that several people answered: agreed, decided, or still open."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from termexplorer.services.verdicts.log import CHANGED, LATER, LoggedVerdict, VerdictSubject
from termexplorer.services.verdicts.mapping_answers import find_chosen
from termexplorer.services.verdicts.people import Judge
from termexplorer.store.judging.suggestions import Suggestion
from termexplorer.texts import mark

if TYPE_CHECKING:
    from termexplorer.services.agreement.agreement import AgreementReport

__all__ = [
    "AGREED", "ANSWERED", "DECIDED", "DIFFER", "OUTCOME_WORDS", "WAITING", "ListOutcomes",
    "Outcome", "find_outcome", "name_opinion",
]  # fmt: skip

AGREED, ANSWERED, DECIDED, DIFFER, WAITING = (
    "agreed", "answered", "decided", "differ", "waiting",
)  # fmt: skip
OUTCOME_WORDS = {
    AGREED: mark("agreed"),
    ANSWERED: mark("answered by the one asked"),
    DECIDED: mark("decided"),
    DIFFER: mark("differ"),
    WAITING: mark("not answered by all"),
}
_UNSURE = "unsure"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a suggestion.

    Attributes:
        state: a key of `OUTCOME_WORDS`.
        verdict: what counts for the list; None where it is open.
        opinions: of those whom the suggestion was given to, in their order.
    """

    state: str
    verdict: LoggedVerdict | None
    opinions: tuple[LoggedVerdict, ...]


def find_outcome(people: Collection[Judge], verdicts: Sequence[LoggedVerdict]) -> Outcome:
    """Return what came of a suggestion.

    What somebody else says of it after these people is the decision; else it is what they all say,
    on which nobody agreed where it was given to one person alone.

    Args:
        people: whom it was given to.
        verdicts: what counts on it, of anybody.
    """
    given = [verdict for verdict in verdicts if verdict.answer.answer != LATER]
    opinions = tuple(verdict for verdict in given if verdict.judge in people)
    decisions = [v for v in given if v.judge not in people and v.answer.answer != _UNSURE]
    if decisions:
        return Outcome(DECIDED, max(decisions, key=lambda verdict: verdict.id), opinions)
    if not opinions or len(opinions) < len(people):
        return Outcome(WAITING, None, opinions)
    names = {name_opinion(opinion) for opinion in opinions}
    if len(names) == 1 and _UNSURE not in names:
        return Outcome(AGREED if len(people) > 1 else ANSWERED, opinions[0], opinions)
    return Outcome(DIFFER, None, opinions)


def name_opinion(verdict: LoggedVerdict) -> str:
    """Return an answer as it is compared: a mapping by its predicate, and its concept if another.

    >>> from termexplorer.services.verdicts.log import Answer
    >>> about = VerdictSubject("skos:exactMatch", "A:1", "B:1")
    >>> name_opinion(LoggedVerdict(1, Judge("Anna"), about, Answer("wrong", "", "", "")))
    'wrong'
    """
    chosen = find_chosen(verdict.subject, verdict.answer)
    if verdict.answer.answer != CHANGED or chosen is None:
        return verdict.answer.answer
    is_same = chosen.object == verdict.subject.object
    return chosen.predicate if is_same else f"{chosen.predicate} {chosen.object}"


class ListOutcomes:
    """What came of the suggestions of a list.

    Attributes:
        suggestions: in its order.
        by_subject: the outcome of each that was given to somebody.
    """

    def __init__(
        self,
        suggestions: Sequence[Suggestion],
        verdicts: Mapping[VerdictSubject, Sequence[LoggedVerdict]],
        assigned: Mapping[VerdictSubject, Sequence[Judge]],
    ) -> None:
        self.suggestions = suggestions
        self.by_subject = {
            about: find_outcome(people, verdicts.get(about, ()))
            for about, people in assigned.items()
        }

    @cached_property
    def counts(self) -> Mapping[str, int]:
        """Return how many suggestions have each state."""
        return Counter(outcome.state for outcome in self.by_subject.values())

    def measure_agreement(self) -> AgreementReport | None:
        """Measure how well people agree on what several answered; None where nobody did.

        "Unsure" is as if the suggestion were not answered, as "don't know" is in studies.
        """
        from termexplorer.services.agreement.agreement import (
            RatedRows,
            Reckoning,
            report_agreement,
        )
        from termexplorer.trainer.agreement import ratings_of

        shared = [o.opinions for o in self.by_subject.values() if len(o.opinions) > 1]
        if not shared:
            return None
        people = list(dict.fromkeys(opinion.judge for opinions in shared for opinion in opinions))
        rows = []
        for opinions in shared:
            labels = {opinion.judge: name_opinion(opinion) for opinion in opinions}
            rows.append([labels.get(person) for person in people])
        names = [person.name for person in people]
        ratings = ratings_of(rows, names, dont_know=_UNSURE)
        return report_agreement(RatedRows(ratings=ratings, dont_know=_UNSURE), Reckoning())
