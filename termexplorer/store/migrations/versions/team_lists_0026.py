"""Lists of suggestions that came from the team, by which one that is removed stays away."""

import sqlalchemy as sa
from alembic import op

revision = "0026"
down_revision = "0025"


def upgrade() -> None:
    """Add the table; no list came yet."""
    op.create_table("team_list", sa.Column("key", sa.String(), primary_key=True))
