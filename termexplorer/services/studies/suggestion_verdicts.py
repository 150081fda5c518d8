"""Verdicts of a pack of suggestions: what its curator said of pairs, said of the suggestions."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
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
from termexplorer.store.database.engine import Store
from termexplorer.store.database.sqlalchemy_engine import Connection
from termexplorer.store.judging import verdicts
from termexplorer.store.judging.log_batches import ShortBatches
from termexplorer.store.judging.log_index import Pair, find_pairs_since, iterate_counting
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
        [turn.left, turn.right, row.about.question, row.about.subject, row.about.object,
         row.about.term]
        for turn, row in zip(turns, rows, strict=True)
    ]  # fmt: skip
    return {"suggestions": asked, "release_hash": release_hash}


def take_over(store: Store, head: StudyHead, annotator: str) -> int:
    """Adds what an annotator said of pairs that are suggestions to curators' verdicts, each once.

    What they have said of a suggestion since, in whatever way, stays. Answers that were taken back
    are taken back here too. It is done by batches between which others judge.

    Returns:
        How many rows were added; none of a study of pairs.
    """
    about = {
        frozenset((left, right)): VerdictSubject(question, subject, other, term)
        for left, right, question, subject, other, term in head.plan.get("suggestions", ())
    }
    if not about:
        return 0
    match = _WITH_ORCID.fullmatch(annotator)
    judge = Judge(*match.groups()) if match else Judge(annotator)
    with store.reading() as connection:
        history = verdicts.history(connection, head.key, Judge(annotator))
    given_answers = [
        replace(
            row,
            subject=about[frozenset((row.subject.subject, row.subject.object))],
            answer=_answer_of_row(row, logged, head.plan["release_hash"]),
        )
        for row, logged in zip(rows_of(history), history, strict=True)
    ]
    total = 0
    while added := _add_new(store, judge, given_answers):
        total += added  # what was taken back may have stood in the way of what was said before
    return total


def _add_new(store: Store, judge: Judge, rows: Sequence[Row]) -> int:
    batches = ShortBatches(store)
    logged: dict[str, int] = {}  # the newest row here of each id
    start = count = 0
    while batch := rows[start : start + batches.rows]:
        with store.reading() as reader:
            last = verdicts.last_row(reader)
            chosen = _choose_rows(reader, judge, batch, logged)
        fresh = [row for row, known in chosen if not known]
        if not fresh:
            logged |= {row.id: known for row, known in chosen}
        else:
            with batches.writing() as connection:
                if find_pairs_since(connection, last) & _list_pairs(fresh):
                    continue  # somebody judged one of them meanwhile
                entries = _list_entries(judge, chosen, verdicts.last_row(connection), logged)
                verdicts.append_rows(connection, entries)
        start += len(batch)
        count += len(fresh)
    return count


def _choose_rows(
    connection: Connection, judge: Judge, rows: Sequence[Row], logged: Collection[str]
) -> list[tuple[Row, int]]:
    """Return the rows that are to be added, and those that are here, each with its row here."""
    subjects = {row.subject for row in rows}
    known_ids = {
        _identify_row(str(verdict.answer.details[ORIGIN]), verdict.answer): verdict.id
        for subject in subjects
        for verdict in verdicts.history_on(connection, judge, subject)
        if ORIGIN in verdict.answer.details
    }
    since = {
        subject: moment
        for subject in subjects
        for _, moment in islice(iterate_counting(connection, judge, subject), 1)
    }
    known = set(logged)
    chosen = []
    for row in rows:
        at, here = row.answer.answered_at, known_ids.get(_identify_row(row.id, row.answer), 0)
        if not here and row.undoes and row.undoes not in known:
            continue
        if not here and not row.undoes and at < since.get(row.subject, ""):
            continue
        known.add(row.id)
        chosen.append((row, here))
        if not here and not row.undoes:
            since[row.subject] = at
    return chosen


def _list_entries(
    judge: Judge, chosen: Sequence[tuple[Row, int]], last: int, logged: dict[str, int]
) -> list[tuple[Judge, VerdictSubject, Answer, int | None]]:
    """Return new rows as the log takes them, and keep in `logged` which row each id will be."""
    entries = []
    for row, known in chosen:
        if not known:
            undoes = logged[row.undoes] if row.undoes else None
            entries.append((judge, row.subject, row.answer, undoes))
        logged[row.id] = known or last + len(entries)
    return entries


def _list_pairs(rows: Sequence[Row]) -> set[Pair]:
    return {(row.subject.study, row.subject.subject, row.subject.object) for row in rows}


def _identify_row(row_id: str, answer: Answer) -> tuple[str, str, str]:
    """Return what tells rows apart: of one id two may say different things."""
    return row_id, answer.answer, answer.answered_at


def _answer_of_row(row: Row, logged: LoggedVerdict, release_hash: str) -> Answer:
    """Return what a row says of a suggestion, at the moment that the log has."""
    logged_answer = logged.answer
    answer = _LATER if logged_answer.answer == SKIPPED else logged_answer.answer
    details = {**row.answer.details, ORIGIN: row.id}
    return replace(logged_answer, answer=answer, release_hash=release_hash, details=details)
