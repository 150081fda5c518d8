"""The command `check`: new terms tested before they enter a terminology."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from termexplorer.cli.check.lazy_workspace import LazyWorkspace
from termexplorer.cli.options import (
    TABLES,
    TABLES_TOLD,
    JsonOption,
    WorkspaceOption,
    options_from_dataclass,
    out_file,
)
from termexplorer.cli.output import count_text, print_json, print_line, print_table
from termexplorer.services.check.ci_reports import write_junit, write_sarif
from termexplorer.services.check.findings_table import HEADER, list_rows, rate_severity
from termexplorer.services.check.gate import CheckSettings, GateReport, run_gate
from termexplorer.services.check.markdown_comment import write_markdown
from termexplorer.services.check.review_lists import keep_findings, refuse_files
from termexplorer.services.curate.suggestion_lists import describe_kept
from termexplorer.services.files.exports import write_table
from termexplorer.trainer.checking.findings import RULES, TermFinding

_SHOWN = ("rule", "concept", "name", "other_concept", "other_name", "probability", "evidence")


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckOptions:
    """What it is asked."""

    new: Annotated[
        str,
        typer.Argument(
            help="A file in any format that can be imported, a table of proposed terms (name, "
            "synonyms, definition, parent), or the id of an ontology."
        ),
    ]
    against: Annotated[
        str, typer.Option(metavar="OLD", help="The file, or id, that the terms are new against.")
    ]
    fail_at: Annotated[
        float,
        typer.Option(min=0, max=1, help="Exit code 1 for a finding of this probability or above."),
    ] = 0.8
    at_least: Annotated[
        float, typer.Option(min=0, max=1, help="Findings of a smaller probability are left out.")
    ] = 0.2
    without: Annotated[
        list[str] | None,
        typer.Option(metavar="RULE", help=f"Leave a rule out; repeatable: {', '.join(RULES)}."),
    ] = None
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help=f"All findings, as {TABLES_TOLD}.", callback=out_file(*TABLES)
        ),
    ] = None
    markdown: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="A comment for a pull request: .md.",
            callback=out_file(".md", ".markdown"),
        ),
    ] = None
    sarif: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="For code scanning: SARIF 2.1.0.",
            callback=out_file(".sarif", ".json"),
        ),
    ] = None
    junit: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="For CI: JUnit's XML.", callback=out_file(".xml")),
    ] = None
    keep: Annotated[
        bool,
        typer.Option(
            "--list", help="Keep the findings for review in Curate; of two ontologies alone."
        ),
    ] = False
    limit: Annotated[int, typer.Option(min=0, help="The most findings to show.")] = 50
    seed: Annotated[int, typer.Option("--seed", min=0, help="Of what is made to learn from.")] = 0
    workspace: WorkspaceOption = None
    json: JsonOption = False


@options_from_dataclass
def check_command(asked: CheckOptions) -> None:
    """Test new terms before they go in: duplicates, parents, names, definitions, cycles.

    Each term that OLD does not have is compared with those that it has, withdrawn ones too, and
    with the other new ones. Each finding has its evidence and the probability that it is a fault,
    learned from terms that are added a second time, wrong parents and exchanged definitions. Two
    files need no workspace. Exit code 0 if no finding reaches --fail-at, else 1.
    """
    rules = _choose_rules(asked)
    if asked.keep:
        refuse_files((asked.new, asked.against))
    with LazyWorkspace(asked.workspace) as lazy:
        settings = CheckSettings(asked.at_least, rules, asked.seed)
        report = run_gate(asked.new, asked.against, lazy.open, settings, asked.fail_at)
        _write_files(asked, report)
        lists = keep_findings(lazy.open(), report) if asked.keep else []
    if asked.json:
        print_json(_report_object(report) | {"lists": [search.list_id for search in lists]})
    else:
        _print_report(asked, report)
        for search in lists:
            print_line(describe_kept(search))
    if report.failing:
        count = count_text(len(report.failing), "finding reaches", "findings reach")
        typer.echo(f"termexplorer: {count} --fail-at {asked.fail_at:g}", err=True)
        raise typer.Exit(1)


def _choose_rules(asked: CheckOptions) -> frozenset[str]:
    without = frozenset(asked.without or ())
    if not without <= RULES.keys():
        raise typer.BadParameter(f"there are {', '.join(RULES)}", param_hint="--without")
    return frozenset(RULES) - without


def _write_files(asked: CheckOptions, report: GateReport) -> None:
    if asked.out is not None:
        write_table(asked.out, HEADER, list_rows(report))
    for path, write in (
        (asked.markdown, write_markdown),
        (asked.sarif, write_sarif),
        (asked.junit, write_junit),
    ):
        if path is not None:
            write(path, report)


def _print_report(asked: CheckOptions, report: GateReport) -> None:
    result = report.result
    print_line(
        f"{count_text(result.checked, 'new term', 'new terms')} of {report.new.title}, compared "
        f"with {result.known:,} of {report.known.title}: "
        f"{count_text(len(result.findings), 'finding', 'findings')}, of which "
        f"{len(report.failing):,} of probability {report.fail_at:g} or above"
    )
    shown = report.result.findings[: asked.limit]
    if shown:
        columns = tuple(column.replace("_", " ") for column in _SHOWN)
        print_table(columns, [tuple(_shown_cells(finding).values()) for finding in shown])
    if len(shown) < len(result.findings):
        print_line(f"the first {len(shown):,} are shown; --out writes all")
    for path in (asked.out, asked.markdown, asked.sarif, asked.junit):
        if path is not None:
            print_line(f"{path}: written")


def _shown_cells(finding: TermFinding) -> dict[str, object]:
    other = finding.other
    cells = (
        finding.rule,
        finding.term.curie,
        finding.term.label,
        other.curie if other else "",
        other.label if other else "",
        finding.probability,
        str(finding.evidence),
    )
    return dict(zip(_SHOWN, cells, strict=True))


def _report_object(report: GateReport) -> dict[str, object]:
    return {
        "new": report.new.title,
        "against": report.known.title,
        "new_terms": report.result.checked,
        "known_terms": report.result.known,
        "fail_at": report.fail_at,
        "failing": len(report.failing),
        "findings": [
            _shown_cells(finding)
            | {
                "severity": rate_severity(finding, report.fail_at),
                "line": finding.term.line or None,
            }
            for finding in report.result.findings
        ],
    }
