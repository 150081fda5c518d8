"""The tables, roles and rules of a team's database, brought up to date by Alembic."""
