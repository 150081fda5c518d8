"""Differences keep their own p; it is corrected for what they are shown with when they are."""

import json

from alembic import op

from termexplorer.texts import mark

revision = "0014"
down_revision = "0013"

_KEPT = ("first_id", "second_id", "metric", "value", "low", "high", "n", "test")
_WITHOUT_P = mark(
    "differences were tested by an earlier version, which kept no p of each alone: evaluate again"
)


def upgrade() -> None:
    """Drops p's that were corrected for others than those on show; their own are not known."""
    bound = op.get_bind()
    rows = bound.exec_driver_sql("SELECT task, data_hash, differences, notes FROM evaluation").all()
    for task, data_hash, differences, notes in rows:
        comparisons = json.loads(differences)
        if comparisons:
            cleaned = [
                {name: comparison.get(name, "") for name in _KEPT} | {"raw_p": None, "least_p": 0.0}
                for comparison in comparisons
            ]
            bound.exec_driver_sql(
                "UPDATE evaluation SET differences = ?, notes = ? WHERE task = ? AND data_hash = ?",
                (
                    json.dumps(cleaned),
                    json.dumps([*json.loads(notes), _WITHOUT_P]),
                    task,
                    data_hash,
                ),
            )
