"""A decision on a pair is taken, and told: stored or known already, by whom, over what majority."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from termexplorer.errors import UserError
from termexplorer.services.studies.adjudication.decisions import Decision, judge_of, write_decision
from termexplorer.services.studies.adjudication.disputed_pairs import (
    JUDGED,
    Disputed,
    PairChoice,
    disputed,
)
from termexplorer.services.studies.studies import find_study
from termexplorer.services.verdicts.log import now
from termexplorer.store.judging import studies
from termexplorer.store.judging.studies import StudyPair
from termexplorer.texts import tr
from termexplorer.workspace import Workspace


@dataclass(frozen=True, slots=True)
class DecisionReceipt:
    """What became of a decision.

    Attributes:
        number: of the pair in the study.
        pair: the decided pair.
        decision: the one that stands now.
        stored: whether it was written; False where the same one stood already.
        is_annotator: whether the adjudicator is an annotator of the study.
        overruled: the majority's answer, where the decision differs from it; else "".
    """

    number: int
    pair: StudyPair
    decision: Decision
    stored: bool
    is_annotator: bool
    overruled: str

    def sentences(self) -> Iterator[str]:
        """Yield what people should know of it, the stored answer first."""
        values: dict[str, Any] = {
            "number": self.number,
            "left": self.pair.subject,
            "right": self.pair.object,
            "answer": self.decision.answer,
            "name": self.decision.adjudicator,
        }
        if self.stored:
            yield tr("pair {number} (“{left}” and “{right}”): {name} decided “{answer}”", **values)
        else:
            yield tr(
                "pair {number} (“{left}” and “{right}”): “{answer}” was the decision "
                "already, by {name}; nothing was changed",
                **values,
            )
        if self.overruled:
            yield tr(
                "this overrules the majority of the annotators, “{answer}”", answer=self.overruled
            )
        if self.is_annotator:
            yield tr(
                "{name} is also an annotator of this study; a decision is more credible from "
                "somebody else",
                name=self.decision.adjudicator,
            )


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


def record_decision(
    workspace: Workspace,
    study_id: int,
    number: int,
    decision: Decision,
    *,
    dont_know_votes: bool = True,
) -> DecisionReceipt:
    """Write a decision unless the same one stands, and return what became of it.

    A decision is the same when adjudicator and answer are, and its note is empty or the same.

    Args:
        workspace: that has the study.
        study_id: of it.
        number: of the pair, as `disputed` tells it.
        decision: its moment is this one.
        dont_know_votes: whether "don't know" is a vote for none; else it is no vote.

    Raises:
        UserError: as of `decide`; then nothing was written.
    """
    decision = replace(decision, adjudicator=judge_of(decision.adjudicator).name)
    judged = disputed(workspace, study_id, PairChoice(JUDGED))
    judged_pair = next((candidate for candidate in judged if candidate.number == number), None)
    standing = judged_pair.decision if judged_pair is not None else None
    if judged_pair is None or standing is None or not _is_same(decision, standing):
        pair, stored = decide(workspace, study_id, number, decision), True
    else:
        pair, stored, decision = judged_pair.pair, False, standing
    majority = ""
    if judged_pair is not None:
        majority = _majority_answer(
            workspace, study_id, judged_pair, dont_know_votes=dont_know_votes
        )
    return DecisionReceipt(
        number,
        pair,
        decision,
        stored,
        _is_annotator(workspace, study_id, decision.adjudicator),
        majority if majority != decision.answer else "",
    )


def _is_same(decision: Decision, standing: Decision) -> bool:
    return (decision.adjudicator, decision.answer) == (
        standing.adjudicator,
        standing.answer,
    ) and decision.note.strip() in ("", standing.note)


def _majority_answer(
    workspace: Workspace, study_id: int, judged: Disputed, *, dont_know_votes: bool
) -> str:
    """Return the answer of more than half of a pair's annotators; "" where there is none."""
    without = disputed(workspace, study_id, dont_know_votes=dont_know_votes)
    if any(pair.number == judged.number for pair in without):
        return ""
    choices = find_study(workspace, study_id).head.answers
    ratings = {choice.answer for choice in choices if choice.value is not None}
    counts = Counter(
        judgement.answer.answer
        for judgement in judged.judgements
        if judgement.showing == 1 and judgement.answer.answer in ratings
    )
    return counts.most_common(1)[0][0] if counts else ""


def _is_annotator(workspace: Workspace, study_id: int, name: str) -> bool:
    with workspace.store.reading() as connection:
        seats = studies.seats_of(connection, study_id)
    return name.casefold() in {seat.annotator.casefold() for seat in seats}
