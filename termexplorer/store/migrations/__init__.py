"""Alembic migrations of the workspace store."""
