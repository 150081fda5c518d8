"""Encoders made of others, and the lexical encoders beside TF-IDF."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"

_LEXICAL = (("jaccard", "Jaccard"), ("bm25", "BM25"), ("edit_distance", "Edit distance"))


def upgrade() -> None:
    """Adds the table of parts, and lexical encoders under the next free ids."""
    op.create_table(
        "encoder_part",
        sa.Column("encoder_id", sa.Integer(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("part_id", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["encoder_id"], ["encoder.id"]),
        sa.ForeignKeyConstraint(["part_id"], ["encoder.id"]),
        sa.PrimaryKeyConstraint("encoder_id", "place"),
    )
    for method, title in _LEXICAL:
        op.execute(
            "INSERT INTO encoder (kind, method, title, dimension, path, content_hash, parameters,"
            f" created_at) VALUES ('lexical', '{method}', '{title}', 0, '', '', '{{}}',"
            " '1970-01-01T00:00:00+00:00')"
        )
