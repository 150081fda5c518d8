"""Where things are kept when nobody says otherwise."""

import os
from pathlib import Path

from platformdirs import user_data_path

WORKSPACE_VARIABLE = "TERMEXPLORER_WORKSPACE"  # of the environment


def default_folder() -> Path:
    """The workspace folder that the environment says, or the usual one."""
    if said := os.environ.get(WORKSPACE_VARIABLE):
        return Path(said)
    return user_data_path("termexplorer") / "workspace"
