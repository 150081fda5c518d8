"""What was kept of an encoder's rankings, to be compared with those of others."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Adds the table of kept ranks."""
    op.create_table(
        "ranks",
        sa.Column("encoder_id", sa.Integer(), nullable=False),
        sa.Column("release_id", sa.Integer(), nullable=False),
        sa.Column("task", sa.String(), nullable=False),
        sa.Column("data_hash", sa.String(), nullable=False),
        sa.Column("path", sa.String(), nullable=False),
        sa.Column("content_hash", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["encoder_id"], ["encoder.id"]),
        sa.ForeignKeyConstraint(["release_id"], ["release.id"]),
        sa.PrimaryKeyConstraint("encoder_id", "release_id", "task", "data_hash"),
    )
