"""A team's log on a PostgreSQL server, and what a workspace keeps of it."""
