"""Ids of encoders and runs never come again, as what is kept elsewhere goes by them."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"

_IN_LISTS = "SELECT max(value) FROM suggestion_list, json_each(encoder_ids)"


def upgrade() -> None:
    """Makes both tables anew with ids that SQLite itself counts on.

    Lists of suggestions may know encoders that are gone; their ids are used up as well.
    """
    bound = op.get_bind()
    # rows refer to nothing only until the tables are filled again, in this transaction
    bound.exec_driver_sql("PRAGMA defer_foreign_keys=ON")
    for name in ("encoder", "run"):
        _make_anew(bound, name)
    used = bound.exec_driver_sql(_IN_LISTS).scalar() or 0
    bound.exec_driver_sql(
        "UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = 'encoder'", (used,)
    )


def _make_anew(bound: sa.Connection, name: str) -> None:
    rows = bound.exec_driver_sql(f"SELECT * FROM {name}").all()
    table = sa.Table(name, sa.MetaData(), autoload_with=bound, sqlite_autoincrement=True)
    table.drop(bound)
    table.create(bound)
    marks = ", ".join("?" * len(table.columns))
    for row in rows:
        bound.exec_driver_sql(f"INSERT INTO {name} VALUES ({marks})", tuple(row))
