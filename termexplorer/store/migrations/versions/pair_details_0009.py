"""What stands behind the figures of an encoder on a set of pairs."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """Adds the table of curves and hardest pairs."""
    op.create_table(
        "pair_detail",
        sa.Column("encoder_id", sa.Integer(), sa.ForeignKey("encoder.id"), nullable=False),
        sa.Column("task", sa.String(), nullable=False),
        sa.Column("data_hash", sa.String(), nullable=False),
        sa.Column("threshold", sa.Float(), nullable=True),
        sa.Column("curve", sa.JSON(), nullable=False),
        sa.Column("hardest", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("encoder_id", "task", "data_hash"),
    )
