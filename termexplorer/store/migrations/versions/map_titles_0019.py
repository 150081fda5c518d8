"""A map may have a title of the user's own."""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"


def upgrade() -> None:
    """Add the column; no map has one yet."""
    op.add_column("projection", sa.Column("title", sa.String(), nullable=False, server_default=""))
