"""Mappings on an older release brought to a newer one: what holds, what is stale, and why."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from termexplorer.errors import UserError
from termexplorer.exporters.sssom import write_sssom
from termexplorer.services.check.gate import OpenWorkspace, read_source
from termexplorer.services.check.term_changes import (
    BETTER,
    REASONS,
    ReleaseTerms,
    TermChange,
    simplify_name,
)
from termexplorer.services.curate.mapping_formats import open_mappings
from termexplorer.services.files.exports import Cell
from termexplorer.texts import tr, translated
from termexplorer.trainer.checking.terms import OntologyTerm
from termexplorer.trainer.errors import TrainerError

__all__ = ["CarriedMapping", "CarryOver", "carry_over", "list_stale_rows", "write_carried"]

SIDES = ("subject", "object")
HEADER = (
    "side", "concept", "name", "reasons", "replacement", "replacement name", "probability",
    "stated", "predicate", "denied", "other concept", "other name", "comment", "explanation",
)  # fmt: skip
_DENIED = "Not"


@dataclass(frozen=True, slots=True)
class SideChange:
    """Why one side of a mapping needs a person.

    Attributes:
        side: subject or object.
        change: what became of its term.
        reasons: keys of `REASONS`.
        replacement: what is proposed; None for nothing.
        probability: that the two are one; 1 where the newer release says so.
        is_stated: whether the newer release says so.
    """

    side: str
    change: TermChange
    reasons: tuple[str, ...]
    replacement: OntologyTerm | None
    probability: float
    is_stated: bool


@dataclass(frozen=True, slots=True)
class CarriedMapping:
    """A mapping as it is on the newer release.

    Attributes:
        row: its slots; terms that one other took the place of, as the release says, are that one.
        former: its slots before.
        changes: why it needs a person; nothing where it holds.
    """

    row: Mapping[str, str]
    former: Mapping[str, str]
    changes: tuple[SideChange, ...]


@dataclass(frozen=True, slots=True)
class CarryOver:
    """All mappings of a file.

    Attributes:
        head: the slots of the set.
        mappings: in the order of the file.
    """

    head: Mapping[str, Any]
    mappings: tuple[CarriedMapping, ...]

    @property
    def stale(self) -> tuple[CarriedMapping, ...]:
        """Return the mappings that need a person."""
        return tuple(mapping for mapping in self.mappings if mapping.changes)


def carry_over(mappings: Path, older: str, newer: str, open_workspace: OpenWorkspace) -> CarryOver:
    """Bring mappings to a newer release of their subjects or objects.

    Args:
        mappings: a file in any of `MAPPING_FORMATS`.
        older: the release that they are on: a file, or the id of one in the workspace.
        newer: the newer one, likewise.
        open_workspace: asked only where one of the two is no file.

    Raises:
        UserError: something cannot be read, or no mapping has a term of the older release.
    """
    with open_mappings(mappings) as opened:
        head, rows = opened.head, [row for _, row in opened.rows]
    terms = ReleaseTerms(
        read_source(older, open_workspace).terms, read_source(newer, open_workspace).terms
    )
    changes = _collect_changes(rows, terms)
    if not changes:
        raise UserError(
            tr(
                "{path}: no mapping has a concept of {older}; give the release that they are on",
                path=mappings,
                older=older,
            )
        )
    proposals = propose_replacements(terms, list(changes.values()))
    carried = tuple(_carry_row(row, changes, proposals, terms) for row in rows)
    return CarryOver(head, carried)


def propose_replacements(
    terms: ReleaseTerms, changes: Sequence[TermChange]
) -> dict[str, tuple[OntologyTerm, float]]:
    """Return the likeliest replacement of each retired term that no single one is stated of.

    Where several are stated, it is one of them.

    Raises:
        UserError: too few terms are live to learn from.
    """
    from termexplorer.trainer.built_in import builtin  # with NumPy and Torch
    from termexplorer.trainer.checking.replacements import rank_replacements

    retired = [
        change.before
        for change in changes
        if change.after is None and len(change.stated) != 1 and change.before.names
    ]
    try:
        ranked = rank_replacements(terms.live, retired, builtin(), terms.merged)
    except TrainerError as error:
        raise UserError(tr("{path}: {error}", path=tr("the newer release"), error=error)) from error
    proposals = {}
    for term, candidates in zip(retired, ranked, strict=True):
        stated = terms.list_stated(term.curie)
        chosen = [c for c in candidates if not stated or c.term.curie in stated]
        if chosen:
            proposals[term.curie] = (chosen[0].term, chosen[0].probability)
        elif stated:
            proposals[term.curie] = (terms.newer[stated[0]], 0.0)
    return proposals


def _collect_changes(
    rows: Sequence[Mapping[str, str]], terms: ReleaseTerms
) -> dict[str, TermChange]:
    changes = {}
    for row in rows:
        for side in SIDES:
            curie = row.get(f"{side}_id", "")
            if curie not in changes and (change := terms.describe_change(curie)):
                changes[curie] = change
    return changes


def _carry_row(
    row: Mapping[str, str],
    changes: Mapping[str, TermChange],
    proposals: Mapping[str, tuple[OntologyTerm, float]],
    terms: ReleaseTerms,
) -> CarriedMapping:
    carried, side_changes = dict(row), []
    for side, other_side in zip(SIDES, reversed(SIDES), strict=True):
        change = changes.get(row.get(f"{side}_id", ""))
        if change is None:
            continue
        stated = terms.newer[change.stated[0]] if len(change.stated) == 1 else None
        current = stated or change.after
        if current is not None:
            carried[f"{side}_id"] = current.curie
            if f"{side}_label" in carried:
                carried[f"{side}_label"] = current.label
        rival = _find_better(current, row.get(f"{other_side}_label", ""), terms)
        reasons = (*change.reasons, *([BETTER] if rival else []))
        if not reasons:
            continue
        proposed, probability = stated, 1.0
        if stated is None:
            proposed, probability = proposals.get(change.before.curie, (rival, 0.0))
        side_changes.append(
            SideChange(side, change, reasons, proposed, probability, stated is not None)
        )
    return CarriedMapping(carried, dict(row), tuple(side_changes))


def _find_better(
    term: OntologyTerm | None, other_name: str, terms: ReleaseTerms
) -> OntologyTerm | None:
    """Return a new term that has the name of what a term is mapped to, which the term has not."""
    name = simplify_name(other_name)
    if term is None or not name or name in {simplify_name(text) for text, _ in term.names}:
        return None
    rival = terms.added_by_name.get(name)
    return rival if rival is not None and rival.curie != term.curie else None


def list_stale_rows(carried: CarryOver) -> Iterator[list[Cell]]:
    """Yield what needs a person under `HEADER`, one row for each side that changed."""
    for mapping in carried.stale:
        for change in mapping.changes:
            row = mapping.former
            other_side = SIDES[change.side == SIDES[0]]
            proposed = change.replacement
            yield [
                change.side,
                change.change.before.curie,
                change.change.before.label,
                "; ".join(change.reasons),
                proposed.curie if proposed else "",
                proposed.label if proposed else "",
                round(change.probability, 4) if proposed and change.probability else None,
                "yes" if change.is_stated else "no",
                row.get("predicate_id", ""),
                "yes" if row.get("predicate_modifier") == _DENIED else "no",
                row.get(f"{other_side}_id", ""),
                row.get(f"{other_side}_label", ""),
                row.get("comment", ""),
                "; ".join(translated(REASONS[reason]) for reason in change.reasons),
            ]


def write_carried(path: Path, carried: CarryOver) -> None:
    """Write all mappings as SSSOM, denied ones and comments too, on the newer release."""
    write_sssom(path, carried.head, [mapping.row for mapping in carried.mappings])
