"""Findings as reports for CI and for people."""

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
from checked_gate import run_cheap_gate
from checked_terms import make_term

from termexplorer.services.check.ci_reports import write_junit, write_sarif
from termexplorer.services.check.markdown_comment import escape_markdown, write_markdown


def test_sarif_has_what_code_scanning_asks_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    report = run_cheap_gate(tmp_path, make_term("N:1", "renal cyst", parents=["T:1"]))
    write_sarif(tmp_path / "s.sarif", report)
    log = json.loads((tmp_path / "s.sarif").read_text("utf-8"))
    assert log["version"] == "2.1.0"
    (scan,) = log["runs"]
    rules = [rule["id"] for rule in scan["tool"]["driver"]["rules"]]
    taken, missing = scan["results"]
    assert [taken["level"], missing["level"]] == ["error", "note"]
    assert rules[taken["ruleIndex"]] == taken["ruleId"] == "name-taken"
    assert "renal cyst" in taken["message"]["text"]
    location = taken["locations"][0]["physicalLocation"]
    assert location["artifactLocation"]["uri"] == "new.obo"
    assert location["region"]["startLine"] == report.failing[0].term.line
    assert taken["partialFingerprints"] != missing["partialFingerprints"]


def test_junit_fails_the_terms_above_the_threshold(tmp_path: Path) -> None:
    report = run_cheap_gate(
        tmp_path,
        make_term("N:1", "renal cyst", parents=["T:1"]),
        make_term("N:2", "kidney <scar> & more", parents=["T:1"]),
    )
    write_junit(tmp_path / "j.xml", report)
    suite = ElementTree.parse(tmp_path / "j.xml").getroot()[0]  # noqa: S314 - ours
    assert (suite.get("tests"), suite.get("failures")) == ("2", "1")
    failing, passing = suite.findall("testcase")
    assert failing.find("failure") is not None
    assert passing.find("failure") is None
    assert passing.get("name") == "N:2 kidney <scar> & more"


def test_a_comment_has_the_findings_and_mentions_nobody(tmp_path: Path) -> None:
    report = run_cheap_gate(
        tmp_path, make_term("N:1", "renal cyst", "@octocat | x", parents=["T:1"])
    )
    write_markdown(tmp_path / "c.md", report)
    comment = (tmp_path / "c.md").read_text("utf-8")
    assert "| N:1 renal cyst |" in comment
    assert escape_markdown("@octocat | <b>") == "@\u200boctocat \\| \\<b\\>"
