"""What is found of new terms."""

from __future__ import annotations

from dataclasses import dataclass

from termexplorer.trainer.checking.terms import OntologyTerm
from termexplorer.trainer.errors import Message

RULES = {
    "duplicate": Message("The term is there already, under this name or another"),
    "name-taken": Message("Another term has the name"),
    "doubtful-parent": Message("The name does not fit below the parent"),
    "doubtful-definition": Message("The definition fits another term better"),
    "repeated-definition": Message("Another term has the same definition"),
    "missing-synonym": Message("The term has no synonym, where terms beside it have some"),
    "missing-name": Message("The term has no name"),
    "missing-parent": Message("The term has no parent"),
    "obsolete-parent": Message("The parent is withdrawn"),
    "unknown-parent": Message("The parent is not there"),
    "cycle": Message("The term is above itself"),
    "id-taken": Message("The id means another term already"),
}
"""What is looked for, by the key of a finding."""


@dataclass(frozen=True, slots=True)
class TermFinding:
    """One finding.

    Attributes:
        rule: a key of `RULES`.
        term: the new term.
        probability: that it is a fault.
        evidence: what speaks for it.
        other: the term that it is a duplicate of, that has its name, and the like; None for none.
    """

    rule: str
    term: OntologyTerm
    probability: float
    evidence: Message
    other: OntologyTerm | None = None


@dataclass(frozen=True, slots=True)
class CheckSettings:
    """How it is checked.

    Attributes:
        at_least: findings of a smaller probability are left out.
        rules: keys of `RULES` to look for.
        seed: of what is made to learn from.
    """

    at_least: float = 0.2
    rules: frozenset[str] = frozenset(RULES)
    seed: int = 0


@dataclass(frozen=True, slots=True)
class CheckResult:
    """What was found.

    Attributes:
        findings: the most probable first.
        checked: how many new terms there are.
        known: how many other terms these were compared with.
        copies: how many terms were added a second time to learn from; 0 where none were.
    """

    findings: tuple[TermFinding, ...]
    checked: int
    known: int
    copies: int
