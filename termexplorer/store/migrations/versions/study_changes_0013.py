"""Studies can be renamed, their pairs left out, and right answers known of some."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"

_COLUMNS = (("study", "sent_title"), ("study_pair", "left_out"), ("study_pair", "known"))


def upgrade() -> None:
    """Adds columns, empty in what is there: no name was changed, no pair is left out or known."""
    for table, name in _COLUMNS:
        column = sa.Column(name, sa.String(), nullable=False, server_default="")
        op.add_column(table, column)
