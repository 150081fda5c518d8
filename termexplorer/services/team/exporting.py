"""The team's log as a table, with the server's time beside the client's."""

import json
from pathlib import Path

from termexplorer.services.curate.answers.blind_answers import BlindAnswers
from termexplorer.services.files.exports import write_table
from termexplorer.services.team.status import read_all_rows
from termexplorer.services.verdicts.log import VerdictSubject
from termexplorer.store.team.chains import ChainRow
from termexplorer.store.team.server import TeamServer

HEADER = (
    "chain", "study", "row", "annotator", "ORCID", "predicate", "subject", "name", "object",
    "showing", "answer", "note", "shown at", "answered at", "server time", "release hash",
    "identity", "takes back", "details", "link",
)  # fmt: skip


def export_team_log(server: TeamServer, path: Path, blind: BlindAnswers) -> int:
    """Write all of the team's log that one may read, under `HEADER`; return how many rows.

    Args:
        server: of the team.
        path: where to; its ending tells the form.
        blind: what the member may not read yet.

    Raises:
        UserError: another ending than a table has, or the place cannot be written to.
    """
    rows = [_list_cells(row) for row in read_all_rows(server) if not _is_hidden(row, blind)]
    write_table(path, HEADER, rows)
    return len(rows)


def _is_hidden(row: ChainRow, blind: BlindAnswers) -> bool:
    names = ("question", "subject", "object", "term", "judge")
    question, subject, other, term, judge = (str(row.values.get(name, "")) for name in names)
    return blind.hides(VerdictSubject(question, subject, other, term, row.study), judge)


def _list_cells(row: ChainRow) -> tuple[str | int, ...]:
    values = row.values
    shown = (
        "judge", "orcid", "question", "subject", "term", "object", "showing", "answer", "note",
        "shown_at", "answered_at",
    )  # fmt: skip
    return (
        row.device, row.study, row.seq, *(values.get(name, "") for name in shown), row.server_time,
        values.get("release_hash", ""), row.identity, row.undoes,
        json.dumps(values.get("details", {}), ensure_ascii=False), row.link,
    )  # fmt: skip
