"""The tables of tasks, the same in SQLite and in PostgreSQL."""

from sqlalchemy import Column, Double, Integer, MetaData, Table, Text

METADATA = MetaData()

STUDY = Table(
    "work_study",
    METADATA,
    Column("name", Text, primary_key=True),
    Column("kind", Text, nullable=False),  # which program part runs its tasks
    Column("asked", Text, nullable=False),  # JSON: what it is of; other data are another study
    Column("request", Text, nullable=False),  # JSON: what a worker needs to run a task
)
TASK = Table(
    "work_task",
    METADATA,
    Column("study", Text, primary_key=True),
    Column("key", Text, primary_key=True),  # JSON
    Column("position", Integer, nullable=False),
    Column("stage", Integer, nullable=False),  # waits until all lower ones are done
    Column("status", Text, nullable=False),
    Column("worker", Text, nullable=False, default=""),
    Column("claims", Integer, nullable=False, default=0),
    Column("lease_end", Double, nullable=False, default=0.0),  # seconds since 1970
    Column("reason", Text, nullable=False, default=""),  # why it failed or was left out
)
PIECE = Table(
    "work_piece",
    METADATA,
    Column("study", Text, primary_key=True),
    Column("key", Text, primary_key=True),  # JSON
    Column("record", Text, nullable=False),  # JSON
)
