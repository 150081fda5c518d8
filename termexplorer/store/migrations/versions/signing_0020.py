"""Keys that packs and answers were signed with, and answers that were set aside."""

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"


def upgrade() -> None:
    """Add the tables, and the signature of a pack to whom it is for; all before was unsigned."""
    op.create_table(
        "signing_key",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("study", sa.String(), nullable=False),
        sa.Column("annotator", sa.String(), nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("trusted", sa.Boolean(), nullable=False),
        sa.Column("seen_at", sa.String(), nullable=False),
        sa.UniqueConstraint("study", "annotator", "key"),
    )
    texts = ("study", "annotator", "key", "hash", "doubt")
    moments = ("said_at", "set_aside_at", "choice", "chosen_at")
    op.create_table(
        "set_aside_answers",
        sa.Column("id", sa.Integer(), primary_key=True),
        *(sa.Column(name, sa.String(), nullable=False) for name in texts),
        sa.Column("rows", sa.Integer(), nullable=False),
        *(sa.Column(name, sa.String(), nullable=False) for name in moments),
        sa.UniqueConstraint("study", "annotator", "hash", "key"),
    )
    column = sa.Column("pack_signature", sa.JSON(), nullable=False, server_default="{}")
    op.add_column("study_seat", column)
