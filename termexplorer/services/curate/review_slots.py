"""A suggestion, and a verdict on it, as the slots of one SSSOM mapping; and back.

What was judged correct is a mapping that its curator asserts, what was judged wrong one that they
deny (`predicate_modifier`); other answers assert nothing: the mapping stays the finder's, and names
who reviewed it with a `reviewer_agreement` of 0.0, "not sure". What the standard has no slot for
stands in extension slots, whose names begin with `EXTENSION`; so do the finder's own values of
slots that a curator's take the place of.
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import Any

from termexplorer.exporters.sssom import joined
from termexplorer.importers.sssom.sssom import is_literal, values
from termexplorer.importers.text.dates import convert_to_utc, find_date_fault
from termexplorer.mapping_terms import CANDIDATES, EARLIER, EXTENSION, MANUAL, STATES
from termexplorer.services.curate.record_ids import RECORD_ID
from termexplorer.services.files.exports import Cell
from termexplorer.services.verdicts.log import ALSO, CHANGED
from termexplorer.services.verdicts.mapping_answers import (
    ChosenMapping,
    check_changed,
    find_chosen,
)
from termexplorer.store.judging.suggestions import Suggestion
from termexplorer.store.judging.verdicts import Answer, Judge, VerdictSubject
from termexplorer.texts import tr
from termexplorer.workers.curate.finder import clip_similarity

_ORCID = "orcid:"
_MODIFIERS = {"correct": "", ALSO: "", CHANGED: "", "wrong": "Not"}  # of what a curator asserts
_DATE = "mapping_date"
_SIMILARITY, _SCORE = "similarity", "similarity_score"  # title of a column, and its slot
_IDS = ("subject_id", "predicate_id", "object_id")
_SAID = ("subject_id", "subject_label", "object_id", "object_label")
_AGREEMENT, _NOT_SURE = "reviewer_agreement", "0.0"  # from -1.0 to 1.0, which is the default
_ASSERTED = (
    RECORD_ID, "mapping_justification", "author_id", "author_label", _DATE, "comment",
    "predicate_modifier", "confidence",
)  # fmt: skip
_OF_REVIEWERS = ("reviewer_id", "reviewer_label", "review_date", _AGREEMENT)
_OF_PEOPLE = ("author_id", "author_label", _DATE, *_OF_REVIEWERS)
_REVIEWED = (RECORD_ID, *_OF_REVIEWERS, "comment")
_TERM, _ANSWER = f"{EXTENSION}term", f"{EXTENSION}answer"
_SHOWN, _ANSWERED = f"{EXTENSION}shown_at", f"{EXTENSION}answered_at"
_RELEASE, _DETAILS = f"{EXTENSION}release_hash", f"{EXTENSION}details"
_OPINIONS = f"{EXTENSION}opinions"
_SUGGESTED = f"{EXTENSION}suggested_"
_OF_PREDICATE = ("predicate_label", "predicate_type", "mapping_cardinality")
_OF_OBJECT = (
    *_OF_PREDICATE, "object_category", "object_type", "object_source", "object_source_version",
    "similarity_score", "similarity_measure", "subject_match_field", "object_match_field",
    "match_string",
)  # fmt: skip
"""Slots that a mapping to another concept does not have."""
_CHOSEN = ("predicate_id", "object_id", "object_label")
_OWN = (_TERM, _ANSWER, _SHOWN, _ANSWERED, _RELEASE, _DETAILS)


def cell_slots(header: Sequence[str], suggestions: Sequence[Suggestion]) -> list[str]:
    """The slot of each column of a list: one that says the same in each row, or an extension."""
    slots: list[str] = []
    rows = [_suggestion_ids(suggestion, {}) | dict(suggestion.slots) for suggestion in suggestions]
    for number, title in enumerate(header):
        column = [suggestion.cells[number] for suggestion in suggestions]
        same = (s for s in _SAID if column == [row.get(s, "") for row in rows] and s not in slots)
        if title == _SIMILARITY and _SCORE not in slots and all(map(_is_score, column)):
            slots.append(_SCORE)
            continue
        word = re.sub("[^a-z0-9]+", "_", title.lower()).strip("_")
        slot = next(same, f"{EXTENSION}cell_{word}")
        while slot in slots:
            slot += "_"
        slots.append(slot)
    return slots


def clip_cells(cells: Sequence[Cell]) -> list[Cell]:
    """Return the cells of a suggestion with 1 for what is above it by rounding."""
    return [clip_similarity(cell) if isinstance(cell, float) else cell for cell in cells]


def _is_score(cell: Cell) -> bool:
    """Whether the standard's slot for similarities can have it."""
    return isinstance(cell, float) and 0 <= clip_similarity(cell) <= 1


