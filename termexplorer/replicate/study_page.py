"""The report of a study of term pairs, for the appendix of a paper: one page by itself ([MTS])."""

from pathlib import Path

from termexplorer.errors import UserError
from termexplorer.replicate.report import write_page
from termexplorer.replicate.study_agreement_tables import agreement_section
from termexplorer.replicate.study_label_tables import (
    decisions_section,
    encoders_section,
    truth_section,
)
from termexplorer.replicate.study_protocol import annotators_section, protocol_section
from termexplorer.services.study_report import StudyReport

_ENDINGS = (".html", ".htm")


def check_place(path: Path) -> None:
    """Refuses a place that no report can be written to, before it is reckoned.

    Raises:
        UserError: another ending, or no such folder.
    """
    if path.suffix.lower() not in _ENDINGS:
        raise UserError(f"{path}: a report is a page; name the file .html")
    if not path.parent.is_dir():
        raise UserError(f"{path}: there is no folder {path.parent}; make it, or name another")


def write_study_page(path: Path, report: StudyReport) -> None:
    """Writes the report.

    Raises:
        UserError: it cannot be written there.
    """
    sections = (
        protocol_section(report),
        annotators_section(report),
        agreement_section(report.agreement),
        truth_section(report),
        encoders_section(report),
        decisions_section(report),
    )
    write_page(path, f"Study: {report.status.study.head.title}", sections)
