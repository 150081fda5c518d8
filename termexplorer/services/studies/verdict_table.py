"""The verdicts of a study as one table: a row a pair, a column an annotator."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from termexplorer.errors import UserError
from termexplorer.services.files.exports import Cell
from termexplorer.services.studies.adjudication.decisions import Decision, decisions
from termexplorer.services.studies.adjudication.disputed_pairs import (
    PairChoice,
    check_choice,
    choose_rows,
    pair_numbers,
)
from termexplorer.services.studies.rows import ORIGIN
from termexplorer.services.studies.status import Judgement, judgements, study_status
from termexplorer.services.studies.studies import find_study
from termexplorer.services.studies.truth import StudyTruth, judged_study
from termexplorer.store.judging import studies
from termexplorer.store.judging.studies import KeptStudy, StudyPair
from termexplorer.texts import tr
from termexplorer.workspace import Workspace

__all__ = ["PairVerdicts", "VerdictTable", "judging_here", "verdict_table"]

_BEFORE = ("pair", "term", "other term", "set", "label")
_AFTER = ("majority", "decision", "adjudicator", "decision note", "truth", "comments", "seconds")


@dataclass(frozen=True, slots=True)
class AnnotatorAnswer:
    """What an annotator said of a pair, one of the times that it was shown.

    Attributes:
        answer: one of the study's.
        note: in their own words.
        seconds: of active time.
    """

    answer: str
    note: str
    seconds: float


@dataclass(frozen=True, slots=True)
class PairVerdicts:
    """What was said of a pair.

    Attributes:
        number: of the pair in the study, as adjudication knows it.
        pair: with its set and label.
        answers: by annotators; of who was not asked or has not answered there is nothing.
        again: the same, of those who were shown it a second time.
        majority: the answer of more than half; "" where there is none.
        decision: an adjudicator's, if one was taken.
        truth: the decision, or else the majority; "" where there is none.
        left_out: why it is not asked about; "" where it is.
    """

    number: int
    pair: StudyPair
    answers: Mapping[str, AnnotatorAnswer]
    again: Mapping[str, AnnotatorAnswer]
    majority: str
    decision: Decision | None
    truth: str
    left_out: str = ""

    @property
    def comments(self) -> str:
        """What annotators noted, each with their name."""
        both = (*self.answers.items(), *self.again.items())
        return "; ".join(
            dict.fromkeys(f"{name}: {answer.note}" for name, answer in both if answer.note)
        )

    def comments_of(self, annotator: str) -> str:
        """What an annotator noted, each time that the pair was shown."""
        showings = (self.answers.get(annotator), self.again.get(annotator))
        return "; ".join(
            dict.fromkeys(answer.note for answer in showings if answer and answer.note)
        )

    @property
    def seconds(self) -> float | None:
        """The mean of their active times at the first showing; None without an answer."""
        times = [answer.seconds for answer in self.answers.values()]
        return sum(times) / len(times) if times else None


@dataclass(frozen=True, slots=True)
class VerdictTable:
    """What was said of the pairs of a study.

    Attributes:
        study: what was asked.
        annotators: their names.
        pairs: in the order of drawing.
    """

    study: KeptStudy
    annotators: tuple[str, ...]
    pairs: tuple[PairVerdicts, ...]

    def header(self) -> list[str]:
        """The titles of a file's columns; those of annotators are their names."""
        repeated = self._repeated()
        return [
            *_BEFORE,
            *self.annotators,
            *(f"{name}, again" for name in repeated),
            *_AFTER,
            *(f"comment of {name}" for name in self.annotators),
            *(f"seconds of {name}" for name in self.annotators),
            *(f"seconds of {name}, again" for name in repeated),
        ]

    def rows(self) -> Iterator[list[Cell]]:
        """The cells of each pair under `header`."""
        repeated = self._repeated()
        for pair in self.pairs:
            decision = pair.decision
            answers = [_answer_text(pair.answers.get(name)) for name in self.annotators]
            answers += [_answer_text(pair.again.get(name)) for name in repeated]
            decided = ("", "", "")
            if decision is not None:
                decided = decision.answer, decision.adjudicator, decision.note
            yield [
                pair.number, pair.pair.subject, pair.pair.object, pair.pair.set_name,
                pair.pair.score, *answers, pair.majority, *decided, pair.truth, pair.comments,
                pair.seconds, *(pair.comments_of(name) for name in self.annotators),
                *(_seconds_of(pair.answers.get(name)) for name in self.annotators),
                *(_seconds_of(pair.again.get(name)) for name in repeated),
            ]  # fmt: skip

    def _repeated(self) -> list[str]:
        shown = {name for pair in self.pairs for name in pair.again}
        return [name for name in self.annotators if name in shown]


