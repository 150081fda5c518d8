"""What takes long about studies, in a child, so that a window goes on."""

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeAlias

from termexplorer.errors import UserError
from termexplorer.services.agreement.agreement import AgreementReport, Reckoning
from termexplorer.services.pairs.files import read_checks, read_pools
from termexplorer.services.studies.answer_doubts import AnswersInDoubtError, DoubtfulAnswers
from termexplorer.services.studies.answers import merge_answers
from termexplorer.services.studies.glossary import read_glossary
from termexplorer.services.studies.merge_results import AnswersChoice, Merged
from termexplorer.services.studies.sources import tell_sources
from termexplorer.services.studies.studies import NewStudy, StudyPlan, new_study
from termexplorer.services.studies.truth import judged_study, measure_study
from termexplorer.texts import tr
from termexplorer.workers.process.child import Channel
from termexplorer.workers.process.limited import call_limited
from termexplorer.workers.process.protocol import WHOLE_LIMITS
from termexplorer.workers.process.supervision import Cancelled, JobControl, supervise
from termexplorer.workspace import Workspace

__all__ = [
    "AnswersChoice",
    "DoubtfulAnswers",
    "MergeOutcome",
    "Merged",
    "Refused",
    "StudyRequest",
    "make_study",
    "merge_each",
    "study_reports",
]


@dataclass(frozen=True, slots=True)
class Refused:
    """A file that was not merged, and why."""

    file: str
    why: str


MergeOutcome: TypeAlias = Merged | Refused | DoubtfulAnswers


@dataclass(frozen=True, slots=True)
class StudyRequest:
    """A study that is wanted.

    Attributes:
        workspace: its folder.
        plan: what it is to be.
        paths: files and folders of the pair sets that it is drawn from.
        glossary: a file of it, which annotators may look terms up in; None without.
        checks: files of pairs with known labels that are mixed in.
    """

    workspace: Path
    plan: StudyPlan
    paths: tuple[Path, ...]
    glossary: Path | None = None
    checks: tuple[Path, ...] = ()


@dataclass(frozen=True, slots=True)
class _Reporting:
    workspace: Path
    ids: tuple[int, ...]


def make_study(
    request: StudyRequest, control: JobControl, on_message: Callable[[object], None]
) -> NewStudy:
    """Makes a study; see `new_study`.

    Raises:
        UserError: what `new_study`, `read_pools` and `read_glossary` raise; then nothing was kept.
        Cancelled: it was cancelled.
    """
    return supervise(_make_in_child, request, control, on_message, WHOLE_LIMITS)


def study_reports(
    workspace: Workspace, ids: Sequence[int], control: JobControl
) -> dict[int, AgreementReport | str]:
    """How well the annotators of studies agree so far, or why that cannot be told.

    Nothing is returned where it was cancelled.
    """
    request = _Reporting(workspace.folder, tuple(ids))
    try:
        return supervise(_report_in_child, request, control, lambda _message: None)
    except Cancelled:
        return {}


def merge_each(
    workspace: Workspace, paths: Sequence[Path], choice: AnswersChoice | None = None
) -> list[MergeOutcome]:
    """Merge what annotators sent back, each file by itself, in a child.

    Args:
        workspace: that has the studies.
        paths: of the files.
        choice: what to do where it is in doubt whose answers they are.

    Returns:
        What came of each: merged, refused, or in doubt until there is a choice.
    """
    return call_limited(_merge_in_child, workspace.folder, tuple(paths), choice)


def _merge_in_child(
    folder: Path, paths: tuple[Path, ...], choice: AnswersChoice | None
) -> list[MergeOutcome]:
    outcomes: list[MergeOutcome] = []
    with closing(Workspace(folder)) as workspace:
        for path in paths:
            try:
                outcomes += merge_answers(workspace, [path], choice)
            except AnswersInDoubtError as error:
                outcomes.append(error.answers)
            except UserError as error:
                outcomes.append(Refused(str(path), str(error)))
    return outcomes


def _make_in_child(request: StudyRequest, channel: Channel) -> NewStudy:
    channel.progress(None, tr("Drawing pairs"))
    plan = request.plan
    if request.glossary is not None:
        look_up = replace(plan.look_up, glossary=read_glossary(request.glossary))
        plan = replace(plan, look_up=look_up)
    with closing(Workspace(request.workspace)) as workspace:
        plan = replace(plan, sources=tell_sources(workspace, request.paths))
        answers = [answer.answer for answer in plan.scale.answers if answer.value is not None]
        checks = list(read_checks(request.checks, answers))
        return new_study(workspace, plan, read_pools(request.paths), checks)


def _report_in_child(request: _Reporting, _channel: Channel) -> dict[int, AgreementReport | str]:
    reports: dict[int, AgreementReport | str] = {}
    with closing(Workspace(request.workspace)) as workspace:
        for study_id in request.ids:
            try:
                reports[study_id] = measure_study(judged_study(workspace, study_id), Reckoning())
            except UserError as error:
                reports[study_id] = str(error)
    return reports
