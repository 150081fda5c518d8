"""Whether killed imports, removals and runs left something behind; told without SQLAlchemy."""

from termexplorer.workspace import Workspace

_UNFINISHED = "SELECT 1 FROM release WHERE status IN ('importing', 'removing')"
_BEGUN = "SELECT 1 FROM run WHERE status IN ('running', 'paused')"


def has_begun_work(workspace: Workspace) -> bool:
    """Return whether an import, a removal or a run was begun that has not ended.

    It may be going on; `sweep` and `mark_interrupted` tell, and bring in SQLAlchemy.

    Raises:
        UserError: the store cannot be read.
    """
    with workspace.store.looking() as connection:
        rows = connection.exec_driver_sql(f"SELECT EXISTS ({_UNFINISHED}) OR EXISTS ({_BEGUN})")
        (begun,) = rows.fetchone()
    return bool(begun)