def row_of(
    suggested: Suggestion,
    cells: Sequence[str],
    verdict: tuple[Judge, Answer] | None = None,
    head: Mapping[str, Any] | None = None,
) -> dict[str, str]:
    """The slots of a suggestion with one verdict on it, or with none.

    Args:
        suggested: the suggestion.
        cells: the slots of its cells; none if they are not to be written.
        verdict: who judged it how.
        head: slots of the whole set that it came from.
    """
    row = _suggestion_ids(suggested, head or {}) | dict(suggested.slots)
    for slot, cell in zip(cells, clip_cells(suggested.cells), strict=False):
        if slot not in _SAID:
            row[slot] = _cell_text(cell)
    if verdict is not None:
        row = _verdict_slots(row, *verdict)
        chosen = find_chosen(suggested.about, verdict[1])
        if chosen and verdict[1].answer == CHANGED:
            row = _change_slots(row, chosen)
    row[_TERM] = suggested.about.term
    return {slot: text for slot, text in row.items() if text}


def read_row(
    row: Mapping[str, str], cells: Sequence[str], head: Mapping[str, Any]
) -> tuple[Suggestion, tuple[Judge, Answer] | None]:
    """What `row_of` wrote.

    Raises:
        ValueError: an extension slot is not as it was written.
    """
    verdict = _verdict_of_row(row) if row.get(_ANSWER) else None
    if verdict and verdict[1].answer == CHANGED:
        row = _restore_slots(row)
    read = {*_IDS, *(set(cells) - set(_SAID)), *(_OWN if verdict else (_TERM,))}
    slots = {slot: text for slot, text in row.items() if slot not in read}
    if verdict is not None and verdict[1].answer != CHANGED:
        slots = {s: t for s, t in slots.items() if s not in _overlaid_slots(verdict[1].answer)}
        slots = {slot.removeprefix(_SUGGESTED): text for slot, text in slots.items()}
    subject, predicate, object_ = (
        row.get(slot) or _literal_label(slot, row, head) for slot in _IDS
    )
    about = VerdictSubject(predicate, subject, object_, row.get(_TERM, ""))
    return Suggestion(about, [_read_cell(row, slot) for slot in cells], slots), verdict


def with_dates(rows: Sequence[Mapping[str, str]], day: str) -> list[dict[str, str]] | None:
    """Mappings with the date of their set, which a date of one of them takes from all others.

    Returns:
        None if the set can keep its date: no curator's mapping has one, or others had before.
    """
    slots = [_SUGGESTED + _DATE if row.get(_ANSWER) in _MODIFIERS else _DATE for row in rows]
    dated = any(slot in row for slot, row in zip(slots, rows, strict=True))
    if dated or all(slot == _DATE for slot in slots):
        return None
    return [{**row, slot: day} for slot, row in zip(slots, rows, strict=True)]


def curated(slots: Mapping[str, str]) -> bool:
    """Whether a mapping is itself what some curator said."""
    who = slots.get("author_id") or slots.get("author_label")
    return slots.get("mapping_justification") == MANUAL and bool(who)


def add_reviewers(row: dict[str, str], reviewers: Sequence[Judge], opinions: str) -> dict[str, str]:
    """Return a mapping with who else judged it, and what all said.

    Args:
        row: its slots.
        reviewers: those who do not assert it themselves.
        opinions: of all whom it was given to, in words; "" adds nothing.
    """
    if not opinions:
        return row
    ids = [f"{_ORCID}{judge.orcid}" for judge in reviewers if judge.orcid]
    slots = {
        "reviewer_label": joined([judge.name for judge in reviewers]) if reviewers else "",
        "reviewer_id": joined(ids) if reviewers and len(ids) == len(reviewers) else "",
        _OPINIONS: opinions,
    }
    return row | {slot: text for slot, text in slots.items() if text}


def is_answered(row: Mapping[str, str]) -> bool:
    """Whether a mapping tells what somebody answered here, assertion or not."""
    return bool(row.get(_ANSWER))


def strip_review(row: Mapping[str, str], cells: Iterable[str]) -> dict[str, str]:
    """Return a mapping without what tells how it was suggested and reviewed here.

    Who asserted or reviewed it before it was judged here stays, in slots of their own.

    Args:
        row: its slots.
        cells: slots of the cells of its list.
    """
    gone = {CANDIDATES, STATES, *_OWN, *(set(cells) - set(_SAID))} - {_TERM}
    kept_slots = {s: t for s, t in row.items() if s not in gone and not s.startswith(_SUGGESTED)}
    for slot in _OF_PEOPLE:
        if text := row.get(f"{_SUGGESTED}{slot}"):
            texts = dict.fromkeys([*values(row.get(f"{EARLIER}{slot}", "")), *values(text)])
            kept_slots[f"{EARLIER}{slot}"] = joined(texts)
    return kept_slots


