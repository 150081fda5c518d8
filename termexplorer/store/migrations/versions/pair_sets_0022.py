"""Evaluations on pairs tell the set, whichever of its pairs count."""

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"


def upgrade() -> None:
    """Add the column; of what was evaluated before, title and number of pairs tell the set."""
    op.add_column(
        "evaluation", sa.Column("set_hash", sa.String(), nullable=False, server_default="")
    )
