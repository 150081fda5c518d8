"""What is new in a file or release against another one, and what is wrong with it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from termexplorer.errors import UserError
from termexplorer.importers.format_table import TABLE
from termexplorer.importers.formats import detect
from termexplorer.services.check.proposals import read_proposals
from termexplorer.services.check.term_sources import TermSource, read_release, read_term_file
from termexplorer.services.explore.ontologies import find_ontology
from termexplorer.texts import tr
from termexplorer.trainer.checking.findings import CheckResult, CheckSettings, TermFinding
from termexplorer.trainer.checking.terms import OntologyTerm
from termexplorer.trainer.errors import TrainerError
from termexplorer.workspace import Workspace

__all__ = [
    "CheckSettings",
    "GateReport",
    "TermFinding",
    "TermSource",
    "read_source",
    "run_gate",
    "split_new",
]

OpenWorkspace = Callable[[], Workspace]


@dataclass(frozen=True, slots=True)
class GateReport:
    """What was found of the new terms.

    Attributes:
        new: where they are from.
        known: what they were compared with.
        new_terms: those of them that are new.
        result: the findings.
        fail_at: the probability from which on a finding fails the check.
    """

    new: TermSource
    known: TermSource
    new_terms: tuple[OntologyTerm, ...]
    result: CheckResult
    fail_at: float

    @property
    def failing(self) -> tuple[TermFinding, ...]:
        """Return the findings for which the check fails."""
        return tuple(f for f in self.result.findings if f.probability >= self.fail_at)

    @property
    def rest(self) -> tuple[TermFinding, ...]:
        """Return the other findings."""
        return tuple(f for f in self.result.findings if f.probability < self.fail_at)


def run_gate(
    new: str,
    known: str,
    open_workspace: OpenWorkspace,
    settings: CheckSettings,
    fail_at: float,
    begin: Callable[[str], None] = lambda step: None,
) -> GateReport:
    """Test each term of a file or release that another one does not have.

    Args:
        new: a path; or the id or terminology of a release in the workspace.
        known: likewise.
        open_workspace: asked only where one of the two is no file.
        settings: how it is checked.
        fail_at: the probability from which on a finding fails the check.
        begin: called with each step before it.

    Raises:
        UserError: one of the two cannot be read, or too few terms are known to learn from.
    """
    from termexplorer.trainer.built_in import builtin  # with NumPy and Torch
    from termexplorer.trainer.checking.check import check_terms

    known_source = read_source(known, open_workspace)
    new_path = Path(new)
    if new_path.exists() and detect(new_path) == TABLE:
        new_source = read_proposals(new_path, known_source.terms)
    else:
        new_source = read_source(new, open_workspace)
    known_terms, new_terms = split_new(known_source.terms, new_source.terms)
    try:
        result = check_terms(known_terms, new_terms, builtin(), settings, begin=begin)
    except TrainerError as error:
        raise UserError(tr("{path}: {error}", path=known_source.title, error=error)) from error
    return GateReport(new_source, known_source, tuple(new_terms), result, fail_at)


def split_new(
    known: Sequence[OntologyTerm], changed: Sequence[OntologyTerm]
) -> tuple[list[OntologyTerm], list[OntologyTerm]]:
    """Return the terms that are compared with, as they are after the change, and the new ones.

    Terms that a new one replaces, as it or they say, are not compared with.
    """
    by_curie = {term.curie: term for term in changed}
    known_ids = {term.curie for term in known}
    new = [term for term in changed if term.curie not in known_ids and not term.obsolete]
    new_ids = {term.curie for term in new}
    replaced = {curie for term in new for curie in term.alternative_ids}
    current = [by_curie.get(term.curie, term) for term in known]
    return [
        term
        for term in current
        if term.curie not in replaced
        and not (term.obsolete and new_ids.intersection(term.replaced_by))
    ], new


def read_source(text: str, open_workspace: OpenWorkspace) -> TermSource:
    """Read the terms of a file, or of a release in the workspace by its id or terminology.

    Raises:
        UserError: there is none, or it cannot be read.
    """
    path = Path(text)
    if path.exists():
        return read_term_file(path)
    if path.suffix or len(path.parts) > 1:
        raise UserError(tr("{path}: there is no such file; check its name and folder", path=text))
    workspace = open_workspace()
    return read_release(workspace, find_ontology(workspace, text))