def _suggestion_ids(suggested: Suggestion, head: Mapping[str, Any]) -> dict[str, str]:
    about = suggested.about
    ids = dict(zip(_IDS, (about.subject, about.question, about.object), strict=True))
    for slot in ("subject_id", "object_id"):
        if ids[slot] == _literal_label(slot, suggested.slots, head):
            ids[slot] = ""
    return ids


def _literal_label(slot: str, row: Mapping[str, str], head: Mapping[str, Any]) -> str:
    return row[slot.replace("_id", "_label")] if is_literal(slot, row, head) else ""


def _overlaid_slots(answer: str) -> tuple[str, ...]:
    return _ASSERTED if answer in _MODIFIERS else _REVIEWED


def _verdict_slots(row: Mapping[str, str], judge: Judge, answer: Answer) -> dict[str, str]:
    overlaid = _overlaid_slots(answer.answer)
    asserts = overlaid is _ASSERTED
    moved = (*overlaid, *_OF_REVIEWERS)  # reviewers of the suggestion did not review this
    slots = {f"{_SUGGESTED}{s}" if s in moved else s: text for s, text in row.items()}
    who, when = ("author", _DATE) if asserts else ("reviewer", "review_date")
    if asserts:
        slots["mapping_justification"] = MANUAL
        slots["predicate_modifier"] = _MODIFIERS[answer.answer]
    else:
        slots[_AGREEMENT] = _NOT_SURE
    return slots | {
        f"{who}_id": joined([f"{_ORCID}{judge.orcid}"]) if judge.orcid else "",
        f"{who}_label": joined([judge.name]),
        when: _day_of_moment(answer.answered_at),
        "comment": answer.note,
        _ANSWER: answer.answer,
        _SHOWN: answer.shown_at,
        _ANSWERED: answer.answered_at,
        _RELEASE: answer.release_hash,
        _DETAILS: json.dumps(dict(answer.details), ensure_ascii=False) if answer.details else "",
    }


def _change_slots(row: Mapping[str, str], chosen: ChosenMapping) -> dict[str, str]:
    """Return a mapping with what was chosen instead of what was suggested, which stays beside."""
    other = chosen.object != row.get("object_id")
    moved = (*_CHOSEN, *(_OF_OBJECT if other else _OF_PREDICATE))
    slots = {f"{_SUGGESTED}{s}" if s in moved else s: text for s, text in row.items()}
    texts = (chosen.predicate, chosen.object, chosen.object_label)
    return slots | dict(zip(_CHOSEN, texts, strict=True))


def _restore_slots(row: Mapping[str, str]) -> dict[str, str]:
    """Return a mapping as it was suggested, before a curator changed it."""
    fresh = (*_CHOSEN, *_ASSERTED)
    slots = {s: text for s, text in row.items() if s not in fresh and not s.startswith(_SUGGESTED)}
    suggested = {s: text for s, text in row.items() if s.startswith(_SUGGESTED)}
    return slots | {s.removeprefix(_SUGGESTED): text for s, text in suggested.items()}


def _verdict_of_row(row: Mapping[str, str]) -> tuple[Judge, Answer]:
    who = "author" if row[_ANSWER] in _MODIFIERS else "reviewer"
    orcid, name = ("".join(values(row.get(f"{who}_{part}", ""))) for part in ("id", "label"))
    note, shown, answered, release = (
        row.get(slot, "") for slot in ("comment", _SHOWN, _ANSWERED, _RELEASE)
    )
    try:
        details = json.loads(row.get(_DETAILS, "{}"))
    except RecursionError:
        details = None
    if not isinstance(details, dict):
        raise ValueError(tr("{details} is no JSON object", details=_DETAILS))
    check_changed(row[_ANSWER], details)
    for slot in (_SHOWN, _ANSWERED):
        if fault := find_date_fault(row[slot]) if row.get(slot) else "":
            raise ValueError(f"{slot}: {fault}")
    shown, answered = (convert_to_utc(at) if at else "" for at in (shown, answered))
    answer = Answer(row[_ANSWER], note, shown, answered, release, details)
    return Judge(name, orcid.removeprefix(_ORCID)), answer


def _day_of_moment(moment: str) -> str:
    try:
        return date.fromisoformat(moment[:10]).isoformat()
    except ValueError:
        return ""


def _cell_text(cell: Cell) -> str:
    """A cell by which `_cell_of_json` tells numbers, texts like numbers, and nothing apart."""
    return cell if isinstance(cell, str) and _cell_of_json(cell) == cell else json.dumps(cell)


def _cell_of_json(text: str) -> Cell:
    try:
        cell = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return cell if cell is None or isinstance(cell, str | int | float) else text


def _read_cell(row: Mapping[str, str], slot: str) -> Cell:
    text = row.get(slot, "")
    return text if slot in _SAID else _cell_of_json(text)
