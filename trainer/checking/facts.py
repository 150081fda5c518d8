"""Faults of new terms that are there to be read: names, ids, parents and cycles."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator

from termexplorer.trainer.checking.findings import TermFinding
from termexplorer.trainer.checking.terms import OntologyTerm, TermTable
from termexplorer.trainer.errors import Message
from termexplorer.trainer.mapping.name_forms import make_forms
from termexplorer.trainer.mapping.sides import EXACT, INEXACT, PREFERRED

_KIND_WORDS = {
    PREFERRED: Message("label"),
    EXACT: Message("synonym"),
    INEXACT: Message("broader, narrower or related synonym"),
}
_CLASHES = {
    (PREFERRED, PREFERRED): 1.0,
    (PREFERRED, EXACT): 0.9,
    (EXACT, PREFERRED): 0.9,
    (EXACT, EXACT): 0.8,
}
"""How surely it is a fault that two live terms share a name, by the kinds that it has in both."""
_INEXACT_CLASH, _OBSOLETE_CLASH = 0.3, 0.7
_MOST_MISSING = 0.5  # of a synonym that is not there
_SIBLINGS_COUNTED = 5.0  # terms of the usual kind that are counted besides


def find_facts(table: TermTable, nameless: Iterable[OntologyTerm] = ()) -> Iterator[TermFinding]:
    """Yield what is wrong with the new terms of a table by what they say themselves.

    Args:
        table: with all terms.
        nameless: new terms without a name, which the table does not have.
    """
    for term in nameless:
        yield TermFinding("missing-name", term, 1.0, Message("neither label nor synonym"))
    yield from _find_clashes(table)
    yield from _find_parent_faults(table)
    yield from _find_taken_ids(table)
    yield from _find_missing_synonyms(table)


def _find_clashes(table: TermTable) -> Iterator[TermFinding]:
    """Yield each other term that a new one shares a name with, of several names the surest."""
    holders: dict[str, list[tuple[int, str, int]]] = defaultdict(list)
    for row, text, kind, letters in _list_names(table, range(len(table.terms))):
        holders[letters].append((row, text, kind))
    new = set(table.new.tolist())
    best: dict[tuple[int, int], TermFinding] = {}
    for row, text, kind, letters in _list_names(table, table.new.tolist()):
        for other, other_text, other_kind in holders[letters]:
            if other == row or (other in new and other > row):  # of two new ones, the later is told
                continue
            probability = _rate_clash(kind, other_kind, table.terms[other].obsolete)
            known = best.get((row, other))
            if known is None or known.probability < probability:
                evidence = Message(
                    "its {kind} “{name}” is the {other_kind} “{other_name}” of the other",
                    kind=_KIND_WORDS[kind],
                    name=text,
                    other_kind=_KIND_WORDS[other_kind],
                    other_name=other_text,
                )
                best[row, other] = TermFinding(
                    "name-taken", table.terms[row], probability, evidence, table.terms[other]
                )
    yield from best.values()


def _list_names(table: TermTable, rows: Iterable[int]) -> Iterator[tuple[int, str, int, str]]:
    """Yield row, text, kind, and letters and digits of each name that has any."""
    for row in rows:
        names = table.terms[row].names
        forms = make_forms([text for text, _ in names]).letters
        for (text, kind), letters in zip(names, forms, strict=True):
            if letters:
                yield row, text, kind, letters


def _rate_clash(kind: int, other_kind: int, is_obsolete: bool) -> float:
    probability = _CLASHES.get((kind, other_kind), _INEXACT_CLASH)
    return min(probability, _OBSOLETE_CLASH) if is_obsolete else probability


def _find_parent_faults(table: TermTable) -> Iterator[TermFinding]:
    roots = sum(not table.parents[row] for row in range(len(table.terms)) if table.is_live[row])
    live = max(int(table.is_live.sum()), 1)
    for row in table.new.tolist():
        term = table.terms[row]
        if term.obsolete:
            continue
        for curie in dict.fromkeys(term.parents):
            yield from _judge_parent(table, term, curie)
        if not term.parents and roots < live / 2:
            evidence = Message(
                "{roots:,} of {terms:,} live terms have none", roots=roots, terms=live
            )
            yield TermFinding("missing-parent", term, 1 - roots / live, evidence)
        path = find_cycle(row, table.parents.__getitem__)
        if path:
            steps = " → ".join(table.terms[step].label for step in path)
            yield TermFinding("cycle", term, 1.0, Message("{steps}", steps=steps))


def _judge_parent(table: TermTable, term: OntologyTerm, curie: str) -> Iterator[TermFinding]:
    parent = table.terms[table.row_of[curie]] if curie in table.row_of else None
    if parent is None:
        evidence = Message("{curie} is in neither of the two", curie=curie)
        yield TermFinding("unknown-parent", term, 1.0, evidence)
    elif parent.obsolete:
        evidence = Message("{curie} {name} is withdrawn", curie=curie, name=parent.label)
        yield TermFinding("obsolete-parent", term, 1.0, evidence, parent)


def find_cycle(start: int, list_parents: Callable[[int], Iterable[int]]) -> list[int]:
    """Return a way from a term up to itself, both ends included; nothing where there is none."""
    came_from: dict[int, int] = {}
    waiting = [start]
    while waiting:
        row = waiting.pop()
        for parent in list_parents(row):
            if parent == start:
                path = [start, row]
                while path[-1] != start:
                    path.append(came_from[path[-1]])
                return path[::-1]
            if parent not in came_from:
                came_from[parent] = row
                waiting.append(parent)
    return []


def _find_taken_ids(table: TermTable) -> Iterator[TermFinding]:
    holders = {curie: term for term in table.terms for curie in term.alternative_ids}
    for row in table.new.tolist():
        term = table.terms[row]
        holder = holders.get(term.curie)
        if holder is not None and holder is not term:
            evidence = Message("it is an alternative id of {curie}", curie=holder.curie)
            yield TermFinding("id-taken", term, 1.0, evidence, holder)


def _find_missing_synonyms(table: TermTable) -> Iterator[TermFinding]:
    known = [row for row in range(len(table.terms)) if table.is_live[row]]
    known = sorted(set(known) - set(table.new.tolist()))
    with_synonym = {row for row in known if len(table.terms[row].names) > 1}
    usual = len(with_synonym) / max(len(known), 1)
    below: dict[int, list[int]] = defaultdict(list)
    for row in known:
        for parent in table.parents[row]:
            below[parent].append(row)
    for row in table.new.tolist():
        term = table.terms[row]
        if len(term.names) > 1 or term.obsolete:
            continue
        siblings = {sibling for parent in table.parents[row] for sibling in below[parent]}
        count = len(siblings & with_synonym)
        share = (count + usual * _SIBLINGS_COUNTED) / (len(siblings) + _SIBLINGS_COUNTED)
        evidence = Message(
            "{count:,} of {siblings:,} terms beside it have one, {share:.0%} of all",
            count=count,
            siblings=len(siblings),
            share=usual,
        )
        yield TermFinding("missing-synonym", term, _MOST_MISSING * share, evidence)
