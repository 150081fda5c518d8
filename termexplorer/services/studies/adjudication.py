"""Adjudication: pairs of a study on which its annotators do not agree, decided one by one.

A decision is a row of the one log, under a name of its own beside the study's, so that it is never
one of the annotators' answers: it changes no figure of agreement, and merging leaves it alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from termexplorer.errors import UserError
from termexplorer.services.studies.ratings import rated_study
from termexplorer.services.studies.rows import noted
from termexplorer.services.studies.status import Judgement, asked_of, judgements
from termexplorer.services.studies.studies import find_study
from termexplorer.services.verdicts.log import (
    Answer,
    Judge,
    LoggedVerdict,
    VerdictSubject,
    now,
    undo_verdict,
)
from termexplorer.store.judging import decisions as kept
from termexplorer.store.judging import studies
from termexplorer.store.judging.studies import StudyHead, StudyPair
from termexplorer.store.judging.verdicts import append
from termexplorer.texts import tr
from termexplorer.workspace import Workspace

if TYPE_CHECKING:
    from numpy import bool_
    from numpy.typing import NDArray

    from termexplorer.trainer.agreement import Ratings

__all__ = [
    "DISAGREEMENT",
    "DONT_KNOW",
    "JUDGED",
    "NO_MAJORITY",
    "WHICH",
    "WITHOUT_MAJORITY",
    "Decision",
    "Disputed",
    "PairChoice",
    "check_choice",
    "choose_rows",
    "decide",
    "decisions",
    "disputed",
    "next_open",
    "pair_numbers",
    "undo_decision",
]

NO_MAJORITY, DISAGREEMENT = "no-majority", "disagreement"
DONT_KNOW, JUDGED = "dont-know", "judged"
WHICH = (NO_MAJORITY, DISAGREEMENT, DONT_KNOW, JUDGED)
_SHOWN = "verdicts_shown"  # among a row's details


@dataclass(frozen=True, slots=True)
class Decision:
    """What an adjudicator has decided of a pair.

    Attributes:
        adjudicator: their name.
        answer: one of the study's.
        note: in their own words.
        decided_at: ISO 8601 in UTC.
        verdicts_shown: whether they had seen what the annotators said.
    """

    adjudicator: str
    answer: str
    note: str
    decided_at: str
    verdicts_shown: bool


@dataclass(frozen=True, slots=True)
class PairChoice:
    """Which judged pairs of a study are decided.

    Attributes:
        which: one of `WHICH`: those without a majority; those of which annotators said different
            things, 2 : 1 too; those of which somebody said "don't know"; or all that were judged.
        set_name: of one set; None for all.
    """

    which: str = NO_MAJORITY
    set_name: str | None = None


WITHOUT_MAJORITY = PairChoice()


@dataclass(frozen=True, slots=True)
class Disputed:
    """A pair that is to be decided.

    Attributes:
        number: of the pair in the study, from 1; the order tells nothing of sets and labels.
        pair: that is judged.
        judgements: what annotators said of it, in the order of the log.
        waiting: how many annotators who are asked about it have not answered yet.
        decision: what was decided, if it was.
    """

    number: int
    pair: StudyPair
    judgements: tuple[Judgement, ...]
    waiting: int
    decision: Decision | None


def disputed(
    workspace: Workspace,
    study_id: int,
    choice: PairChoice = WITHOUT_MAJORITY,
    *,
    dont_know_votes: bool = True,
) -> list[Disputed]:
    """The pairs to decide, by their numbers; those that still wait for answers are last.

    Args:
        workspace: that has the study.
        study_id: of it.
        choice: which pairs; by default those without a majority.
        dont_know_votes: whether "don't know" is a vote for none; else it is no vote.

    Raises:
        UserError: no such study or set, or no answer in the study yet.
    """
    from termexplorer.trainer.agreement import first_ratings

    rows = rated_study(workspace, study_id)
    ratings, firsts = first_ratings(rows.ratings, rows.pairs)
    pairs = [rows.pairs[row] for row in firsts]
    check_choice(choice, pairs)
    mask = choose_rows(ratings, choice.which, dont_know_votes=dont_know_votes)
    chosen = {
        pairs[row]
        for row in mask.nonzero()[0].tolist()
        if choice.set_name in (None, pairs[row].set_name)
    }
    judgements_by_pair: dict[StudyPair, list[Judgement]] = {pair: [] for pair in pairs}
    for judgement in judgements(workspace, study_id):
        if judgement.pair.counts:
            judgements_by_pair[judgement.pair].append(judgement)
    asked, decided = asked_of(workspace, study_id), decisions(workspace, study_id)
    disputed_pairs = [
        Disputed(
            number,
            pair,
            tuple(judgements_by_pair[pair]),
            len(asked[pair] - {vote.annotator for vote in judgements_by_pair[pair]}),
            decided.get(pair),
        )
        for pair, number in pair_numbers(workspace, study_id).items()
        if pair in chosen
    ]
    return sorted(disputed_pairs, key=lambda disputed_pair: disputed_pair.waiting > 0)


def pair_numbers(workspace: Workspace, study_id: int) -> dict[StudyPair, int]:
    """The numbers of the pairs of a study, those too that are left out, by which people call them.

    Raises:
        UserError: no such study.
    """
    head = find_study(workspace, study_id).head
    with workspace.store.reading() as connection:
        pairs = [pair for pair, _ in studies.all_pairs_of(connection, study_id) if pair.counts]
    return _number_pairs(pairs, head)


def choose_rows(ratings: Ratings, which: str, *, dont_know_votes: bool = True) -> NDArray[bool_]:
    """Tell which of n rated pairs are chosen.

    Args:
        ratings: of them, the first of each annotator.
        which: one of `WHICH`.
        dont_know_votes: whether "don't know" is a vote for none; else it is no vote.

    Returns:
        (n,) whether each is; no pair is that nobody has judged.
    """
    import numpy as np

    from termexplorer.trainer.agreement import DONT_KNOW as UNSURE
    from termexplorer.trainer.agreement import NO_MAJORITY as NOTHING
    from termexplorer.trainer.agreement import NOT_RATED, find_judged, majority

    codes = ratings.codes
    rated = find_judged(ratings)
    chosen: NDArray[bool_] = rated
    if which == NO_MAJORITY:
        chosen = rated & (majority(ratings, dont_know_votes=dont_know_votes) == NOTHING)
    if which == DONT_KNOW:
        chosen = (codes == UNSURE).any(axis=1)
    if which == DISAGREEMENT:
        answered = codes != NOT_RATED
        least = np.where(answered, codes, codes.max(initial=0)).min(axis=1)
        most = np.where(answered, codes, UNSURE).max(axis=1)
        chosen = rated & (least < most)
    return chosen


def next_open(pairs: list[Disputed]) -> Disputed | None:
    """The first one that is not decided; None when all are."""
    return next((pair for pair in pairs if pair.decision is None), None)


def decide(
    workspace: Workspace,
    study_id: int,
    number: int,
    decision: Decision,
) -> StudyPair:
    """Writes a decision to the disk; the last one on a pair counts, whoever took it.

    Args:
        workspace: that has the study.
        study_id: of it.
        number: of the pair, as `disputed` tells it.
        decision: its moment is this one.

    Raises:
        UserError: no such study or answer, nobody's name, or a pair that nobody has judged; then
            nothing was written.
    """
    head = find_study(workspace, study_id).head
    answers = [choice.answer for choice in head.answers]
    if decision.answer not in answers:
        raise UserError(
            tr(
                "{answer!r} is no answer of study {study_id}; {answers} are",
                answer=decision.answer,
                study_id=study_id,
                answers=", ".join(answers),
            )
        )
    judged_pairs = disputed(workspace, study_id, PairChoice(JUDGED))
    pair = next(
        (judged_pair.pair for judged_pair in judged_pairs if judged_pair.number == number), None
    )
    if pair is None:
        raise UserError(
            tr(
                "pair {number} of study {study_id} has no answer yet, or is not there; "
                "`termexplorer study adjudicate {study_id} --list --which judged` lists those that "
                "can be decided",
                number=number,
                study_id=study_id,
            )
        )
    write_decision(workspace, head, pair, decision, now())
    return pair


def write_decision(
    workspace: Workspace,
    head: StudyHead,
    pair: StudyPair,
    decision: Decision,
    shown_at: str,
    details: Mapping[str, Any] | None = None,
) -> bool:
    """Write a decision to the disk, unless the same one stands: its adjudicator, answer and note.

    Args:
        workspace: that has the study.
        head: of the study.
        pair: that is decided.
        decision: its moment is this one.
        shown_at: when the pair came, ISO 8601 in UTC.
        details: what else is worth keeping.

    Returns:
        Whether it was written.

    Raises:
        UserError: nobody's name, a note that is too long, or it cannot be written; then nothing
            was.
    """
    judge, subject = judge_of(decision.adjudicator), subject_of(pair, head)
    answer = Answer(
        decision.answer,
        noted(decision.note),
        shown_at,
        now(),
        details={**(details or {}), _SHOWN: decision.verdicts_shown},
    )
    with workspace.store.writing() as connection:
        last = {row.subject: row for row in kept.decided(connection, head.key)}.get(subject)
        if last is not None and last.judge == judge and _says_same(last.answer, answer):
            return False
        append(connection, judge, subject, answer)
    return True


def _says_same(first: Answer, second: Answer) -> bool:
    return (first.answer, first.note) == (second.answer, second.note)


def undo_decision(workspace: Workspace, study_id: int, adjudicator: str) -> Decision | None:
    """Takes back an adjudicator's last decision, which it returns; None if there is none left.

    Raises:
        UserError: no such study, or nobody's name.
    """
    key = kept.decisions_on(find_study(workspace, study_id).head.key)
    taken = undo_verdict(workspace, judge_of(adjudicator), key)
    return None if taken is None else decision_of(taken)


def decisions(workspace: Workspace, study_id: int) -> dict[StudyPair, Decision]:
    """What was decided last of each pair, also where there is a majority.

    Raises:
        UserError: no such study.
    """
    return decided_of(
        workspace, find_study(workspace, study_id).head, asked_of(workspace, study_id)
    )


def decided_of(
    workspace: Workspace, head: StudyHead, pairs: Iterable[StudyPair]
) -> dict[StudyPair, Decision]:
    """What was decided last of each of some pairs of a study."""
    with workspace.store.reading() as connection:
        rows = {row.subject: row for row in kept.decided(connection, head.key)}
    return {
        pair: decision_of(rows[subject])
        for pair in pairs
        if (subject := subject_of(pair, head)) in rows
    }


def subject_of(pair: StudyPair, head: StudyHead) -> VerdictSubject:
    """What the log calls a pair where it is decided."""
    return VerdictSubject(
        head.question, pair.subject, pair.object, study=kept.decisions_on(head.key)
    )


def decision_of(row: LoggedVerdict) -> Decision:
    """A row of the log as the decision that it is."""
    answer = row.answer
    shown = bool(answer.details.get(_SHOWN))
    return Decision(row.judge.name, answer.answer, answer.note, answer.answered_at, shown)


def judge_of(name: str) -> Judge:
    """An adjudicator as the log knows them.

    Raises:
        UserError: nobody's name.
    """
    judge = Judge(" ".join(name.split()))
    if not judge.name:
        raise UserError(tr("name the adjudicator"))
    return judge


def _number_pairs(pairs: Iterable[StudyPair], head: StudyHead) -> dict[StudyPair, int]:
    """Numbers of the pairs of a study, from 1, in an order that tells nothing of where they are of.

    They were drawn set by set, the similar ones first, so that their own order would tell.
    """

    def at_random(pair: StudyPair) -> bytes:
        return sha256(repr((head.key, pair.subject, pair.object)).encode()).digest()

    return {pair: number for number, pair in enumerate(sorted(pairs, key=at_random), 1)}


def check_choice(choice: PairChoice, pairs: Sequence[StudyPair]) -> None:
    """Refuses a set that the study does not have.

    Raises:
        UserError: there is none of that name among the pairs.
    """
    sets = dict.fromkeys(pair.set_name for pair in pairs)
    if choice.set_name is not None and choice.set_name not in sets:
        raise UserError(
            tr(
                "the study has no set {name!r}; there are {known}",
                name=choice.set_name,
                known=", ".join(sets),
            )
        )
