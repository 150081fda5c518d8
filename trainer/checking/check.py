"""Test new terms of an ontology against those it has: the door of this package."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from termexplorer.trainer.checking.definitions import DefinitionModel, find_repeated_definitions
from termexplorer.trainer.checking.duplicate_model import DuplicateModel
from termexplorer.trainer.checking.facts import find_facts
from termexplorer.trainer.checking.findings import CheckResult, CheckSettings, TermFinding
from termexplorer.trainer.checking.pair_features import TermComparison
from termexplorer.trainer.checking.parents import ParentModel, find_doubtful_parents
from termexplorer.trainer.checking.terms import OntologyTerm, TermTable
from termexplorer.trainer.errors import Message
from termexplorer.trainer.representations.base import Representation

__all__ = ["check_terms", "find_duplicates"]

Int64s = NDArray[np.int64]

STEPS = ("facts", "duplicates", "parents", "definitions")
_LEARNED_RULES = {"duplicate", "doubtful-parent", "doubtful-definition"}
_MOST_DUPLICATES = 3  # of one term


def check_terms(
    known: Sequence[OntologyTerm],
    new: Sequence[OntologyTerm],
    encoder: Representation,
    settings: CheckSettings | None = None,
    tick: Callable[[], None] = lambda: None,
    begin: Callable[[str], None] = lambda step: None,
) -> CheckResult:
    """Test new terms against those that are known, and against each other.

    What is not to be read off the terms is judged by models that learn from the known ones alone:
    from terms that are added a second time, links to wrong parents, and exchanged definitions.

    Args:
        known: terms of the ontology, withdrawn ones too.
        new: what is to be added to it.
        encoder: of names.
        settings: how it is checked.
        tick: called often; may raise to stop.
        begin: called with each of `STEPS` before it.

    Raises:
        ValueError: too few terms are known to learn from.
    """
    settings = settings or CheckSettings()
    table = TermTable.build(known, new)
    begin(STEPS[0])
    findings = list(find_facts(table, [term for term in new if not term.names]))
    findings += find_repeated_definitions(table)
    copies = 0
    if len(table.new) and settings.rules & _LEARNED_RULES:
        comparison = TermComparison(table, encoder.encode)
        if "duplicate" in settings.rules:
            begin(STEPS[1])
            model = DuplicateModel.fit(comparison, settings.seed, tick)
            copies = model.copies
            findings += find_duplicates(model, table.new, tick)
        if "doubtful-parent" in settings.rules:
            begin(STEPS[2])
            parents = ParentModel.fit(table, encoder, settings.seed, tick)
            findings += find_doubtful_parents(parents, table, tick) if parents else ()
        if "doubtful-definition" in settings.rules:
            begin(STEPS[3])
            definitions = DefinitionModel.fit(comparison, settings.seed, tick)
            findings += definitions.judge(table.new, tick) if definitions else ()
    chosen = [
        finding
        for finding in findings
        if finding.probability >= settings.at_least and finding.rule in settings.rules
    ]
    chosen.sort(key=lambda finding: -finding.probability)
    return CheckResult(tuple(chosen), len(new), len(known), copies)


def find_duplicates(
    model: DuplicateModel, rows: Int64s, tick: Callable[[], None] = lambda: None
) -> Iterator[TermFinding]:
    """Yield the likeliest terms that some terms of a table may be, three of each at most."""
    table = model.comparison.table
    likely = model.judge(rows, tick)
    by_term: dict[int, list[tuple[float, int]]] = defaultdict(list)
    for (number, other), probability in zip(
        likely.pairs.tolist(), likely.probabilities.tolist(), strict=True
    ):
        by_term[number].append((probability, other))
    for number, candidates in by_term.items():
        row = int(rows[number])
        for probability, other in sorted(candidates, reverse=True)[:_MOST_DUPLICATES]:
            evidence = _describe_likeness(model, row, other)
            yield TermFinding(
                "duplicate", table.terms[row], probability, evidence, table.terms[other]
            )


def _describe_likeness(model: DuplicateModel, row: int, other: int) -> Message:
    table = model.comparison.table
    name, other_name, cosine = model.comparison.find_nearest_names(row, other)
    evidence = Message(
        "“{name}” and “{other}” are alike (cosine {cosine:.2f})",
        name=name,
        other=other_name,
        cosine=cosine,
    )
    notes = list(_list_notes(table, row, other))
    for note in notes:
        evidence = Message("{evidence}; {note}", evidence=evidence, note=note)
    return evidence


def _list_notes(table: TermTable, row: int, other: int) -> Iterable[Message]:
    term, rival = table.terms[row], table.terms[other]
    shared = sorted(set(term.cross_references) & set(rival.cross_references))
    if shared:
        yield Message("both refer to {references}", references=", ".join(shared[:3]))
    if other in table.parents[row]:
        yield Message("it is the term’s parent")
    elif set(table.parents[row]) & set(table.parents[other]):
        yield Message("they have the same parent")
    if rival.obsolete:
        yield Message("it is withdrawn")
