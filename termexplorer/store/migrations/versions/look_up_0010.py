"""Whether, and where, annotators of a study may look terms up."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    """Adds a column to studies, in which nothing may be looked up in those that are there."""
    column = sa.Column("look_up", sa.JSON(), nullable=False, server_default="{}")
    op.add_column("study", column)
