"""The log of an annotator in a study as rows of a file, each with a hash of all before it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from termexplorer.errors import UserError
from termexplorer.services.files.json_fields import Fields
from termexplorer.services.verdicts.log import Answer, LoggedVerdict, VerdictSubject
from termexplorer.store.judging.studies import StudyHead, Turn
from termexplorer.store.judging.verdicts import json_hash
from termexplorer.texts import tr

SKIPPED = "skipped"  # stands in the log for an answer, until there is one
ORIGIN = "origin"  # among a row's details: its hash where it was written first
CLOCK = "clock"  # among them: what the clock said there, where that was still to come
_MOMENTS = ("shown_at", "answered_at")
LONGEST_NOTE = 20_000  # characters
_AHEAD = timedelta(days=1)
_LONGEST_ANSWER, _MOST_ROWS = 100, 1_000_000


@dataclass(frozen=True, slots=True)
class Row:
    """A row of somebody's log.

    Attributes:
        id: the hash of the row where it was written first; the same wherever it goes.
        subject: what was judged.
        answer: what was said.
        undoes: the id of the row that it takes back; empty of a verdict.
    """

    id: str
    subject: VerdictSubject
    answer: Answer
    undoes: str = ""


def details_of(turn: Turn, active_ms: int, wall_ms: int, looked_up: bool) -> dict[str, Any]:
    """What the log keeps of an answer besides: what was asked, what stood where, how long."""
    return {
        "place": turn.place,
        "practice": turn.practice,
        "left": turn.left,
        "active_ms": active_ms,
        "wall_ms": wall_ms,
        "looked_up": looked_up,
    }


def read_details(fields: Fields, turn: Turn) -> dict[str, Any]:
    """Reads what `details_of` tells of a turn, with where it was written first, if that is told.

    Raises:
        ValueError: with what is wrong in words.
    """
    origin: dict[str, Any] = {ORIGIN: fields.hash(ORIGIN)} if fields.has(ORIGIN) else {}
    if fields.has(CLOCK):
        clock = Fields(fields.raw(CLOCK), fields.named(CLOCK))
        origin[CLOCK] = {name: clock.clock_time(name) for name in _MOMENTS}
        clock.end()
    shown = {name: fields.raw(name) for name in ("place", "practice", "left")}
    details = details_of(
        turn, fields.whole("active_ms"), fields.whole("wall_ms"), fields.flag("looked_up")
    )
    fields.end()
    if shown != {name: details[name] for name in shown}:
        raise ValueError(tr("its details are of another question than its terms"))
    return details | origin


def noted(note: str) -> str:
    """A note as every file can hold it.

    Raises:
        UserError: it is too long.
    """
    if len(note) > LONGEST_NOTE:
        raise UserError(
            tr(
                "the comment has more than {most:,} characters; make it shorter",
                most=LONGEST_NOTE,
            )
        )
    return note.replace("\0", "").encode("utf-8", "replace").decode("utf-8")


def rows_of(history: Sequence[LoggedVerdict]) -> list[Row]:
    """The rows of a log as they go elsewhere.

    Two may have one id, where one of two files counts that say something else of it.
    """
    ids = {logged.id: str(logged.answer.details.get(ORIGIN, logged.hash)) for logged in history}
    rows = []
    for verdict in history:
        logged_answer = verdict.answer
        details = {
            name: value
            for name, value in logged_answer.details.items()
            if name not in (ORIGIN, CLOCK)
        }
        moments = logged_answer.details.get(
            CLOCK, {name: getattr(logged_answer, name) for name in _MOMENTS}
        )
        answer = Answer(logged_answer.answer, logged_answer.note, **moments, details=details)
        undoes = "" if verdict.undoes is None else ids[verdict.undoes]
        rows.append(Row(ids[verdict.id], verdict.subject, answer, undoes))
    return rows


def current_rows(history: Sequence[LoggedVerdict]) -> dict[str, tuple[Row, int]]:
    """Return the rows of a log by their ids, each with its row of the log.

    Where two have one id the later one is told, and what takes the other back is left out.
    """
    rows = rows_of(history)
    newest = {row.id: logged.id for row, logged in zip(rows, history, strict=True)}
    replaced: set[int] = set()
    current = {}
    for row, verdict in zip(rows, history, strict=True):
        if newest[row.id] != verdict.id or verdict.undoes in replaced:
            replaced.add(verdict.id)
        else:
            current[row.id] = row, verdict.id
    return current


def find_counting(rows: Sequence[Row]) -> set[str]:
    """Return the ids of the verdicts among rows that count: those that nothing takes back."""
    undone: dict[str, bool] = {}  # whether each row is taken back
    for row in reversed(rows):
        if row.undoes and not undone.get(row.id, False):
            undone[row.undoes] = True
    return {row.id for row in rows if not row.undoes and not undone.get(row.id, False)}


def with_moments(row: Row, now: str) -> Answer:
    """Return what a row says, with this moment where its clock was so wrong that it is to come.

    What the clock said is kept beside it.
    """
    answer = row.answer
    if not is_far_ahead(max(answer.shown_at, answer.answered_at), now):
        return answer
    clock = {name: getattr(answer, name) for name in _MOMENTS}
    moments = {name: min(moment, now) for name, moment in clock.items()}
    return replace(answer, **moments, details={**answer.details, CLOCK: clock})


def is_far_ahead(moment: str, now: str) -> bool:
    """Whether a moment is more than a day after now: no time zone explains it."""
    return datetime.fromisoformat(moment) > datetime.fromisoformat(now) + _AHEAD


def write_rows(rows: Sequence[Row], turns: Sequence[Turn], start: str) -> list[dict[str, Any]]:
    """Rows as JSON, each with the hash of itself and the one before.

    Args:
        rows: of an annotator.
        turns: all that they are asked.
        start: stands for the hash before the first.
    """
    written, link = [], start
    for row in rows:
        row_object = _row_object(row, turns)
        link = json_hash([link, row_object])
        written.append(row_object | {"link": link})
    return written


def read_rows(fields: Fields, head: StudyHead, turns: Sequence[Turn], start: str) -> list[Row]:
    """Reads rows, each of which has to be as it was written, and about what was asked.

    Raises:
        ValueError: with what is wrong with which row in words.
    """
    rows: dict[str, Row] = {}
    given = set()
    link = start
    for number, row_fields in enumerate(fields.objects("rows", _MOST_ROWS), 1):
        row = _read_row(row_fields, head, turns, rows)
        link = json_hash([link, _row_object(row, turns)])
        if row_fields.hash("link") != link:
            raise ValueError(
                tr("row {number} or one before it was changed after it was written", number=number)
            )
        moment = (row.subject, row.answer.answered_at, row.undoes)
        if row.id in rows or moment in given:
            raise ValueError(tr("row {number} is there twice", number=number))
        rows[row.id] = row
        given.add(moment)
    return list(rows.values())


def _row_object(row: Row, turns: Sequence[Turn]) -> dict[str, Any]:
    answer = row.answer
    if row.undoes:
        return {"id": row.id, "undoes": row.undoes, "answered_at": answer.answered_at}
    turn = turns[answer.details["place"]]
    return {
        "id": row.id,
        "place": turn.place,
        "left": turn.left,
        "right": turn.right,
        "answer": answer.answer,
        "note": answer.note,
        "shown_at": answer.shown_at,
        "answered_at": answer.answered_at,
        **{name: answer.details[name] for name in ("active_ms", "wall_ms", "looked_up")},
    }


def _read_row(
    fields: Fields, head: StudyHead, turns: Sequence[Turn], before: Mapping[str, Row]
) -> Row:
    row_id = fields.hash("id")
    if fields.has("undoes"):
        undone = before.get(fields.hash("undoes"))
        if undone is None or (undone.undoes and before[undone.undoes].undoes):
            raise ValueError(tr("a row takes back what is no verdict before it"))
        at = fields.clock_time("answered_at")
        return Row(row_id, undone.subject, Answer("", "", at, at), undone.id)
    turn = turns[fields.whole("place", len(turns) - 1)]
    terms = [
        fields.text(side, len(shown))
        for side, shown in (("left", turn.left), ("right", turn.right))
    ]
    if terms != [turn.left, turn.right]:
        raise ValueError(
            tr(
                "{left!r} and {right!r} are not what was asked at {place}",
                left=terms[0],
                right=terms[1],
                place=turn.place + 1,
            )
        )
    answer = fields.text("answer", _LONGEST_ANSWER, 1)
    if answer not in {SKIPPED, *(choice.answer for choice in head.answers)}:
        raise ValueError(tr("{answer!r} is no answer of the study", answer=answer))
    return Row(
        row_id,
        turn.about(head),
        Answer(
            answer,
            fields.text("note", LONGEST_NOTE),
            fields.clock_time("shown_at"),
            fields.clock_time("answered_at"),
            details=details_of(
                turn, fields.whole("active_ms"), fields.whole("wall_ms"), fields.flag("looked_up")
            ),
        ),
    )
