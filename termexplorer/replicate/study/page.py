"""The report of a study of term pairs, for the appendix of a paper: HTML or PDF ([MTS])."""

import re
from collections.abc import Iterator
from itertools import count
from pathlib import Path

from termexplorer.errors import UserError
from termexplorer.exporters.paper import write_paper
from termexplorer.exporters.paper_figures import write_figures
from termexplorer.replicate.report import page_template, write_page
from termexplorer.replicate.study.agreement_tables import agreement_section
from termexplorer.replicate.study.answer_tables import answers_section, disagreements_section
from termexplorer.replicate.study.label_tables import (
    decisions_section,
    encoders_section,
    truth_section,
)
from termexplorer.replicate.study.protocol import annotators_section, protocol_section
from termexplorer.services.studies.report import StudyReport

_CAPTION = re.compile(r"<(caption|figcaption)>")
_PAGES, _PAPER = (".html", ".htm"), ".pdf"


def check_place(path: Path) -> None:
    """Refuses a place that no report can be written to, before it is reckoned.

    Raises:
        UserError: another ending, or no such folder.
    """
    if path.suffix.lower() not in (*_PAGES, _PAPER):
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
    sections = number_captions(
        protocol_section(report),
        annotators_section(report),
        answers_section(report),
        agreement_section(report.agreement),
        truth_section(report),
        encoders_section(report),
        decisions_section(report),
        disagreements_section(report),
    )
    title = f"Study: {report.status.study.head.title}"
    if path.suffix.lower() == _PAPER:
        write_paper(path, title, sections, page_template())
    else:
        write_page(path, title, sections)
    if not figures:
        return [path]
    folder = path.with_name(f"{path.stem}-figures")
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise UserError(f"{folder}: cannot be made ({error.strerror})") from error
    return [path, *write_figures(folder, title, sections, page_template())]


def number_captions(*sections: str) -> tuple[str, ...]:
    """Number tables and figures through all sections, so that a text can name them."""
    numbers: dict[str, Iterator[int]] = {"caption": count(1), "figcaption": count(1)}
    words = {"caption": "Table", "figcaption": "Figure"}

    def number(found: re.Match[str]) -> str:
        return f"{found[0]}{words[found[1]]} {next(numbers[found[1]])}. "

    return tuple(_CAPTION.sub(number, each) for each in sections)
