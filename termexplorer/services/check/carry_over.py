"""Mappings on an older release brought to a newer one: what holds, what is stale, and why."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from termexplorer.errors import UserError
from termexplorer.exporters.sssom import write_sssom
from termexplorer.mapping_terms import EXTENSION, STATES
from termexplorer.services.check.gate import OpenWorkspace, read_source
from termexplorer.services.check.mapping_sources import MappingSource, read_mappings
from termexplorer.services.check.term_changes import ReleaseTerms, TermChange, simplify_name
from termexplorer.services.curate.mapping_states import BETTER, REASONS
from termexplorer.services.curate.sssom_sets import changed_head, whole_head
from termexplorer.services.files.exports import Cell
from termexplorer.store.releases.ontologies import Ontology
from termexplorer.texts import mark, tr, translated
from termexplorer.trainer.checking.terms import OntologyTerm
from termexplorer.trainer.errors import TrainerError

__all__ = [
    "CarriedMapping",
    "CarryOver",
    "SideChange",
    "carry_over",
    "list_stale_rows",
    "write_carried",
]

SIDES = ("subject", "object")
CARRY_STEPS = {
    "mappings": mark("Reading the mappings"),
    "releases": mark("Reading both releases"),
    "replacements": mark("Looking for replacements"),
}
"""What is done, in this order."""
HEADER = (
    "side", "concept", "name", "reasons", "replacement", "replacement name", "probability",
    "stated", "predicate", "denied", "other concept", "other name", "comment", "explanation",
)  # fmt: skip
_DENIED = "Not"
_LEAST = 0.05  # probability of a replacement that is proposed


@dataclass(frozen=True, slots=True)
class SideChange:
    """Why one side of a mapping needs a person.

    Attributes:
        side: subject or object.
        change: what became of its term.
        reasons: keys of `REASONS`.
        candidates: what may take its place, each with the probability that the two are one, the
            likeliest first; 1 where the newer release says so, 0 where nobody knows.
        is_stated: whether the newer release says so.
    """

    side: str
    change: TermChange
    reasons: tuple[str, ...]
    candidates: tuple[tuple[OntologyTerm, float], ...]
    is_stated: bool

    @property
    def is_unreplaced(self) -> bool:
        """Return whether its term is withdrawn, and nothing is proposed in its place."""
        return self.change.after is None and not self.candidates

    @property
    def replacement(self) -> OntologyTerm | None:
        """Return what is proposed; None for nothing."""
        return self.candidates[0][0] if self.candidates else None

    @property
    def probability(self) -> float:
        """Return that of what is proposed; 0 for nothing."""
        return self.candidates[0][1] if self.candidates else 0.0


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
    """All mappings of a file or list.

    Attributes:
        source: where they come from.
        head: the slots of their set, with the versions of the newer release.
        mappings: in its order.
        newer: what the newer release is called.
        release_ids: of subjects and objects on it; None where the workspace has no such release.
        note: why likelihoods of replacements were not learned; "" where they were.
    """

    source: MappingSource
    head: Mapping[str, Any]
    mappings: tuple[CarriedMapping, ...]
    newer: str
    release_ids: tuple[int | None, int | None]
    note: str = ""

    @property
    def stale(self) -> tuple[CarriedMapping, ...]:
        """Return the mappings that need a person."""
        return tuple(mapping for mapping in self.mappings if mapping.changes)


def carry_over(
    mappings: str,
    older: str,
    newer: str,
    open_workspace: OpenWorkspace,
    begin: Callable[[str], None] = lambda step: None,
) -> CarryOver:
    """Bring mappings to a newer release of their subjects or objects.

    Args:
        mappings: a file in any of `MAPPING_FORMATS`, or the id of a list in the workspace.
        older: the release that they are on: a file, or the id of one in the workspace.
        newer: the newer one, likewise.
        open_workspace: asked only where one of the three is no file.
        begin: called with each of `CARRY_STEPS` before it.

    Raises:
        UserError: something cannot be read, or no mapping has a term of the older release.
    """
    begin("mappings")
    source = read_mappings(mappings, open_workspace)
    rows = source.rows
    begin("releases")
    newer_source = read_source(newer, open_workspace)
    terms = ReleaseTerms(read_source(older, open_workspace).terms, newer_source.terms)
    changes = _collect_changes(rows, terms)
    if not changes:
        raise UserError(
            tr(
                "{path}: no mapping has a concept of {older}; give the release that they are on",
                path=mappings,
                older=older,
            )
        )
    begin("replacements")
    proposals, note = propose_replacements(terms, list(changes.values()))
    version = newer_source.release.version if newer_source.release else ""
    carried = tuple(_carry_row(row, changes, proposals, terms, version) for row in rows)
    releases = _find_releases(source, changes, newer_source.release)
    sides = [side for side in SIDES if any(row.get(f"{side}_id") in changes for row in rows)]
    head = _state_versions(source.head, sides, version)
    return CarryOver(source, head, carried, newer_source.title, releases, note)


def _state_versions(slots: Mapping[str, Any], sides: Sequence[str], version: str) -> dict[str, Any]:
    """Return slots with the version of the newer release, or none where nobody knows it."""
    stated = {f"{side}_source_version" for side in sides}
    renewed = {slot: version for slot in slots if slot in stated and version}
    return {slot: value for slot, value in slots.items() if slot not in stated} | renewed


def _find_releases(
    source: MappingSource, changes: Mapping[str, TermChange], newer: Ontology | None
) -> tuple[int | None, int | None]:
    """Return the newer release for the sides that have its terms, else what the source says."""
    newer_id = newer.id if newer else None
    subject, object_ = (
        newer_id if any(row.get(f"{side}_id") in changes for row in source.rows) else release_id
        for side, release_id in zip(SIDES, source.release_ids, strict=True)
    )
    return subject, object_


def propose_replacements(
    terms: ReleaseTerms, changes: Sequence[TermChange]
) -> tuple[dict[str, tuple[tuple[OntologyTerm, float], ...]], str]:
    """Return the likeliest replacements of each retired term that no single one is stated of.

    Where several are stated, they are these; else those of a probability of `_LEAST` at least.
    Where a release is too small to learn from, they are those with a name in common, of no known
    probability, and the sentence says so.
    """
    from termexplorer.trainer.built_in import builtin  # with NumPy and Torch
    from termexplorer.trainer.checking.replacements import rank_replacements

    retired = [
        change.before
        for change in changes
        if change.after is None and len(change.stated) != 1 and change.before.names
    ]
    least, note = _LEAST, ""
    ranked: Sequence[Sequence[tuple[OntologyTerm, float]]]
    try:
        ranked = rank_replacements(terms.live, retired, builtin(), terms.merged)
    except TrainerError as error:
        ranked = [terms.list_namesakes(term) for term in retired]
        least, note = 0.0, tr("likelihoods of replacements were not learned: {error}", error=error)
    proposals = {}
    for term, candidates in zip(retired, ranked, strict=True):
        stated = terms.list_stated(term.curie)
        probabilities = {other.curie: probability for other, probability in candidates}
        likely = [curie for curie, probability in probabilities.items() if probability >= least]
        chosen = sorted(stated, key=lambda curie: -probabilities.get(curie, 0.0)) or likely
        proposals[term.curie] = tuple(
            (terms.newer[curie], probabilities.get(curie, 0.0)) for curie in chosen
        )
    return proposals, note


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
    proposals: Mapping[str, tuple[tuple[OntologyTerm, float], ...]],
    terms: ReleaseTerms,
    version: str,
) -> CarriedMapping:
    changed_sides = [side for side in SIDES if row.get(f"{side}_id", "") in changes]
    carried, side_changes = _state_versions(row, changed_sides, version), []
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
        candidates = proposals.get(change.before.curie, ((rival, 0.0),) if rival else ())
        if stated is not None:
            candidates = ((stated, 1.0),)
        side_changes.append(SideChange(side, change, reasons, candidates, stated is not None))
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
    """Write all mappings as SSSOM, denied ones and comments too, on the newer release.

    Those that need a person say why, and what is proposed in place of a withdrawn term.
    """
    rows = [_mark_stale(mapping) for mapping in carried.mappings]
    head = changed_head(carried.head, rows, "")
    write_sssom(path, whole_head(head, {}, rows), rows)


def _mark_stale(mapping: CarriedMapping) -> dict[str, str]:
    row = {slot: text for slot, text in mapping.row.items() if slot != STATES}
    reasons = dict.fromkeys(reason for change in mapping.changes for reason in change.reasons)
    if reasons:
        row[STATES] = "; ".join(reasons)
    for change in mapping.changes:
        proposed = change.replacement
        if change.change.after is None and not change.is_stated and proposed is not None:
            row[f"{EXTENSION}proposed_{change.side}_id"] = proposed.curie
            row[f"{EXTENSION}proposed_{change.side}_label"] = proposed.label
    return row
