"""Maps that were computed: where their positions lie, and all that they depend on."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Adds the table of projections."""
    op.create_table(
        "projection",
        sa.Column("encoder_id", sa.Integer(), nullable=False),
        sa.Column("names_hash", sa.String(), nullable=False),
        sa.Column("method", sa.String(), nullable=False),
        sa.Column("parameters", sa.String(), nullable=False),
        sa.Column("seed", sa.Integer(), nullable=False),
        sa.Column("release_id", sa.Integer(), nullable=False),
        sa.Column("path", sa.String(), nullable=False),
        sa.Column("content_hash", sa.String(), nullable=False),
        sa.Column("points", sa.Integer(), nullable=False),
        sa.Column("card", sa.JSON(), nullable=False),
        sa.Column("made_at", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["encoder_id"], ["encoder.id"]),
        sa.ForeignKeyConstraint(["release_id"], ["release.id"]),
        sa.PrimaryKeyConstraint("encoder_id", "names_hash", "method", "parameters", "seed"),
    )
