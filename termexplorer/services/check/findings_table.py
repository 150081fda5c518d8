"""Findings as rows of a table, and how grave each is."""

from termexplorer.services.check.gate import GateReport
from termexplorer.services.files.exports import Cell
from termexplorer.trainer.checking.findings import TermFinding

HEADER = (
    "rule", "severity", "concept", "name", "other concept", "other name", "probability",
    "evidence", "line",
)  # fmt: skip
ERROR, WARNING, NOTE = "error", "warning", "note"
"""Severities, as SARIF calls them: what fails the check, what is likelier than not, the rest."""
_LIKELY = 0.5


def rate_severity(finding: TermFinding, fail_at: float) -> str:
    """Return `ERROR`, `WARNING` or `NOTE`."""
    if finding.probability >= fail_at:
        return ERROR
    return WARNING if finding.probability >= _LIKELY else NOTE


def list_rows(report: GateReport) -> list[list[Cell]]:
    """Return all findings under `HEADER`."""
    return [
        [
            finding.rule,
            rate_severity(finding, report.fail_at),
            finding.term.curie,
            finding.term.label,
            finding.other.curie if finding.other else "",
            finding.other.label if finding.other else "",
            round(finding.probability, 4),
            str(finding.evidence),
            finding.term.line or None,
        ]
        for finding in report.result.findings
    ]
