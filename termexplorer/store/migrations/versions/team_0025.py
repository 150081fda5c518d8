"""What a workspace keeps of its team: where it is, and which rows of the log are shared."""

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"


def upgrade() -> None:
    """Add the tables; no workspace is in a team yet."""
    texts = ("address", "person", "orcid", "device", "joined_at")
    op.create_table(
        "team_membership",
        sa.Column("id", sa.Integer(), primary_key=True),
        *(sa.Column(name, sa.String(), nullable=False) for name in texts),
    )
    op.create_table(
        "team_row",
        sa.Column("device", sa.String(), primary_key=True),
        sa.Column("study", sa.String(), primary_key=True),
        sa.Column("seq", sa.Integer(), primary_key=True),
        *(sa.Column(name, sa.String(), nullable=False) for name in ("link", "identity")),
        sa.Column("row_id", sa.Integer(), nullable=False),
        sa.Column("server_time", sa.String(), nullable=False),
    )
    op.create_index("team_row_of", "team_row", ["row_id"])
    op.create_index("team_row_identity", "team_row", ["identity"])
