"""The names of each release in the order of their texts, instead of an index over the texts."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    """Adds the table with the names that are there, and an index of each release's names."""
    op.create_table(
        "sorted_name",
        sa.Column("release_id", sa.Integer(), nullable=False),
        sa.Column("text", sa.String(collation="NOCASE"), nullable=False),
        sa.Column("name_id", sa.Integer(), nullable=False),
        sa.Column("concept_id", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["release_id"], ["release.id"]),
        sa.PrimaryKeyConstraint("release_id", "text", "name_id"),
        sqlite_with_rowid=False,
    )
    op.execute(
        "INSERT INTO sorted_name SELECT release_id, text, id, concept_id FROM name"
        " ORDER BY release_id, text COLLATE NOCASE, id"
    )
    op.drop_index("name_text", "name")
    op.create_index("name_release", "name", ["release_id"])
