"""The verdicts that count, as tables."""

import json
from pathlib import Path
from typing import Any

from termexplorer.services.files.exports import write_table
from termexplorer.services.studies.rows import ORIGIN
from termexplorer.services.verdicts.log import CURATORS, LoggedVerdict, judged
from termexplorer.workspace import Workspace

HEADER = (
    "row", "judge", "ORCID", "predicate", "subject", "name", "object", "showing", "answer", "note",
    "shown at", "answered at", "release hash", "details",
)  # fmt: skip


def write_verdicts(workspace: Workspace, path: Path, study: str = CURATORS) -> int:
    """Writes the last verdict of each judge on each subject, under `HEADER`.

    Args:
        workspace: whose log it is.
        path: where to; its ending tells the form.
        study: a study of pairs; empty for curators' work.

    Returns:
        How many there are.

    Raises:
        UserError: another ending than a table has, or the place cannot be written to.
    """
    rows = [
        (
            each.id, each.judge.name, each.judge.orcid, each.subject.question,
            each.subject.subject, each.subject.term, each.subject.object, each.subject.showing,
            each.answer.answer, each.answer.note, each.answer.shown_at, each.answer.answered_at,
            each.answer.release_hash, json.dumps(_row_details(each), ensure_ascii=False),
        )
        for each in judged(workspace, study)
    ]  # fmt: skip
    write_table(path, HEADER, rows)
    return len(rows)


def _row_details(row: LoggedVerdict) -> dict[str, Any]:
    """With where a row of a study was written first, by which it is known wherever it goes."""
    details = dict(row.answer.details)
    return details if row.subject.study == CURATORS else {ORIGIN: row.hash} | details
