"""Studies of pairs, and which time somebody was asked about a pair."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Adds the tables of studies, and to the log a column that the rows there do without."""
    op.add_column("verdict", sa.Column("showing", sa.Integer(), nullable=False, server_default="1"))
    op.create_table(
        "study",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("key", sa.String(), nullable=False, unique=True),
        *[sa.Column(name, sa.String(), nullable=False) for name in ("title", "question")],
        sa.Column("answers", sa.JSON(), nullable=False),
        *[sa.Column(name, sa.String(), nullable=False) for name in ("level", "guidelines")],
        sa.Column("plan", sa.JSON(), nullable=False),
        sa.Column("made_at", sa.String(), nullable=False),
    )
    op.create_table(
        "study_pair",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("study_id", sa.Integer(), sa.ForeignKey("study.id"), nullable=False),
        *[sa.Column(name, sa.String(), nullable=False) for name in ("subject", "object")],
        sa.Column("practice", sa.Boolean(), nullable=False),
        sa.Column("set_name", sa.String(), nullable=False),
        sa.Column("score", sa.Float(), nullable=True),
        sa.UniqueConstraint("study_id", "subject", "object"),
    )
    op.create_table(
        "study_seat",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("study_id", sa.Integer(), sa.ForeignKey("study.id"), nullable=False),
        *[sa.Column(name, sa.String(), nullable=False) for name in ("annotator", "pack_hash")],
        sa.UniqueConstraint("study_id", "annotator"),
    )
    op.create_table(
        "study_turn",
        sa.Column("seat_id", sa.Integer(), sa.ForeignKey("study_seat.id"), primary_key=True),
        sa.Column("place", sa.Integer(), primary_key=True),
        sa.Column("pair_id", sa.Integer(), sa.ForeignKey("study_pair.id"), nullable=False),
        sa.Column("showing", sa.Integer(), nullable=False),
        sa.Column("swapped", sa.Boolean(), nullable=False),
    )
