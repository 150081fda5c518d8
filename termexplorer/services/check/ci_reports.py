"""Findings for machines that build: SARIF 2.1.0, and the XML of JUnit."""

import hashlib
import json
import re
from collections import defaultdict
from importlib.metadata import version
from pathlib import Path
from typing import Any
from urllib.parse import quote
from xml.etree import ElementTree

from termexplorer.files import atomic_write
from termexplorer.services.check.findings_table import rate_severity
from termexplorer.services.check.gate import GateReport, TermFinding
from termexplorer.trainer.checking.findings import RULES
from termexplorer.trainer.checking.terms import OntologyTerm

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_UNWRITABLE = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")  # in XML


def write_sarif(path: Path, report: GateReport) -> None:
    """Write the findings as SARIF 2.1.0, as code scanning reads it."""
    rules = list(RULES)
    driver = {
        "name": "termexplorer",
        "version": version("termexplorer"),
        "rules": [
            {
                "id": rule,
                "shortDescription": {"text": str(RULES[rule])},
                "defaultConfiguration": {"level": "warning"},
            }
            for rule in rules
        ],
    }
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": [_make_result(report, finding, rules) for finding in report.result.findings],
    }
    text = json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, indent=1)
    with atomic_write(path) as fresh:
        fresh.write_text(text + "\n", encoding="utf-8")


def _make_result(report: GateReport, finding: TermFinding, rules: list[str]) -> dict[str, Any]:
    other = finding.other.curie if finding.other else ""
    key = "\n".join((finding.rule, finding.term.curie, finding.term.label, other))
    return {
        "ruleId": finding.rule,
        "ruleIndex": rules.index(finding.rule),
        "level": rate_severity(finding, report.fail_at),
        "message": {"text": f"{RULES[finding.rule]}. {describe_finding(finding)}"},
        "locations": [_make_location(report, finding.term)],
        "partialFingerprints": {"finding/v1": hashlib.sha256(key.encode()).hexdigest()},
        "properties": {"probability": round(finding.probability, 4)},
    }


def _make_location(report: GateReport, term: OntologyTerm) -> dict[str, Any]:
    name = {"name": term.curie, "fullyQualifiedName": f"{term.curie} {term.label}"}
    location: dict[str, Any] = {"logicalLocations": [name]}
    if report.new.path is not None:
        physical: dict[str, Any] = {"artifactLocation": {"uri": _make_uri(report.new.path)}}
        if term.line:
            physical["region"] = {"startLine": term.line}
        location["physicalLocation"] = physical
    return location


def _make_uri(path: Path) -> str:
    """Return a path as the URI of a file: relative to the working folder where it is in it."""
    resolved, folder = path.resolve(), Path.cwd()
    if resolved.is_relative_to(folder):
        return quote(resolved.relative_to(folder).as_posix())
    return resolved.as_uri()


def write_junit(path: Path, report: GateReport) -> None:
    """Write one test case for each new term with a finding; those above the threshold fail."""
    by_term: dict[str, list[TermFinding]] = defaultdict(list)
    for finding in report.result.findings:
        by_term[finding.term.curie].append(finding)
    failing = {finding.term.curie for finding in report.failing}
    counts = {"tests": str(report.result.checked), "failures": str(len(failing)), "errors": "0"}
    suites = ElementTree.Element("testsuites", counts)
    name = _clean_text(f"termexplorer check {report.new.title}")
    suite = ElementTree.SubElement(suites, "testsuite", {"name": name, **counts})
    for term in report.new_terms:
        case = ElementTree.SubElement(
            suite,
            "testcase",
            {
                "classname": _clean_text(report.new.title),
                "name": _clean_text(f"{term.curie} {term.label}"),
            },
        )
        _add_findings(case, by_term.get(term.curie, []), report.fail_at)
    ElementTree.indent(suites)
    with atomic_write(path) as fresh:
        ElementTree.ElementTree(suites).write(fresh, encoding="utf-8", xml_declaration=True)


def _add_findings(case: ElementTree.Element, findings: list[TermFinding], fail_at: float) -> None:
    failing = [finding for finding in findings if finding.probability >= fail_at]
    rest = [finding for finding in findings if finding.probability < fail_at]
    if failing:
        message = _clean_text("; ".join(str(RULES[finding.rule]) for finding in failing))
        failure = ElementTree.SubElement(
            case, "failure", {"type": failing[0].rule, "message": message}
        )
        failure.text = _clean_text("\n".join(map(describe_finding, failing)))
    if rest:
        output = ElementTree.SubElement(case, "system-out")
        output.text = _clean_text("\n".join(map(describe_finding, rest)))


def _clean_text(text: str) -> str:
    """Return a text without what XML cannot hold."""
    return _UNWRITABLE.sub("\N{REPLACEMENT CHARACTER}", text)


def describe_finding(finding: TermFinding) -> str:
    """Return a finding as one line of text."""
    other = f" – {finding.other.curie} {finding.other.label}" if finding.other else ""
    return (
        f"{finding.term.curie} {finding.term.label}{other}: {finding.evidence} "
        f"({finding.probability:.2f})"
    )
