"""Decisions on a study's pairs: in the one log, beside what its annotators said."""

from sqlalchemy import Connection

from termexplorer.store.judging.verdicts import LoggedVerdict, counting


def decisions_on(study: str) -> str:
    """What decisions on a study's pairs count as: something else than its annotators' verdicts."""
    return f"decisions on {study}"


def decided(connection: Connection, study: str) -> list[LoggedVerdict]:
    """The last decision on each subject of a study, whoever took it, in the order of the log."""
    rows = counting(connection, decisions_on(study))
    last = {row.subject: row for row in rows}
    return sorted(last.values(), key=lambda row: row.id)
