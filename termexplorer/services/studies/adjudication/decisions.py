"""Decisions on pairs of a study, on the disk.

A decision is a row of the one log, under a name of its own beside the study's, so that it is never
one of the annotators' answers: it changes no figure of agreement, and merging leaves it alone.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from termexplorer.errors import UserError
from termexplorer.services.studies.rows import noted
from termexplorer.services.studies.status import asked_of
from termexplorer.services.studies.studies import find_study
from termexplorer.services.verdicts.log import (
    Answer,
    Judge,
    LoggedVerdict,
    VerdictSubject,
    now,
    undo_verdict,
)
from termexplorer.store.judging.decisions import decided, decisions_on
from termexplorer.store.judging.studies import StudyHead, StudyPair
from termexplorer.store.judging.verdicts import append
from termexplorer.texts import tr
from termexplorer.workspace import Workspace

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
        last = {row.subject: row for row in decided(connection, head.key)}.get(subject)
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
    key = decisions_on(find_study(workspace, study_id).head.key)
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
        rows = {row.subject: row for row in decided(connection, head.key)}
    return {
        pair: decision_of(rows[subject])
        for pair in pairs
        if (subject := subject_of(pair, head)) in rows
    }


def subject_of(pair: StudyPair, head: StudyHead) -> VerdictSubject:
    """What the log calls a pair where it is decided."""
    return VerdictSubject(head.question, pair.subject, pair.object, study=decisions_on(head.key))


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
