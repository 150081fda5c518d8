"""How Alembic runs a version: on the connection that it is handed, in that transaction."""

from alembic import context

context.configure(
    connection=context.config.attributes["connection"],
    version_table="schema_version",
    version_table_schema="termexplorer",
    transactional_ddl=True,
)
with context.begin_transaction():
    context.run_migrations()
