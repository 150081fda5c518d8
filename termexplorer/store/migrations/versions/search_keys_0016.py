"""Folded names, codes without dots, cross-references and words, for the search box."""

import sqlalchemy as sa
from alembic import op

from termexplorer.store.indexes.search_keys import CREATE, index_all_releases

revision = "0016"
down_revision = "0015"


def upgrade() -> None:
    """Adds two tables and an index, with what the releases that are there come to."""
    op.create_table(
        "lookup_key",
        sa.Column("release_id", sa.Integer(), nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("concept_id", sa.Integer(), nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["release_id"], ["release.id"]),
        sa.PrimaryKeyConstraint("release_id", "key", "concept_id", "text"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "name_word",
        sa.Column("release_id", sa.Integer(), nullable=False),
        sa.Column("word", sa.String(), nullable=False),
        sa.Column("names", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["release_id"], ["release.id"]),
        sa.PrimaryKeyConstraint("release_id", "word"),
        sqlite_with_rowid=False,
    )
    for statement in CREATE:
        op.execute(statement)
    index_all_releases(op.get_bind())
