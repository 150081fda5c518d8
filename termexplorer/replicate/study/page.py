"""The report of a study of term pairs, for the appendix of a paper: HTML or PDF ([MTS])."""

from pathlib import Path

from termexplorer.errors import UserError
from termexplorer.exporters.documents.blocks import (
    ReportDocument,
    Section,
    number_tables_and_charts,
)
from termexplorer.exporters.documents.charts import write_charts
from termexplorer.exporters.documents.html_page import write_html
from termexplorer.exporters.documents.pdf_file import write_pdf
from termexplorer.replicate.study.agreement_tables import agreement_section
from termexplorer.replicate.study.answer_tables import answers_section, disagreements_section
from termexplorer.replicate.study.label_tables import (
    decisions_section,
    encoders_section,
    truth_section,
)
from termexplorer.replicate.study.protocol import annotators_section, protocol_section
from termexplorer.services.studies.report import StudyReport
from termexplorer.system_reasons import tell_reason

_HTML, _PDF = (".html", ".htm"), ".pdf"


def check_place(path: Path) -> None:
    """Refuses a place that no report can be written to, before it is reckoned.

    Raises:
        UserError: another ending, or no such folder.
    """
    if path.suffix.lower() not in (*_HTML, _PDF):
        raise UserError(f"{path}: a report is a page or a paper; name the file .html or .pdf")
    if not path.parent.is_dir():
        raise UserError(f"{path}: there is no folder {path.parent}; make it, or name another")


def write_study_page(path: Path, report: StudyReport, *, figures: bool = False) -> list[Path]:
    """Writes the report, in the form that the file's ending tells; returns all files.

    Args:
        path: of the report.
        report: what it tells.
        figures: whether each figure is written too, as SVG, PDF and PNG at 300 dpi, into a folder
            beside it that is named after it.

    Raises:
        UserError: it cannot be written there.
    """
    document = number_tables_and_charts(_make_document(report))
    if path.suffix.lower() == _PDF:
        write_pdf(path, document)
    else:
        write_html(path, document)
    if not figures:
        return [path]
    folder = path.with_name(f"{path.stem}-figures")
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise UserError(f"{folder}: cannot be made ({tell_reason(error)})") from error
    return [path, *write_charts(folder, document)]


def _make_document(report: StudyReport) -> ReportDocument:
    sections: list[Section | None] = [
        protocol_section(report),
        annotators_section(report),
        answers_section(report),
        agreement_section(report.agreement),
        truth_section(report),
        encoders_section(report),
        decisions_section(report),
        disagreements_section(report),
    ]
    return ReportDocument(
        f"Study: {report.status.study.head.title}",
        tuple(section for section in sections if section is not None),
    )
