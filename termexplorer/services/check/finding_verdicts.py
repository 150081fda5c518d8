"""What curators said of findings: in the log of verdicts, so that it counts in later checks too."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from termexplorer.services.check.gate import GateReport, TermFinding
from termexplorer.services.verdicts.log import (
    Answer,
    Judge,
    VerdictSubject,
    give_verdicts,
    judged,
    now,
)
from termexplorer.workspace import Workspace

__all__ = ["FAULT", "NO_FAULT", "answer_findings", "drop_rejected", "name_finding", "read_answers"]

FAULT, NO_FAULT = "correct", "wrong"
_PREFIX = "check:"

Answers = Mapping[VerdictSubject, str]


def name_finding(finding: TermFinding) -> VerdictSubject:
    """Return what is judged of a finding: the same in each check that finds it."""
    other = finding.other or finding.term
    return VerdictSubject(f"{_PREFIX}{finding.rule}", finding.term.curie, other.curie)


def answer_findings(
    workspace: Workspace, judge: Judge, findings: Sequence[TermFinding], answer: str
) -> None:
    """Write one answer to several findings to the log, as one step.

    Args:
        workspace: whose log it is.
        judge: who says it.
        findings: what is judged.
        answer: `FAULT` or `NO_FAULT`.
    """
    moment = now()
    answer_row = Answer(answer, "", moment, moment)
    give_verdicts(workspace, judge, dict.fromkeys(map(name_finding, findings), answer_row))


def read_answers(workspace: Workspace, judge: Judge) -> dict[VerdictSubject, str]:
    """Return what a curator said of findings, in this check or an earlier one."""
    return {
        verdict.subject: verdict.answer.answer
        for verdict in judged(workspace)
        if verdict.judge == judge and verdict.subject.question.startswith(_PREFIX)
    }


def drop_rejected(report: GateReport, answers: Answers) -> GateReport:
    """Return a report without the findings that are no faults."""
    remaining = tuple(
        finding
        for finding in report.result.findings
        if answers.get(name_finding(finding)) != NO_FAULT
    )
    return replace(report, result=replace(report.result, findings=remaining))
