"""Evaluations say which level and which split they are of; only their titles did before."""

import re

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"

_ON_LEVEL = re.compile(r"level (\d+): (.*)", re.DOTALL)
_OF_SPLIT = re.compile(r"\bsplit (\d+)\b")
_OF_SPLITS = ("ranking", "hypernyms", "synonyms", "coverage")


def upgrade() -> None:
    """Adds the columns, and reads them off the titles."""
    for name in ("level", "split_id"):
        op.add_column("evaluation", sa.Column(name, sa.Integer(), nullable=True))
    bound = op.get_bind()
    for task, data_hash, title in bound.execute(
        sa.text("SELECT task, data_hash, title FROM evaluation")
    ).all():
        if not task.startswith(_OF_SPLITS):
            continue
        level, split = _ON_LEVEL.fullmatch(title), _OF_SPLIT.search(title)
        bound.execute(
            sa.text(
                "UPDATE evaluation SET level = :level, split_id = :split, title = :title"
                " WHERE task = :task AND data_hash = :data_hash"
            ),
            {
                "level": int(level[1]) if level else None,
                "split": int(split[1]) if split else None,
                "title": level[2] if level else title,
                "task": task,
                "data_hash": data_hash,
            },
        )
