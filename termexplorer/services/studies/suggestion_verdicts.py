"""Verdicts of a pack of suggestions: what its curator said of pairs, said of the suggestions."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

from termexplorer.services.studies.rows import ORIGIN, SKIPPED, Row, rows_of
from termexplorer.services.verdicts.log import (
    Answer,
    Judge,
    LoggedVerdict,
    VerdictSubject,
)
from termexplorer.store.database.sqlalchemy_engine import Connection
from termexplorer.store.judging import verdicts
from termexplorer.store.judging.log_index import iterate_counting
from termexplorer.store.judging.studies import StudyHead, Turn
from termexplorer.store.judging.suggestions import Suggestion

_LATER = "later"
_WITH_ORCID = re.compile(r"(.*) \((\d{4}-\d{4}-\d{4}-\d{3}[\dX])\)")


def seat_name(curator: Judge) -> str:
    """What a curator is called as an annotator, so that they come back as who they are."""
    return f"{curator.name} ({curator.orcid})" if curator.orcid else curator.name


def planned(
    rows: Sequence[Suggestion], turns: Sequence[Turn], release_hash: str
) -> Mapping[str, Any]:
    """What a study keeps of the suggestions that it asks about; JSON."""
    asked = [
        [turn.left, turn.right, each.about.question, each.about.subject, each.about.object,
         each.about.term]
        for turn, each in zip(turns, rows, strict=True)
    ]  # fmt: skip
    return {"suggestions": asked, "release_hash": release_hash}


def take_over(connection: Connection, head: StudyHead, annotator: str) -> int:
    """Adds what an annotator said of pairs that are suggestions to curators' verdicts, each once.

    What they have said of a suggestion since, in whatever way, stays. Answers that were taken back
    are taken back here too.

    Returns:
        How many rows were added; none of a study of pairs.
    """
    about = {
        frozenset((left, right)): VerdictSubject(question, subject, other, term)
        for left, right, question, subject, other, term in head.plan.get("suggestions", ())
    }
    if not about:
        return 0
    found = _WITH_ORCID.fullmatch(annotator)
    judge = Judge(*found.groups()) if found else Judge(annotator)
    history = verdicts.history(connection, head.key, Judge(annotator))
    said = [
        replace(
            row,
            subject=about[frozenset((row.subject.subject, row.subject.object))],
            answer=_answer_of_row(row, logged, head.plan["release_hash"]),
        )
        for row, logged in zip(rows_of(history), history, strict=True)
    ]
    total = 0
    while added := _add_new(connection, judge, said):
        total += added  # what was taken back may have stood in the way of what was said before
    return total


def _add_new(connection: Connection, judge: Judge, rows: Sequence[Row]) -> int:
    subjects = {row.subject for row in rows}  # the log of a curator may be long
    there = {
        _identify_row(str(each.answer.details[ORIGIN]), each.answer): each.id
        for subject in subjects
        for each in verdicts.history_on(connection, judge, subject)
        if ORIGIN in each.answer.details
    }
    since = {
        subject: moment
        for subject in subjects
        for _, moment in islice(iterate_counting(connection, judge, subject), 1)
    }
    added: dict[str, int] = {}  # the newest row here of each id
    count = 0
    for row in rows:
        at, identity = row.answer.answered_at, _identify_row(row.id, row.answer)
        if identity in there:
            added[row.id] = there[identity]
            continue
        if row.undoes and row.undoes not in added:
            continue
        if not row.undoes and at < since.get(row.subject, ""):
            continue
        undoes = added[row.undoes] if row.undoes else None
        added[row.id] = verdicts.append(connection, judge, row.subject, row.answer, undoes)
        count += 1
        if not row.undoes:
            since[row.subject] = at
    return count


def _identify_row(row_id: str, said: Answer) -> tuple[str, str, str]:
    """Return what tells rows apart: of one id two may say different things."""
    return row_id, said.answer, said.answered_at


def _answer_of_row(row: Row, logged: LoggedVerdict, release_hash: str) -> Answer:
    """Return what a row says of a suggestion, at the moment that the log has."""
    said = logged.answer
    answer = _LATER if said.answer == SKIPPED else said.answer
    details = {**row.answer.details, ORIGIN: row.id}
    return replace(said, answer=answer, release_hash=release_hash, details=details)
