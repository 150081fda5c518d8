"""An evaluation may have a name of the user's own."""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"


def upgrade() -> None:
    """Add the column; no evaluation has one yet."""
    op.add_column("evaluation", sa.Column("name", sa.String(), nullable=False, server_default=""))
