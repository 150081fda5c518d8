"""Findings kept as lists of suggestions, for review in Curate."""

from collections.abc import Iterable
from pathlib import Path

from termexplorer.errors import UserError
from termexplorer.services.check.findings_table import HEADER, list_rows
from termexplorer.services.check.gate import GateReport, TermFinding
from termexplorer.services.curate.suggestion_files import (
    SEMANTIC,
    SssomRow,
    SuggestionSheet,
    confidence,
)
from termexplorer.services.curate.suggestion_lists import KeptSearch, keep_suggestions
from termexplorer.services.files.exports import Cell
from termexplorer.texts import tr
from termexplorer.trainer.checking.terms import OntologyTerm
from termexplorer.workspace import Workspace

_KINDS = {
    "duplicates": (
        "skos:closeMatch",
        frozenset({"duplicate", "name-taken", "repeated-definition"}),
    ),
    "misplaced": ("skos:broadMatch", frozenset({"doubtful-parent"})),
}
"""Kinds of lists, what is suggested there, and the rules whose findings go in."""


def refuse_files(sources: Iterable[str]) -> None:
    """Refuse to keep lists where something compared is a file.

    Raises:
        UserError: one of them is.
    """
    for text in sources:
        if Path(text).exists():
            raise UserError(
                tr(
                    "{path} is a file, and a list is kept on ontologies of the workspace: import "
                    "it, and give its id",
                    path=text,
                )
            )


def keep_findings(workspace: Workspace, report: GateReport) -> list[KeptSearch]:
    """Keep findings of two terms as lists of duplicates and of misplaced concepts."""
    source, target = report.new.release, report.known.release
    if source is None or target is None:
        return []
    searches = []
    for kind, (predicate, rules) in _KINDS.items():
        by_pair: dict[tuple[str, str], tuple[list[Cell], SssomRow]] = {}
        for finding, row in zip(report.result.findings, list_rows(report), strict=True):
            if finding.rule in rules and finding.other is not None:
                mapping = _make_mapping(finding, finding.other, predicate)
                by_pair.setdefault((mapping.subject_id, mapping.object_id), (row, mapping))
        if by_pair:
            rows, mappings = zip(*by_pair.values(), strict=True)
            sheet = SuggestionSheet(source, target, (), HEADER, rows, mappings)
            searches.append(keep_suggestions(workspace, kind, sheet, {"check": True}, ()))
    return searches


def _make_mapping(finding: TermFinding, other: OntologyTerm, predicate: str) -> SssomRow:
    return SssomRow(
        finding.term.curie,
        finding.term.label,
        predicate,
        other.curie,
        other.label,
        SEMANTIC,
        confidence(finding.probability),
        str(finding.evidence),
    )
