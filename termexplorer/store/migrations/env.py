"""How Alembic runs a migration: on the connection that it is handed, in that transaction."""

from alembic import context

from termexplorer.store.tables.releases import Base

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Base.metadata,
    render_as_batch=True,
    transactional_ddl=True,
)
with context.begin_transaction():
    context.run_migrations()
