"""Verdicts of a pack of suggestions: what its curator said of pairs, said of the suggestions."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from termexplorer.services.studies.rows import ORIGIN, SKIPPED, Row, rows_of
from termexplorer.services.verdicts.log import CURATORS, Answer, Judge, VerdictSubject
from termexplorer.store.database.sqlalchemy_engine import Connection
from termexplorer.store.judging import verdicts
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
    rows = rows_of(verdicts.history(connection, head.key, Judge(annotator)))
    said = [
        replace(
            row,
            subject=about[frozenset((row.subject.subject, row.subject.object))],
            answer=_answer_of_row(row, head.plan["release_hash"]),
        )
        for row in rows
    ]
    total = 0
    while added := _add_new(connection, judge, said):
        total += added  # what was taken back may have stood in the way of what was said before
    return total


def _add_new(connection: Connection, judge: Judge, rows: Sequence[Row]) -> int:
    there = {
        str(each.answer.details[ORIGIN]): each.id
        for each in verdicts.history(connection, CURATORS, judge)
        if ORIGIN in each.answer.details
    }
    since = {
        each.subject: each.answer.answered_at
        for each in verdicts.counting(connection, CURATORS, judge)
    }
    before = len(there)
    for row in rows:
        at = row.answer.answered_at
        if row.id in there or (row.undoes and row.undoes not in there):
            continue
        if not row.undoes and at < since.get(row.subject, ""):
            continue
        undoes = there[row.undoes] if row.undoes else None
        there[row.id] = verdicts.append(connection, judge, row.subject, row.answer, undoes)
        if not row.undoes:
            since[row.subject] = at
    return len(there) - before


def _answer_of_row(row: Row, release_hash: str) -> Answer:
    said = row.answer
    answer = _LATER if said.answer == SKIPPED else said.answer
    details = {**said.details, ORIGIN: row.id}
    return replace(said, answer=answer, release_hash=release_hash, details=details)
