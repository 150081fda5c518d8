"""Steps that tests of keyboard share with others."""

from termexplorer.store.encoders.runs import add_run, update_run
from termexplorer.workspace import Workspace


def make_run(workspace: Workspace, status: str = "queued") -> int:
    with workspace.store.writing() as connection:
        run_id = add_run(
            connection,
            title="few-shot, level 1",
            recipe="few-shot",
            preset="quick",
            release_id=1,
            input_id=1,
            request={"choice": {"level": 1, "root": ""}},
        )
        update_run(connection, run_id, status=status)
    return run_id
