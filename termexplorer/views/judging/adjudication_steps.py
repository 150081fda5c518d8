"""What keys of the adjudication screen do, in the thread that writes."""

from dataclasses import dataclass

from termexplorer.services.studies.adjudication.adjudicating import Adjudicating
from termexplorer.services.studies.adjudication.decisions import Decision
from termexplorer.services.studies.adjudication.disputed_pairs import Disputed, PairChoice
from termexplorer.services.studies.judging import Seen
from termexplorer.services.studies.studies import sets_of
from termexplorer.services.verdicts.people import Judge, list_people
from termexplorer.texts import tr
from termexplorer.views.judging.answer_list import GivenAnswer
from termexplorer.workspace import Workspace


@dataclass(frozen=True, slots=True)
class AdjudicationStep:
    """What came of a key.

    Attributes:
        message: what was done.
        pair: what is shown then; None when all is decided.
        moved: whether anything was done.
        before: the decision on that pair that was taken back.
    """

    message: str
    pair: Disputed | None = None
    moved: bool = True
    before: Decision | None = None


def open_work(
    workspace: Workspace, study_id: int, choice: PairChoice, dont_know_votes: bool
) -> tuple[Adjudicating, list[Judge], list[str]]:
    """Read the pairs to decide, who is known, and the pair sets of the study."""
    work = Adjudicating(workspace, study_id, "", choice, dont_know_votes=dont_know_votes)
    return work, list_people(workspace), sets_of(workspace, study_id)


def decide(
    work: Adjudicating, pair: Disputed, answer: str, seen: Seen, note: str, *, verdicts_shown: bool
) -> AdjudicationStep:
    """Keeps a decision."""
    done = work.decide(pair, answer, seen, note, verdicts_shown=verdicts_shown)
    if done.stored:
        return AdjudicationStep(tr("Decided: {answer}", answer=answer), done.following)
    return AdjudicationStep(
        tr("{answer} was the decision already; nothing changed", answer=answer), done.following
    )


def list_decisions(work: Adjudicating, on_show: Disputed | None) -> list[GivenAnswer]:
    """Return what the adjudicator decided and may change, without the pair on show."""
    decisions = []
    for pair, decision in work.changeable(on_show):
        turn = work.turn(pair)
        decisions.append(GivenAnswer(pair, turn.left, turn.right, decision.answer, decision.note))
    return decisions


def skip(work: Adjudicating, pair: Disputed) -> AdjudicationStep:
    """Puts a pair off."""
    return AdjudicationStep(tr("Put off"), work.skip(pair))


def undo(work: Adjudicating) -> AdjudicationStep:
    """Takes back what was decided last."""
    moved = work.undo()
    if moved is None:
        return AdjudicationStep(tr("Nothing to undo"), moved=False)
    message = tr("Taken back: {answer}", answer=moved.decision.answer)
    return AdjudicationStep(message, moved.pair, before=moved.decision)


def redo(work: Adjudicating) -> AdjudicationStep:
    """Brings back what was taken back last."""
    moved = work.redo()
    if moved is None:
        return AdjudicationStep(tr("Nothing to redo"), moved=False)
    return AdjudicationStep(
        tr("Brought back: {answer}", answer=moved.decision.answer), work.current()
    )
