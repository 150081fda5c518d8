"""The only SQLAlchemy: tables, migrations, and queries that return frozen dataclasses."""
