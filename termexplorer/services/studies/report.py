"""All that is to be told of a study: protocol, agreement, ground truth, labels beside it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median

from termexplorer.services.agreement.agreement import AgreementReport, Reckoning
from termexplorer.services.studies.answer_counts import StudyAnswers, count_answers
from termexplorer.services.studies.encoders import (
    LabelQuality,
    encoder_labels,
    label_quality,
    own_labels,
)
from termexplorer.services.studies.status import StudyStatus, judgements, study_status
from termexplorer.services.studies.truth import StudyTruth, judged_study, measure_study
from termexplorer.texts import tr, translated
from termexplorer.trainer.evaluation.shares import ShareFigure
from termexplorer.workers.process.protocol import JobProgress
from termexplorer.workers.process.supervision import JobControl
from termexplorer.workspace import Workspace

__all__ = ["Pace", "StudyReport", "report_study"]


@dataclass(frozen=True, slots=True)
class Pace:
    """How an annotator worked, without practice.

    Attributes:
        annotator: their name.
        seconds: the median of the active time of an answer; NaN without an answer.
        looked_up: the share of answers before which a term was looked up.
    """

    annotator: str
    seconds: float
    looked_up: ShareFigure


@dataclass(frozen=True, slots=True, eq=False)
class StudyReport:
    """What a study came to.

    Attributes:
        status: of the study and of each annotator.
        paces: of each annotator.
        agreement: of annotators; knows nothing of decisions.
        truth: decisions, and the majority where there is none.
        labels: those of the sets, if the pairs came with some, and those of encoders.
        answers: of annotators, counted, and where they differ.
    """

    status: StudyStatus
    paces: tuple[Pace, ...]
    agreement: AgreementReport
    truth: StudyTruth
    labels: tuple[LabelQuality, ...]
    answers: StudyAnswers


def report_study(
    workspace: Workspace,
    study_id: int,
    encoder_ids: Sequence[int],
    reckoning: Reckoning,
    control: JobControl,
    on_message: Callable[[object], None],
) -> StudyReport:
    """Puts together what is to be told of a study; blocks until it is done.

    Args:
        workspace: that has the study.
        study_id: of it.
        encoder_ids: encoders that are held against the annotators; in the workspace.
        reckoning: how figures are reckoned.
        control: cancels it.
        on_message: takes messages of what is done, and those of the child that asks the encoders.

    Raises:
        UserError: no such study or encoder, no answer yet, or encoders beside answers that are not
            two labels.
    """
    judged = judged_study(workspace, study_id, dont_know_votes=reckoning.dont_know_votes)
    beside = judged.beside
    given = [own_labels(beside)] if any(beside.labels) else []
    given += encoder_labels(workspace, beside, encoder_ids, reckoning, control, on_message)
    on_message(JobProgress(None, tr("Measuring how well the annotators agree"), None))
    agreement = measure_study(judged, reckoning)
    labels = []
    for automatic_labels in given:
        on_message(
            JobProgress(
                None,
                tr("Measuring {title} beside them", title=translated(automatic_labels.title)),
                None,
            )
        )
        labels.append(label_quality(beside, automatic_labels, reckoning))
    return StudyReport(
        study_status(workspace, study_id),
        _measure_paces(workspace, study_id, judged.rows.ratings.raters),
        agreement,
        judged.truth,
        tuple(labels),
        count_answers(judgements(workspace, study_id), judged.rows.ratings.raters),
    )


def _measure_paces(
    workspace: Workspace, study_id: int, annotators: Sequence[str]
) -> tuple[Pace, ...]:
    all_judgements = [
        judgement for judgement in judgements(workspace, study_id) if judgement.pair.counts
    ]
    paces = []
    for annotator in annotators:
        details = [
            judgement.answer.details
            for judgement in all_judgements
            if judgement.annotator == annotator
        ]
        times = [detail["active_ms"] / 1_000 for detail in details if detail.get("active_ms")]
        looked = [bool(detail.get("looked_up")) for detail in details]
        paces.append(
            Pace(
                annotator,
                median(times) if times else float("nan"),
                ShareFigure.of(sum(looked), len(looked)),
            )
        )
    return tuple(paces)
