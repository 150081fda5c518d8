"""People who judge or curate."""

from sqlalchemy import Connection, insert, select

from termexplorer.store.judging.verdicts import Judge
from termexplorer.store.tables.judging import PersonRow


def people(connection: Connection) -> list[Judge]:
    """All that were entered, in that order."""
    query = select(PersonRow.name, PersonRow.orcid).order_by(PersonRow.id)
    return [Judge(name, orcid) for name, orcid in connection.execute(query).tuples()]


def add_person(connection: Connection, judge: Judge) -> None:
    """Enters somebody, once."""
    if judge not in people(connection):
        connection.execute(insert(PersonRow).values(name=judge.name, orcid=judge.orcid))
