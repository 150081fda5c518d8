"""The verdicts that count, as tables."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from termexplorer.services.files.exports import write_table
from termexplorer.services.studies.rows import ORIGIN
from termexplorer.services.verdicts.log import CURATORS, LoggedVerdict, VerdictSubject
from termexplorer.store.judging.verdicts import iterate_judged
from termexplorer.workspace import Workspace

HEADER = (
    "row", "annotator", "ORCID", "predicate", "subject", "name", "object", "showing", "answer",
    "note", "shown at", "answered at", "release hash", "details",
)  # fmt: skip


def write_verdicts(
    workspace: Workspace,
    path: Path,
    study: str = CURATORS,
    hides: Callable[[VerdictSubject, str], bool] = lambda about, judge: False,
) -> int:
    """Writes the last verdict of each judge on each subject, under `HEADER`.

    Args:
        workspace: whose log it is.
        path: where to; its ending tells the form.
        study: a study of pairs; empty for curators' work.
        hides: whether a verdict is left out, by what it is about and the name of who said it.

    Returns:
        How many there are.

    Raises:
        UserError: another ending than a table has, or the place cannot be written to.
    """
    count = 0

    def rows() -> Iterator[tuple[str | int, ...]]:
        nonlocal count
        for row in iterate_judged(connection, study):
            if hides(row.subject, row.judge.name):
                continue
            count += 1
            yield _row_cells(row)

    with workspace.store.reading() as connection:
        write_table(path, HEADER, rows())
    return count


def _row_cells(row: LoggedVerdict) -> tuple[str | int, ...]:
    judge, about, answer = row.judge, row.subject, row.answer
    return (
        row.id, judge.name, judge.orcid, about.question, about.subject, about.term, about.object,
        about.showing, answer.answer, answer.note, answer.shown_at, answer.answered_at,
        answer.release_hash, json.dumps(_row_details(row), ensure_ascii=False),
    )  # fmt: skip


def _row_details(row: LoggedVerdict) -> dict[str, Any]:
    """With where a row of a study was written first, by which it is known wherever it goes."""
    details = dict(row.answer.details)
    return details if row.subject.study == CURATORS else {ORIGIN: row.hash} | details
