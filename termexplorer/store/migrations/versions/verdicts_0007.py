"""The log of verdicts, which nothing changes, and kept suggestions for them."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Adds the tables of verdicts and suggestions, and guards the log."""
    _add_log()
    _add_suggestions()


def _add_log() -> None:
    op.create_table(
        "verdict",
        sa.Column("id", sa.Integer(), primary_key=True),
        *[
            sa.Column(name, sa.String(), nullable=False)
            for name in ("study", "judge", "orcid", "question", "subject", "term", "object")
        ],
        sa.Column("release_hash", sa.String(), nullable=False),
        sa.Column("answer", sa.String(), nullable=False),
        sa.Column("note", sa.String(), nullable=False),
        sa.Column("shown_at", sa.String(), nullable=False),
        sa.Column("answered_at", sa.String(), nullable=False),
        sa.Column("undoes", sa.Integer(), nullable=True),
        sa.Column("details", sa.JSON(), nullable=False),
        sa.Column("before", sa.String(), nullable=False),
        sa.Column("hash", sa.String(), nullable=False),
    )
    op.create_index("verdict_about", "verdict", ["study", "subject", "object"])
    op.create_index("verdict_undoes", "verdict", ["undoes"])
    for change in ("UPDATE", "DELETE"):
        op.execute(
            f"CREATE TRIGGER verdict_no_{change.lower()} BEFORE {change} ON verdict "
            "BEGIN SELECT RAISE(ABORT, 'the log of verdicts is only ever added to'); END"
        )


def _add_suggestions() -> None:
    op.create_table(
        "suggestion_list",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("title", sa.String(), nullable=False),
        sa.Column("release_id", sa.Integer(), sa.ForeignKey("release.id"), nullable=True),
        sa.Column("object_release_id", sa.Integer(), sa.ForeignKey("release.id"), nullable=True),
        sa.Column("encoder_ids", sa.JSON(), nullable=False),
        *[
            sa.Column(name, sa.JSON(), nullable=False)
            for name in ("parameters", "header", "facts", "head")
        ],
        sa.Column("made_at", sa.String(), nullable=False),
    )
    op.create_table(
        "suggestion",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("list_id", sa.Integer(), sa.ForeignKey("suggestion_list.id"), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        *[
            sa.Column(name, sa.String(), nullable=False)
            for name in ("question", "subject", "term", "object")
        ],
        sa.Column("cells", sa.JSON(), nullable=False),
        sa.Column("slots", sa.JSON(), nullable=False),
        sa.UniqueConstraint("list_id", "place"),
    )
