"""The gate on small files, with the rules that learn nothing."""

from pathlib import Path
from typing import NoReturn

from checked_terms import list_known_terms, write_obo

from termexplorer.services.check.gate import CheckSettings, GateReport, run_gate
from termexplorer.trainer.checking.terms import OntologyTerm

CHEAP = CheckSettings(rules=frozenset({"name-taken", "unknown-parent", "missing-synonym"}))


def refuse_workspace() -> NoReturn:
    """Fail where a workspace is opened."""
    raise AssertionError("two files need no workspace")


def run_cheap_gate(
    folder: Path, *new: OntologyTerm, table: str = "", fail_at: float = 0.8
) -> GateReport:
    """Run the gate on new terms, written after the known ones, or on a table."""
    known = list_known_terms()
    old = folder / "old.obo"
    old.write_text(write_obo(known), "utf-8")
    changed = folder / ("new.csv" if table else "new.obo")
    changed.write_text(table or write_obo([*known, *new]), "utf-8")
    return run_gate(str(changed), str(old), refuse_workspace, CHEAP, fail_at)