def judging_here(workspace: Workspace, study_id: int) -> list[str]:
    """Annotators who still judge in this workspace, and so must not see what others said.

    Of a study that came in packs, all who are not done; of one that was made here, those who are
    not done and have given an answer here, not in a file that was merged.

    Raises:
        UserError: no such study.
    """
    status = study_status(workspace, study_id)
    waiting = {
        seat.annotator
        for seat in status.seats
        if seat.judged + seat.practised < seat.asked + seat.practice
    }
    if status.study.head.plan:
        all_judgements = judgements(workspace, study_id)
        waiting &= {
            judgement.annotator
            for judgement in all_judgements
            if ORIGIN not in judgement.answer.details
        }
    return [seat.annotator for seat in status.seats if seat.annotator in waiting]


def verdict_table(
    workspace: Workspace,
    study_id: int,
    choice: PairChoice | None = None,
    *,
    dont_know_votes: bool = True,
    judges_not: bool = False,
    left_out: bool = False,
) -> VerdictTable:
    """Lists the pairs of a study with what was said of them, without practice.

    Args:
        workspace: that has the study.
        study_id: of it.
        choice: which pairs; all of the study where it is not given, those too that wait.
        dont_know_votes: whether "don't know" is a vote for none; else it is no vote.
        judges_not: whether who reads it is none of those who still judge here.
        left_out: whether the pairs that are left out are listed instead, with why.

    Raises:
        UserError: no such study or set, or somebody still judges here, who may be who asks.
    """
    study = find_study(workspace, study_id)
    still = [] if judges_not else judging_here(workspace, study_id)
    if still:
        raise UserError(
            tr(
                "{names} still judges here and must not see what others said; wait until all is "
                "judged, or say that you are somebody else",
                names=", ".join(still),
            )
        )
    all_judgements = judgements(workspace, study_id)
    with workspace.store.reading() as connection:
        annotators = tuple(seat.annotator for seat in studies.seats_of(connection, study_id))
        reasons = {p: why for p, why in studies.all_pairs_of(connection, study_id) if p.counts}
    pairs = [pair for pair, reason in reasons.items() if bool(reason) == left_out]
    truth = None
    answers: Mapping[str, str] = {}
    if any(judgement.pair.counts for judgement in all_judgements):
        judged = judged_study(workspace, study_id, dont_know_votes=dont_know_votes)
        truth = judged.truth
        answers = {label: answer for answer, label in judged.rows.label_of.items()}
    chosen = _choose_pairs(pairs, truth, choice, dont_know_votes)
    votes = _majority_answers(truth, answers)
    decided, numbers = decisions(workspace, study_id), pair_numbers(workspace, study_id)
    by_pair = _by_pair(all_judgements)
    rows = []
    for pair in chosen:
        first, second = (by_pair.get((pair, showing), {}) for showing in (1, 2))
        decision, majority = decided.get(pair), votes.get(pair, "")
        true = majority if decision is None else decision.answer
        row = PairVerdicts(
            numbers[pair], pair, first, second, majority, decision, true, reasons[pair]
        )
        rows.append(row)
    return VerdictTable(study, annotators, tuple(rows))


def _choose_pairs(
    pairs: Sequence[StudyPair],
    truth: StudyTruth | None,
    choice: PairChoice | None,
    dont_know_votes: bool,
) -> list[StudyPair]:
    if choice is None:
        return list(pairs)
    check_choice(choice, pairs)
    if truth is None:
        return []
    mask = choose_rows(truth.ratings, choice.which, dont_know_votes=dont_know_votes)
    within = {pair for pair, wanted in zip(truth.pairs, mask.tolist(), strict=True) if wanted}
    return [pair for pair in pairs if pair in within and choice.set_name in (None, pair.set_name)]


def _majority_answers(truth: StudyTruth | None, answers: Mapping[str, str]) -> dict[StudyPair, str]:
    """The majority's answer of each pair that has one."""
    if truth is None:
        return {}
    labels = truth.ratings.labels
    return {
        pair: answers[labels[code]]
        for pair, code in zip(truth.pairs, truth.majority.tolist(), strict=True)
        if code >= 0
    }


def _by_pair(
    all_judgements: Sequence[Judgement],
) -> dict[tuple[StudyPair, int], dict[str, AnnotatorAnswer]]:
    answers_by_showing: dict[tuple[StudyPair, int], dict[str, AnnotatorAnswer]] = {}
    for judgement in all_judgements:
        seconds = judgement.answer.details.get("active_ms", 0) / 1_000
        answer = AnnotatorAnswer(judgement.answer.answer, judgement.answer.note, seconds)
        answers_by_showing.setdefault((judgement.pair, judgement.showing), {})[
            judgement.annotator
        ] = answer
    return answers_by_showing


def _answer_text(answer: AnnotatorAnswer | None) -> str:
    return answer.answer if answer else ""


def _seconds_of(answer: AnnotatorAnswer | None) -> float | None:
    return answer.seconds if answer else None
