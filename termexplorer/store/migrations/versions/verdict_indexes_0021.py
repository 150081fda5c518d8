"""Verdicts are found by who gave them, of what and when, without reading the log."""

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"


def upgrade() -> None:
    """Widen the index of subjects, add one of judges, and leave out of one what it has not."""
    op.drop_index("verdict_about", "verdict")
    op.create_index(
        "verdict_about", "verdict", ["study", "subject", "object", "judge", "orcid", "answered_at"]
    )
    op.create_index("verdict_by", "verdict", ["study", "judge", "orcid"])
    op.drop_index("verdict_undoes", "verdict")
    # rows that take nothing back are nearly all: SQLite would read them all by this index
    taken = sa.column("undoes").is_not(None)
    op.create_index("verdict_undoes", "verdict", ["undoes"], sqlite_where=taken)
