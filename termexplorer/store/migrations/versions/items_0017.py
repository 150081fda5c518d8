"""Evaluations keep how many items their data have, of which some may not count."""

import json
import re

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"

_TOLD = re.compile(r"[\d,]+ of (?:the )?([\d,]+)(?: pairs are known to all encoders|, for which )")


def upgrade() -> None:
    """Adds the column, and takes the numbers from the notes that tell them."""
    op.add_column("evaluation", sa.Column("items", sa.Integer(), nullable=True))
    bound = op.get_bind()
    rows = bound.exec_driver_sql("SELECT task, data_hash, notes FROM evaluation").all()
    for task, data_hash, notes in rows:
        match = next(filter(None, map(_TOLD.search, json.loads(notes))), None)
        if match:
            bound.exec_driver_sql(
                "UPDATE evaluation SET items = ? WHERE task = ? AND data_hash = ?",
                (int(match[1].replace(",", "")), task, data_hash),
            )
