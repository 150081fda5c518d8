"""The forms that the findings of a check go out in, told by the ending of the file."""

from pathlib import Path

from termexplorer.services.check.ci_reports import write_junit, write_sarif
from termexplorer.services.check.findings_table import HEADER, list_rows
from termexplorer.services.check.gate import GateReport
from termexplorer.services.check.markdown_comment import write_markdown
from termexplorer.services.files.exports import write_table

REPORT_TYPES = (
    "Markdown (*.md)", "SARIF (*.sarif)", "JUnit (*.xml)", "CSV (*.csv)", "XLSX (*.xlsx)",
)  # fmt: skip
_WRITERS = {".md": write_markdown, ".sarif": write_sarif, ".xml": write_junit}


def write_report(path: Path, report: GateReport) -> None:
    """Write findings: Markdown for a pull request, SARIF or JUnit for CI, else a table.

    Raises:
        UserError: the place cannot be written to.
    """
    writer = _WRITERS.get(path.suffix.lower())
    if writer is not None:
        writer(path, report)
    else:
        write_table(path, HEADER, list_rows(report))
