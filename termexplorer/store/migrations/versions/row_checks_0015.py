"""Checksums of the rows of releases; the copies of all other rows are made after each migration."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"


def upgrade() -> None:
    """Adds the table; the first check fills it for releases that are there."""
    op.create_table(
        "row_checksum",
        sa.Column("release_id", sa.Integer(), sa.ForeignKey("release.id"), primary_key=True),
        sa.Column("table_name", sa.String(), primary_key=True),
        sa.Column("block", sa.Integer(), primary_key=True),
        sa.Column("sums", sa.LargeBinary(), nullable=False),
        sqlite_with_rowid=False,
    )
