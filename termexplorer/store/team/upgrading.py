"""A team's database made, brought up to date, and held against this program's version."""

from pathlib import Path

from sqlalchemy import Connection, text

from termexplorer.errors import UserError
from termexplorer.texts import tr

TEAM_HEAD = "0001"
_GRANT = "GRANT SELECT ON termexplorer.schema_version TO termexplorer_reader"


def upgrade_team(connection: Connection) -> None:
    """Make a team's tables and roles, or bring them up to this program's version.

    Raises:
        UserError: the database is of a newer version.
    """
    from alembic import command  # takes a quarter of a second
    from alembic.config import Config

    connection.execute(text("CREATE SCHEMA IF NOT EXISTS termexplorer"))
    refuse_newer_team(read_team_version(connection))
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
    connection.execute(text(_GRANT))


def read_team_version(connection: Connection) -> str:
    """Return the version of a team's database; "" where it is none yet."""
    named = "SELECT to_regclass('termexplorer.schema_version') IS NOT NULL"
    if not connection.scalar(text(named)):
        return ""
    return connection.scalar(text("SELECT version_num FROM termexplorer.schema_version")) or ""


def refuse_newer_team(version: str) -> None:
    """Refuse a database of a newer version.

    Raises:
        UserError: it is.
    """
    if version > TEAM_HEAD:
        raise UserError(tr("the team's database is of a newer termexplorer; update this program"))


def check_team_version(connection: Connection) -> None:
    """Refuse a database of another version than this program's.

    Raises:
        UserError: it is newer, or older, or no team's.
    """
    version = read_team_version(connection)
    refuse_newer_team(version)
    if not version:
        raise UserError(
            tr("the database is no team's yet; its author runs `termexplorer team init`")
        )
    if version < TEAM_HEAD:
        raise UserError(
            tr(
                "the team's database is of an older termexplorer; its author runs "
                "`termexplorer team init` again, which keeps everything"
            )
        )
