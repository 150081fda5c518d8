"""Mappings that were carried over, kept as a list for review: stale ones first, then what holds."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from termexplorer.mapping_terms import CANDIDATES, EXTENSION, FORMER, UNREPLACED, UNSPECIFIED
from termexplorer.services.check.carry_over import SIDES, CarriedMapping, CarryOver
from termexplorer.services.curate.decisions import PREDICATES
from termexplorer.services.curate.foreign_mappings import foreign_verdicts
from termexplorer.services.curate.mapping_states import HOLDS, SPLIT, STATE
from termexplorer.services.curate.record_ids import RECORD_ID
from termexplorer.services.curate.review_slots import cell_slots, curated, read_row, strip_review
from termexplorer.services.curate.sssom_sets import columns_of, state_columns
from termexplorer.services.curate.suggestion_lists import (
    CARRIED,
    KeptSearch,
    ListHead,
    Suggestion,
)
from termexplorer.services.files.exports import Cell
from termexplorer.services.verdicts.log import Answer, Judge, VerdictSubject, now
from termexplorer.store.judging import suggestions as kept
from termexplorer.store.judging.log_batches import append_in_batches
from termexplorer.store.kept_messages import plain_message
from termexplorer.workers.process import kept_texts
from termexplorer.workspace import Workspace

__all__ = ["keep_carried"]

_HEADER = (
    STATE, "concept", "name", "predicate", "other concept", "other name", "probability",
    "negated", "comment", "former concept", "former name",
)  # fmt: skip
_WORDS = {predicate: word for word, predicate in reversed(PREDICATES.items())}
_PREDICATES = _WORDS | {UNREPLACED: ""}  # as the column has them
_OF_CURATOR = (
    "author_id", "author_label", "mapping_date", "mapping_justification", "confidence", RECORD_ID,
    "reviewer_id", "reviewer_label", "review_date", "reviewer_agreement",
)  # fmt: skip
"""Slots by which somebody asserts a mapping."""
_OF_PREDICATE = ("predicate_id", "predicate_label", "predicate_modifier")
_OF_FORMATS = tuple(f"{EXTENSION}{form}_" for form in ("omop", "usagi", "fhir"))
"""What slots begin with by which a format writes a mapping as it came."""


def keep_carried(workspace: Workspace, carried: CarryOver) -> KeptSearch:
    """Keep mappings for review, in place of what the same ones had before.

    What holds stays asserted or denied by whoever did so. What is stale waits for a person, with
    its comment, and what it was in its slots; one that became a mapping that holds is left out.
    """
    source = carried.source
    columns = [] if source.made_here else list(columns_of(source.head))
    holding: list[Suggestion] = []
    stale: list[Suggestion] = []
    verdicts: list[tuple[Judge, VerdictSubject, Answer]] = []
    for mapping in carried.mappings:
        row = strip_review(mapping.row, columns)
        if source.made_here:
            row.pop(RECORD_ID, None)
        if mapping.changes:
            stale += [
                _make_suggestion(variant, _renew_row(variant, row), carried)
                for variant in _list_variants(mapping)
            ]
            continue
        whole = _make_suggestion(mapping, row, carried)
        given = foreign_verdicts(whole.slots, source.head)
        verdicts += [(judge, whole.about, answer) for judge, answer in given]
        if given and source.is_list:  # then the log says who asserts it
            row = {slot: text for slot, text in row.items() if slot not in _OF_CURATOR}
        holding.append(_make_suggestion(mapping, row, carried))
    holding_subjects = {suggestion.about for suggestion in holding}
    rows = [*(row for row in stale if row.about not in holding_subjects), *holding]
    search = _keep_rows(workspace, carried, rows)
    append_in_batches(workspace.store, verdicts, skip_older=True)
    return search


def _keep_rows(workspace: Workspace, carried: CarryOver, rows: Sequence[Suggestion]) -> KeptSearch:
    source, stale = carried.source, len(carried.stale)
    fact = kept_texts.CARRIED.fill(
        count=len(carried.mappings),
        newer=carried.newer,
        holds=len(carried.mappings) - stale,
        stale=stale,
    )
    slots: dict[str, Any] = {}
    if not source.made_here:
        titles = dict(zip(cell_slots(_HEADER, rows), _HEADER, strict=True))
        slots = state_columns(carried.head, titles)
    facts = [fact, *([plain_message(carried.note)] if carried.note else [])]
    title = f"{CARRIED.capitalize()}: {source.title} → {carried.newer}"
    head = ListHead(
        CARRIED, title, *carried.release_ids, [],
        {"mappings": source.title, "newer": carried.newer}, list(_HEADER), facts, slots, now(),
    )  # fmt: skip
    with workspace.store.writing() as connection:
        return kept.keep(connection, head, rows)


def _list_variants(mapping: CarriedMapping) -> Iterator[CarriedMapping]:
    """Yield a stale mapping once for each term that takes the place of a subject that was split.

    What its object may be is chosen in its review; what its subject may be is not.
    """
    subject, *_ = mapping.changes
    if subject.side != SIDES[0] or SPLIT not in subject.reasons:
        yield mapping
        return
    for candidate in subject.candidates:
        changes = (replace(subject, candidates=(candidate,)), *mapping.changes[1:])
        yield replace(mapping, changes=changes)


def _renew_row(mapping: CarriedMapping, row: dict[str, str]) -> dict[str, str]:
    """Return a stale mapping on what is proposed, which nobody asserts, and what it was."""
    former = mapping.former
    gone = {s for s in row if s in _OF_CURATOR or s.startswith(_OF_FORMATS)}
    renewed = {slot: text for slot, text in row.items() if slot not in gone}
    renewed["mapping_justification"] = (
        UNSPECIFIED if curated(former) else row.get("mapping_justification", UNSPECIFIED)
    )
    kept_slots = [*gone]
    if any(change.is_unreplaced for change in mapping.changes):
        kept_slots += _OF_PREDICATE
        renewed = {slot: text for slot, text in renewed.items() if slot not in _OF_PREDICATE}
        renewed["predicate_id"] = UNREPLACED
    for change in mapping.changes:
        kept_slots += [f"{change.side}_id", f"{change.side}_label"]
        proposed = change.replacement
        if change.change.after is None and proposed is not None:
            renewed[f"{change.side}_id"] = proposed.curie
            renewed[f"{change.side}_label"] = proposed.label
    renewed |= {f"{FORMER}{slot}": former[slot] for slot in kept_slots if former.get(slot)}
    candidates = list(_list_candidates(mapping))
    return renewed | ({CANDIDATES: json.dumps(candidates)} if candidates else {})


def _list_candidates(mapping: CarriedMapping) -> Iterator[list[Cell]]:
    """Yield what the object may be now, as `list_candidates` reads it."""
    word = _WORDS.get(mapping.former.get("predicate_id", ""), "")
    for change in mapping.changes:
        if change.side == SIDES[1] and change.candidates:
            if change.change.after is not None:  # it is there still, and comes first
                yield [change.change.after.curie, word, None]
            for term, probability in change.candidates:
                yield [term.curie, word, round(probability, 4) or None]


def _make_suggestion(
    mapping: CarriedMapping, row: dict[str, str], carried: CarryOver
) -> Suggestion:
    suggestion, _ = read_row(row, [], carried.source.head)
    about, slots = suggestion.about, suggestion.slots
    terms = [change.change.before for change in mapping.changes]
    figures = [change.probability for change in mapping.changes if change.change.after is None]
    probability = min(figures, default=0.0)
    reasons = dict.fromkeys(reason for change in mapping.changes for reason in change.reasons)
    cells: list[Cell] = [
        "; ".join(reasons) or HOLDS,
        about.subject,
        slots.get("subject_label", ""),
        _PREDICATES.get(about.question, about.question),
        about.object,
        slots.get("object_label", ""),
        round(probability, 4) or None,
        "yes" if row.get("predicate_modifier") == "Not" else "",
        row.get("comment", ""),
        "; ".join(term.curie for term in terms),
        "; ".join(term.label for term in terms),
    ]
    return Suggestion(about, cells, slots)
