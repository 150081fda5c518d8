"""The first layout of the store."""

import sqlalchemy as sa
from alembic import op

from termexplorer.store.indexes.fulltext import CREATE

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Makes all tables and the full-text indexes."""
    _tables()
    op.create_index("name_text", "name", ["release_id", sa.text("text COLLATE NOCASE")])
    op.create_index("identifier_text", "identifier", ["release_id", sa.text("text COLLATE NOCASE")])
    for statement in CREATE:
        op.execute(statement)
    op.execute(
        """INSERT INTO encoder VALUES
        (1, 'lexical', 'tfidf', 'TF-IDF', NULL, 0, '', '', '{}', '1970-01-01T00:00:00+00:00')"""
    )


def _tables() -> None:
    op.create_table(
        "encoder",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("method", sa.String(), nullable=False),
        sa.Column("title", sa.String(), nullable=False),
        sa.Column("input_id", sa.Integer(), nullable=True),
        sa.Column("dimension", sa.Integer(), nullable=False),
        sa.Column("path", sa.String(), nullable=False),
        sa.Column("content_hash", sa.String(), nullable=False),
        sa.Column("parameters", sa.JSON(), nullable=False),
        sa.Column("created_at", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(
            ["input_id"],
            ["encoder.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_table(
        "list",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("title", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("title"),
    )
    op.create_table(
        "person",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("orcid", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_table(
        "terminology",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("key"),
    )
    op.create_table(
        "figure",
        sa.Column("encoder_id", sa.Integer(), nullable=False),
        sa.Column("task", sa.String(), nullable=False),
        sa.Column("data_hash", sa.String(), nullable=False),
        sa.Column("metric", sa.String(), nullable=False),
        sa.Column("value", sa.Float(), nullable=False),
        sa.Column("low", sa.Float(), nullable=False),
        sa.Column("high", sa.Float(), nullable=False),
        sa.Column("n", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["encoder_id"],
            ["encoder.id"],
        ),
        sa.PrimaryKeyConstraint("encoder_id", "task", "data_hash", "metric"),
    )
    op.create_table(
        "list_item",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("list_id", sa.Integer(), nullable=False),
        sa.Column("terminology_id", sa.Integer(), nullable=True),
        sa.Column("subject", sa.String(), nullable=False),
        sa.Column("object", sa.String(), nullable=False),
        sa.Column("added_at", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(
            ["list_id"],
            ["list.id"],
        ),
        sa.ForeignKeyConstraint(
            ["terminology_id"],
            ["terminology.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("list_id", "terminology_id", "subject", "object"),
    )
    op.create_table(
        "release",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("terminology_id", sa.Integer(), nullable=False),
        sa.Column("title", sa.String(), nullable=False),
        sa.Column("version", sa.String(), nullable=False),
        sa.Column("licence", sa.String(), nullable=False),
        sa.Column("format", sa.String(), nullable=False),
        sa.Column("source", sa.String(), nullable=False),
        sa.Column("prefixes", sa.JSON(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("imported_at", sa.String(), nullable=False),
        sa.Column("content_hash", sa.String(), nullable=False),
        sa.Column("concepts", sa.Integer(), nullable=False),
        sa.Column("names", sa.Integer(), nullable=False),
        sa.Column("is_a", sa.Integer(), nullable=False),
        sa.Column("obsolete", sa.Integer(), nullable=False),
        sa.Column("skipped", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["terminology_id"],
            ["terminology.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_table(
        "concept",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("release_id", sa.Integer(), nullable=False),
        sa.Column("curie", sa.String(), nullable=False),
        sa.Column("code", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("label", sa.String(), nullable=False),
        sa.Column("definition", sa.String(), nullable=False),
        sa.Column("obsolete", sa.Boolean(), nullable=False),
        sa.Column("root", sa.Boolean(), nullable=False),
        sa.Column("details", sa.JSON(none_as_null=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["release_id"],
            ["release.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("release_id", "curie"),
    )
    op.create_index(
        "concept_root", "concept", ["release_id"], unique=False, sqlite_where=sa.text("root")
    )
    op.create_table(
        "import_remark",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("release_id", sa.Integer(), nullable=False),
        sa.Column("skipped", sa.Boolean(), nullable=False),
        sa.Column("line", sa.Integer(), nullable=False),
        sa.Column("count", sa.Integer(), nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(
            ["release_id"],
            ["release.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index(
        op.f("ix_import_remark_release_id"), "import_remark", ["release_id"], unique=False
    )
    op.create_table(
        "split",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("release_id", sa.Integer(), nullable=False),
        sa.Column("root", sa.String(), nullable=False),
        sa.Column("depth", sa.Integer(), nullable=False),
        sa.Column("rule", sa.String(), nullable=False),
        sa.Column("seed", sa.Integer(), nullable=False),
        sa.Column("hash", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(
            ["release_id"],
            ["release.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("release_id", "rule", "root", "depth", "seed", "hash"),
    )
    op.create_table(
        "vector_index",
        sa.Column("encoder_id", sa.Integer(), nullable=False),
        sa.Column("release_id", sa.Integer(), nullable=False),
        sa.Column("path", sa.String(), nullable=False),
        sa.Column("content_hash", sa.String(), nullable=False),
        sa.Column("recall", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(
            ["encoder_id"],
            ["encoder.id"],
        ),
        sa.ForeignKeyConstraint(
            ["release_id"],
            ["release.id"],
        ),
        sa.PrimaryKeyConstraint("encoder_id", "release_id"),
    )
    op.create_table(
        "vectors",
        sa.Column("encoder_id", sa.Integer(), nullable=False),
        sa.Column("release_id", sa.Integer(), nullable=False),
        sa.Column("path", sa.String(), nullable=False),
        sa.Column("content_hash", sa.String(), nullable=False),
        sa.Column("rows", sa.Integer(), nullable=False),
        sa.Column("dimension", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["encoder_id"],
            ["encoder.id"],
        ),
        sa.ForeignKeyConstraint(
            ["release_id"],
            ["release.id"],
        ),
        sa.PrimaryKeyConstraint("encoder_id", "release_id"),
    )
    op.create_table(
        "identifier",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("release_id", sa.Integer(), nullable=False),
        sa.Column("concept_id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(
            ["concept_id"],
            ["concept.id"],
        ),
        sa.ForeignKeyConstraint(
            ["release_id"],
            ["release.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index(op.f("ix_identifier_concept_id"), "identifier", ["concept_id"], unique=False)
    op.create_table(
        "is_a",
        sa.Column("child_id", sa.Integer(), nullable=False),
        sa.Column("parent_id", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["child_id"],
            ["concept.id"],
        ),
        sa.ForeignKeyConstraint(
            ["parent_id"],
            ["concept.id"],
        ),
        sa.PrimaryKeyConstraint("child_id", "parent_id"),
        sqlite_with_rowid=False,
    )
    op.create_index("is_a_parent", "is_a", ["parent_id", "child_id"], unique=False)
    op.create_table(
        "name",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("release_id", sa.Integer(), nullable=False),
        sa.Column("concept_id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("scope", sa.String(), nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(
            ["concept_id"],
            ["concept.id"],
        ),
        sa.ForeignKeyConstraint(
            ["release_id"],
            ["release.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index(op.f("ix_name_concept_id"), "name", ["concept_id"], unique=False)
    op.create_table(
        "run",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("title", sa.String(), nullable=False),
        sa.Column("recipe", sa.String(), nullable=False),
        sa.Column("preset", sa.String(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("release_id", sa.Integer(), nullable=False),
        sa.Column("input_id", sa.Integer(), nullable=False),
        sa.Column("encoder_id", sa.Integer(), nullable=True),
        sa.Column("split_id", sa.Integer(), nullable=True),
        sa.Column("request", sa.JSON(), nullable=False),
        sa.Column("card", sa.JSON(), nullable=False),
        sa.Column("notes", sa.String(), nullable=False),
        sa.Column("error", sa.String(), nullable=False),
        sa.Column("created_at", sa.String(), nullable=False),
        sa.Column("finished_at", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(
            ["encoder_id"],
            ["encoder.id"],
        ),
        sa.ForeignKeyConstraint(
            ["input_id"],
            ["encoder.id"],
        ),
        sa.ForeignKeyConstraint(
            ["release_id"],
            ["release.id"],
        ),
        sa.ForeignKeyConstraint(
            ["split_id"],
            ["split.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_table(
        "epoch",
        sa.Column("run_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("losses", sa.JSON(), nullable=False),
        sa.Column("validation", sa.Float(), nullable=False),
        sa.Column("seconds", sa.Float(), nullable=False),
        sa.Column("names_per_second", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(
            ["run_id"],
            ["run.id"],
        ),
        sa.PrimaryKeyConstraint("run_id", "number"),
    )
    op.create_table(
        "split_name",
        sa.Column("split_id", sa.Integer(), nullable=False),
        sa.Column("name_id", sa.Integer(), nullable=False),
        sa.Column("part", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["name_id"],
            ["name.id"],
        ),
        sa.ForeignKeyConstraint(
            ["split_id"],
            ["split.id"],
        ),
        sa.PrimaryKeyConstraint("split_id", "name_id"),
        sqlite_with_rowid=False,
    )
    op.create_index(op.f("ix_split_name_name_id"), "split_name", ["name_id"], unique=False)
