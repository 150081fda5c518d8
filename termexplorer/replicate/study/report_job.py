"""A study's report, reckoned and written in a child, so that a window goes on."""

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from termexplorer.replicate.study.page import check_place, write_study_page
from termexplorer.services.agreement.agreement import Reckoning
from termexplorer.services.studies.report import report_study
from termexplorer.workers.process.child import Channel
from termexplorer.workers.process.supervision import JobControl, supervise
from termexplorer.workspace import Workspace


@dataclass(frozen=True, slots=True)
class ReportRequest:
    """A report that is wanted.

    Attributes:
        workspace: the folder of the one that has the study.
        study_id: of it.
        out: the file; .html or .pdf.
        encoder_ids: encoders that are held against the annotators.
        reckoning: how figures are reckoned.
        figures: whether each figure is written as files too.
    """

    workspace: Path
    study_id: int
    out: Path
    encoder_ids: tuple[int, ...]
    reckoning: Reckoning
    figures: bool = False


def write_report_file(
    request: ReportRequest, control: JobControl, on_message: Callable[[object], None]
) -> Path:
    """Writes a report; blocks until it is there, whole or not at all.

    Returns:
        the file.

    Raises:
        UserError: what `check_place`, `report_study` and `write_study_page` raise.
        Cancelled: it was cancelled.
    """
    check_place(request.out)
    return supervise(_write_report, request, control, on_message)


def _write_report(request: ReportRequest, channel: Channel) -> Path:
    inner = JobControl()
    channel.on_stop(inner.cancel)  # the encoders are asked by a child of this one
    with closing(Workspace(request.workspace)) as workspace:
        report = report_study(
            workspace,
            request.study_id,
            request.encoder_ids,
            request.reckoning,
            inner,
            channel.report,
        )
    write_study_page(request.out, report, figures=request.figures)
    return request.out
