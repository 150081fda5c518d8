"""What figures were measured on, and how encoders differ there."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Adds the table of evaluations."""
    op.create_table(
        "evaluation",
        sa.Column("task", sa.String(), nullable=False),
        sa.Column("data_hash", sa.String(), nullable=False),
        sa.Column("title", sa.String(), nullable=False),
        sa.Column("metric", sa.String(), nullable=False),
        sa.Column("differences", sa.JSON(), nullable=False),
        sa.Column("seen", sa.JSON(), nullable=False),
        sa.Column("notes", sa.JSON(), nullable=False),
        sa.Column("evaluated_at", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("task", "data_hash"),
    )
    op.execute("UPDATE figure SET task = 'ranking' WHERE task = 'similarity ranking'")
