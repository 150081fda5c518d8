"""Findings of a check of new terms, with what the curator said of each."""

from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import QObject, Qt

from termexplorer.models.columns import NO_INDEX, ColumnsModel, Index
from termexplorer.services.check.finding_verdicts import FAULT, NO_FAULT, name_finding
from termexplorer.services.check.gate import TermFinding
from termexplorer.services.verdicts.log import VerdictSubject
from termexplorer.store.kept_messages import translate_message
from termexplorer.texts import mark, number, tr, translated
from termexplorer.trainer.checking.findings import RULES

_WORDS = {FAULT: mark("✓ fault"), NO_FAULT: mark("✗ no fault")}
_PROBABILITY = 6


class FindingTableModel(ColumnsModel):
    """Shows findings as rows.

    Attributes:
        rows: what is shown, in that order.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.header = (
            tr("Verdict"), tr("Finding"), tr("Concept"), tr("Name"), tr("Other concept"),
            tr("Other name"), tr("Probability"), tr("Evidence"),
        )  # fmt: skip
        self.figures = {_PROBABILITY}
        self.tips = {_PROBABILITY: tr("How likely it is a fault")}
        self.rows: Sequence[TermFinding] = ()
        self._all: Sequence[TermFinding] = ()
        self._answers: Mapping[VerdictSubject, str] = {}
        self._rule = ""

    def show_findings(self, findings: Sequence[TermFinding]) -> None:
        """Show other findings, as they are filtered now."""
        self._all = findings
        self._filter()

    def show_answers(self, answers: Mapping[VerdictSubject, str]) -> None:
        """Show what the curator said."""
        self._answers = answers
        if self.rows:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self.rows) - 1, 0))

    def show_rule(self, rule: str) -> None:
        """Show the findings of one rule; of all if it is empty."""
        self._rule = rule
        self._filter()

    def rowCount(self, parent: Index = NO_INDEX) -> int:  # noqa: N802
        """How many findings are shown."""
        return 0 if parent.isValid() else len(self.rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """A cell's text, whole in the tooltip too."""
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return self._texts(self.rows[index.row()])[index.column()]
        return self.side(index.column()) if role == Qt.ItemDataRole.TextAlignmentRole else None

    def _texts(self, finding: TermFinding) -> tuple[str, ...]:
        answer = self._answers.get(name_finding(finding), "")
        other = finding.other
        return (
            translated(_WORDS[answer]) if answer in _WORDS else "",
            rule_text(finding.rule),
            finding.term.curie,
            finding.term.label,
            other.curie if other else "",
            other.label if other else "",
            number(finding.probability, ".2f"),
            translate_message(finding.evidence),
        )

    def _filter(self) -> None:
        self.beginResetModel()
        self.rows = [finding for finding in self._all if self._rule in ("", finding.rule)]
        self.endResetModel()


def rule_text(rule: str) -> str:
    """Return what a rule finds, in words."""
    return translate_message(RULES[rule])
