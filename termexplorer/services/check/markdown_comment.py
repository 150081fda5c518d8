"""Findings as a comment on a pull request, in Markdown as GitHub and GitLab show it."""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from termexplorer.files import atomic_write
from termexplorer.services.check.gate import GateReport, TermFinding
from termexplorer.trainer.checking.findings import RULES
from termexplorer.trainer.checking.terms import OntologyTerm

_MOST = 50  # rows of a table; the rest is counted
_SPECIAL = re.compile(r"([\\`*_\[\]<>|~#])")


def write_markdown(path: Path, report: GateReport) -> None:
    """Write the comment."""
    with atomic_write(path) as fresh:
        fresh.write_text("\n".join(_list_lines(report)) + "\n", encoding="utf-8")


def _list_lines(report: GateReport) -> Iterable[str]:
    result, failing = report.result, report.failing
    state = "❌" if failing else "✅"
    yield f"### {state} New terms: {len(failing):,} to look at before they go in"
    yield ""
    yield (
        f"{result.checked:,} new terms of {escape_markdown(report.new.title)} were compared with "
        f"{result.known:,} of {escape_markdown(report.known.title)}; to look at are findings of "
        f"probability {report.fail_at:g} or above."
    )
    if failing:
        yield ""
        yield from _list_table(failing)
    if report.rest:
        yield ""
        yield f"<details><summary>{len(report.rest):,} less probable findings</summary>"
        yield ""
        yield from _list_table(report.rest)
        yield ""
        yield "</details>"


def _list_table(findings: Sequence[TermFinding]) -> Iterable[str]:
    yield "| term | finding | other term | probability | evidence |"
    yield "|---|---|---|---|---|"
    for finding in findings[:_MOST]:
        cells = (
            _name_term(finding.term),
            str(RULES[finding.rule]),
            _name_term(finding.other) if finding.other else "",
            f"{finding.probability:.2f}",
            escape_markdown(str(finding.evidence)),
        )
        yield f"| {' | '.join(cells)} |"
    if len(findings) > _MOST:
        yield ""
        yield f"… and {len(findings) - _MOST:,} more."


def _name_term(term: OntologyTerm) -> str:
    label = escape_markdown(term.label)
    return f"{escape_markdown(term.curie)} {label}" if term.label != term.curie else label


def escape_markdown(text: str) -> str:
    """Return a text that shows as it is in a cell, and mentions nobody."""
    return _SPECIAL.sub(r"\\\1", " ".join(text.split())).replace("@", "@\N{ZERO WIDTH SPACE}")
